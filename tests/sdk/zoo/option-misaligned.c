/* SPDX-License-Identifier: MIT */
/* An option whose offset is not a multiple of the alignment of its type. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .offset = 1}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
