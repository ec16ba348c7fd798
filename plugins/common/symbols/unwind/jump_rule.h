/* Rules of jumps to functions of libraries, for which only some linkers write call-frame
 * information. */
#ifndef UNWIND_JUMP_RULE_H
#define UNWIND_JUMP_RULE_H

#include "../elf/jumps.h"
#include "frame_rule.h"

/* Returns the rules within a jump, whose JUMP_SIZE bytes are at `jump`. `position` is that of the
 * instruction in it. The rules have no end. */
frame_rule jump_rule(const unwind_machine *m, const uint8_t *jump, size_t position);

#endif
