/* Unwinds copies of user stacks, on x86-64 and arm64. */
#include "unwind.h"

#include "frames.h"
#include "registers.h"

/* Addresses from here on above the stack pointer are not of the same stack. */
#define STACK_MAX (UINT64_C(1) << 26)

/* A stack pointer that lies further above a frame is that of another stack: frames of signals have
 * all registers, those of functions their variables. */
#define SIGNAL_FRAME_MAX (UINT64_C(1) << 17)
#define FRAME_MAX        (UINT64_C(1) << 20)

/* Addresses below are never mapped; the kernel's half of the address space begins at the other. */
#define USER_MIN (UINT64_C(1) << 12)
#define USER_MAX (UINT64_C(1) << 56)

/* The place that unwinding has reached. */
typedef struct position {
    unwind_state u;
    bool is_caller;    /* the code there has called, rather than been interrupted */
    bool is_guessed;   /* a frame was found without rules */
    bool is_elsewhere; /* its frame is on another stack than the copy */
} position;

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
static bool has_moved(const tracer *t, const frame_rule *r, const position *at)
{
    const unwind_state *u = &at->u;
    const unwind_machine *m = u->machine;
    if (at->is_guessed || r->base != (int32_t)m->fp || !unwind_knows(u, m->fp))
        return false;
    uint64_t sp = u->registers[m->fp] + (uint64_t)r->offset;
    return sp % 16 == 0 && sp >= USER_MIN && sp < USER_MAX && !is_mapped(t, sp) &&
           is_elsewhere(u, u->lowest, sp, FRAME_MAX);
}

/* Returns why rules did not lead to a caller. */
static enum unwind_end end_by_rules(const tracer *t, const frame_rule *r, const position *at)
{
    const unwind_state *u = &at->u;
    uint32_t caller = u->machine->caller;
    if (r->ip.kind == RULE_UNDEFINED)
        return UNWIND_COMPLETE;
    if (r->ip.kind == RULE_SAME)
        return unwind_knows(u, caller) && u->registers[caller] == 0 ? UNWIND_COMPLETE
                                                                    : UNWIND_BAD_STACK;
    if (r->base < 0 || r->ip.kind != RULE_AT_CFA || !unwind_knows(u, (uint64_t)r->base))
        return UNWIND_BAD_STACK;
    if (has_moved(t, r, at))
        return UNWIND_ELSEWHERE;
    uint64_t base = u->registers[r->base] + (uint64_t)r->offset;
    return end_at(u, base + (uint64_t)r->ip.offset, UNWIND_BAD_STACK);
}

/* Returns why the frame pointer did not lead to a caller. */
static enum unwind_end end_by_pointer(const unwind_state *u)
{
    if (!unwind_knows(u, u->machine->fp))
        return UNWIND_NO_RULES;
    uint64_t fp = u->registers[u->machine->fp];
    return fp == 0 ? UNWIND_COMPLETE : end_at(u, fp + 8, UNWIND_NO_RULES);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Continues in the caller by rules. Returns false if there is none. */
static bool step_by_rules(const tracer *t, const frame_rule *r, position *at)
{
    unwind_state *u = &at->u;
    uint64_t frame = u->lowest;
    if (!frame_rule_apply(r, u))
        return false;
    uint64_t ip = u->registers[u->machine->ip], sp = u->registers[u->machine->sp];
    at->is_elsewhere = r->is_signal && maps_view_find(&t->user, ip) != NULL &&
                       is_elsewhere(u, frame, sp, SIGNAL_FRAME_MAX);
    return true;
}

/* Continues in the caller by the frame pointer, if that leads to code. Sets *end otherwise. Code to
 * which no call returns is the outermost one of its stack: makecontext() made the return address.
 */
static bool step_by_pointer(const tracer *t, const frame_rule *r, position *at,
                            enum unwind_end *end)
{
    bool is_made = r->begins_behind && at->is_caller && !at->is_guessed;
    at->is_guessed = true;
    at->is_caller = !r->is_signal;
    if (!unwind_by_frame_pointer(&at->u)) {
        *end = is_made ? UNWIND_COMPLETE : end_by_pointer(&at->u);
        return false;
    }
    *end = UNWIND_NO_RULES;
    return is_mapped(t, at->u.registers[at->u.machine->ip]);
}

/* Continues in the caller of code by rules or, without any, by the frame pointer. Sets *end if
 * there is no caller. */
static bool step(tracer *t, const traced_code *there, position *at, enum unwind_end *end)
{
    *end = at->is_elsewhere ? UNWIND_ELSEWHERE : UNWIND_UNMAPPED;
    if (at->is_elsewhere || !(there->context & KNOWN_MAPPED))
        return false;
    const frame_rule *known = rules_at(t, at->u.machine, there);
    if (known == NULL) {
        t->to->is_incomplete = true;
        return false;
    }
    *end = UNWIND_ELSEWHERE;
    if (known->changes_stack && at->is_caller && !t->p->frames.by_perf_script)
        return false;
    if (!known->is_known || !can_apply(known, &at->u))
        return step_by_pointer(t, known, at, end);
    at->is_caller = !known->is_signal;
    if (step_by_rules(t, known, at))
        return true;
    *end = end_by_rules(t, known, at);
    return false;
}

enum unwind_end unwind_sample(tracer *t, const event *v, const sample *s)
{
    position at = {.is_caller = false};
    enum unwind_end end;
    if (!registers_start(&at.u, t, v, s))
        return UNWIND_IMPOSSIBLE;
    const code c = trace_code(t, MODE_USER);
    for (size_t n = 0; n < UNWIND_DEPTH_MAX; n++) {
        /* Here, perf script names callers by the call, too. */
        uint64_t ip = at.u.registers[at.u.machine->ip] - at.is_caller;
        traced_code there = trace_code_at(t, &c, ip, false);
        if (!step(t, &there, &at, &end))
            return end;
    }
    return UNWIND_DEEP;
}
