/* SPDX-License-Identifier: MIT */
/* Defines the palette "java": distinguishes Java, C++, inlined and kernel frames by the conventions
 * of perf-map-agent and async-profiler. */
#include "ramp.h"

#include <brazier/symbol.h>

/* Recognises org/foo/Bar.method, Lorg/foo/Bar;::method and Bar.method, but not [libjvm.so]. */
static bool is_java(brz_str name)
{
    if (name.len > 0 && name.data[0] == 'L')
        name = brz_str_of(name.data + 1, name.len - 1);
    if (name.len == 0)
        return false;
    if (memchr(name.data, '/', name.len) != NULL)
        return true;
    if (name.data[0] >= 'A' && name.data[0] <= 'Z')
        return true;
    return name.data[0] != '[' && memchr(name.data, '.', name.len) != NULL;
}

static ramp choose(const brz_frame_info *f)
{
    brz_str name = f->name;
    switch (brz_frame_category(f->kind, f->flags)) {
    case BRZ_CATEGORY_KERNEL:
        return RAMP_ORANGE;
    case BRZ_CATEGORY_INLINED:
        return RAMP_AQUA;
    case BRZ_CATEGORY_JIT:
        return RAMP_GREEN;
    default:
        break;
    }
    if (brz_str_find(name, BRZ_STR("::"), 0) != SIZE_MAX)
        return RAMP_YELLOW;
    if (brz_starts_with(name, BRZ_STR("-[")) || brz_starts_with(name, BRZ_STR("+[")))
        return RAMP_YELLOW; /* Objective-C */
    return is_java(name) ? RAMP_GREEN : RAMP_RED;
}

KINDS_PALETTE("java", "green Java, yellow C++, aqua inlined, orange kernel, red other",
              "Java frames are JIT-compiled, or have a path or a class in their name.", choose,
              BACKGROUND_YELLOW)
