/* SPDX-License-Identifier: MIT */
/* Collapses the text that `go tool trace -d=parsed` makes of an execution trace of Go:
 *
 *     input := event*
 *     event := "M=" number "P=" number "G=" number kind "Time=" number (key "=" text)*
 *              ["TransitionStack=" call*] ["Stack=" call*]
 *     call  := function "@" address LF file ":" line
 *
 * An event begins on a line of its own, and so do its stacks, whose calls are indented and run from
 * leaf to root. The time that a goroutine waits counts for the stack with which it began to wait;
 * samples of the processor are a column of their own. Each transition names the state that it ends,
 * which shows where events are missing.
 */
#include "../common/dump/dump.h"
#include "../common/off_cpu/stack_store.h"
#include "../common/pair_map.h"

/* The states of goroutines. UNKNOWN: before the first event, or after a damaged one. */
typedef enum phase { UNKNOWN, UNDETERMINED, NOT_EXIST, RUNNABLE, RUNNING, WAITING, SYSCALL } phase;

/* A goroutine, and its wait. */
typedef struct wait {
    phase phase;
    bool is_damaged; /* the last event is, which has been reported */
    uint32_t stack;  /* NO_STACK: it does not wait */
    int64_t since;
    brz_tag tag;
} wait;

typedef struct go_trace {
    dump dump;
    stack_store store;
    pair_map ids; /* goroutines to indices of `waits` */
    wait *waits;
    size_t n_waits, waits_cap;
    uint32_t waited; /* column */
} go_trace;

/* The first line of an event. */
typedef struct event {
    brz_str kind, rest; /* the keys after the time */
    brz_str line;
    int64_t goroutine, time;
} event;

/* ---- events ---------------------------------------------------------------------------------- */

static bool take_signed(brz_str *s, brz_str word, int64_t *number)
{
    uint64_t n;
    if (!brz_starts_with(*s, word))
        return false;
    *s = brz_str_from(*s, word.len);
    bool negative = brz_str_take(s, "-");
    if (!brz_take_u64(s, &n) || n > INT64_MAX)
        return false;
    *number = negative ? -(int64_t)n : (int64_t)n;
    return true;
}

/* Parses "M=3 P=0 G=18 StateTransition Time=12345 Resource=...". */
static bool parse_event(brz_str line, event *e)
{
    brz_str rest;
    e->line = line;
    int64_t number;
    if (!take_signed(&line, BRZ_STR("M="), &number) ||
        !take_signed(&line, BRZ_STR(" P="), &number) ||
        !take_signed(&line, BRZ_STR(" G="), &e->goroutine) || !brz_str_take(&line, " ") ||
        !brz_cut_first(line, ' ', &e->kind, &rest) ||
        !take_signed(&rest, BRZ_STR("Time="), &e->time) ||
        (rest.len > 0 && !brz_is_blank(rest.data[0]) && rest.data[0] != '\r'))
        return false;
    e->rest = rest;
    return true;
}

static bool begins(brz_str line)
{
    event e;
    return brz_starts_with(line, BRZ_STR("M=")) && parse_event(line, &e);
}

/* Parses " GoID=18 Running->Waiting" after the reason of a transition. */
static bool parse_transition(brz_str rest, int64_t *id, brz_str *from, brz_str *to)
{
    static const brz_str word = {" GoID=", 6};
    size_t at = brz_str_find(rest, word, 0);
    uint64_t number;
    if (at == SIZE_MAX)
        return false;
    rest = brz_str_from(rest, at + word.len);
    if (!brz_take_u64(&rest, &number) || number > INT64_MAX || !brz_str_take(&rest, " "))
        return false;
    at = brz_str_find(rest, BRZ_STR("->"), 0);
    if (at == SIZE_MAX)
        return false;
    *id = (int64_t)number;
    *from = brz_str_of(rest.data, at);
    *to = brz_trim(brz_str_from(rest, at + 2));
    return true;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Parses "main.work @ 0x4012aa" and "/home/a/prog.go:17" below it. */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str call = {0}, place, function, address;
    (void)d;
    brz_block_line(&text, &call);
    call = brz_trim(call);
    frame->name = call;
    if (brz_cut_last(call, '@', &function, &address)) {
        frame->name = brz_trim(function);
        address = brz_trim(address);
        dump_take_address(&address, &frame->address);
    }
    frame->kind = BRZ_KIND_USER;
    if (brz_block_line(&text, &place))
        dump_place(brz_trim(place), frame);
}

/* Recognises the line of a call's place, which begins with two tabs. */
static bool is_place(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("\t\t"));
}

/* Returns whether a line has an event, or what is left of one. */
static bool has_event(brz_str line)
{
    return brz_str_find(line, BRZ_STR(" Time="), 0) != SIZE_MAX;
}

static void leave_out(const dump *d, brz_str line, brz_str msg)
{
    brz_report_lost(d->ctx, "go-trace-text.line", line.data, line.len, msg);
}

static void push_call(dump *d, brz_str call, brz_str *block)
{
    brz_str rest = *block, line;
    if (brz_block_line(&rest, &line) && is_place(line)) {
        if (has_event(line))
            leave_out(d, line, BRZ_STR("an event after the place of a call: left out"));
        call.len = (size_t)(line.data + line.len - call.data);
        *block = rest;
    }
    dump_push(d, call, 0, describe);
}

/* Reads the stack of an event: that of the transition, if it has two. A line of an event whose
 * beginning is damaged ends it. */
static void read_stack(dump *d, brz_str block)
{
    brz_str line;
    bool has_stack = false, is_read = false;
    while (brz_block_line(&block, &line)) {
        if (brz_str_is(line, "TransitionStack=") || brz_str_is(line, "Stack=")) {
            is_read = !has_stack;
            has_stack = true;
        } else if (has_stack && brz_starts_with(line, BRZ_STR("\t")) && !is_place(line)) {
            if (is_read)
                push_call(d, line, &block);
        } else if (brz_trim(line).len > 0 &&
                   (has_event(line) || !(has_stack && !is_read && is_place(line)))) {
            leave_out(d, line, BRZ_STR("not a line of an event: left out"));
            has_stack |= has_event(line);
            is_read &= !has_stack;
        }
    }
}

/* ---- goroutines ------------------------------------------------------------------------------ */

static void set_tag(dump *d, int64_t goroutine, brz_str state, brz_str reason)
{
    brz_label labels[] = {
        {.key = BRZ_STR("state"), .text = state},
        {.key = BRZ_STR("reason"), .text = reason},
    };
    brz_tag_desc tag = {.flags = BRZ_TAG_THREAD, .thread = goroutine, .labels = labels};
    tag.n_labels = state.len == 0 ? 0 : reason.len == 0 ? 1 : 2;
    tag.thread_name = BRZ_STR("goroutine");
    dump_tag(d, &tag);
}

static wait *wait_of(go_trace *g, int64_t goroutine)
{
    brz_ctx *ctx = g->dump.ctx;
    uint32_t index = pair_map_find(&g->ids, (uint64_t)goroutine, 0);
    if (index == PAIR_MISS) {
        index = (uint32_t)g->n_waits;
        pair_map_put(&g->ids, ctx, (uint64_t)goroutine, 0, index);
        g->waits = brz_list_room(ctx, g->waits, g->n_waits, &g->waits_cap, sizeof *g->waits);
        g->waits[g->n_waits++] = (wait){.stack = NO_STACK};
    }
    return &g->waits[index];
}

static phase phase_of(brz_str name)
{
    static const char *const names[] = {"",        "Undetermined", "NotExist", "Runnable",
                                        "Running", "Waiting",      "Syscall"};
    for (size_t i = 1; i < BRZ_COUNT_OF(names); i++)
        if (brz_str_is(name, names[i]))
            return (phase)i;
    return UNKNOWN;
}

static bool is_waiting(phase s)
{
    return s == WAITING || s == SYSCALL;
}

/* Returns the text in quotes after " Reason=". */
static brz_str reason_of(brz_str rest)
{
    static const brz_str word = {" Reason=\"", 9};
    brz_str reason = {0}, after;
    size_t at = brz_str_find(rest, word, 0);
    if (at != SIZE_MAX)
        brz_cut_first(brz_str_from(rest, at + word.len), '"', &reason, &after);
    return reason;
}

/* Counts the time that a goroutine has waited. */
static brz_rc count_wait(go_trace *g, const wait *w, int64_t time)
{
    dump *d = &g->dump;
    stack_store_restore(&g->store, d->ctx, w->stack, d->stacks.path);
    brz_stacks_place(&d->stacks, w->tag, BRZ_TIMED, w->since);
    return dump_count(d, g->waited, time);
}

/* Ends the wait of a goroutine, if it waits, with a transition from a state. Reports a wait whose
 * beginning or end is missing. */
static brz_rc end_wait(go_trace *g, wait *w, phase from, const event *e)
{
    bool waits = w->stack != NO_STACK;
    bool fits = from == UNKNOWN || from == UNDETERMINED || from == w->phase;
    int64_t time;
    if (waits && fits && !__builtin_sub_overflow(e->time, w->since, &time) && time >= 0)
        return time == 0 ? BRZ_OK : count_wait(g, w, time);
    if (waits)
        leave_out(&g->dump, e->line,
                  BRZ_STR("a wait without an event at its beginning or end: left out"));
    else if (is_waiting(from) && !w->is_damaged)
        leave_out(&g->dump, e->line, BRZ_STR("a wait began without an event: left out"));
    return BRZ_OK;
}

static void begin_wait(go_trace *g, wait *w, const event *e, brz_str state_name, int64_t id)
{
    dump *d = &g->dump;
    if (dump_depth(d) == 0)
        dump_push_once(d, BRZ_STR(""), describe);
    set_tag(d, id, state_name, reason_of(e->rest));
    w->since = e->time;
    w->tag = d->stacks.tag;
    w->stack = stack_store_add(&g->store, d->ctx, d->stacks.path->ids, dump_depth(d));
}

/* Reads a transition of a goroutine. */
static brz_rc read_transition(go_trace *g, const event *e, brz_str block)
{
    brz_str from, to;
    int64_t id;
    if (!parse_transition(e->rest, &id, &from, &to)) {
        leave_out(&g->dump, e->line, BRZ_STR("not a transition: left out"));
        read_stack(&g->dump, block);
        return BRZ_OK;
    }
    wait *w = wait_of(g, id);
    phase next = phase_of(to), last = phase_of(from);
    if (next == UNKNOWN || last == UNKNOWN)
        leave_out(&g->dump, e->line, BRZ_STR("an unknown state of a goroutine"));
    brz_rc rc = end_wait(g, w, last, e);
    brz_path_cut(g->dump.stacks.path, 0);
    read_stack(&g->dump, block);
    w->stack = NO_STACK;
    w->phase = next;
    w->is_damaged = next == UNKNOWN;
    if (is_waiting(next))
        begin_wait(g, w, e, to, id);
    return rc;
}

static brz_rc read_sample(go_trace *g, const event *e, brz_str block)
{
    dump *d = &g->dump;
    uint32_t samples = dump_declare(d->ctx, BRZ_STR("samples"), BRZ_STR("samples"));
    read_stack(d, block);
    if (dump_depth(d) == 0) {
        leave_out(d, e->kind, BRZ_STR("a sample without a stack: left out"));
        return BRZ_OK;
    }
    set_tag(d, e->goroutine, brz_str_of(NULL, 0), brz_str_of(NULL, 0));
    brz_stacks_place(&d->stacks, d->stacks.tag, BRZ_TIMED, e->time);
    return dump_count(d, samples, 1);
}

/* Returns whether an event of this kind is one that has nothing to count. */
static bool is_known(brz_str kind)
{
    static const char *const kinds[] = {
        "Sync",      "Metric",  "Label",        "RangeBegin", "RangeActive",     "RangeEnd",
        "TaskBegin", "TaskEnd", "RegionBegin",  "RegionEnd",  "StateTransition", "Log",
        "Task",      "Region",  "Experimental",
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(kinds); i++)
        if (brz_str_is(kind, kinds[i]))
            return true;
    return false;
}

/* Returns whether a transition is that of a processor or a thread. */
static bool is_of_others(brz_str rest)
{
    return brz_str_find(rest, BRZ_STR(" Resource=Proc("), 0) != SIZE_MAX ||
           brz_str_find(rest, BRZ_STR(" Resource=Thread("), 0) != SIZE_MAX;
}

static brz_rc read_block(void *instance, brz_str block)
{
    go_trace *g = instance;
    brz_str line = brz_str_of(NULL, 0);
    event e;
    brz_block_line(&block, &line);
    if (!parse_event(line, &e)) {
        leave_out(&g->dump, line, BRZ_STR("not an event: left out"));
        return BRZ_OK;
    }
    if (brz_str_is(e.kind, "StateTransition") && !is_of_others(e.rest))
        return read_transition(g, &e, block);
    if (brz_str_is(e.kind, "StackSample"))
        return read_sample(g, &e, block);
    if (!is_known(e.kind))
        leave_out(&g->dump, line, BRZ_STR("an unknown kind of event: left out"));
    read_stack(&g->dump, block);
    return BRZ_OK;
}

/* Reports the goroutines that still wait. */
static brz_rc finish(brz_ctx *ctx)
{
    go_trace *g = ctx->inst;
    uint64_t n = 0;
    for (size_t i = 0; i < g->n_waits; i++)
        n += g->waits[i].stack != NO_STACK;
    brz_report_count(
        ctx, BRZ_NOTE, "go-trace-text.waiting", n, 0,
        BRZ_STR(
            "goroutines that wait when the trace ends, whose last wait does not count: {count}"));
    return dump_finish(ctx);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

DUMP_SNIFF_LINE(begins)

static brz_rc open_instance(brz_ctx *ctx)
{
    go_trace *g = ctx->inst;
    stack_store_init(&g->store, ctx);
    pair_map_init(&g->ids, ctx);
    g->waited = dump_declare(ctx, BRZ_STR("waited"), BRZ_STR("nanoseconds"));
    return dump_open(ctx);
}

DUMP_PARSE_BLOCKS(begins, read_block)

SHIPPED_READER(go_trace, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS("M="))

SHIPPED_COLLAPSER("go-trace-text", .summary = "the text of Go's execution traces",
                  .help = "Make it with `go tool trace -d=parsed trace.out` (Go 1.23 or later). "
                          "The time that goroutines wait and samples of the processor are weights: "
                          "see --weight.")
