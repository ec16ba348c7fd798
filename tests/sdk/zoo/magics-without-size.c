/* SPDX-License-Identifier: MIT */
/* A collapser that does not give the size of its magics. */
#include "zoo.h"

static const brz_magic magics[] = {{.len = 3, .bytes = "zoo", .score = BRZ_SNIFF_MAGIC}};
static const brz_collapser collapser = {COLLAPSER, .magics = magics, .n_magics = 1};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
