/* SPDX-License-Identifier: MIT */
/* A range for a type without an order. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .type = BRZ_OPTION_STR, .range = "a..z"}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
