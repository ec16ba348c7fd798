/* SPDX-License-Identifier: MIT */
/* Defines the palette "rust": distinguishes the standard library, other crates and code that is not
 * Rust. */
#include "ramp.h"

#include <brazier/symbol.h>

/* Wrapper of async functions: it contains their own code, not the library's. */
#define GENERATOR "<core::future::from_generator::GenFuture<T>"

static bool is_standard(brz_str name)
{
    if (brz_starts_with(name, BRZ_STR(GENERATOR)))
        return false;
    if (brz_starts_with(name, BRZ_STR("<")))
        name = brz_str_of(name.data + 1, name.len - 1);
    return brz_starts_with(name, BRZ_STR("core::")) || brz_starts_with(name, BRZ_STR("std::")) ||
           brz_starts_with(name, BRZ_STR("alloc::"));
}

/* Returns a name without the module before the first backtick. */
static brz_str without_module(brz_str name)
{
    size_t tick = brz_str_find(name, BRZ_STR("`"), 0);
    if (tick == SIZE_MAX)
        return name;
    return brz_str_of(name.data + tick + 1, name.len - tick - 1);
}

static ramp choose(brz_str name)
{
    name = without_module(name);
    if (is_standard(name))
        return RAMP_ORANGE;
    return brz_str_find(name, BRZ_STR("::"), 0) != SIZE_MAX ? RAMP_AQUA : RAMP_YELLOW;
}

NAMES_PALETTE("rust", "orange standard library, aqua other crates, yellow non-Rust code", NULL,
              choose, BACKGROUND_YELLOW)
