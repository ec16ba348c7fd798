/* SPDX-License-Identifier: MIT */
/* An enum option without choices. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .type = BRZ_OPTION_ENUM}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
