/* Collapses reports of the Lightweight Java Profiler:
 *
 *     input := trace* "Total trace count =" ...
 *     trace := count depth frame frame*
 *     frame := class "." method "(" file ":" line ")"
 *
 * Frames run from leaf to root; those after the first have a line each, with more indentation.
 */
#include "../common/dump/java_frame.h"

/* Parses " 42 3  alpha(prog.java:455)". */
static bool take_header(brz_str line, uint64_t *count, uint64_t *depth, brz_str *frame)
{
    dump_take_blanks(&line);
    if (!brz_take_u64(&line, count) || *count > INT64_MAX || dump_take_blanks(&line) == 0 ||
        !brz_take_u64(&line, depth) || dump_take_blanks(&line) == 0)
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
} trace;

static brz_rc end_trace(dump *d, const trace *t)
{
    if (dump_depth(d) > 0 && dump_depth(d) != t->depth)
        BRZ_WARN(d->ctx, "ljp.depth", t->at, 0, "the trace has a different number of frames");
    return dump_count(d, 0, (int64_t)t->count);
}

/* Reads a line. The last line of an input may begin a trace in the middle of a block. */
static brz_rc read_line(dump *d, trace *t, brz_str line)
{
    brz_str frame = brz_trim(line);
    trace next = {.at = line.data};
    brz_rc rc = BRZ_OK;
    if (take_header(line, &next.count, &next.depth, &frame)) {
        rc = end_trace(d, t);
        *t = next;
    }
    if (frame.len > 0)
        dump_push(d, frame, 0, describe);
    return rc;
}

static brz_rc read_block(void *instance, brz_str block)
{
    dump *d = instance;
    brz_str line = brz_str_of(NULL, 0);
    trace t = {0};
    brz_rc rc = BRZ_OK;
    while (brz_block_line(&block, &line) && brz_trim(line).len == 0)
        ;
    if (brz_starts_with(line, BRZ_STR("Total ")))
        return BRZ_OK;
    if (!begins(line)) {
        brz_report_lost(d->ctx, "ljp.trace", line.data, line.len,
                        BRZ_STR("not the first line of a trace: left out"));
        return BRZ_OK;
    }
    do
        rc = read_line(d, &t, line);
    while (rc == BRZ_OK && brz_block_line(&block, &line));
    return rc == BRZ_OK ? end_trace(d, &t) : rc;
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

SHIPPED_READER(dump, .open = dump_open, .finish = dump_finish)

SHIPPED_COLLAPSER("ljp", .summary = "Lightweight Java Profiler",
                  .help = "Record with `java -agentpath:liblagent.so`, which writes traces.txt.")
