/* SPDX-License-Identifier: MIT */
/* One option more than the table has: what follows it in memory is no option. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const struct {
    brz_option options[1];
    size_t numbers[8];
} table = {{{COUNT_OPTION}}, {1, 2, 3, 4, 5, 6, 7, 8}};
static const brz_component component = {COMPONENT, .options = table.options, .n_options = 2,
                                        .option_size = sizeof(brz_option),
                                        .cfg_size = sizeof(struct config)};
ZOO_PLUGIN
