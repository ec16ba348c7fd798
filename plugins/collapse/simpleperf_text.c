/* SPDX-License-Identifier: MIT */
/* Collapses the text of Android's simpleperf report-sample:
 *
 *     input  := (sample | lost | other)*
 *     sample := "sample:" (key ":" text)* place ["callchain:" place*]
 *     place  := "vaddr_in_file:" address "file:" path "symbol:" name
 *     lost   := "lost_situation:" "sample_count:" number "lost_count:" number
 *
 * Each part is on a line of its own; lines of a sample are indented. Places run from leaf to root.
 * Samples are a column, and so is each event. Damage to the line "sample:" shows in the type of the
 * event below it: another block has none, and a sample has one.
 */
#include "../common/dump/dump.h"
#include "../common/names/unresolved.h"

typedef struct simpleperf_text {
    dump dump;
    brz_text scratch; /* for names of code without a function */
} simpleperf_text;

/* The keys of a sample. */
typedef struct sample {
    brz_str event, thread_name;
    uint64_t time, count, thread;
    bool has_begun, is_timed, has_thread, has_count;
    brz_str address; /* the line "vaddr_in_file:" of the current place; empty: none yet */
    brz_str file;    /* its line "file:", likewise */
} sample;

/* ---- frames ---------------------------------------------------------------------------------- */

/* Parses the lines "file: PATH" and "symbol: NAME". */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    simpleperf_text *s = (simpleperf_text *)d;
    brz_str line, key, value, name = {0};
    while (brz_block_line(&text, &line)) {
        if (!brz_cut_first(brz_trim(line), ':', &key, &value))
            continue;
        if (brz_str_is(key, "file"))
            frame->module = brz_trim(value);
        else if (brz_str_is(key, "symbol"))
            name = brz_trim(value);
    }
    frame->kind = mapping_is_kernel(frame->module) ? BRZ_KIND_KERNEL : BRZ_KIND_USER;
    frame->name = brz_starts_with(name, BRZ_STR("unknown")) || name.len == 0
                      ? unresolved_name(&s->scratch, d->ctx, frame->module, 0)
                      : dump_repaired(d, name);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Recognises the key of a block: a line without indentation that has a word and a colon. */
static bool begins(brz_str line)
{
    for (size_t i = 0; i + 1 < line.len; i++)
        if ((line.data[i] < 'a' || line.data[i] > 'z') && line.data[i] != '_')
            return false;
    return line.len > 1 && line.data[line.len - 1] == ':';
}

static uint32_t column_of(brz_ctx *ctx, brz_str event)
{
    bool is_clock = brz_ends_with(event, BRZ_STR("-clock"));
    return dump_declare(ctx, event, is_clock ? BRZ_STR("nanoseconds") : event);
}

static brz_rc count_sample(simpleperf_text *s, const sample *x)
{
    dump *d = &s->dump;
    brz_rc rc = BRZ_OK;
    brz_tag_desc tag = {.thread_name = x->thread_name, .thread = (int64_t)x->thread};
    tag.flags = x->has_thread ? BRZ_TAG_THREAD : 0;
    dump_tag(d, &tag);
    if (x->is_timed)
        brz_stacks_place(&d->stacks, d->stacks.tag, BRZ_TIMED, (int64_t)x->time);
    if (x->event.len > 0 && x->count > 0 && x->count <= INT64_MAX)
        rc = brz_stacks_count(&d->stacks, d->ctx, column_of(d->ctx, x->event), (int64_t)x->count);
    return rc == BRZ_OK ? dump_count(d, 0, 1) : rc;
}

/* Parses a number. Reports a line that has none. */
static bool read_number(simpleperf_text *s, brz_str line, brz_str text, uint64_t *number)
{
    if (brz_parse_u64(text, number) && *number <= INT64_MAX)
        return true;
    dump_left_out(&s->dump, "simpleperf.number", line,
                  BRZ_STR("a number that cannot be read: left out"), 0);
    *number = 0;
    return false;
}

static void read_count(simpleperf_text *s, sample *x, brz_str line, brz_str value)
{
    x->has_count = true;
    read_number(s, line, value, &x->count);
}

static void report_frame(simpleperf_text *s, sample *x, brz_str line)
{
    dump_left_out(&s->dump, "simpleperf.frame", line,
                  BRZ_STR("a frame without its line \"symbol:\": left out"), 0);
    x->address.len = x->file.len = 0;
}

/* Adds the frame of the line "symbol:", which ends at `end`. */
static void read_symbol(simpleperf_text *s, sample *x, brz_str line)
{
    brz_str text = line;
    if (x->file.len > 0)
        text = brz_str_of(x->file.data, (size_t)(line.data + line.len - x->file.data));
    else
        BRZ_WARN(s->dump.ctx, "simpleperf.file", line.data, line.len,
                 "a frame without its line \"file:\"");
    dump_push(&s->dump, text, 0, describe);
    x->address.len = x->file.len = 0;
}

/* Reads a line of a place. Returns false if it is another one. */
static bool read_place(simpleperf_text *s, sample *x, brz_str key, brz_str line)
{
    bool is_address = brz_str_is(key, "vaddr_in_file"), is_file = brz_str_is(key, "file");
    if ((is_address && x->address.len > 0) || ((is_address || is_file) && x->file.len > 0))
        report_frame(s, x, x->address.len > 0 ? x->address : x->file);
    if (is_address)
        x->address = line;
    else if (is_file)
        x->file = line;
    else if (brz_str_is(key, "symbol"))
        read_symbol(s, x, line);
    else
        return false;
    return true;
}

/* Reads a line of a sample that describes the sample as a whole. Returns false if it does not. */
static bool read_key(simpleperf_text *s, sample *x, brz_str key, brz_str value, brz_str line)
{
    if (brz_str_is(key, "event_type"))
        x->event = value;
    else if (brz_str_is(key, "time"))
        x->is_timed = read_number(s, line, value, &x->time);
    else if (brz_str_is(key, "event_count"))
        read_count(s, x, line, value);
    else if (brz_str_is(key, "thread_id"))
        x->has_thread = read_number(s, line, value, &x->thread);
    else if (brz_str_is(key, "thread_name"))
        x->thread_name = value;
    else
        return brz_str_is(key, "callchain") || brz_str_is(key, "execution_type");
    return true;
}

/* Reports a line that tells how many samples were lost. Returns false if it does not. */
static bool read_lost(simpleperf_text *s, brz_str key, brz_str value, brz_str line)
{
    uint64_t lost = 0;
    if (!brz_str_is(key, "lost_count"))
        return false;
    if (read_number(s, line, value, &lost))
        brz_report_count(s->dump.ctx, BRZ_WARNING, "simpleperf.lost", lost, lost,
                         BRZ_STR("samples that simpleperf lost while recording: {count}"));
    return true;
}

/* Ends a sample, which begins at `at`. */
static brz_rc end_sample(simpleperf_text *s, sample *x, brz_str at)
{
    dump *d = &s->dump;
    if (x->address.len > 0 || x->file.len > 0)
        report_frame(s, x, x->address.len > 0 ? x->address : x->file);
    if (dump_depth(d) == 0) {
        dump_left_out(d, "simpleperf.sample", at, BRZ_STR("a sample without a frame: left out"), 1);
        return BRZ_OK;
    }
    if (x->event.len == 0 || !x->has_count)
        dump_left_out(d, "simpleperf.event", at,
                      BRZ_STR("a sample without the type or the count of its event: left out of "
                              "the column of the event"),
                      0);
    return count_sample(s, x);
}

/* Returns whether a sample begins at a line although the line "sample:" is not there: the keys of a
 * sample stand above its places. Other blocks have times and threads, too. */
static bool begins_alone(const simpleperf_text *s, const sample *x, brz_str key)
{
    bool has_places = dump_depth(&s->dump) > 0 || x->address.len > 0 || x->file.len > 0;
    if (brz_str_is(key, "event_type"))
        return !x->has_begun || x->event.len > 0 || has_places;
    if (brz_str_is(key, "event_count") || brz_str_is(key, "thread_name"))
        return !x->has_begun || has_places;
    return has_places && (brz_str_is(key, "time") || brz_str_is(key, "thread_id"));
}

/* Begins a sample at a line, and ends the one above it. */
static brz_rc begin_alone(simpleperf_text *s, sample *x, brz_str *at, brz_str line)
{
    brz_rc rc = x->has_begun ? end_sample(s, x, *at) : BRZ_OK;
    BRZ_WARN(s->dump.ctx, "simpleperf.begin", line.data, line.len,
             "a sample without the line \"sample:\" above it");
    *x = (sample){.has_begun = true};
    *at = line;
    return rc;
}

static void read_line(simpleperf_text *s, sample *x, brz_str key, brz_str value, brz_str line)
{
    if (!x->has_begun || read_place(s, x, key, line) || read_key(s, x, key, value, line))
        return;
    BRZ_WARN(s->dump.ctx, "simpleperf.key", line.data, line.len,
             "a line of a sample with an unknown key: ignored");
}

/* Reads the lines of a block below its first one. The block begins at `at`. */
static brz_rc read_lines(simpleperf_text *s, brz_str rest, brz_str at, bool is_sample)
{
    sample x = {.has_begun = is_sample};
    brz_str line, key, value;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && brz_block_line(&rest, &line)) {
        if (!brz_cut_first(brz_trim(line), ':', &key, &value)) {
            if (x.has_begun && brz_trim(line).len > 0)
                dump_left_out(&s->dump, "simpleperf.line", line,
                              BRZ_STR("not a line of a sample: left out"), 0);
            continue;
        }
        value = brz_trim(value);
        if (read_lost(s, key, value, line))
            continue;
        if (begins_alone(s, &x, key))
            rc = begin_alone(s, &x, &at, line);
        read_line(s, &x, key, value, line);
    }
    return rc == BRZ_OK && x.has_begun ? end_sample(s, &x, at) : rc;
}

static brz_rc read_block(void *instance, brz_str block)
{
    brz_str rest = block, line;
    if (!brz_block_line(&rest, &line) || !begins(line)) /* text in front of the first block */
        return read_lines(instance, block, block, false);
    return read_lines(instance, rest, block, brz_str_is(line, "sample:"));
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises a sample and the type of its event. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    bool begun = false;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        if (begun && brz_starts_with(line, BRZ_STR("  event_type: ")))
            return BRZ_SNIFF_HEADER;
        begun = brz_str_is(line, "sample:");
    }
    return BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    dump_declare(ctx, BRZ_STR("samples"), BRZ_STR("samples"));
    return dump_open(ctx);
}

DUMP_PARSE_BLOCKS(begins, read_block)

SHIPPED_READER(simpleperf_text, .open = open_instance, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("  event_type: "))

SHIPPED_COLLAPSER("simpleperf-text", .summary = "simpleperf report-sample's text",
                  .help = "Make it with `simpleperf report-sample --show-callchain -i perf.data`. "
                          "Each event is a weight: see --weight.")
