/* SPDX-License-Identifier: MIT */
/* Two options with the same name. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION}, {COUNT_OPTION}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
