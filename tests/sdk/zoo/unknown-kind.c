/* SPDX-License-Identifier: MIT */
/* Contains a collapser and a component of a kind that this host does not know. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component unknown = {COMPONENT, .kind = 77, .id = "what's this?"};
static const brz_component component = {COMPONENT};
static const brz_component *const components[] = {&unknown, &component, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
