/* SPDX-License-Identifier: MIT */
/* Decodes samples: fields in a fixed order, each of which the event may lack. */
#include "sample.h"

/* Bits of branch_sample_type. */
#define BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define BRANCH_COUNTERS (UINT64_C(1) << 19)

static bool has(const event *v, uint64_t field)
{
    return (v->sample_type & field) != 0;
}

/* Returns the size of the value of a counter, with the further fields that each has. */
static size_t count_size(uint64_t format)
{
    return 8 + 8 * (size_t)((format & READ_ID) != 0) + 8 * (size_t)((format & READ_LOST) != 0);
}

/* Returns the size of the times during which counters were on. */
static size_t times_size(uint64_t format)
{
    return 8 * (size_t)((format & READ_ENABLED) != 0) + 8 * (size_t)((format & READ_RUNNING) != 0);
}

/* Takes the values of a group of counters, or that of a single one, if they have ids. Times stand
 * before the values of a group, and after a single value. */
static void take_counts(sample *s, const event *v, brz_bytes *b)
{
    uint64_t format = v->read_format;
    bool is_group = (format & READ_GROUP) != 0;
    size_t each = count_size(format) + (is_group ? 0 : times_size(format));
    uint64_t n = is_group ? brz_bytes_u64(b) : 1;
    brz_bytes_skip(b, is_group ? times_size(format) : 0);
    n = brz_bytes_count(b, n, each);
    if (format & READ_ID) {
        s->counts = b->at;
        s->n_counts = n;
    }
    brz_bytes_skip(b, each * n);
}

sample_count sample_count_at(const sample *s, const event *v, uint64_t i, uint32_t order)
{
    uint64_t format = v->read_format;
    const uint8_t *at = s->counts + count_size(format) * i;
    const uint8_t *id = at + 8 + (format & READ_GROUP ? 0 : times_size(format));
    return (sample_count){word_u64(at, order), word_u64(id, order)};
}

static void take_chain(sample *s, brz_bytes *b)
{
    s->n_chain = brz_bytes_count(b, brz_bytes_u64(b), 8);
    s->chain = b->at;
    brz_bytes_skip(b, 8 * s->n_chain);
}

static void take_raw(sample *s, brz_bytes *b)
{
    s->raw_size = brz_bytes_u32(b);
    s->raw = b->at;
    brz_bytes_skip(b, s->raw_size);
}

/* Takes the branches; counters of each follow after all of them. */
static void take_branches(sample *s, brz_bytes *b, uint64_t type)
{
    uint64_t n = brz_bytes_u64(b);
    brz_bytes_skip(b, type & BRANCH_HW_INDEX ? 8 : 0);
    size_t each = 8 * BRANCH_WORDS + (type & BRANCH_COUNTERS ? 8 : 0);
    s->n_branches = brz_bytes_count(b, n, each);
    s->branches = b->at;
    brz_bytes_skip(b, each * s->n_branches);
}

static void take_registers(sample *s, brz_bytes *b, uint64_t wanted)
{
    s->abi = brz_bytes_u64(b);
    if (s->abi == 0)
        return;
    uint64_t n = (uint64_t)__builtin_popcountll(wanted);
    s->registers = b->at;
    brz_bytes_skip(b, 8 * n);
}

static void take_stack(sample *s, brz_bytes *b)
{
    uint64_t size = brz_bytes_u64(b);
    if (size == 0)
        return;
    s->stack = b->at;
    brz_bytes_skip(b, size);
    uint64_t filled = brz_bytes_u64(b);
    s->is_stack_short = filled < size;
    s->stack_size = filled < size ? filled : size;
}

/* Takes the fields of fixed size. */
static void take_head(sample *s, const event *v, brz_bytes *b)
{
    brz_bytes_skip(b, has(v, SAMPLE_IDENTIFIER) ? 8 : 0);
    s->ip = has(v, SAMPLE_IP) ? brz_bytes_u64(b) : 0;
    s->pid = has(v, SAMPLE_TID) ? brz_bytes_u32(b) : 0;
    s->tid = has(v, SAMPLE_TID) ? brz_bytes_u32(b) : 0;
    s->time = has(v, SAMPLE_TIME) ? brz_bytes_u64(b) : 0;
    brz_bytes_skip(b, has(v, SAMPLE_ADDR) ? 8 : 0);
    brz_bytes_skip(b, has(v, SAMPLE_ID) ? 8 : 0);
    brz_bytes_skip(b, has(v, SAMPLE_STREAM_ID) ? 8 : 0);
    s->cpu = has(v, SAMPLE_CPU) ? brz_bytes_u32(b) : 0;
    brz_bytes_skip(b, has(v, SAMPLE_CPU) ? 4 : 0);
    uint64_t period = v->flags & ATTR_FREQ ? 1 : v->sample_period;
    s->period = has(v, SAMPLE_PERIOD) ? brz_bytes_u64(b) : period;
}

bool sample_read(sample *s, const event *v, brz_bytes b)
{
    memset(s, 0, sizeof *s);
    take_head(s, v, &b);
    if (has(v, SAMPLE_READ))
        take_counts(s, v, &b);
    if (has(v, SAMPLE_CALLCHAIN))
        take_chain(s, &b);
    if (has(v, SAMPLE_RAW))
        take_raw(s, &b);
    if (has(v, SAMPLE_BRANCH_STACK))
        take_branches(s, &b, v->branch_type);
    if (has(v, SAMPLE_REGS_USER))
        take_registers(s, &b, v->user_registers);
    if (has(v, SAMPLE_STACK_USER))
        take_stack(s, &b);
    return b.error == NULL;
}
