/* SPDX-License-Identifier: MIT */
/* An id of 33 characters. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .id = "an-id-of-thirty-three-characters-"};
ZOO_PLUGIN
