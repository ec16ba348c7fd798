/* Rules of the code through which Python calls its functions for profilers.
 *
 * There is a copy of that code for each function, in memory without unwind tables. On x86-64, it
 * aligns the stack by a word, or pushes the frame pointer and sets it, and calls the interpreter.
 */
#include "python_rule.h"

#include <brazier/symbol.h>

bool python_rule_is_for(brz_str name)
{
    return brz_starts_with(name, BRZ_STR("py::"));
}

frame_rule python_rule(const unwind_machine *m, uint64_t position)
{
    if (m->has_link)
        return (frame_rule){.is_known = false};
    frame_rule r = {.is_known = true, .may_have_pointer = position > 0, .base = (int32_t)m->sp};
    r.fp.kind = r.saved.kind = RULE_SAME;
    r.offset = position == 0 ? 8 : 16;
    r.ip = (rule){.kind = RULE_AT_CFA, .offset = -8};
    return r;
}
