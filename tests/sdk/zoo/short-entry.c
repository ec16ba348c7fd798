/* SPDX-License-Identifier: MIT */
/* An entry whose struct ends before its components. */
#include "zoo.h"

static const brz_component *const components[] = {NULL};
ZOO_ENTRY(.struct_size = offsetof(brz_plugin, components))
