/* SPDX-License-Identifier: MIT */
/* A collapser without `sniff`, which the user names. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER, .sniff = NULL};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
