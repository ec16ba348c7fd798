/* SPDX-License-Identifier: MIT */
/* An object with a note and an entry of major 2, to be linked with one of major 1. */
#include <brazier/plugin.h>

#undef BRZ_ABI_MAJOR
#define BRZ_ABI_MAJOR 2

static const brz_component *const components[] = {NULL};
BRZ_PLUGIN("zoo", "2.0", "MIT", "https://example.org/zoo", components)
