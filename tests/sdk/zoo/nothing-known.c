/* SPDX-License-Identifier: MIT */
/* Contains only a component of a kind that this host does not know. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .kind = 77};
ZOO_PLUGIN
