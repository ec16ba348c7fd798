/* Collapses reports of the Lightweight Java Profiler:
 *
 *     input := trace* "Total trace count =" count "," ...
 *     trace := count depth frame frame*
 *     frame := class "." method "(" file ":" line ")"
 *
 * Frames run from leaf to root; those after the first have a line each, with more indentation. The
 * depth shows frames of a trace without its first line, the last line's count the traces that are
 * missing.
 */
#include "../common/dump/java_frame.h"

typedef struct ljp {
    dump dump;
    int64_t sum;    /* of the counts of this report */
    uint64_t n_odd; /* lines of traces whose count is not known */
    bool is_open;   /* the last line of this report is still to come */
} ljp;

/* Parses " 42 3" and the blanks after it. */
static bool take_numbers(brz_str *line, uint64_t *count, uint64_t *depth)
{
    dump_take_blanks(line);
    if (!brz_take_u64(line, count) || *count > INT64_MAX || dump_take_blanks(line) == 0 ||
        !brz_take_u64(line, depth))
        return false;
    return dump_take_blanks(line) > 0 || line->len == 0;
}

/* Parses " 42 3  alpha(prog.java:455)". */
static bool take_header(brz_str line, uint64_t *count, uint64_t *depth, brz_str *frame)
{
    if (!take_numbers(&line, count, depth))
        return false;
    *frame = brz_trim_end(line);
    return frame->len > 0;
}

static bool begins(brz_str line)
{
    uint64_t count, depth;
    brz_str frame;
    return take_header(line, &count, &depth, &frame) || brz_starts_with(line, BRZ_STR("Total "));
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    java_frame_describe(d, text, JAVA_PACKAGES_FULL, frame);
}

/* A trace that is being read. */
typedef struct trace {
    const char *at;
    uint64_t count, depth;
    bool is_divided; /* a line is only the beginning of a frame */
} trace;

/* Reports lines of a trace whose first line is damaged or missing. The last line of the report
 * tells what they weigh. */
static void report_odd(ljp *l, const char *at)
{
    l->n_odd++;
    BRZ_WARN(l->dump.ctx, "ljp.trace", at, 0, "lines without the first line of their trace");
}

static brz_rc end_trace(ljp *l, const trace *t)
{
    dump *d = &l->dump;
    size_t depth = dump_depth(d);
    bool is_too_deep = depth > t->depth && !(t->is_divided && depth == t->depth + 1);
    if (is_too_deep) {
        report_odd(l, t->at);
        brz_path_cut(d->stacks.path, (size_t)t->depth);
    } else if (depth > 0 && depth != t->depth) {
        BRZ_WARN(d->ctx, "ljp.depth", t->at, 0, "the trace has a different number of frames");
    }
    if (depth > 0 && __builtin_add_overflow(l->sum, (int64_t)t->count, &l->sum))
        l->sum = INT64_MAX;
    return dump_count(d, 0, (int64_t)t->count);
}

/* Reads a line. The last line of an input may begin a trace in the middle of a block, and so may a
 * first line whose frame has a line of its own. */
static brz_rc read_line(ljp *l, trace *t, brz_str line)
{
    brz_str frame = brz_trim(line), text = line;
    trace next = {.at = line.data};
    brz_rc rc = BRZ_OK;
    if (take_numbers(&text, &next.count, &next.depth)) {
        frame = brz_trim_end(text);
        rc = end_trace(l, t);
        *t = next;
    }
    t->is_divided |= frame.len > 0 && !brz_ends_with(frame, BRZ_STR(")"));
    if (frame.len > 0)
        dump_push(&l->dump, frame, 0, describe);
    return rc;
}

/* Compares the report's own sum with what has been read. */
static void read_total(ljp *l, brz_str line)
{
    brz_ctx *ctx = l->dump.ctx;
    uint64_t total;
    int64_t missing;
    brz_str text = line, before;
    bool is_known = brz_cut_first(line, '=', &before, &text) && dump_take_blanks(&text) > 0 &&
                    brz_take_u64(&text, &total) && brz_starts_with(text, BRZ_STR(",")) &&
                    total <= INT64_MAX;
    missing = is_known ? (int64_t)total - l->sum : 0;
    if (missing > 0)
        dump_left_out(&l->dump, "ljp.total", line, BRZ_STR("more traces than are there"), missing);
    else if (missing < 0 || !is_known)
        BRZ_WARN(ctx, "ljp.total", line.data, line.len, "not the sum of the traces above");
    l->n_odd = is_known ? 0 : l->n_odd;
    l->sum = 0;
    l->is_open = false;
}

static brz_rc read_block(void *instance, brz_str block)
{
    ljp *l = instance;
    brz_str line = brz_str_of(NULL, 0);
    trace t = {0};
    brz_rc rc = BRZ_OK;
    while (brz_block_line(&block, &line) && brz_trim(line).len == 0)
        ;
    if (brz_starts_with(line, BRZ_STR("Total "))) {
        read_total(l, line);
        return BRZ_OK;
    }
    t.at = line.data;
    l->is_open = true;
    do
        rc = read_line(l, &t, line);
    while (rc == BRZ_OK && brz_block_line(&block, &line));
    return rc == BRZ_OK ? end_trace(l, &t) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises "alpha(prog.java:455)". */
static bool is_java(brz_str frame)
{
    return brz_ends_with(frame, BRZ_STR("(Native Method)")) ||
           (brz_ends_with(frame, BRZ_STR(")")) &&
            brz_str_find(frame, BRZ_STR(".java:"), 0) != SIZE_MAX);
}

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line, frame;
    uint64_t count, depth;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        frame = brz_trim(line);
        bool header = take_header(line, &count, &depth, &frame);
        if (frame.len > 0 && !is_java(frame))
            return BRZ_SNIFF_NO;
        if (header)
            return BRZ_SNIFF_HEADER;
    }
    return BRZ_SNIFF_NO;
}

DUMP_PARSE_BLOCKS(begins, read_block)

static brz_rc finish(brz_ctx *ctx)
{
    ljp *l = ctx->inst;
    if (l->is_open)
        BRZ_WARN(ctx, "ljp.cut-off", NULL, 0,
                 "the last report has no 'Total trace count': traces at its end may be missing");
    brz_report_count(ctx, BRZ_WARNING, "ljp.lost", l->n_odd, l->n_odd,
                     BRZ_STR("traces without their first line left out: {count}"));
    return dump_finish(ctx);
}

SHIPPED_READER(ljp, .open = dump_open, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS("(Native Method)") BRZ_IF_CONTAINS(".java:"))

SHIPPED_COLLAPSER("ljp", .summary = "Lightweight Java Profiler",
                  .help = "Record with `java -agentpath:liblagent.so`, which writes traces.txt.")
