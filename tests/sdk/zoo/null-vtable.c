/* SPDX-License-Identifier: MIT */
/* A component without a vtable. */
#include "zoo.h"

static const brz_component component = {COMPONENT_OF(BRZ_COLLAPSER, NULL)};
ZOO_PLUGIN
