/* Defines the palette "perl": distinguishes Perl, C++ and kernel frames. */
#include "ramp.h"

#include <brazier/symbol.h>

static ramp choose(brz_str name)
{
    if (brz_ends_with(name, BRZ_STR("_[k]")))
        return RAMP_ORANGE;
    if (brz_str_has(name, BRZ_STR("Perl")) || brz_str_has(name, BRZ_STR(".pl")))
        return RAMP_GREEN;
    return brz_str_has(name, BRZ_STR("::")) ? RAMP_YELLOW : RAMP_RED;
}

NAMES_PALETTE("perl", "green Perl, yellow C++, orange kernel, red other", NULL, choose,
              BACKGROUND_YELLOW)
