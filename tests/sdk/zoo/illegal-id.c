/* SPDX-License-Identifier: MIT */
/* An id in capital letters. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .id = "Zoo"};
ZOO_PLUGIN
