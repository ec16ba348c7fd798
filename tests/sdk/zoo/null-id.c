/* SPDX-License-Identifier: MIT */
/* A component without an id. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .id = NULL};
ZOO_PLUGIN
