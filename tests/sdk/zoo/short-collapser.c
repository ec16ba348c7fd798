/* SPDX-License-Identifier: MIT */
/* A collapser whose struct ends before `parse`; the bytes there do not count. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER, .struct_size = offsetof(brz_collapser, parse)};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
