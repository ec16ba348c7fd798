/* SPDX-License-Identifier: MIT */
/* A component whose struct ends before its vtable. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .struct_size = offsetof(brz_component, vtable)};
ZOO_PLUGIN
