/* SPDX-License-Identifier: MIT */
/* A list of components at an invalid address. */
#include "zoo.h"

static const brz_component *const components[] = {(const brz_component *)8, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
