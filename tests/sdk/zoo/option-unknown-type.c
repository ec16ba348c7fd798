/* SPDX-License-Identifier: MIT */
/* An option of a type from a later minor. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .type = 99}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
