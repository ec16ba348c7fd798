/* SPDX-License-Identifier: MIT */
/* Contains a collapser and a component of a kind that is reserved. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component reserved = {COMPONENT, .kind = BRZ_DECODER, .id = "what's this?"};
static const brz_component component = {COMPONENT};
static const brz_component *const components[] = {&reserved, &component, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
