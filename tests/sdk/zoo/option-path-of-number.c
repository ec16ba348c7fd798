/* SPDX-License-Identifier: MIT */
/* A number option with the flag for paths. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .flags = BRZ_OPTION_PATH}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
