/* Collapses the text of Android's simpleperf report-sample:
 *
 *     input  := (sample | lost | other)*
 *     sample := "sample:" (key ":" text)* place ["callchain:" place*]
 *     place  := "vaddr_in_file:" address "file:" path "symbol:" name
 *     lost   := "lost_situation:" "sample_count:" number "lost_count:" number
 *
 * Each part is on a line of its own; lines of a sample are indented. Places run from leaf to root.
 * Samples are a column, and so is each event.
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
    bool is_timed, has_thread;
    brz_str file; /* the line of the current place; empty: none yet */
} sample;

/* ---- frames ---------------------------------------------------------------------------------- */

/* Parses the lines "file: PATH" and "symbol: NAME". */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    simpleperf_text *s = (simpleperf_text *)d;
    brz_str line, name = {0};
    while (brz_block_line(&text, &line)) {
        line = brz_trim(line);
        if (brz_str_take(&line, "file: "))
            frame->module = line;
        else if (brz_str_take(&line, "symbol: "))
            name = line;
    }
    frame->kind = mapping_is_kernel(frame->module) ? BRZ_KIND_KERNEL : BRZ_KIND_USER;
    frame->name = brz_starts_with(name, BRZ_STR("unknown")) || name.len == 0
                      ? unresolved_name(&s->scratch, d->ctx, frame->module, 0)
                      : dump_repaired(d, name);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Recognises a line without indentation that ends in a colon. */
static bool begins(brz_str line)
{
    return line.len > 1 && line.data[0] >= 'a' && line.data[0] <= 'z' &&
           line.data[line.len - 1] == ':';
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

/* Parses a number of a sample. Reports a line that has none. */
static bool read_number(simpleperf_text *s, brz_str line, brz_str text, uint64_t *number)
{
    if (brz_parse_u64(brz_trim(text), number) && *number <= INT64_MAX)
        return true;
    dump_left_out(&s->dump, "simpleperf.number", line,
                  BRZ_STR("a number that cannot be read: left out"), 0);
    *number = 0;
    return false;
}

/* Reads a line of a sample. */
static void read_line(simpleperf_text *s, sample *x, brz_str whole)
{
    brz_str line = brz_trim(whole);
    if (brz_str_take(&line, "event_type: ")) {
        x->event = line;
    } else if (brz_str_take(&line, "time: ")) {
        x->is_timed = read_number(s, whole, line, &x->time);
    } else if (brz_str_take(&line, "event_count: ")) {
        read_number(s, whole, line, &x->count);
    } else if (brz_str_take(&line, "thread_id: ")) {
        x->has_thread = read_number(s, whole, line, &x->thread);
    } else if (brz_str_take(&line, "thread_name: ")) {
        x->thread_name = line;
    } else if (brz_starts_with(line, BRZ_STR("file: "))) {
        x->file = whole;
    } else if (brz_starts_with(line, BRZ_STR("symbol: ")) && x->file.len > 0) {
        const char *end = whole.data + whole.len;
        dump_push(&s->dump, brz_str_of(x->file.data, (size_t)(end - x->file.data)), 0, describe);
        x->file.len = 0;
    } else if (line.len > 0 && memchr(line.data, ':', line.len) == NULL) {
        dump_left_out(&s->dump, "simpleperf.line", whole,
                      BRZ_STR("not a line of a sample: left out"), 0);
    }
}

static brz_rc read_sample(simpleperf_text *s, brz_str block)
{
    sample x = {0};
    brz_str rest = block, line;
    brz_block_line(&rest, &line);
    while (brz_block_line(&rest, &line))
        read_line(s, &x, line);
    if (dump_depth(&s->dump) == 0) {
        dump_left_out(&s->dump, "simpleperf.sample", block,
                      BRZ_STR("a sample without a frame: left out"), 1);
        return BRZ_OK;
    }
    return count_sample(s, &x);
}

static void report_lost(const simpleperf_text *s, brz_str block)
{
    uint64_t lost = 0;
    if (dump_number_behind(block, BRZ_STR("lost_count: "), &lost))
        brz_report_count(s->dump.ctx, BRZ_WARNING, "simpleperf.lost", lost, lost,
                         BRZ_STR("samples that simpleperf lost while recording: {count}"));
}

static brz_rc read_block(void *instance, brz_str block)
{
    simpleperf_text *s = instance;
    if (brz_starts_with(block, BRZ_STR("sample")))
        return read_sample(s, block);
    if (brz_starts_with(block, BRZ_STR("lost_situation:")))
        report_lost(s, block);
    return BRZ_OK;
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

SHIPPED_COLLAPSER("simpleperf-text", .summary = "simpleperf report-sample's text",
                  .help = "Make it with `simpleperf report-sample --show-callchain -i perf.data`. "
                          "Each event is a weight: see --weight.")
