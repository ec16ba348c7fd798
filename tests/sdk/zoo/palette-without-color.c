/* SPDX-License-Identifier: MIT */
/* A palette without `color`. */
#include "zoo.h"

static const brz_palette palette = {.struct_size = sizeof palette};
static const brz_component component = {COMPONENT_OF(BRZ_PALETTE, &palette)};
ZOO_PLUGIN
