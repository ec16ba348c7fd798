/* Rules of jumps to functions of libraries.
 *
 * A jump has no frame. On x86-64, one whose function the dynamic linker has not found yet pushes
 * the number of the function, and the first one of the table pushes another word.
 */
#include "jump_rule.h"

#include <string.h>

/* Returns whether a jump begins with these bytes. */
static bool begins(const uint8_t *jump, const char *bytes, size_t n)
{
    return memcmp(jump, bytes, n) == 0;
}

/* Returns the number of words that were pushed after the return address. */
static int64_t pushed_words(const uint8_t *jump, size_t position)
{
    if (begins(jump, "\xff\x35", 2)) /* push word; jmp *linker */
        return position < 6 ? 1 : 2;
    if (begins(jump, "\xff\x25", 2) && jump[6] == 0x68) /* jmp *function; push number; jmp first */
        return position < 11 ? 0 : 1;
    if (begins(jump, "\xf3\x0f\x1e\xfa\x68", 5)) /* endbr64; push number; jmp first */
        return position < 9 ? 0 : 1;
    return 0;
}

frame_rule jump_rule(const unwind_machine *m, const uint8_t *jump, size_t position)
{
    frame_rule r = {.is_known = true, .base = (int32_t)m->sp};
    r.ip.kind = r.fp.kind = r.saved.kind = RULE_SAME;
    if (m->has_link)
        return r;
    r.offset = 8 + 8 * pushed_words(jump, position);
    r.ip = (rule){.kind = RULE_AT_CFA, .offset = -8};
    return r;
}
