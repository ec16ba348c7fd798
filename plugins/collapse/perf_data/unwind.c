/* Unwinds copies of user stacks, on x86-64 and arm64. */
#include "unwind.h"

#include "frames.h"
#include "registers.h"

/* Addresses from here on above the stack pointer are not of the same stack. */
#define STACK_MAX (UINT64_C(1) << 26)

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

/* Returns why rules did not lead to a caller. */
static enum unwind_end end_by_rules(const frame_rule *r, const unwind_state *u)
{
    uint32_t caller = u->machine->caller;
    if (r->ip.kind == RULE_UNDEFINED)
        return UNWIND_COMPLETE;
    if (r->ip.kind == RULE_SAME)
        return unwind_knows(u, caller) && u->registers[caller] == 0 ? UNWIND_COMPLETE
                                                                    : UNWIND_BAD_STACK;
    if (r->base < 0 || r->ip.kind != RULE_AT_CFA || !unwind_knows(u, (uint64_t)r->base))
        return UNWIND_BAD_STACK;
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

/* Returns whether something maps the call before an address. */
static bool is_mapped(const tracer *t, uint64_t address)
{
    return maps_view_find(&t->user, address - 1) != NULL;
}

/* Continues in the caller of code by rules or, without any, by the frame pointer. Sets *end if
 * there is no caller. */
static bool step(tracer *t, const traced_code *at, unwind_state *u, bool *is_caller,
                 enum unwind_end *end)
{
    *end = UNWIND_UNMAPPED;
    if (!(at->context & KNOWN_MAPPED))
        return false;
    const frame_rule *known = rules_at(t, u->machine, at);
    if (known == NULL) {
        t->to->is_incomplete = true;
        return false;
    }
    bool by_rule = known->is_known && can_apply(known, u);
    *is_caller = !known->is_signal;
    if (by_rule ? frame_rule_apply(known, u) : unwind_by_frame_pointer(u)) {
        *end = UNWIND_NO_RULES;
        return by_rule || is_mapped(t, u->registers[u->machine->ip]);
    }
    *end = by_rule ? end_by_rules(known, u) : end_by_pointer(u);
    return false;
}

enum unwind_end unwind_sample(tracer *t, const event *v, const sample *s)
{
    unwind_state u;
    bool is_caller = false;
    enum unwind_end end;
    if (!registers_start(&u, t, v, s))
        return UNWIND_IMPOSSIBLE;
    const code c = trace_code(t, MODE_USER);
    for (size_t n = 0; n < UNWIND_DEPTH_MAX; n++) {
        /* Here, perf script names callers by the call, too. */
        uint64_t ip = u.registers[u.machine->ip] - is_caller;
        traced_code at = trace_code_at(t, &c, ip, false);
        if (!step(t, &at, &u, &is_caller, &end))
            return end;
    }
    return UNWIND_DEEP;
}
