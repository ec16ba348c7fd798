/* SPDX-License-Identifier: MIT */
/* An option name with a space, which would be two words on a command line. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .name = "a number"}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
