/* SPDX-License-Identifier: MIT */
/* Has an option at an offset where no member of its type can be.
 *
 * only: static
 */
#include "animal.h"

typedef struct config {
    int64_t first;
    brz_str second;
} config;

static const brz_option options[] = {
    {.name = "first", .type = BRZ_OPTION_INT, .offset = 0, .help = "the first number"},
    {.name = "second", .type = BRZ_OPTION_STR, .offset = 4, .help = "the second text"},
};

static const brz_collapser vtable = {GOOD_COLLAPSER};
static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_COLLAPSER,
                                        .id = "zoo",
                                        .summary = "an animal",
                                        .options = options,
                                        .n_options = BRZ_COUNT_OF(options),
                                        .option_size = sizeof(brz_option),
                                        .cfg_size = sizeof(config),
                                        .vtable = &vtable};
static const brz_component *const components[] = {&component, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
