/* SPDX-License-Identifier: MIT */
/* Collapses the binary form of austin's samples, which austin --binary writes:
 *
 *     input := "MOJ" version event*
 *     event := type values
 *
 * Frames and texts are defined once per process, by a key, or in front of the first stack for all
 * of them. A sample is a stack, references to its frames from root to leaf, and metrics; the next
 * stack ends it.
 */
#include "../../common/pair_map.h"

#include <brazier/binary.h>

#include <stdio.h>

#include "sample.h"

/* ---- values and types of events -------------------------------------------------------------- */

/* Types of events. */
enum {
    MOJO_METADATA = 1, /* text, text */
    MOJO_STACK,        /* process [interpreter, from version 3 on] thread as text */
    MOJO_FRAME,        /* key, file, function, line [line, column, column, from version 2 on] */
    MOJO_FRAME_INVALID,
    MOJO_FRAME_REFERENCE, /* key */
    MOJO_FRAME_KERNEL,    /* text */
    MOJO_GC,
    MOJO_IDLE,
    MOJO_TIME,             /* number */
    MOJO_MEMORY,           /* number */
    MOJO_STRING,           /* key, text */
    MOJO_STRING_REFERENCE, /* key */
};

#define MOJO_VERSION_COLUMNS      2
#define MOJO_VERSION_INTERPRETERS 3

#define MORE 0x80u
#define SIGN 0x40u

/* Takes a number: six bits, the sign and a bit for more, then seven bits and a bit for more. */
static int64_t mojo_take_number(brz_bytes *b)
{
    const uint8_t *start = b->at;
    uint8_t byte = brz_bytes_u8(b);
    bool negative = (byte & SIGN) != 0;
    uint64_t value = byte & 0x3fu;
    for (unsigned shift = 6; (byte & MORE) != 0 && b->error == NULL; shift += 7) {
        byte = brz_bytes_u8(b);
        if (shift > 55) {
            brz_bytes_too_large(b, start);
            return 0;
        }
        value |= (uint64_t)(byte & 0x7fu) << shift;
    }
    return negative ? -(int64_t)value : (int64_t)value;
}

/* ---- reading --------------------------------------------------------------------------------- */

#define MAGIC       "MOJ"
#define HEADER_SIZE 4
#define VERSION_MAX 3

/* The key of the empty text, which is not defined. */
#define KEY_EMPTY 0

/* Stands for the process of definitions in front of the first stack. */
#define EVERY_PROCESS 0

typedef struct mojo {
    dump dump;
    austin_columns columns;
    pair_map text_ids, frame_ids; /* process and key to indices */
    brz_str *texts;
    size_t n_texts, texts_cap;
    brz_frame_list frames;
    brz_text process_text, thread_text, name;
    int64_t process; /* of the current sample */
    austin_metrics metrics;
    uint8_t version; /* 0: before the header */
    bool in_sample, has_time, has_memory, is_full;
    bool has_failed; /* the rest of the input is left out */
} mojo;

/* Returns the index of the value that the current process, or every process, has under a key. */
static uint32_t find(const mojo *m, const pair_map *ids, int64_t key)
{
    uint32_t index = pair_map_find(ids, (uint64_t)m->process, (uint64_t)key);
    return index != PAIR_MISS ? index : pair_map_find(ids, EVERY_PROCESS, (uint64_t)key);
}

/* ---- texts and frames ------------------------------------------------------------------------ */

static void define_text(mojo *m, brz_bytes *b)
{
    brz_ctx *ctx = m->dump.ctx;
    brz_text copy = {0};
    uint64_t key = (uint64_t)mojo_take_number(b);
    brz_str text = brz_bytes_text_to_zero(b);
    if (b->error != NULL)
        return;
    brz_text_append(&copy, ctx, text);
    m->texts = brz_list_room(ctx, m->texts, m->n_texts, &m->texts_cap, sizeof *m->texts);
    m->texts[m->n_texts] = brz_text_str(&copy);
    pair_map_put(&m->text_ids, ctx, (uint64_t)m->process, key, (uint32_t)m->n_texts++);
}

static brz_str text_of(const mojo *m, int64_t key)
{
    uint32_t index = find(m, &m->text_ids, key);
    if (index != PAIR_MISS)
        return m->texts[index];
    return key == KEY_EMPTY ? brz_str_of("", 0) : BRZ_STR("<unknown>");
}

/* Makes the name of a frame, "FILE:FUNCTION:LINE". */
static brz_str frame_name(mojo *m, brz_str file, brz_str function, int64_t line)
{
    brz_ctx *ctx = m->dump.ctx;
    char number[24];
    int n = snprintf(number, sizeof number, ":%lld", (long long)line);
    m->name.len = 0;
    brz_text_append(&m->name, ctx, file);
    brz_text_append(&m->name, ctx, BRZ_STR(":"));
    brz_text_append(&m->name, ctx, function);
    brz_text_append(&m->name, ctx, brz_str_of(number, (size_t)n));
    return brz_text_str(&m->name);
}

static void define_frame(mojo *m, brz_bytes *b)
{
    int64_t key = mojo_take_number(b), file = mojo_take_number(b), function = mojo_take_number(b);
    int64_t line = mojo_take_number(b), column = 0;
    brz_frame_desc frame = {.kind = BRZ_KIND_USER};
    if (m->version >= MOJO_VERSION_COLUMNS) {
        mojo_take_number(b);
        column = mojo_take_number(b);
        mojo_take_number(b);
    }
    if (b->error != NULL)
        return;
    austin_describe(&m->dump, frame_name(m, text_of(m, file), text_of(m, function), line), &frame);
    if (column > 0 && column <= UINT32_MAX)
        frame.column = (uint32_t)column;
    pair_map_put(&m->frame_ids, m->dump.ctx, (uint64_t)m->process, (uint64_t)key,
                 (uint32_t)m->frames.n);
    brz_frame_list_push(&m->frames, m->dump.ctx, dump_frame(&m->dump, &frame));
}

static void push_named(mojo *m, brz_str name, uint32_t kind)
{
    brz_frame_desc frame = {.name = name, .kind = kind};
    brz_path_push(m->dump.stacks.path, m->dump.ctx, dump_frame(&m->dump, &frame));
}

static void push_frame(mojo *m, brz_bytes *b)
{
    const uint8_t *at = b->at;
    uint32_t index = find(m, &m->frame_ids, mojo_take_number(b));
    if (b->error != NULL)
        return;
    if (index != PAIR_MISS) {
        brz_path_push(m->dump.stacks.path, m->dump.ctx, m->frames.ids[index]);
        return;
    }
    brz_report(m->dump.ctx, BRZ_WARNING, "austin-mojo.frame", at, 0,
               BRZ_STR("no frame has this key: it is [unknown]"));
    push_named(m, brz_str_of("", 0), BRZ_KIND_USER);
}

/* ---- samples --------------------------------------------------------------------------------- */

static brz_rc end_sample(mojo *m, const uint8_t *at)
{
    if (!m->in_sample)
        return BRZ_OK;
    m->in_sample = false;
    if (!m->has_time && !m->has_memory) {
        brz_report_lost(m->dump.ctx, "austin-mojo.metric", at, 0,
                        BRZ_STR("a sample without a metric ends here: left out"));
        return BRZ_OK;
    }
    m->columns.in_bytes = !m->has_time;
    m->metrics.is_full = m->is_full && m->has_time;
    if (!m->has_time)
        m->metrics.metric = m->metrics.memory;
    return austin_count(&m->columns, &m->dump, &m->metrics);
}

/* Sets the text of a thread, "T17" or "T0:17", from its number in hexadecimal digits. */
static brz_str thread_text(mojo *m, int64_t interpreter, brz_str thread)
{
    brz_ctx *ctx = m->dump.ctx;
    char text[64];
    uint64_t number;
    brz_str digits = thread;
    int n = m->version < MOJO_VERSION_INTERPRETERS
                ? snprintf(text, sizeof text, "T")
                : snprintf(text, sizeof text, "T%lld:", (long long)interpreter);
    if (brz_take_hex(&digits, &number) && digits.len == 0) {
        n += snprintf(text + n, sizeof text - (size_t)n, "%llu", (unsigned long long)number);
        thread.len = 0;
    }
    m->thread_text.len = 0;
    brz_text_append(&m->thread_text, ctx, brz_str_of(text, (size_t)n));
    brz_text_append(&m->thread_text, ctx, thread);
    brz_text_room(&m->thread_text, ctx, 32);
    return brz_text_str(&m->thread_text);
}

static brz_rc begin_sample(mojo *m, brz_bytes *b)
{
    const uint8_t *at = b->at;
    int64_t process = mojo_take_number(b), interpreter = 0;
    char text[24];
    if (m->version >= MOJO_VERSION_INTERPRETERS)
        interpreter = mojo_take_number(b);
    brz_str thread = brz_bytes_text_to_zero(b);
    if (b->error != NULL)
        return BRZ_OK;
    brz_rc rc = end_sample(m, at);
    m->process = process;
    m->metrics = (austin_metrics){0};
    m->in_sample = true;
    m->has_time = m->has_memory = false;
    m->process_text.len = 0;
    int n = snprintf(text, sizeof text, "P%lld", (long long)process);
    brz_text_append(&m->process_text, m->dump.ctx, brz_str_of(text, (size_t)n));
    brz_text_room(&m->process_text, m->dump.ctx, 32);
    austin_begin(&m->dump, brz_text_str(&m->process_text), thread_text(m, interpreter, thread));
    return rc;
}

static void take_metadata(mojo *m, brz_bytes *b)
{
    brz_str key = brz_bytes_text_to_zero(b), value = brz_bytes_text_to_zero(b);
    if (b->error == NULL && brz_str_is(key, "mode"))
        m->is_full = brz_str_is(value, "full");
}

/* Takes a metric of the current sample. Nothing changes unless it is complete. */
static void take_metric(brz_bytes *b, int64_t *metric, bool *has)
{
    int64_t value = mojo_take_number(b);
    if (b->error != NULL)
        return;
    *metric = value;
    *has = true;
}

/* ---- events ---------------------------------------------------------------------------------- */

static brz_rc take_event(mojo *m, brz_bytes *b)
{
    uint8_t type = brz_bytes_u8(b);
    brz_str text;
    if (!m->in_sample && type > MOJO_STACK && type != MOJO_FRAME && type != MOJO_STRING) {
        brz_bytes_fail_at(b, b->at - 1, "an event in front of the first stack");
        return BRZ_OK;
    }
    switch (type) {
    case MOJO_METADATA:
        take_metadata(m, b);
        break;
    case MOJO_STACK:
        return begin_sample(m, b);
    case MOJO_FRAME:
        define_frame(m, b);
        break;
    case MOJO_FRAME_INVALID:
        push_named(m, BRZ_STR(":INVALID:"), BRZ_KIND_USER);
        break;
    case MOJO_FRAME_REFERENCE:
        push_frame(m, b);
        break;
    case MOJO_FRAME_KERNEL:
        text = brz_bytes_text_to_zero(b);
        if (b->error == NULL)
            push_named(m, text, BRZ_KIND_KERNEL);
        break;
    case MOJO_GC:
        push_named(m, BRZ_STR(":GC:"), BRZ_KIND_USER);
        break;
    case MOJO_IDLE:
        m->metrics.idle = 1;
        break;
    case MOJO_TIME:
        take_metric(b, &m->metrics.metric, &m->has_time);
        break;
    case MOJO_MEMORY:
        take_metric(b, &m->metrics.memory, &m->has_memory);
        break;
    case MOJO_STRING:
        define_text(m, b);
        break;
    case MOJO_STRING_REFERENCE:
        mojo_take_number(b);
        break;
    default:
        if (b->error == NULL)
            brz_bytes_fail_at(b, b->at - 1, "an event of an unknown type");
    }
    return BRZ_OK;
}

/* Takes the header. Its version decides how events are read. */
static void take_header(mojo *m, brz_bytes *b)
{
    const uint8_t *at = b->at;
    brz_str magic = brz_bytes_text(b, HEADER_SIZE - 1);
    uint8_t version = brz_bytes_u8(b);
    if (b->error != NULL)
        return;
    if (!brz_str_equal(magic, BRZ_STR(MAGIC)))
        brz_bytes_fail_at(b, at, "not a binary file of austin");
    else if (version == 0 || version > VERSION_MAX)
        brz_bytes_fail_at(b, b->at - 1, "a version of austin's binary form that is not known");
    else
        m->version = version;
}

/* Reports why the rest of the input is left out. */
static void report_error(mojo *m, const brz_bytes *b)
{
    m->has_failed = true;
    m->name.len = 0;
    brz_text_append(&m->name, m->dump.ctx, brz_str_of_text(b->error));
    brz_text_append(&m->name, m->dump.ctx, BRZ_STR(": the rest is left out"));
    brz_report_lost(m->dump.ctx, "austin-mojo.event", b->error_at, 0, brz_text_str(&m->name));
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    mojo *m = ctx->inst;
    brz_bytes b = brz_bytes_of(chunk->data, chunk->len);
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    brz_rc rc = BRZ_OK;
    *used = 0;
    while (rc == BRZ_OK && !m->has_failed && brz_bytes_left(&b) > 0) {
        if (m->version == 0)
            take_header(m, &b);
        else
            rc = take_event(m, &b);
        if (b.error != NULL && b.is_cut && !last)
            return rc;
        if (b.error != NULL)
            report_error(m, &b);
        else
            *used = brz_bytes_offset(&b);
    }
    if (m->has_failed || last)
        *used = chunk->len;
    return rc == BRZ_OK && last ? end_sample(m, chunk->data + chunk->len) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    bool good = head->len >= HEADER_SIZE && memcmp(head->data, MAGIC, HEADER_SIZE - 1) == 0 &&
                head->data[HEADER_SIZE - 1] >= 1 && head->data[HEADER_SIZE - 1] <= VERSION_MAX;
    return good ? BRZ_SNIFF_MAGIC : BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    mojo *m = ctx->inst;
    pair_map_init(&m->text_ids, ctx);
    pair_map_init(&m->frame_ids, ctx);
    return dump_open_root_first(ctx);
}

static const char *const globs[] = {"*.mojo", NULL};

SHIPPED_READER(mojo, .flags = BRZ_BINARY, .open = open_instance, .finish = dump_finish,
               .globs = globs)

BRZ_HINTS(BRZ_IF_NAME("*.mojo") BRZ_IF_BEGINS("MOJ"))

SHIPPED_COLLAPSER("austin-mojo", .summary = "austin's binary form, samples of Python programs",
                  .help = "Record with `austin --binary -o samples.mojo python3 program.py`. The "
                          "mode \"full\" has processor time and memory as further weights: see "
                          "--weight.")
