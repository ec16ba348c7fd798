/* SPDX-License-Identifier: MIT */
/* Traces the stacks of samples. */
#include "trace.h"

#include "chain.h"
#include "frames.h"
#include "registers.h"
#include "tracer.h"

/* Maximum number of frames. */
#define UNWIND_DEPTH_MAX 1024

/* Addresses from here on above the stack pointer are not of the same stack. */
#define STACK_MAX (UINT64_C(1) << 26)

/* A stack pointer that lies further above a frame is that of another stack: frames of signals have
 * all registers, those of functions their variables. */
#define SIGNAL_FRAME_MAX (UINT64_C(1) << 17)
#define FRAME_MAX        (UINT64_C(1) << 20)

/* Addresses below are never mapped; the kernel's half of the address space begins at the other. */
#define USER_MIN (UINT64_C(1) << 12)
#define USER_MAX (UINT64_C(1) << 56)

/* Stands for no module. */
#define NO_MODULE UINT32_MAX

/* A stack while it is unwound. */
typedef struct walk {
    unwind_state state;
    code code;
    uint32_t callee;   /* module whose rules led to the current code, or NO_MODULE */
    bool is_caller;    /* the current code has called, rather than been interrupted */
    bool is_guessed;   /* a frame was found without rules */
    bool is_begin;     /* the current code has called main() */
    bool may_begin;    /* the thread may have begun at the leaf, or ended its program there */
    bool is_elsewhere; /* the current frame is on another stack than the copy */
    enum unwind_end end;
} walk;

/* Returns whether the register that a rule needs is known. After a step by the frame pointer on
 * arm64, the stack pointer is not. */
static bool can_apply(const frame_rule *r, const unwind_state *u)
{
    return !u->machine->has_link || r->base < 0 || unwind_knows(u, (uint64_t)r->base);
}

/* ---- ends ----------------------------------------------------------------------------------- */

/* Returns whether the copy of a stack has a word at an address, and the word. */
static bool has_word(const unwind_state *u, uint64_t address, uint64_t *word)
{
    uint64_t offset = address - u->stack_start;
    if (address < u->stack_start || u->stack_size < 8 || offset > u->stack_size - 8)
        return false;
    *word = word_u64(u->stack + offset, u->order);
    return true;
}

/* Returns why the return address at an address could not be used. */
static enum unwind_end end_at(const unwind_state *u, uint64_t address, enum unwind_end otherwise)
{
    uint64_t word;
    if (has_word(u, address, &word))
        return word == 0 ? UNWIND_COMPLETE : otherwise;
    bool is_above = address >= u->stack_start && address - u->stack_start < STACK_MAX;
    return is_above ? UNWIND_CUT : otherwise;
}

/* Returns whether a stack pointer is that of another stack than the copied one. `max` is the size
 * of the largest frame that may lie between. */
static bool is_elsewhere(const unwind_state *u, uint64_t frame, uint64_t sp, uint64_t max)
{
    if (sp < u->stack_start)
        return true;
    return sp - u->stack_start > u->stack_size && sp > frame && sp - frame > max;
}

/* Returns whether something maps the call before an address. */
static bool is_mapped(const tracer *t, uint64_t address)
{
    return maps_view_find(&t->user, address - 1) != NULL;
}

/* Returns whether a function has moved to another stack and kept the frame pointer, by which its
 * rules find its own: that is an aligned address outside of the copy that cannot be code. */
static bool has_moved(const tracer *t, const frame_rule *r, const walk *w)
{
    const unwind_state *u = &w->state;
    const unwind_machine *m = u->machine;
    if (w->is_guessed || r->base != (int32_t)m->fp || !unwind_knows(u, m->fp))
        return false;
    uint64_t sp = u->registers[m->fp] + (uint64_t)r->offset;
    return sp % 16 == 0 && sp >= USER_MIN && sp < USER_MAX && !is_mapped(t, sp) &&
           is_elsewhere(u, u->lowest, sp, FRAME_MAX);
}

/* Returns why rules did not lead to a caller. */
static enum unwind_end end_by_rules(const tracer *t, const frame_rule *r, const walk *w)
{
    const unwind_state *u = &w->state;
    uint32_t caller = u->machine->caller;
    if (r->ip.kind == RULE_UNDEFINED)
        return UNWIND_COMPLETE;
    if (r->ip.kind == RULE_SAME)
        return unwind_knows(u, caller) && u->registers[caller] == 0 ? UNWIND_COMPLETE
                                                                    : UNWIND_BAD_STACK;
    if (r->base < 0 || r->ip.kind != RULE_AT_CFA || !unwind_knows(u, (uint64_t)r->base))
        return UNWIND_BAD_STACK;
    if (has_moved(t, r, w))
        return UNWIND_ELSEWHERE;
    uint64_t base = u->registers[r->base] + (uint64_t)r->offset;
    return end_at(u, base + (uint64_t)r->ip.offset, UNWIND_BAD_STACK);
}

/* Returns why the frame pointer did not lead to a caller. It is 0 in the outermost function; code
 * that does not use it may have 0 there, too, so that is no end for the innermost function. */
static enum unwind_end end_by_pointer(const unwind_state *u, bool is_caller)
{
    if (!unwind_knows(u, u->machine->fp))
        return UNWIND_NO_RULES;
    uint64_t fp = u->registers[u->machine->fp];
    if (fp == 0)
        return is_caller ? UNWIND_COMPLETE : UNWIND_NO_RULES;
    return end_at(u, fp + 8, UNWIND_NO_RULES);
}

/* ---- trampolines ---------------------------------------------------------------------------- */

/* Returns the trampoline of the callee's module if the current code, which has no rules, may be a
 * copy of it; or NULL. Code of compilers has its own address in its module. */
static const trampoline *find_trampoline(const tracer *t, const walk *w, const traced_code *at)
{
    const unwind_state *u = &w->state;
    uint64_t call = u->registers[u->machine->ip] - 1;
    if (w->callee == NO_MODULE || at->address != call)
        return NULL;
    const trampoline *found = rules_trampoline(t, w->callee);
    const map_range *r = found == NULL ? NULL : maps_view_find(&t->user, call);
    return r != NULL && trampoline_may_be_at(found, call + 1 - r->start) ? found : NULL;
}

/* Returns whether a state is that of the caller of a trampoline: a function of the callee's module,
 * whose rules lead on to mapped code, or to a word after the copy of the stack. */
static bool leads_on(tracer *t, const walk *w, const unwind_state *caller)
{
    traced_code at = trace_look_up(t, &w->code, caller->registers[caller->machine->ip] - 1);
    if (at.context >> KNOWN_MODULE != w->callee)
        return false;
    const frame_rule *r = rules_at(t, caller->machine, &at);
    t->to->is_incomplete |= r == NULL;
    if (r == NULL || !r->is_known || r->is_signal)
        return false;
    walk next = *w;
    next.state = *caller;
    if (frame_rule_apply(r, &next.state))
        return is_mapped(t, next.state.registers[caller->machine->ip]);
    next.state = *caller;
    return end_by_rules(t, r, &next) == UNWIND_CUT;
}

/* Continues in the caller of a trampoline. Since other code may lie where a trampoline may, the
 * word in the place of the return address has to lead on. */
static bool leave_trampoline(tracer *t, walk *w, const trampoline *found)
{
    unwind_state caller = w->state;
    const unwind_machine *m = caller.machine;
    bool has_pointer =
        unwind_knows(&caller, m->fp) && caller.registers[m->fp] == caller.registers[m->sp];
    if (found->has_pointer && !has_pointer)
        return false;
    if (!frame_rule_apply(&found->rule, &caller) || !leads_on(t, w, &caller))
        return false;
    w->state = caller;
    return true;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Continues in the caller by rules. Otherwise returns false and sets the reason. */
static bool step_by_rules(const tracer *t, const frame_rule *r, walk *w)
{
    unwind_state *u = &w->state;
    uint64_t frame = u->lowest;
    w->is_caller = !r->is_signal;
    if (!frame_rule_apply(r, u)) {
        w->end = end_by_rules(t, r, w);
        return false;
    }
    uint64_t ip = u->registers[u->machine->ip], sp = u->registers[u->machine->sp];
    w->is_begin = r->is_main;
    w->is_elsewhere = r->is_signal && maps_view_find(&t->user, ip) != NULL &&
                      is_elsewhere(u, frame, sp, SIGNAL_FRAME_MAX);
    return true;
}

/* Continues in the caller by the frame pointer, if that leads to code. Otherwise returns false and
 * sets the reason; `is_cut`: the copy of the stack ends before the return address of a trampoline.
 * Code to which no call returns is the outermost one of its stack: makecontext() made the return
 * address. So is the caller of main(), which has no rules in musl. */
static bool step_by_pointer(const tracer *t, const frame_rule *r, bool is_cut, walk *w)
{
    unwind_state *u = &w->state;
    bool was_caller = w->is_caller;
    bool is_made = r->begins_after && was_caller;
    bool is_outermost = (is_made || w->is_begin) && !w->is_guessed;
    w->is_guessed = true;
    w->is_caller = !r->is_signal;
    if (!unwind_by_frame_pointer(u)) {
        w->end = is_cut         ? UNWIND_CUT
                 : is_outermost ? UNWIND_COMPLETE
                                : end_by_pointer(u, was_caller);
        return false;
    }
    w->end = is_outermost ? UNWIND_COMPLETE : UNWIND_NO_RULES;
    return is_mapped(t, u->registers[u->machine->ip]);
}

/* Continues in the caller of code without rules: by its trampoline, or by the frame pointer. */
static bool step_without_rules(tracer *t, walk *w, const frame_rule *r, const traced_code *at)
{
    const trampoline *found = find_trampoline(t, w, at);
    bool has_left = found != NULL && leave_trampoline(t, w, found);
    w->callee = NO_MODULE;
    if (has_left)
        return true;
    bool is_cut = found != NULL && end_by_rules(t, &found->rule, w) == UNWIND_CUT;
    return step_by_pointer(t, r, is_cut, w);
}

/* Continues in the caller of code, by rules if the code has any. Otherwise returns false and sets
 * the reason. */
static bool step(tracer *t, walk *w, const traced_code *at)
{
    w->end = w->is_elsewhere ? UNWIND_ELSEWHERE : UNWIND_UNMAPPED;
    if (w->is_elsewhere || !(at->context & KNOWN_MAPPED))
        return false;
    const frame_rule *known = rules_at(t, w->state.machine, at);
    if (known == NULL) {
        t->to->is_incomplete = true;
        return false;
    }
    if (!w->is_caller && known->is_entry) {
        w->end = UNWIND_COMPLETE;
        return false;
    }
    w->may_begin |= !w->is_caller && known->leaves_stack;
    w->end = UNWIND_ELSEWHERE;
    if (known->changes_stack && w->is_caller && !t->p->frames.by_perf_script)
        return false;
    if (!known->is_known || !can_apply(known, &w->state))
        return step_without_rules(t, w, known, at);
    w->callee = (uint32_t)(at->context >> KNOWN_MODULE);
    return step_by_rules(t, known, w);
}

/* Returns the reason for the end of a stack, of which the kernel may have copied less than
 * asked. */
static enum unwind_end end_of(enum unwind_end end, const sample *s)
{
    return end == UNWIND_CUT && s->is_stack_short ? UNWIND_ABSENT : end;
}

/* Notes the part of the stack that was unwound. */
static void keep_extent(trace *to, const unwind_state *u)
{
    to->sp = u->stack_start;
    to->stack_end = u->lowest > u->stack_start ? u->lowest : u->stack_start;
}

/* Unwinds the user stack of a sample and appends its addresses, leaf first. Returns why it ends. */
static enum unwind_end unwind_sample(tracer *t, const event *v, const sample *s)
{
    walk w = {.code = trace_code(t, MODE_USER), .callee = NO_MODULE};
    const unwind_state *u = &w.state;
    if (!registers_start(&w.state, t, v, s))
        return UNWIND_IMPOSSIBLE;
    bool is_old = t->is_starting && !t->p->frames.by_perf_script;
    if (is_old && t->user.maps != NULL &&
        maps_view_find(&t->user, u->registers[u->machine->ip]) == NULL)
        return UNWIND_COMPLETE; /* the old program has executed this one */
    for (size_t n = 0; n < UNWIND_DEPTH_MAX; n++) {
        /* Here, perf script names callers by the call, too. */
        uint64_t ip = u->registers[u->machine->ip] - w.is_caller;
        traced_code at = trace_code_at(t, &w.code, ip, false);
        if (step(t, &w, &at))
            continue;
        keep_extent(t->to, u);
        return is_old || (w.may_begin && n <= 1) ? UNWIND_COMPLETE : end_of(w.end, s);
    }
    return UNWIND_DEEP;
}

/* ---- traces ---------------------------------------------------------------------------------- */

/* Begins a trace in the room, if there is one. */
static void begin(tracer *t)
{
    *t->to = (trace){.n = 0};
    if (t->room == NULL)
        return;
    t->to->values = t->room->values;
    t->to->unnamed = t->room->unnamed;
}

/* Takes the memory of a trace out of the room. */
static void take_room(tracer *t)
{
    trace_room *room = t->room;
    if (room == NULL)
        return;
    room->values += t->to->n;
    room->n_values -= t->to->n;
    room->unnamed += t->to->n_unnamed;
    room->n_unnamed -= t->to->n_unnamed;
}

void trace_sample(tracer *t, const event *v, const sample *s, uint32_t mode)
{
    trace *to = t->to;
    begin(t);
    t->is_starting &= !chain_is_at_place(v); /* such events may be the only ones of a process */
    chain_trace(t, v, s, mode);
    to->is_incomplete |= to->is_bad && t->reader == NULL; /* the reader names its addresses */
    if (s->registers != NULL && (v->sample_type & SAMPLE_STACK_USER) && to->n_user == 0) {
        to->end = (uint8_t)unwind_sample(t, v, s);
        to->is_unwound = true;
    }
    bool has_leaf = to->n > 0 || (to->is_deferred && t->can_wait);
    bool is_chain = (v->sample_type & (SAMPLE_CALLCHAIN | SAMPLE_STACK_USER)) == SAMPLE_CALLCHAIN;
    bool is_dropped = (to->is_bad || (is_chain && s->n_chain == 0)) && t->p->frames.by_perf_script;
    if (!has_leaf && !is_dropped && (v->sample_type & SAMPLE_IP))
        trace_address(t, mode, s->ip, false);
    take_room(t);
}
