/* Rules of the code through which Python calls its functions for profilers (python -X perf). */
#ifndef UNWIND_PYTHON_RULE_H
#define UNWIND_PYTHON_RULE_H

#include "frame_rule.h"

#include <brazier/host.h>

/* Returns whether a symbol of code that was compiled at run time is that of such code. */
bool python_rule_is_for(brz_str name);

/* Returns the rules at a position in such code. They are unknown but on x86-64: elsewhere, it has a
 * frame pointer. */
frame_rule python_rule(const unwind_machine *m, uint64_t position);

#endif
