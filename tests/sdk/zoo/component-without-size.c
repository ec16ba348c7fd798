/* SPDX-License-Identifier: MIT */
/* A component whose struct_size was forgotten, after a good one. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
static const brz_component forgotten = {COMPONENT, .id = "forgotten", .struct_size = 0};
static const brz_component *const components[] = {&component, &forgotten, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
