/* SPDX-License-Identifier: MIT */
/* Has two options that share a member; the help of one is a sentence.
 *
 * only: static
 */
#include "animal.h"

typedef struct config {
    int64_t first, second;
} config;

static const brz_option options[] = {
    {.name = "first", .type = BRZ_OPTION_INT, .offset = 0, .help = "the first number"},
    {.name = "second", .type = BRZ_OPTION_INT, .offset = 0, .help = "The second number."},
};

static const brz_collapser vtable = {GOOD_COLLAPSER};
static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_COLLAPSER,
                                        .id = "zoo",
                                        .summary = "",
                                        .options = options,
                                        .n_options = BRZ_COUNT_OF(options),
                                        .option_size = sizeof(brz_option),
                                        .cfg_size = sizeof(config),
                                        .vtable = &vtable};
static const brz_component *const components[] = {&component, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
