/* SPDX-License-Identifier: MIT */
/* Defines the palette "python": distinguishes packages, the standard library and application code
 * by the paths in names. */
#include "ramp.h"

#include <brazier/symbol.h>

/* Removes the part up to the next '/' or '\' from the front of *rest and returns it. */
static brz_str next_part(brz_str *rest)
{
    size_t n = 0;
    while (n < rest->len && rest->data[n] != '/' && rest->data[n] != '\\')
        n++;
    brz_str part = brz_str_of(rest->data, n);
    size_t skip = n < rest->len ? n + 1 : n;
    *rest = brz_str_of(rest->data + skip, rest->len - skip);
    return part;
}

/* Recognises the folder of an installation: python, python3.11, Python312. */
static bool is_installation(brz_str part)
{
    if (!brz_starts_with(part, BRZ_STR("python")) && !brz_starts_with(part, BRZ_STR("Python")))
        return false;
    for (size_t i = 6; i < part.len; i++)
        if (part.data[i] != '.' && (part.data[i] < '0' || part.data[i] > '9'))
            return false;
    return true;
}

static bool is_built_in(brz_str name)
{
    return brz_starts_with(name, BRZ_STR("<built-in")) ||
           brz_starts_with(name, BRZ_STR("<method")) || brz_starts_with(name, BRZ_STR("<frozen"));
}

static ramp choose(brz_str name)
{
    bool library = is_built_in(name);
    for (brz_str rest = name; rest.len > 0;) {
        brz_str part = next_part(&rest);
        if (brz_str_is(part, "site-packages"))
            return RAMP_AQUA;
        library |= is_installation(part);
    }
    return library ? RAMP_YELLOW : RAMP_RED;
}

NAMES_PALETTE("python", "aqua packages, yellow standard library, red other", NULL, choose,
              BACKGROUND_YELLOW)
