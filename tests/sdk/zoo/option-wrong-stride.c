/* SPDX-License-Identifier: MIT */
/* Options in rows of another size than `option_size`: later rows begin within others. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {
    {COUNT_OPTION},
    {.name = "flag",
     .type = BRZ_OPTION_BOOL,
     .offset = offsetof(struct config, flag),
     .help = "or not"},
    {.name = "text",
     .type = BRZ_OPTION_STR,
     .offset = offsetof(struct config, text),
     .help = "a text"},
};
static const brz_component component = {COMPONENT, WITH_OPTIONS,
                                        .option_size = sizeof(brz_option) + 8};
ZOO_PLUGIN
