/* SPDX-License-Identifier: MIT */
/* Collapses the table that `perf sched timehist` prints:
 *
 *     input := (heading | row)*
 *     row   := time "[" processor "]" task "[" thread ["/" process] "]" wait delay run
 *              [state] ["next:" task "[" thread ["/" process] "]"] (function ("<-" function)*)?
 *
 * A row stands for the end of a run: its functions, from leaf to root, are the stack with which the
 * task leaves the processor. The wait and the delay in front of that run belong to the stack of the
 * task's row before. Times are in milliseconds.
 */
#include "../common/dump/dump.h"
#include "../common/off_cpu/stack_store.h"
#include "../common/pair_map.h"
#include "../common/table/decimal.h"

#define DECIMALS 3

enum { WAIT, DELAY, RUN, COLUMNS };

typedef struct timehist {
    dump dump;
    stack_store store;
    pair_map stacks; /* thread and process to the number of the last stack */
    uint32_t columns[COLUMNS];
    bool has_state;           /* the table has a column of states */
    uint64_t n_without_stack; /* waits of tasks without a row before */
} timehist;

typedef struct row {
    brz_str task, stack;
    uint64_t thread, process;
    int64_t times[COLUMNS];
    bool has_wait;      /* the first time is there, though others may be damaged */
    bool is_wait_known; /* it is not in the place of one that is missing */
} row;

/* ---- rows ------------------------------------------------------------------------------------ */

static bool take_time(brz_str *s, int64_t *time)
{
    decimal d;
    dump_take_blanks(s);
    return decimal_take(s, false, &d) && decimal_scale(&d, DECIMALS, time);
}

/* Removes a time of a column from the front, which has three decimals: one with another number of
 * these is damaged. */
static bool take_column(brz_str *s, int64_t *time)
{
    size_t n = 0;
    dump_take_blanks(s);
    while (n < s->len && !brz_is_blank(s->data[n]))
        n++;
    brz_str text = brz_str_of(s->data, n);
    if (n <= DECIMALS + 1 || text.data[n - DECIMALS - 1] != '.' || !take_time(&text, time))
        return false;
    *s = brz_str_from(*s, n);
    return text.len == 0;
}

/* Returns whether a text begins with a number, which may be damaged, or is empty because its line
 * is cut off. */
static bool begins_with_number(brz_str s)
{
    dump_take_blanks(&s);
    return s.len == 0 || brz_is_digit(s.data[0]) || s.data[0] == '.';
}

/* Parses "12" or "12/7", the thread and its process. */
static bool parse_ids(brz_str text, row *r)
{
    if (!brz_take_u64(&text, &r->thread) || r->thread > INT64_MAX)
        return false;
    r->process = r->thread;
    if (brz_str_take(&text, "/") && (!brz_take_u64(&text, &r->process) || r->process > INT64_MAX))
        return false;
    return text.len == 0;
}

/* Removes a task such as "app 2[12/7]" and the times after it from the front. */
static bool take_task(brz_str *s, row *r)
{
    size_t open = SIZE_MAX;
    for (size_t i = 0; i < s->len; i++) {
        brz_str rest = brz_str_from(*s, i);
        if (s->data[i] == '[')
            open = i + 1;
        if (s->data[i] != ']' || open == SIZE_MAX ||
            !parse_ids(brz_str_of(s->data + open, i - open), r))
            continue;
        rest = brz_str_from(rest, 1);
        r->has_wait = take_column(&rest, &r->times[WAIT]);
        if (!r->has_wait || !take_column(&rest, &r->times[DELAY]) ||
            !take_column(&rest, &r->times[RUN])) {
            r->is_wait_known = r->has_wait && begins_with_number(rest);
            return false;
        }
        r->is_wait_known = true;
        r->task = brz_str_of(s->data, open - 1);
        *s = rest;
        return true;
    }
    return false;
}

/* Removes "1008.452736 [0001]  " from the front. */
static bool take_place(brz_str *s)
{
    uint64_t processor;
    int64_t time;
    if (!take_time(s, &time) || dump_take_blanks(s) == 0 || !brz_str_take(s, "[") ||
        !brz_take_u64(s, &processor) || !brz_str_take(s, "]"))
        return false;
    return dump_take_blanks(s) > 0;
}

/* Removes the state and the next task from the front of the functions. */
static void take_columns(const timehist *t, brz_str *s)
{
    brz_str state, rest;
    *s = brz_trim(*s);
    if (t->has_state && brz_cut_first(*s, ' ', &state, &rest))
        *s = brz_trim(rest);
    if (!brz_starts_with(*s, BRZ_STR("next: ")))
        return;
    size_t at = brz_str_find(*s, BRZ_STR("] "), 0);
    *s = at == SIZE_MAX ? brz_str_of(s->data, 0) : brz_trim(brz_str_from(*s, at + 1));
}

static bool parse_row(const timehist *t, brz_str line, row *r)
{
    *r = (row){0};
    if (!take_place(&line) || !take_task(&line, r))
        return false;
    take_columns(t, &line);
    r->stack = line;
    return true;
}

/* Recognises rows without a run: those of idle processors, and those of options such as -w. */
static bool is_other_row(brz_str line)
{
    return take_place(&line) && (brz_starts_with(line, BRZ_STR("<idle>")) ||
                                 brz_str_find(line, BRZ_STR(" awakened: "), 0) != SIZE_MAX ||
                                 brz_str_find(line, BRZ_STR(" migrated: "), 0) != SIZE_MAX);
}

/* Recognises a row whose time is damaged by the processor and what is after it: arrows, or a task
 * and times. */
static bool is_damaged_row(brz_str line, row *r)
{
    brz_str time, rest;
    uint64_t processor;
    *r = (row){0};
    if (!brz_cut_first(line, '[', &time, &rest) || !brz_take_u64(&rest, &processor) ||
        !brz_str_take(&rest, "]"))
        return false;
    return take_task(&rest, r) || r->has_wait || brz_str_find(rest, BRZ_STR(" <- "), 0) != SIZE_MAX;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    if (!brz_str_is(text, "[unknown]"))
        frame->name = dump_repaired(d, text);
}

/* Removes the beginning of an arrow from the end of a stack, whose callers are missing. */
static brz_str without_last_arrow(dump *d, brz_str stack)
{
    size_t n = brz_ends_with(stack, BRZ_STR(" <-"))  ? 3
               : brz_ends_with(stack, BRZ_STR(" <")) ? 2
                                                     : 0;
    if (n > 0)
        BRZ_WARN(d->ctx, "timehist.cut-off", stack.data, stack.len,
                 "the stack breaks off: it counts without the callers that are missing");
    return brz_str_of(stack.data, stack.len - n);
}

static void push_stack(dump *d, const row *r)
{
    static const brz_str arrow = {" <- ", 4};
    brz_str rest = without_last_arrow(d, r->stack);
    brz_path_cut(d->stacks.path, 0);
    while (rest.len > 0) {
        size_t at = brz_str_find(rest, arrow, 0), n = at == SIZE_MAX ? rest.len : at;
        dump_push(d, brz_trim(brz_str_of(rest.data, n)), 0, describe);
        rest = at == SIZE_MAX ? brz_str_of(rest.data, 0) : brz_str_from(rest, at + arrow.len);
    }
    dump_push_root(d, r->task);
}

static void set_tag(dump *d, const row *r)
{
    brz_tag_desc tag = {
        .flags = BRZ_TAG_THREAD, .thread = (int64_t)r->thread, .thread_name = r->task};
    d->process = (int64_t)r->process;
    dump_tag(d, &tag);
}

/* Counts a time of the current stack, which stays. */
static brz_rc add(timehist *t, int column, int64_t time)
{
    dump *d = &t->dump;
    return time <= 0 ? BRZ_OK : brz_stacks_count(&d->stacks, d->ctx, t->columns[column], time);
}

/* Counts the time in front of a run, for the last stack of the task. */
static brz_rc count_wait(timehist *t, const row *r)
{
    dump *d = &t->dump;
    uint32_t last = pair_map_find(&t->stacks, r->thread, r->process);
    if (last == PAIR_MISS) {
        brz_path_cut(d->stacks.path, 0);
        t->n_without_stack += r->times[WAIT] > 0;
        dump_push_once(d, BRZ_STR("[unknown]"), describe);
        dump_push_root(d, r->task);
    } else {
        stack_store_restore(&t->store, d->ctx, last, d->stacks.path);
    }
    brz_rc rc = add(t, WAIT, r->times[WAIT]);
    return rc == BRZ_OK ? add(t, DELAY, r->times[DELAY]) : rc;
}

static brz_rc count_row(timehist *t, const row *r)
{
    dump *d = &t->dump;
    set_tag(d, r);
    brz_rc rc = count_wait(t, r);
    push_stack(d, r);
    const brz_path *path = d->stacks.path;
    pair_map_put(&t->stacks, d->ctx, r->thread, r->process,
                 stack_store_add(&t->store, d->ctx, path->ids, path->n));
    return rc == BRZ_OK ? add(t, RUN, r->times[RUN]) : rc;
}

/* Removes another row after the functions of a row, which lost its line end. */
static brz_str take_joined(timehist *t, brz_str *stack)
{
    for (size_t i = 1; i < stack->len; i++) {
        brz_str joined = brz_str_from(*stack, i), rest = joined;
        bool is_place =
            brz_is_digit(stack->data[i]) && stack->data[i - 1] == ' ' && take_place(&rest);
        if (!is_place)
            continue;
        BRZ_WARN(t->dump.ctx, "timehist.joined", joined.data, joined.len,
                 "another row on the line of a row, which lost its line end");
        *stack = brz_trim(brz_str_of(stack->data, i));
        return joined;
    }
    return brz_str_of(NULL, 0);
}

static void report_row(timehist *t, brz_str line, const row *r)
{
    brz_str msg = BRZ_STR("not a row of perf sched timehist: left out");
    if (r->is_wait_known)
        dump_left_out(&t->dump, "timehist.row", line, msg, r->times[WAIT]);
    else
        brz_report_lost(t->dump.ctx, "timehist.row", line.data, line.len, msg);
}

static brz_rc read_line(void *instance, brz_str line)
{
    timehist *t = instance;
    brz_str text = brz_trim(line), rest = text;
    int64_t time;
    row r, damaged;
    while (parse_row(t, text, &r)) {
        rest = text = take_joined(t, &r.stack);
        brz_rc rc = count_row(t, &r);
        if (rc != BRZ_OK || text.len == 0)
            return rc;
    }
    if (brz_starts_with(text, BRZ_STR("time ")))
        t->has_state = brz_ends_with(text, BRZ_STR("state"));
    else if ((is_damaged_row(text, &damaged) || take_time(&rest, &time)) && !is_other_row(text))
        report_row(t, line, &damaged);
    return BRZ_OK;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises the heading of the table. */
static bool is_heading(brz_str line)
{
    return brz_starts_with(brz_trim_start(line), BRZ_STR("time ")) &&
           brz_str_find(line, BRZ_STR(" sch delay "), 0) != SIZE_MAX;
}

DUMP_SNIFF_LINE(is_heading)

static brz_rc open_instance(brz_ctx *ctx)
{
    static const char *const names[COLUMNS] = {"wait", "delay", "run"};
    timehist *t = ctx->inst;
    for (size_t i = 0; i < COLUMNS; i++)
        t->columns[i] = BRZ_DECLARE_COLUMN(ctx, .name = brz_str_of_text(names[i]),
                                           .unit = BRZ_STR("milliseconds"), .decimals = DECIMALS);
    stack_store_init(&t->store, ctx);
    pair_map_init(&t->stacks, ctx);
    return dump_open(ctx);
}

DUMP_PARSE_LINES(read_line, NULL)

static brz_rc finish(brz_ctx *ctx)
{
    const timehist *t = ctx->inst;
    brz_report_count(ctx, BRZ_NOTE, "timehist.no-row", t->n_without_stack, 0,
                     BRZ_STR("{count} {wait|waits} whose row before is missing: under [unknown]"));
    return dump_finish(ctx);
}

SHIPPED_READER(timehist, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS(" sch delay "))

SHIPPED_COLLAPSER("timehist", .summary = "the table of perf sched timehist",
                  .help = "Record with `perf sched record -g`, and make the table with `perf sched "
                          "timehist`. The time off the processors, the delay after wake-ups and "
                          "the time of runs are weights: see --weight.")
