/* SPDX-License-Identifier: MIT */
/* An option without help. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .help = NULL}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
