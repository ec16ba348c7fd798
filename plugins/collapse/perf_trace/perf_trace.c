/* SPDX-License-Identifier: MIT */
/* Collapses the text of `perf trace`:
 *
 *     input := (event frame* | heading title* row* | prose)*
 *     frame := blanks function " (" module ")"
 *
 * An event is a system call, a page fault or a tracepoint, the leaf of its stack; frames run from
 * leaf to root. A row is a system call of the thread or process in the heading. Calls are a column,
 * and so are failed calls and the time in calls. The tables after events count these again.
 */
#include "../../common/dump/dump.h"
#include "../../common/names/unresolved.h"
#include "event.h"
#include "summary.h"

/* perf indents frames by so many blanks. A damaged one may have fewer. */
#define INDENT     39
#define INDENT_MIN 30

enum { CALLS, TIME, ERRORS, COLUMNS };

/* The places of lines in the input. */
typedef enum place {
    OUTSIDE,
    IN_STACK,       /* after an event that counts, whose frames follow */
    IN_OTHER_STACK, /* after an event that does not count */
    HEADED,         /* after the heading of a table */
    TITLED,         /* after a title */
    IN_ROWS,
} place;

typedef struct perf_trace {
    dump dump;
    brz_text scratch; /* for names of code without a function */
    brz_text process; /* name of the process of the event or table */
    place place;
    int64_t values[COLUMNS]; /* of the event whose frames follow */
    uint32_t columns[COLUMNS];
    bool has_column[COLUMNS];
    bool has_threads; /* an event had a thread */
    bool has_errors;  /* the titles of the table have a column of errors */
    bool is_open;     /* the line above is an event without its end */
    bool has_calls;   /* an event was a system call: tables would count it again */
    uint64_t n_rows;  /* of tables that are left out */
} perf_trace;

/* ---- values ---------------------------------------------------------------------------------- */

static uint32_t column(perf_trace *t, size_t which)
{
    brz_ctx *ctx = t->dump.ctx;
    if (t->has_column[which])
        return t->columns[which];
    t->has_column[which] = true;
    if (which == TIME)
        t->columns[TIME] =
            BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("time"), .unit = BRZ_STR("nanoseconds"));
    else
        t->columns[which] = dump_declare(ctx, which == CALLS ? BRZ_STR("calls") : BRZ_STR("errors"),
                                         which == CALLS ? BRZ_STR("calls") : BRZ_STR("errors"));
    return t->columns[which];
}

/* Counts the values for the current stack, and ends it. */
static brz_rc count(perf_trace *t)
{
    dump *d = &t->dump;
    brz_rc rc = BRZ_OK;
    if (t->process.len > 0)
        dump_push_root(d, brz_text_str(&t->process));
    brz_stacks_begin_sample(&d->stacks);
    for (size_t i = 0; i < COLUMNS && rc == BRZ_OK && dump_depth(d) > 0; i++)
        if (t->values[i] > 0)
            rc = brz_stacks_count(&d->stacks, d->ctx, column(t, i), t->values[i]);
    brz_stacks_end_sample(&d->stacks);
    brz_path_cut(d->stacks.path, 0);
    return rc;
}

static void set_process(perf_trace *t, brz_str name, bool has_thread, int64_t thread)
{
    brz_tag_desc tag = {.thread = thread, .thread_name = name};
    tag.flags = has_thread ? BRZ_TAG_THREAD : 0;
    dump_tag(&t->dump, &tag);
    t->process.len = 0;
    brz_text_append(&t->process, t->dump.ctx, name);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Parses "read (/usr/lib/libc.so.6)", "main (inlined)", "[0x7f12] (/usr/lib/libc.so.6)". */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    perf_trace *t = (perf_trace *)d;
    size_t at = SIZE_MAX;
    for (size_t i = 0; (i = brz_str_find(text, BRZ_STR(" ("), i)) != SIZE_MAX; i++)
        at = i;
    if (at == SIZE_MAX || !brz_ends_with(text, BRZ_STR(")"))) {
        frame->name = dump_repaired(d, text);
        return;
    }
    brz_str name = brz_str_of(text.data, at),
            module = brz_str_of(text.data + at + 2, text.len - at - 3);
    bool is_inlined = brz_str_is(module, "inlined"), is_known = !brz_str_is(module, "[unknown]");
    if (is_inlined)
        frame->flags |= BRZ_FRAME_INLINED;
    else if (mapping_is_kernel(module))
        frame->kind = BRZ_KIND_KERNEL;
    if (!is_inlined && is_known)
        frame->module = module;
    frame->name = dump_repaired(d, name);
    if (brz_starts_with(name, BRZ_STR("[")) && brz_ends_with(name, BRZ_STR("]")))
        frame->name = unresolved_name(&t->scratch, d->ctx, frame->module, 0);
}

static bool is_frame(brz_str line)
{
    return line.len > INDENT_MIN && brz_trim_start(brz_str_of(line.data, INDENT_MIN)).len == 0 &&
           brz_trim(line).len > 0 && !summary_is_title(line);
}

/* Recognises a frame whose indentation is damaged. */
static bool is_damaged_frame(brz_str line)
{
    bool is_indented = brz_starts_with(line, BRZ_STR(" ")) || brz_str_has(line, BRZ_STR("     "));
    return is_indented && brz_ends_with(line, BRZ_STR(")")) && brz_str_has(line, BRZ_STR(" ("));
}

static void push_frame(perf_trace *t, brz_str line)
{
    brz_str text = brz_trim(line);
    if (t->place != IN_STACK) {
        if (t->place != IN_OTHER_STACK)
            dump_left_out(&t->dump, "perf-trace.stack", line,
                          BRZ_STR("a stack without an event: left out"), 1);
        t->place = IN_OTHER_STACK;
        return;
    }
    if (!brz_ends_with(text, BRZ_STR(")")) || !brz_str_has(text, BRZ_STR(" (")))
        BRZ_WARN(t->dump.ctx, "perf-trace.cut-off", line.data, line.len,
                 "a frame without a module at its end: it may have another name");
    dump_push(&t->dump, text, 0, describe);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Counts the event above, if there is one. */
static brz_rc end_event(perf_trace *t)
{
    brz_rc rc = t->place == IN_STACK ? count(t) : BRZ_OK;
    if (t->place == IN_STACK || t->place == IN_OTHER_STACK)
        t->place = OUTSIDE;
    return rc;
}

/* Warns about an event without a thread: either all events have one or none has. */
static void check_thread(perf_trace *t, const event *e, brz_str line)
{
    if (t->has_threads && !e->has_thread)
        BRZ_WARN(t->dump.ctx, "perf-trace.thread", line.data, line.len,
                 "an event without its thread: it counts without its process");
    t->has_threads |= e->has_thread;
}

/* Pushes a frame after the result of a call, whose line end is damaged. */
static void push_joined(perf_trace *t, const event *e)
{
    size_t at = brz_str_find(e->result, BRZ_STR("                              "), 0);
    if (at == SIZE_MAX || !brz_ends_with(e->result, BRZ_STR(")")))
        return;
    BRZ_WARN(t->dump.ctx, "perf-trace.joined", e->result.data, e->result.len,
             "a frame after an event: the line end in front of it is damaged");
    push_frame(t, brz_str_from(e->result, at));
}

static void begin_event(perf_trace *t, const event *e)
{
    t->values[CALLS] = 1;
    t->values[TIME] = e->has_time ? e->time : 0;
    t->values[ERRORS] = e->has_failed;
    t->place = IN_STACK;
    set_process(t, e->process, e->has_thread, e->thread);
    dump_push(&t->dump, e->name, 1, dump_describe_system_call);
    push_joined(t, e);
}

/* Reports a damaged event, which counts elsewhere if it goes on there, or is the rest of the line
 * above, which was reported. */
static void report_event(perf_trace *t, const event *e, brz_str line)
{
    bool is_rest = t->is_open && !e->has_start;
    dump_left_out(&t->dump, "perf-trace.event", line,
                  BRZ_STR("not a whole event of perf trace: left out"),
                  is_rest || e->goes_on ? 0 : 1);
    t->is_open = !e->has_end && !e->goes_on;
}

/* Reads a line as an event. Stores whether it is one. */
static brz_rc read_event(perf_trace *t, brz_str line, bool *is_event)
{
    event e;
    event_kind kind = event_parse(line, &e);
    *is_event = kind != EVENT_NONE;
    if (kind == EVENT_NONE)
        return BRZ_OK;
    brz_rc rc = end_event(t);
    t->place = IN_OTHER_STACK;
    t->has_calls |= e.is_call;
    if (kind == EVENT_DAMAGED)
        report_event(t, &e, line);
    else if (kind != EVENT_UNFINISHED)
        begin_event(t, &e);
    if (kind > EVENT_UNFINISHED)
        check_thread(t, &e, line);
    t->is_open &= kind == EVENT_DAMAGED;
    return rc;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Begins a table whose heading is missing. */
static void begin_unknown(perf_trace *t, brz_str line)
{
    if (!t->has_calls)
        BRZ_WARN(t->dump.ctx, "perf-trace.heading", line.data, line.len,
                 "a table without the line of its thread: its calls are under [unknown]");
    set_process(t, BRZ_STR("[unknown]"), false, 0);
}

static brz_rc read_row(perf_trace *t, const summary_row *r)
{
    if (t->has_calls) {
        t->n_rows++;
        return BRZ_OK;
    }
    t->values[CALLS] = r->calls;
    t->values[TIME] = r->time;
    t->values[ERRORS] = r->errors;
    dump_push(&t->dump, r->name, 1, dump_describe_system_call);
    return count(t);
}

/* Reads a line of titles. */
static void read_title(perf_trace *t, brz_str line)
{
    if (t->place == OUTSIDE || t->place == IN_ROWS)
        begin_unknown(t, line);
    t->has_errors = (t->has_errors && t->place == TITLED) || brz_str_has(line, BRZ_STR(" errors "));
    t->place = TITLED;
}

/* Parses a row, which has the columns of errors that the titles have. */
static bool parse_row(const perf_trace *t, brz_str line, summary_row *r)
{
    return summary_parse_row(line, r) && (!t->has_errors || r->has_errors);
}

static void read_heading(perf_trace *t, brz_str line, const summary_heading *h)
{
    bool is_cut = h->has_thread && h->process.len == 0;
    t->place = HEADED;
    t->has_errors = false;
    if (is_cut && !t->has_calls)
        BRZ_WARN(t->dump.ctx, "perf-trace.process", line.data, line.len,
                 "a thread without a name: its calls are under [unknown]");
    set_process(t, is_cut ? BRZ_STR("[unknown]") : h->process, h->has_thread, h->thread);
}

/* Returns whether a line in a table is a damaged row, but not a damaged title. */
static bool is_lost_row(const perf_trace *t, brz_str line)
{
    bool is_title = t->place == TITLED &&
                    (is_frame(line) ||
                     (brz_str_has(line, BRZ_STR("---")) && !brz_str_has(line, BRZ_STR("%"))) ||
                     brz_str_has(line, BRZ_STR("syscall")));
    return t->place >= TITLED && !is_title && !summary_is_error(line) && !t->has_calls;
}

/* Reads a line of a table, or prose. */
static brz_rc read_table(perf_trace *t, brz_str line)
{
    summary_heading h;
    summary_row r;
    if (parse_row(t, line, &r)) {
        if (t->place == OUTSIDE)
            begin_unknown(t, line);
        t->place = IN_ROWS;
        return read_row(t, &r);
    }
    if (summary_is_title(line))
        read_title(t, line);
    else if (summary_parse_heading(line, &h))
        read_heading(t, line, &h);
    else if (brz_trim(line).len == 0)
        t->place = t->place == IN_ROWS ? OUTSIDE : t->place;
    else if (is_lost_row(t, line))
        brz_report_lost(t->dump.ctx, "perf-trace.row", line.data, line.len,
                        BRZ_STR("not a row of perf trace: left out"));
    return BRZ_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Reads a line that is neither an event nor a frame. */
static brz_rc read_other(perf_trace *t, brz_str line)
{
    bool is_blank = brz_trim(line).len == 0, is_stack = t->place == IN_STACK;
    if (is_stack && is_blank)
        return BRZ_OK; /* perf prints none there: the line of a frame is damaged */
    if (is_stack && is_damaged_frame(line)) {
        dump_left_out(&t->dump, "perf-trace.frame", line, BRZ_STR("not a frame: left out"), 0);
        return BRZ_OK;
    }
    if (brz_starts_with(line, BRZ_STR("LOST ")) && brz_ends_with(line, BRZ_STR(" events!")))
        BRZ_WARN(t->dump.ctx, "perf-trace.lost", line.data, line.len,
                 "perf trace lost events here");
    brz_rc rc = end_event(t);
    return rc == BRZ_OK ? read_table(t, line) : rc;
}

/* Reads what is a line if no line end is damaged. */
static brz_rc read_part(perf_trace *t, brz_str line)
{
    bool is_event;
    if (t->place < HEADED && is_frame(line)) {
        push_frame(t, line);
        return BRZ_OK;
    }
    brz_rc rc = read_event(t, line, &is_event);
    return rc != BRZ_OK || is_event ? rc : read_other(t, line);
}

static brz_rc read_line(void *instance, brz_str line)
{
    perf_trace *t = instance;
    size_t at;
    while ((at = event_find_joined(line)) != SIZE_MAX) {
        BRZ_WARN(t->dump.ctx, "perf-trace.joined", line.data + at, line.len - at,
                 "an event after other text: the line end in front of it is damaged");
        brz_rc rc = read_part(t, brz_str_of(line.data, at));
        if (rc != BRZ_OK)
            return rc;
        line = brz_str_from(line, at);
    }
    return read_part(t, line);
}

static brz_rc end(void *instance, const char *at)
{
    (void)at;
    return end_event(instance);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises a table by its titles, and events by two of them that have a duration. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    size_t n_events = 0;
    event e;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        if (brz_starts_with(line, BRZ_STR("   syscall  ")) && summary_is_title(line))
            return BRZ_SNIFF_HEADER;
        if (brz_str_has(line, BRZ_STR("): ")) && event_parse(line, &e) >= EVENT_UNFINISHED &&
            ++n_events == 2)
            return BRZ_SNIFF_HEADER;
    }
    return n_events > 0 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    brz_rc rc = dump_open(ctx);
    column(ctx->inst, CALLS);
    return rc;
}

DUMP_PARSE_LINES(read_line, end)

static brz_rc finish(brz_ctx *ctx)
{
    const perf_trace *t = ctx->inst;
    brz_report_count(
        ctx, BRZ_NOTE, "perf-trace.summary", t->n_rows, 0,
        BRZ_STR("{count} {row|rows} of tables left out: the events above are counted"));
    return dump_finish(ctx);
}

SHIPPED_READER(perf_trace, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS(" ms): ") BRZ_IF_CONTAINS("(         ): ")
              BRZ_IF_CONTAINS("   syscall  "))

SHIPPED_COLLAPSER("perf-trace", .summary = "perf trace, system calls with their times and stacks",
                  .help =
                      "Record with `perf trace -s PROGRAM 2> calls.txt`, or with stacks by `perf "
                      "trace --call-graph dwarf`. Calls, their times and failed calls are "
                      "weights: see --weight.")
