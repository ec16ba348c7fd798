/* SPDX-License-Identifier: MIT */
/* Defines the palette "perl": distinguishes Perl, C++ and kernel frames. */
#include "ramp.h"

#include <brazier/symbol.h>

static ramp choose(const brz_frame_info *f)
{
    brz_str name = f->name;
    if (f->kind == BRZ_KIND_KERNEL)
        return RAMP_ORANGE;
    if (brz_str_has(name, BRZ_STR("Perl")) || brz_str_has(name, BRZ_STR(".pl")))
        return RAMP_GREEN;
    return brz_str_has(name, BRZ_STR("::")) ? RAMP_YELLOW : RAMP_RED;
}

KINDS_PALETTE("perl", "green Perl, yellow C++, orange kernel, red other", NULL, choose,
              BACKGROUND_YELLOW)
