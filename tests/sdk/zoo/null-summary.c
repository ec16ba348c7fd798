/* SPDX-License-Identifier: MIT */
/* A component without a summary. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .summary = NULL};
ZOO_PLUGIN
