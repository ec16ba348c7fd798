/* SPDX-License-Identifier: MIT */
/* Two collapsers with the same id. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component one = {COMPONENT}, other = {COMPONENT};
static const brz_component *const components[] = {&one, &other, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
