/* SPDX-License-Identifier: MIT */
/* Defines the palette "js": distinguishes JavaScript, packages, builtins, C++ and kernel frames by
 * the conventions of V8 and node. */
#include "ramp.h"

#include <brazier/symbol.h>
#include <brazier/text/trim.h>

/* Chooses a ramp by the path that a name contains. */
static ramp choose_by_path(brz_str name)
{
    size_t slash = brz_str_find(name, BRZ_STR("/"), 0);
    if (slash == SIZE_MAX)
        return RAMP_RED;
    brz_str path = brz_str_of(name.data + slash, name.len - slash);
    if (brz_str_has(path, BRZ_STR("node_modules/")))
        return RAMP_PURPLE;
    return brz_str_has(path, BRZ_STR(".js")) ? RAMP_GREEN : RAMP_RED;
}

/* Chooses a ramp by a name without an annotation. */
static ramp choose_by_name(brz_str name)
{
    if (brz_str_has(name, BRZ_STR("::")))
        return RAMP_YELLOW;
    if (brz_str_has(name, BRZ_STR(":")))
        return RAMP_AQUA;
    return choose_by_path(name);
}

/* Annotated names are those of compatible text. Names of other JIT-compiled code say more. */
static ramp choose(const brz_frame_info *f)
{
    brz_str name = f->name;
    bool is_jit = (f->flags & BRZ_FRAME_JIT) != 0;
    if (name.len > 0 && brz_trim(name).len == 0)
        return RAMP_GREEN; /* an anonymous function */
    if (f->kind == BRZ_KIND_KERNEL)
        return RAMP_ORANGE;
    if (is_jit && brz_name_annotation(name) == 'j')
        return brz_str_has(name, BRZ_STR("/")) ? RAMP_GREEN : RAMP_AQUA;
    ramp r = choose_by_name(name);
    return is_jit && r == RAMP_RED ? RAMP_GREEN : r;
}

KINDS_PALETTE("js",
              "green JavaScript, purple packages, aqua builtins, yellow C++, orange kernel, red "
              "other",
              NULL, choose, BACKGROUND_YELLOW)
