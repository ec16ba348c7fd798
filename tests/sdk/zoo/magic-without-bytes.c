/* SPDX-License-Identifier: MIT */
/* A collapser with an empty magic, which matches every file. */
#include "zoo.h"

static const brz_magic magics[] = {{.score = BRZ_SNIFF_MAGIC}};
static const brz_collapser collapser = {COLLAPSER, .magics = magics, .n_magics = 1,
                                        .magic_size = sizeof(brz_magic)};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
