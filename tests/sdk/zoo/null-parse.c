/* SPDX-License-Identifier: MIT */
/* A collapser without `parse`. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER, .parse = NULL};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
