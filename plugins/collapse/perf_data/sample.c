/* Decodes samples: fields in a fixed order, each of which the event may lack. */
#include "sample.h"

/* Bits of read_format. */
#define READ_ENABLED 1u
#define READ_RUNNING 2u
#define READ_ID      4u
#define READ_GROUP   8u
#define READ_LOST    16u

/* Bits of branch_sample_type. */
#define BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define BRANCH_COUNTERS (UINT64_C(1) << 19)

static bool has(const event *v, uint64_t field)
{
    return (v->sample_type & field) != 0;
}

/* Skips the values of a counter or a group of counters. */
static void skip_values(brz_bytes *b, uint64_t format)
{
    uint64_t times =
        8 * (uint64_t)((format & READ_ENABLED) != 0) + 8 * (uint64_t)((format & READ_RUNNING) != 0);
    uint64_t each =
        8 + 8 * (uint64_t)((format & READ_ID) != 0) + 8 * (uint64_t)((format & READ_LOST) != 0);
    uint64_t n = format & READ_GROUP ? brz_bytes_u64(b) : 1;
    brz_bytes_skip(b, times);
    brz_bytes_skip(b, each * brz_bytes_count(b, n, (size_t)each));
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

/* Takes the branches; counters of each follow behind all of them. */
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
        skip_values(&b, v->read_format);
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
