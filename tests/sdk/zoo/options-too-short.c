/* SPDX-License-Identifier: MIT */
/* Options whose struct is smaller than the smallest valid one. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION}};
static const brz_component component = {COMPONENT, WITH_OPTIONS, .option_size = 16};
ZOO_PLUGIN
