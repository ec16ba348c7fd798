/* SPDX-License-Identifier: MIT */
/* Declares a number of options, but has no table of them. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .n_options = 3,
                                        .option_size = sizeof(brz_option), .cfg_size = 8};
ZOO_PLUGIN
