/* SPDX-License-Identifier: MIT */
/* Follows the goroutines of a trace from state to state. */
#include "goroutines.h"

/* Maximum difference between the clocks of two processors, in nanoseconds. A state that ends at
 * most this much before it begins takes no time. */
#define SKEW_MAX 1000000

void goroutines_init(goroutines *g, brz_ctx *ctx, tables *t, threads *of, order *o, bool is_old)
{
    *g = (goroutines){.ctx = ctx, .tables = t, .threads = of, .order = o, .is_old = is_old};
    pair_map_init(&g->ids, ctx);
    counts_init(&g->counts, ctx, &t->store);
}

/* Returns the index of a goroutine, or PAIR_MISS. */
static inline uint32_t index_of(goroutines *g, uint64_t id)
{
    uint32_t *recent = &g->recent[id % RECENT_GOROUTINES];
    if (*recent < g->n && g->items[*recent].id == id)
        return *recent;
    uint32_t i = pair_map_find(&g->ids, id, 0);
    if (i != PAIR_MISS)
        *recent = i;
    return i;
}

static goroutine *find(goroutines *g, uint64_t id)
{
    uint32_t i = index_of(g, id);
    if (i != PAIR_MISS)
        return &g->items[i];
    g->items = brz_list_room(g->ctx, g->items, g->n, &g->cap, sizeof *g->items);
    g->items[g->n] = (goroutine){.id = id, .stack = NO_STACK, .function = {"", 0}};
    pair_map_put(&g->ids, g->ctx, id, 0, (uint32_t)g->n);
    return &g->items[g->n++];
}

static void leave_out(const goroutines *g, const go_event *e, brz_str msg)
{
    brz_report_lost(g->ctx, "go-trace.event", e->at, 0, msg);
}

/* ---- order ------------------------------------------------------------------------------- */

/* Returns the state in which a goroutine is before an event that has a sequence number. */
static go_state state_before(go_action action)
{
    switch (action) {
    case GO_START:
        return GO_RUNNABLE;
    case GO_SYSCALL_EXIT:
        return GO_IN_SYSCALL;
    default:
        return GO_WAITING;
    }
}

/* Returns what threads wait for: a state with a sequence number. */
static uint64_t numbered(uint64_t sequence, go_state state)
{
    return sequence << 3 | (uint64_t)state;
}

bool goroutines_are_ready(goroutines *g, const go_event *e, uint64_t *state)
{
    if (e->kind->sequence == 0)
        return true;
    uint32_t i = index_of(g, e->goroutine);
    go_state before = state_before((go_action)e->kind->action);
    *state = numbered(e->expected, before);
    return i != PAIR_MISS && g->items[i].part == g->part && g->items[i].sequence == e->expected &&
           g->items[i].state == before;
}

/* Sets the sequence number of a goroutine after an event. */
static void advance(goroutines *g, goroutine *of, const go_event *e)
{
    if (e->kind->sequence != 0)
        of->sequence = e->expected + 1;
    else if (e->kind->action == GO_CREATE)
        of->sequence = g->is_old;
    else
        of->sequence = g->is_old ? of->sequence + 1 : 0;
    of->part = g->part;
}

/* ---- states ------------------------------------------------------------------------------ */

static moment moment_of(const goroutine *of)
{
    return (moment){of->id, of->function, of->state, of->reason, of->stack, of->since};
}

static bool is_counted(go_state state)
{
    return state == GO_WAITING || state == GO_IN_SYSCALL || state == GO_RUNNABLE;
}

/* Ends the state of a goroutine. `expected`: the state that the event ends. */
static brz_rc end_state(goroutines *g, const goroutine *of, const go_event *e, go_state expected)
{
    int64_t time;
    if (of->state != expected) {
        if (of->state != GO_UNSTATED)
            leave_out(g, e, BRZ_STR("a state without an event at its beginning or end: left out"));
        return BRZ_OK;
    }
    if (!is_counted(of->state) || of->stack == NO_STACK)
        return BRZ_OK;
    if (__builtin_sub_overflow(e->time, of->since, &time) || time < -SKEW_MAX) {
        leave_out(g, e, BRZ_STR("a state that ends before it begins: left out"));
        return BRZ_OK;
    }
    moment m = moment_of(of);
    return counts_take(&g->counts, &m, time > 0 ? time : 0);
}

/* Begins a state. `stack` is a number in the store. */
static void begin_state(goroutines *g, goroutine *of, const go_event *e, go_state state,
                        uint32_t stack)
{
    of->state = state;
    of->since = e->time;
    of->stack = stack;
    of->reason = GO_NO_REASON;
    if (of->part == g->part)
        order_wake(g->order, of->id, numbered(of->sequence, state));
}

/* Learns the function of a goroutine from a stack of it. */
static void learn_function(const goroutines *g, goroutine *of, uint64_t stack)
{
    if (of->function.len == 0 && (g->ctx->flags & BRZ_CTX_WANTS_TAGS) != 0)
        of->function = tables_root(g->tables, stack);
}

static uint32_t reason_of(goroutines *g, const go_event *e)
{
    if (e->kind->other == 0)
        return e->kind->constant;
    raw_text *text = tables_find_text(g->tables, e->other);
    if (text == NULL)
        return GO_NO_REASON;
    if (text->reason == GO_UNKNOWN_REASON)
        text->reason = counts_reason(&g->counts, text->text);
    return text->reason;
}

/* ---- events of goroutines that they name ------------------------------------------------- */

static brz_rc take_create(goroutines *g, const go_event *e)
{
    goroutine *of = find(g, e->goroutine);
    if (of->state != GO_UNSTATED && of->state != GO_DEAD)
        leave_out(g, e, BRZ_STR("the end of an earlier goroutine of this number is missing"));
    advance(g, of, e);
    of->function = brz_str_of("", 0);
    learn_function(g, of, e->other);
    begin_state(g, of, e, (go_state)e->kind->constant, tables_stack(g->tables, e->stack));
    return BRZ_OK;
}

/* Sets the goroutine that a thread runs. */
static void bind(const goroutines *g, uint64_t id, uint32_t thread)
{
    g->threads->items[thread].goroutine = id;
}

/* Takes the state of a goroutine at the beginning of a part. */
static brz_rc take_status(goroutines *g, const go_event *e, uint32_t thread)
{
    goroutine *of = find(g, e->goroutine);
    uint64_t stated = e->kind->other != 0 ? e->other : e->kind->constant;
    advance(g, of, e);
    if (stated < GO_RUNNABLE || stated > GO_WAITING) {
        leave_out(g, e, BRZ_STR("an unknown state of a goroutine"));
        return BRZ_OK;
    }
    go_state state = (go_state)stated;
    learn_function(g, of, e->stack);
    if (of->state != state) {
        bool is_new = of->state == GO_UNSTATED || (g->is_old && of->state == GO_RUNNABLE);
        if (!is_new)
            leave_out(g, e, BRZ_STR("a state without an event at its beginning: left out"));
        begin_state(g, of, e, state, tables_stack(g->tables, e->stack));
    } else {
        order_wake(g->order, of->id, numbered(of->sequence, state));
    }
    uint64_t id = e->goroutine; /* the event is in a list that grows */
    if (!g->is_old && (state == GO_RUNNING || state == GO_IN_SYSCALL))
        bind(g, id, state == GO_RUNNING ? thread : threads_find(g->threads, e->thread));
    return BRZ_OK;
}

static brz_rc take_start(goroutines *g, const go_event *e, uint32_t thread)
{
    goroutine *of = find(g, e->goroutine);
    brz_rc rc = end_state(g, of, e, GO_RUNNABLE);
    advance(g, of, e);
    begin_state(g, of, e, GO_RUNNING, NO_STACK);
    bind(g, e->goroutine, thread);
    return rc;
}

static brz_rc take_unblock(goroutines *g, const go_event *e)
{
    goroutine *of = find(g, e->goroutine);
    brz_rc rc = end_state(g, of, e, GO_WAITING);
    advance(g, of, e);
    begin_state(g, of, e, GO_RUNNABLE, tables_stack(g->tables, e->stack));
    return rc;
}

/* Ends a system call. The goroutine waits for a processor with the stack of the call. */
static brz_rc exit_syscall(goroutines *g, goroutine *of, const go_event *e)
{
    uint32_t stack = of->state == GO_IN_SYSCALL ? of->stack : NO_STACK;
    brz_rc rc = end_state(g, of, e, GO_IN_SYSCALL);
    if (e->kind->sequence != 0 || g->is_old)
        advance(g, of, e);
    begin_state(g, of, e, GO_RUNNABLE, stack);
    of->reason = GO_AFTER_SYSCALL;
    return rc;
}

/* ---- events of the current goroutine ----------------------------------------------------- */

static brz_rc block(goroutines *g, goroutine *of, const go_event *e, go_state state)
{
    brz_rc rc = end_state(g, of, e, GO_RUNNING);
    learn_function(g, of, e->stack);
    begin_state(g, of, e, state, tables_stack(g->tables, e->stack));
    of->reason = reason_of(g, e);
    return rc;
}

static brz_rc enter_syscall(goroutines *g, goroutine *of, const go_event *e)
{
    brz_rc rc = block(g, of, e, g->is_old ? GO_RUNNING : GO_IN_SYSCALL);
    of->reason = GO_NO_REASON;
    return rc;
}

/* Takes the event that another goroutine may run during a call, up to Go 1.21. */
static brz_rc leave_syscall(goroutines *g, goroutine *of, const go_event *e)
{
    uint32_t stack = of->stack;
    int64_t since = of->since;
    brz_rc rc = end_state(g, of, e, GO_RUNNING);
    begin_state(g, of, e, GO_IN_SYSCALL, stack == NO_STACK ? g->tables->unknown : stack);
    if (stack != NO_STACK)
        of->since = since;
    return rc;
}

static brz_rc end_syscall(goroutines *g, goroutine *of, const go_event *e)
{
    brz_rc rc = end_state(g, of, e, GO_IN_SYSCALL);
    begin_state(g, of, e, GO_RUNNING, NO_STACK);
    return rc;
}

/* Ends a goroutine; one of a call from C ends in a system call. */
static brz_rc end(goroutines *g, goroutine *of, const go_event *e)
{
    brz_rc rc = end_state(g, of, e, of->state == GO_IN_SYSCALL ? GO_IN_SYSCALL : GO_RUNNING);
    begin_state(g, of, e, GO_DEAD, NO_STACK);
    return rc;
}

/* Switches from a coroutine to another one. */
static brz_rc take_switch(goroutines *g, goroutine *of, const go_event *e, uint32_t thread)
{
    brz_rc rc = end_state(g, of, e, GO_RUNNING);
    bool ends = e->kind->action == GO_SWITCH_END;
    begin_state(g, of, e, ends ? GO_DEAD : GO_WAITING, ends ? NO_STACK : g->tables->unknown);
    goroutine *next = find(g, e->goroutine);
    if (rc == BRZ_OK)
        rc = end_state(g, next, e, GO_WAITING);
    advance(g, next, e);
    begin_state(g, next, e, GO_RUNNING, NO_STACK);
    bind(g, e->goroutine, thread);
    return rc;
}

/* Returns whether the thread runs no goroutine after an event of it. */
static bool leaves(go_action action)
{
    return action == GO_BLOCK || action == GO_STOP || action == GO_END ||
           action == GO_SYSCALL_LEAVE || action == GO_SYSCALL_EXIT_OWN;
}

static brz_rc take_own(goroutines *g, const go_event *e, uint32_t thread)
{
    uint64_t id = g->threads->items[thread].goroutine;
    go_action action = (go_action)e->kind->action;
    if (id == 0) {
        leave_out(g, e, BRZ_STR("an event of a goroutine whose beginning is missing: left out"));
        return BRZ_OK;
    }
    if (leaves(action))
        g->threads->items[thread].goroutine = 0;
    goroutine *of = find(g, id);
    switch (action) {
    case GO_BLOCK:
        return block(g, of, e, GO_WAITING);
    case GO_STOP:
        return block(g, of, e, GO_RUNNABLE);
    case GO_END:
        return end(g, of, e);
    case GO_SYSCALL:
        return enter_syscall(g, of, e);
    case GO_SYSCALL_LEAVE:
        return leave_syscall(g, of, e);
    case GO_SYSCALL_END:
        return end_syscall(g, of, e);
    case GO_SYSCALL_EXIT_OWN:
        return exit_syscall(g, of, e);
    default:
        return take_switch(g, of, e, thread);
    }
}

brz_rc goroutines_take(goroutines *g, uint32_t thread)
{
    const go_event *e = &g->threads->items[thread].head;
    switch ((go_action)e->kind->action) {
    case GO_IGNORED:
        return BRZ_OK;
    case GO_CREATE:
        return take_create(g, e);
    case GO_CREATE_IN_SYSCALL:
        bind(g, e->goroutine, thread);
        return take_create(g, e);
    case GO_STATUS:
        return take_status(g, e, thread);
    case GO_START:
        return take_start(g, e, thread);
    case GO_UNBLOCK:
        return take_unblock(g, e);
    case GO_SYSCALL_EXIT:
        return exit_syscall(g, find(g, e->goroutine), e);
    case GO_SAMPLE:
        return goroutines_take_sample(g, e);
    default:
        return take_own(g, e, thread);
    }
}

brz_rc goroutines_take_sample(goroutines *g, const go_event *e)
{
    uint32_t i = pair_map_find(&g->ids, e->goroutine, 0);
    moment m = {.goroutine = e->goroutine, .function = {"", 0}, .time = e->time};
    if (i != PAIR_MISS && e->goroutine != 0)
        m.function = g->items[i].function;
    m.stack = tables_stack(g->tables, e->stack);
    return counts_take_sample(&g->counts, &m);
}

void goroutines_finish(const goroutines *g)
{
    uint64_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        n += g->items[i].stack != NO_STACK && is_counted(g->items[i].state);
    brz_report_count(g->ctx, BRZ_NOTE, "go-trace.waiting", n, 0,
                     BRZ_STR("goroutines that wait when the trace ends, whose last wait does not "
                             "count: {count}"));
}
