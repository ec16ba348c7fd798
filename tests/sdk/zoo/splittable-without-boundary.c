/* SPDX-License-Identifier: MIT */
/* A splittable collapser without `boundary`. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER, .flags = BRZ_SPLITTABLE};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
