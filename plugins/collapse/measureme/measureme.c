/* SPDX-License-Identifier: MIT */
/* Collapses the self-profiles of rustc, which it writes with the crate measureme.
 *
 * streams.c divides the file into streams, texts.c decodes texts, names.c makes frames, threads.c
 * reads events and counts their time.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text/integer.h>
#include <brazier/text/trim.h>

#include "../../common/shipped.h"
#include "names.h"
#include "texts.h"
#include "threads.h"

/* ---- facts ----------------------------------------------------------------------------------- */

typedef struct metadata {
    process process;
    brz_str command, counter;
    int64_t start;
} metadata;

/* ---- values --------------------------------------------------------------------------------- */

/* Returns the text after a key and its colon, or an empty text. */
static brz_str after(brz_str text, brz_str key)
{
    size_t at = brz_str_find(text, key, 0);
    if (at >= text.len)
        return brz_str_of(NULL, 0);
    at += key.len;
    brz_str rest = brz_trim_start(brz_str_of(text.data + at, text.len - at));
    if (rest.len == 0 || rest.data[0] != ':')
        return brz_str_of(NULL, 0);
    return brz_trim_start(brz_str_of(rest.data + 1, rest.len - 1));
}

static bool number_after(brz_str text, brz_str key, int64_t *number)
{
    brz_str rest = after(text, key);
    uint64_t n;
    if (!brz_take_u64(&rest, &n) || n > INT64_MAX)
        return false;
    *number = (int64_t)n;
    return true;
}

/* Appends the character that an escape stands for. */
static void append_escaped(brz_text *to, brz_ctx *ctx, char c)
{
    char means = (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
    if (c == 'u' || c == 'x') /* rare: stays as it is */
        brz_text_append(to, ctx, BRZ_STR("\\"));
    brz_text_append(to, ctx, brz_str_of(&means, 1));
}

/* Decodes a text in quotes. Sets *rest to what follows it. */
static brz_str decode_quoted(brz_str text, brz_ctx *ctx, brz_str *rest)
{
    brz_text to = {0};
    size_t i = 1;
    *rest = text;
    if (text.len == 0 || text.data[0] != '"')
        return brz_str_of(NULL, 0);
    for (; i < text.len && text.data[i] != '"'; i++) {
        if (text.data[i] == '\\' && i + 1 < text.len)
            append_escaped(&to, ctx, text.data[++i]);
        else
            brz_text_append(&to, ctx, brz_str_of(&text.data[i], 1));
    }
    *rest = brz_str_of(text.data + i, text.len - i);
    return brz_text_str(&to);
}

/* ---- the recording -------------------------------------------------------------------------- */

/* Returns the name of the crate that a command compiles, or "rustc". */
static brz_str crate_of(brz_str command)
{
    const brz_str option = BRZ_STR("--crate-name ");
    size_t at = brz_str_find(command, option, 0);
    if (at == SIZE_MAX)
        return BRZ_STR("rustc");
    at += option.len;
    size_t end = at;
    while (end < command.len && command.data[end] != ' ')
        end++;
    return end > at ? brz_str_of(command.data + at, end - at) : BRZ_STR("rustc");
}

static void state(const metadata *m, brz_ctx *ctx)
{
    brz_pair pair = {BRZ_STR("counter"), m->counter};
    brz_metadata d = {.struct_size = sizeof d, .pair_size = sizeof pair, .pairs = &pair};
    d.n_pairs = m->counter.len > 0;
    d.start = m->start;
    d.producer = BRZ_STR("rustc -Z self-profile");
    d.command = m->command;
    ctx->host->metadata(ctx, &d);
}

/* Reads the description and states it to the host. Returns false if the run fails. */
static bool read_metadata(metadata *m, brz_ctx *ctx, texts *t)
{
    brz_text text = {0};
    uint64_t unknown = t->unknown;
    if (!texts_get(t, METADATA_ID, false, &text))
        return false;
    if (t->unknown > unknown)
        BRZ_WARN(ctx, "measureme.metadata", NULL, 0,
                 "the description of the recording is missing: values are taken for nanoseconds");
    t->unknown = unknown;
    brz_str all = brz_text_str(&text), rest;
    m->process.has_id = number_after(all, BRZ_STR("\"process_id\""), &m->process.id);
    if (!number_after(all, BRZ_STR("\"start_time\""), &m->start))
        m->start = 0;
    m->command = decode_quoted(after(all, BRZ_STR("\"cmd\"")), ctx, &rest);
    rest = after(m->command.data != NULL ? rest : all, BRZ_STR("\"counter\""));
    m->counter = decode_quoted(after(rest, BRZ_STR("\"name\"")), ctx, &rest);
    m->process.timed = m->counter.len == 0 || brz_str_is(m->counter, "wall-time");
    m->process.name = crate_of(m->command);
    state(m, ctx);
    return true;
}

/* ---- the profile ----------------------------------------------------------------------------- */

typedef struct options {
    bool args;
} options;

/* Columns other than that of intervals. */
enum { COLUMN_SIZE, COLUMN_CACHE_HITS, N_COLUMNS };

typedef struct profile {
    brz_ctx *ctx;
    streams streams;
    texts texts;
    names names;
    metadata metadata;
    threads threads;
    brz_frame_list path;
    bool has_numbers;            /* there are events other than intervals */
    uint32_t columns[N_COLUMNS]; /* index of the column plus 1; 0: not declared */
} profile;

/* ---- columns -------------------------------------------------------------------------------- */

/* Declares the column of intervals, which is the default. */
static uint32_t declare_time(const profile *p)
{
    brz_column_desc d = {.struct_size = sizeof d, .flags = BRZ_COLUMN_DEFAULT};
    d.name = p->metadata.process.timed ? BRZ_STR("time") : p->metadata.counter;
    d.unit = p->metadata.process.timed ? BRZ_STR("nanoseconds") : BRZ_STR("count");
    return p->ctx->host->column(p->ctx, &d);
}

static uint32_t column(profile *p, size_t which)
{
    brz_column_desc d = {.struct_size = sizeof d};
    d.name = which == COLUMN_SIZE ? BRZ_STR("artifact_size") : BRZ_STR("cache_hits");
    d.unit = which == COLUMN_SIZE ? BRZ_STR("bytes") : BRZ_STR("count");
    if (p->columns[which] == 0)
        p->columns[which] = p->ctx->host->column(p->ctx, &d) + 1;
    return p->columns[which] - 1;
}

/* ---- events --------------------------------------------------------------------------------- */

/* Counts a number in the stack of label and arguments. */
static brz_rc count_number(profile *p, const event *e, uint32_t kind, size_t which, int64_t value)
{
    brz_stacks *s = &p->threads.stacks;
    p->path.n = 0;
    if (!names_push_parts(&p->names, e->id, kind, &p->path))
        return BRZ_ERROR;
    s->path = &s->own;
    brz_path_cut(s->path, 0);
    for (size_t i = 0; i < p->path.n; i++)
        brz_path_push(s->path, p->ctx, p->path.ids[i]);
    brz_stacks_place(s, BRZ_NO_TAG, 0, 0);
    return brz_stacks_count(s, p->ctx, column(p, which), value);
}

/* Counts events that are not intervals: sizes of artifacts and cached results of queries. */
static brz_rc take_number(profile *p, const event *e, uint32_t kind)
{
    kind_role role = p->names.kinds[kind].role;
    if (e->form == EVENT_INTEGER && role == ROLE_SIZE)
        return count_number(p, e, kind, COLUMN_SIZE, e->first);
    if (e->form == EVENT_INTEGER && role == ROLE_CACHE_HIT_COUNT)
        return count_number(p, e, kind, COLUMN_CACHE_HITS, e->first);
    if (e->form == EVENT_INSTANT && role == ROLE_CACHE_HIT)
        return count_number(p, e, kind, COLUMN_CACHE_HITS, 1);
    return BRZ_OK;
}

/* Counts an interval whose name may be new. */
static brz_rc take_new_interval(profile *p, const event *e)
{
    uint32_t kind = names_kind(&p->names, e->kind);
    if (kind == PAIR_MISS)
        return BRZ_ERROR;
    if (e->second < e->first) {
        brz_report_lost(p->ctx, "measureme.interval", e->at, 0,
                        BRZ_STR("an interval that ends before it begins: left out"));
        return BRZ_OK;
    }
    brz_frame frame = names_frame(&p->names, e->id, kind);
    if (frame == BRZ_NO_FRAME)
        return BRZ_ERROR;
    names_remember(&p->names, e->kind, e->id, frame);
    return threads_take(&p->threads, e, frame);
}

static inline brz_rc take_interval(profile *p, const event *e)
{
    brz_frame frame = names_recent(&p->names, e->kind, e->id);
    if (frame == BRZ_NO_FRAME || e->second < e->first)
        return take_new_interval(p, e);
    return threads_take(&p->threads, e, frame);
}

static inline brz_rc take_event(profile *p, uint64_t number, bool intervals)
{
    event e;
    events_read(&p->streams, number, &e);
    p->has_numbers |= e.form != EVENT_INTERVAL;
    if ((e.form == EVENT_INTERVAL) != intervals)
        return BRZ_OK;
    if (intervals)
        return take_interval(p, &e);
    uint32_t kind = names_kind(&p->names, e.kind);
    return kind == PAIR_MISS ? BRZ_ERROR : take_number(p, &e, kind);
}

/* Takes intervals from the last one to the first, then the other events in order. */
static brz_rc take_events(profile *p)
{
    uint64_t n = events_count(&p->streams, p->ctx);
    brz_rc rc = BRZ_OK;
    for (uint64_t i = n; i > 0 && rc == BRZ_OK; i--)
        rc = take_event(p, i - 1, true);
    if (rc == BRZ_OK)
        rc = threads_finish(&p->threads, &p->metadata.process);
    for (uint64_t i = 0; i < n && rc == BRZ_OK && p->has_numbers; i++)
        rc = take_event(p, i, false);
    return rc == BRZ_OK ? brz_stacks_finish(&p->threads.stacks, p->ctx) : rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    profile *p = ctx->inst;
    const options *o = ctx->cfg;
    p->ctx = ctx;
    *used = chunk->len;
    if (!streams_read(&p->streams, ctx, chunk->data, chunk->len))
        return BRZ_ERROR;
    texts_init(&p->texts, ctx, &p->streams, chunk->len);
    if (!read_metadata(&p->metadata, ctx, &p->texts))
        return BRZ_ERROR;
    names_init(&p->names, ctx, &p->texts, o->args);
    threads_init(&p->threads, ctx, declare_time(p));
    brz_rc rc = take_events(p);
    if (rc == BRZ_OK) {
        texts_report(&p->texts);
        names_report(&p->names);
    }
    return rc;
}

static int32_t sniff(const brz_head *head)
{
    static const char *const known[] = {"MMPD", "MMES", "MMSD", "MMSI"};
    for (size_t i = 0; i < BRZ_COUNT_OF(known) && head->len >= 8; i++)
        if (memcmp(head->data, known[i], 4) == 0)
            return BRZ_SNIFF_MAGIC;
    return BRZ_SNIFF_NO;
}

/* ---- plug-in -------------------------------------------------------------------------------- */

static const char *const globs[] = {"*.mm_profdata", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "args", BOOL, args, "false",
               "add the arguments of events to their names, if they were recorded"),
};

SHIPPED_BINARY_READER(profile, .sniff = sniff, .record_max = UINT64_C(1) << 40)

BRZ_HINTS(BRZ_IF_NAME("*.mm_profdata") BRZ_IF_BEGINS("MM"))

SHIPPED_COLLAPSER(
    "measureme", .summary = "self-profiles of rustc: .mm_profdata",
    .help = "Record with `cargo +nightly rustc -- -Z self-profile`. Sizes of artifacts and cache "
            "hits are weights of their own: see -w.",
    BRZ_OPTIONS(option_table, options))
