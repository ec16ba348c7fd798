/* SPDX-License-Identifier: MIT */
/* The second of two options has no name. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION}, {COUNT_OPTION, .name = NULL}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
