/* SPDX-License-Identifier: MIT */
/* Two components with an option of a type from a later minor, around a good one. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .type = 99}};
static const brz_component component = {COMPONENT};
static const brz_component first = {COMPONENT, WITH_OPTIONS, .id = "first"};
static const brz_component second = {COMPONENT, WITH_OPTIONS, .id = "second"};
static const brz_component *const components[] = {&first, &component, &second, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
