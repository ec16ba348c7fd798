/* SPDX-License-Identifier: MIT */
/* Collapses reports of ftrace, the Linux kernel's function tracer: those of "function_graph", with
 * the time in each function, and those of "function", with the caller of each function.
 *
 *     0)               |  do_nanosleep() {
 *     0)   0.198 us    |    hrtimer_start_range_ns();
 *     0)   3.998 us    |  }
 *
 *     svscan-1678  [000] .... 6412438.703521: do_nanosleep <-hrtimer_nanosleep
 *
 * Lines of prose, such as those of a page that shows reports, end a report.
 */
#include <brazier/plugin.h>

#include "../../common/dump/dump.h"
#include "events.h"
#include "line.h"

/* ---- threads --------------------------------------------------------------------------------- */

/* A function that has not ended. */
typedef struct open_call {
    size_t indent;
    int64_t called; /* time of the functions that it called */
} open_call;

/* A thread; its path has a frame for each open call. */
typedef struct thread {
    brz_path path;
    open_call *open;
    size_t open_cap;
    brz_str name; /* "NAME-PID"; empty: unknown */
    brz_tag tag;
} thread;

typedef struct threads {
    brz_frame_cache ids; /* names of threads, and numbers of processors, to indices */
    thread *items;
    size_t n, cap;
    uint32_t *running; /* for each processor: the thread that runs on it */
    size_t n_processors, processors_cap;
} threads;

enum { NAMES, PROCESSORS }; /* contexts of keys */

static void threads_init(threads *t, brz_ctx *ctx)
{
    brz_frame_cache_init(&t->ids, ctx);
}

static uint32_t add_thread(threads *t, brz_ctx *ctx)
{
    thread new = {0};
    brz_path_init(&new.path, ctx, 16);
    new.tag = BRZ_NO_TAG;
    t->items = brz_list_room(ctx, t->items, t->n, &t->cap, sizeof new);
    t->items[t->n] = new;
    return (uint32_t)t->n++;
}

/* Gives a thread its name, "NAME-PID". */
static void name_thread(thread *of, dump *d, brz_str name)
{
    brz_str pid;
    uint64_t number;
    brz_tag_desc tag = {.struct_size = sizeof tag, .label_size = sizeof(brz_label)};
    of->name = brz_text_keep(d->ctx, name);
    if (!dump_wants_tags(d) || !brz_cut_last(name, '-', &tag.thread_name, &pid))
        return;
    if (brz_parse_u64(pid, &number) && number <= INT64_MAX) {
        tag.flags = BRZ_TAG_THREAD;
        tag.thread = (int64_t)number;
    }
    of->tag = d->ctx->host->tag(d->ctx, &tag);
}

static uint32_t find_named(threads *t, dump *d, brz_str name)
{
    brz_frame_key key = brz_frame_key_of(&t->ids, name.data, name.len, NAMES);
    uint32_t index = brz_frame_cache_find(&t->ids, &key);
    if (index != BRZ_CACHE_MISS)
        return index;
    index = add_thread(t, d->ctx);
    name_thread(&t->items[index], d, name);
    brz_frame_cache_put(&t->ids, d->ctx, &key, index);
    return index;
}

/* Returns the thread of this name. The text is part of the chunk. */
static thread *threads_named(threads *t, dump *d, brz_str name)
{
    uint32_t index = find_named(t, d, name); /* which may move the list */
    return &t->items[index];
}

/* Returns where the thread of a processor is noted. */
static uint32_t *find_running(threads *t, dump *d, brz_str cpu)
{
    brz_frame_key key = brz_frame_key_of(&t->ids, cpu.data, cpu.len, PROCESSORS);
    uint32_t index = brz_frame_cache_find(&t->ids, &key);
    if (index != BRZ_CACHE_MISS)
        return &t->running[index];
    index = (uint32_t)t->n_processors;
    t->running =
        brz_list_room(d->ctx, t->running, t->n_processors, &t->processors_cap, sizeof *t->running);
    t->running[t->n_processors++] = add_thread(t, d->ctx);
    brz_frame_cache_put(&t->ids, d->ctx, &key, index);
    return &t->running[index];
}

/* Returns the thread that runs on a processor; its digits are part of the chunk. */
static thread *threads_running(threads *t, dump *d, brz_str cpu)
{
    const uint32_t *index = find_running(t, d, cpu);
    return &t->items[*index];
}

/* Lets a processor go on with another thread. */
static void threads_switch(threads *t, dump *d, brz_str cpu, brz_str from, brz_str to)
{
    uint32_t *running = find_running(t, d, cpu);
    brz_frame_key key = brz_frame_key_of(&t->ids, from.data, from.len, NAMES);
    if (t->items[*running].name.len == 0 && brz_frame_cache_find(&t->ids, &key) == BRZ_CACHE_MISS) {
        name_thread(&t->items[*running], d, from);
        brz_frame_cache_put(&t->ids, d->ctx, &key, *running);
    }
    *running = find_named(t, d, to);
}

/* ---- reports --------------------------------------------------------------------------------- */

#define NO_WEIGHT UINT32_MAX

typedef struct ftrace {
    dump dump;
    threads threads;
    uint32_t calls, time; /* weights; `time` is NO_WEIGHT until the first duration */
    uint64_t n_endless;   /* calls whose end is missing */
    trace_events events;
} ftrace;

static brz_rc open_instance(brz_ctx *ctx)
{
    ftrace *f = ctx->inst;
    threads_init(&f->threads, ctx);
    f->calls = dump_declare(ctx, BRZ_STR("calls"), BRZ_STR("count"));
    f->time = NO_WEIGHT;
    events_init(&f->events, ctx, ctx->cfg);
    return dump_open_root_first(ctx);
}

/* Declares the time, which is the default if the report has it. */
static void declare_time(ftrace *f)
{
    if (f->time == NO_WEIGHT)
        f->time = BRZ_DECLARE_COLUMN(f->dump.ctx, .name = BRZ_STR("time"), .decimals = 3,
                                     .unit = BRZ_STR("microseconds"), .flags = BRZ_COLUMN_DEFAULT);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Fills in a frame from "name" or "name [module]". */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str name, module;
    (void)d;
    frame->kind = BRZ_KIND_KERNEL;
    frame->name = text;
    if (!brz_ends_with(text, BRZ_STR("]")) || !brz_cut_last(text, '[', &name, &module) ||
        !brz_ends_with(name, BRZ_STR(" ")))
        return;
    frame->name = brz_trim_end(name);
    frame->module = brz_str_of(module.data, module.len - 1);
}

/* Makes a thread the one whose calls are counted. */
static void choose(ftrace *f, thread *t)
{
    f->dump.stacks.path = &t->path;
    brz_stacks_place(&f->dump.stacks, t->tag, 0, 0);
}

static thread *choose_thread_of(ftrace *f, const trace_line *l)
{
    thread *t = l->task.len > 0 ? threads_named(&f->threads, &f->dump, l->task)
                                : threads_running(&f->threads, &f->dump, l->cpu);
    choose(f, t);
    return t;
}

static brz_rc count(ftrace *f, uint32_t weight, int64_t value)
{
    return brz_stacks_count(&f->dump.stacks, f->dump.ctx, weight, value);
}

/* Forgets the innermost call, whose end is missing. The time of its callees is part of its caller's
 * time. */
static void cut_call(ftrace *f, thread *t)
{
    size_t level = t->path.n - 1;
    if (level > 0)
        brz_stacks_sum(&f->dump.stacks, &t->open[level - 1].called, t->open[level].called);
    brz_path_cut(&t->path, level);
    f->n_endless++;
}

/* Forgets calls whose end is missing: those that are indented by `least` blanks or more. */
static void cut_calls(ftrace *f, thread *t, size_t least)
{
    while (t->path.n > 0 && t->open[t->path.n - 1].indent >= least)
        cut_call(f, t);
}

/* Forgets the calls of all threads. */
static void cut_all_calls(ftrace *f)
{
    for (size_t i = 0; i < f->threads.n; i++)
        cut_calls(f, &f->threads.items[i], 0);
}

static brz_rc enter(ftrace *f, thread *t, const trace_line *l)
{
    cut_calls(f, t, l->indent);
    t->open = brz_list_room(f->dump.ctx, t->open, t->path.n, &t->open_cap, sizeof *t->open);
    t->open[t->path.n] = (open_call){.indent = l->indent};
    dump_push(&f->dump, l->function, 0, describe);
    return count(f, f->calls, 1);
}

/* Counts the time of the innermost call, which has ended. */
static brz_rc leave(ftrace *f, thread *t, int64_t duration)
{
    size_t level = t->path.n - 1;
    int64_t called = t->open[level].called;
    brz_rc rc = BRZ_OK;
    if (duration >= 0) {
        declare_time(f);
        if (duration > called)
            rc = count(f, f->time, duration - called);
        if (level > 0)
            brz_stacks_sum(&f->dump.stacks, &t->open[level - 1].called, duration);
    }
    brz_path_cut(&t->path, level);
    return rc;
}

/* Ends the call that begins as far to the right as the line. */
static brz_rc leave_indented(ftrace *f, thread *t, const trace_line *l, brz_str line)
{
    cut_calls(f, t, l->indent + 1);
    if (t->path.n > 0 && t->open[t->path.n - 1].indent == l->indent)
        return leave(f, t, l->duration);
    brz_report_lost(f->dump.ctx, "ftrace.end", line.data, line.len,
                    BRZ_STR("the end of a function whose beginning is missing: left out"));
    return BRZ_OK;
}

/* Counts a function and its caller. */
static brz_rc count_pair(ftrace *f, const trace_line *l)
{
    choose_thread_of(f, l);
    brz_path_cut(f->dump.stacks.path, 0);
    dump_push(&f->dump, l->caller, 0, describe);
    dump_push(&f->dump, l->function, 0, describe);
    brz_rc rc = count(f, f->calls, 1);
    brz_path_cut(f->dump.stacks.path, 0);
    return rc;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static brz_rc read_call(ftrace *f, const trace_line *l, brz_str line)
{
    thread *t = choose_thread_of(f, l);
    if (l->kind == LINE_LEAVE)
        return leave_indented(f, t, l, line);
    brz_rc rc = enter(f, t, l);
    return rc == BRZ_OK && l->kind == LINE_LEAF ? leave(f, t, l->duration) : rc;
}

/* Returns whether there are digits between the processor, or the name of the event, and the
 * function of a line: a duration. */
static bool has_duration(brz_str line)
{
    static const brz_str event = {": funcgraph_", 12};
    brz_str front, rest, fields, body;
    size_t at = brz_str_find(line, event, 0);
    if (at != SIZE_MAX)
        line = brz_str_from(line, at + event.len);
    if (!brz_cut_first(line, at != SIZE_MAX ? ':' : ')', &front, &rest) ||
        !brz_cut_last(rest, '|', &fields, &body))
        return false;
    for (size_t i = 0; i < fields.len; i++)
        if (brz_is_digit(fields.data[i]))
            return true;
    return false;
}

/* Returns the calls that a damaged line has, or -1 if that is unknown, or if the report has times,
 * which are unknown. */
static int64_t calls_of(const ftrace *f, const trace_line *l, brz_str line)
{
    line = brz_trim(line);
    bool has_fields = line.len > 0 && memchr(line.data, '|', line.len) != NULL;
    bool has_unit = brz_str_find(line, BRZ_STR(" us "), 0) != SIZE_MAX;
    if (f->time != NO_WEIGHT || has_unit || has_duration(line) || (l->is_damaged && has_fields))
        return -1;
    if (brz_ends_with(line, BRZ_STR("}")))
        return 0;
    bool is_call = brz_ends_with(line, BRZ_STR("{")) || brz_ends_with(line, BRZ_STR(";"));
    return l->is_damaged || is_call ? 1 : -1;
}

/* Reports a line that is left out. Prose ends a report; a damaged line of a report does not. */
static void leave_out(ftrace *f, const trace_line *l, brz_str line)
{
    brz_ctx *ctx = f->dump.ctx;
    int64_t calls = calls_of(f, l, line);
    brz_str msg = BRZ_STR("neither the beginning nor the end of a function: left out");
    if (l->cpu.len == 0 && !l->is_damaged) {
        BRZ_WARN(ctx, "ftrace.line", line.data, line.len,
                 "not a line of a trace: left out; functions that are open end here");
        cut_all_calls(f);
    } else if (calls >= 0) {
        brz_report_lost_weight(ctx, "ftrace.damaged", line.data, line.len, msg, calls);
    } else {
        brz_report_lost(ctx, "ftrace.damaged", line.data, line.len, msg);
    }
}

static brz_rc take_line(ftrace *f, const trace_line *l, brz_str line)
{
    switch (l->kind) {
    case LINE_NONE:
        return BRZ_OK;
    case LINE_SWITCH:
        threads_switch(&f->threads, &f->dump, l->cpu, l->task, l->next_task);
        return BRZ_OK;
    case LINE_FUNCTION:
        return count_pair(f, l);
    case LINE_ENTER:
    case LINE_LEAVE:
    case LINE_LEAF:
        return read_call(f, l, line);
    case LINE_ODD:
        leave_out(f, l, line);
        return BRZ_OK;
    default:
        cut_all_calls(f);
        return BRZ_OK;
    }
}

/* Reads the line of an event, if samples are weighed by fields. Sets *is_event. */
static brz_rc take_event_line(ftrace *f, brz_str line, bool *is_event)
{
    trace_event_line l = event_line_read(line);
    *is_event = l.kind != EVENT_NONE;
    if (l.kind == EVENT_NONE)
        return events_end(&f->events, &f->dump, describe);
    if (l.kind != EVENT_BEGINS) {
        events_continue(&f->events, f->dump.ctx, &l);
        return BRZ_OK;
    }
    brz_rc rc = events_end(&f->events, &f->dump, describe);
    events_begin(&f->events, f->dump.ctx, &l, threads_named(&f->threads, &f->dump, l.task)->tag);
    return rc;
}

/* Reads a line, and those after it that lost their line ends. */
static brz_rc read_line(void *instance, brz_str line)
{
    ftrace *f = instance;
    bool is_event = false;
    brz_rc rc = BRZ_OK;
    do {
        trace_line l = line_read(line);
        if (weight_fields_are_on(&f->events.fields) && l.kind == LINE_ODD)
            rc = take_event_line(f, line, &is_event);
        if (rc == BRZ_OK && !is_event)
            rc = take_line(f, &l, line);
        line = l.joined;
        if (line.len > 0)
            BRZ_WARN(f->dump.ctx, "ftrace.joined", line.data, line.len,
                     "another line after this one, which lost its line end");
    } while (rc == BRZ_OK && line.len > 0);
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Lines of traces that make a report. */
#define ENOUGH 3

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    size_t calls = 0;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        trace_line l = line_read(line);
        if (l.kind == LINE_START)
            return BRZ_SNIFF_HEADER;
        calls += l.kind >= LINE_ENTER && l.kind <= LINE_FUNCTION;
        if (calls == ENOUGH)
            return BRZ_SNIFF_RECORDS;
    }
    return BRZ_SNIFF_NO;
}

/* Notes how many calls have no end. Without a line that ends them, their own time is unknown. */
static brz_rc end_input(void *instance, const char *at)
{
    ftrace *f = instance;
    (void)at;
    cut_all_calls(f);
    brz_report_count(
        f->dump.ctx, BRZ_NOTE, "ftrace.endless", f->n_endless, 0,
        BRZ_STR("functions without an end, which count as calls without own time: {count}"));
    brz_rc rc = events_end(&f->events, &f->dump, describe);
    return rc != BRZ_OK ? rc
                        : weight_fields_report(&f->events.fields, f->dump.ctx, &f->events.known,
                                               "ftrace.weight-field",
                                               "the events of the trace have no fields");
}

DUMP_PARSE_LINES(read_line, end_input)

static const brz_option option_table[] = {
    WEIGHT_FIELD_OPTION(ftrace_options),
};

static void validate(const void *cfg, brz_option_faults *faults)
{
    const ftrace_options *o = cfg;
    weight_fields_validate(&o->weight_field, faults);
}

SHIPPED_READER(ftrace, .open = open_instance, .finish = dump_finish)

SHIPPED_COLLAPSER(
    "ftrace", .summary = "reports of ftrace, the Linux kernel's function tracer",
    .help = "Record with `funcgraph FUNCTION`, or read /sys/kernel/tracing/trace with the tracer "
            "function_graph or function. Time and number of calls are weights: see --weight.",
    BRZ_OPTIONS(option_table, ftrace_options), .validate = validate)
