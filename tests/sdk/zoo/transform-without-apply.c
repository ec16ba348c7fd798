/* SPDX-License-Identifier: MIT */
/* A transform without `apply`. */
#include "zoo.h"

static const brz_transform transform = {.struct_size = sizeof transform};
static const brz_component component = {COMPONENT_OF(BRZ_TRANSFORM, &transform)};
ZOO_PLUGIN
