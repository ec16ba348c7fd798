/* SPDX-License-Identifier: MIT */
/* Requests more memory than any machine has. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .cfg_size = SIZE_MAX};
ZOO_PLUGIN
