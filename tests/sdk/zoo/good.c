/* SPDX-License-Identifier: MIT */
/* A valid plug-in, for comparison with the others. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
