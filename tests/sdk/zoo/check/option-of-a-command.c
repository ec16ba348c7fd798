/* SPDX-License-Identifier: MIT */
/* Has an option named like one of brazier's commands, which a run sets only with --set.
 *
 * only: static/options
 */
#include "animal.h"

typedef struct config {
    bool drop, least;
} config;

static const brz_option options[] = {
    BRZ_OPTION(config, "drop", BOOL, drop, "false", "drop what is not needed"),
    BRZ_OPTION(config, "least", BOOL, least, "false", "show the least"),
};

static const brz_collapser vtable = {GOOD_COLLAPSER};
static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_COLLAPSER,
                                        .id = "zoo",
                                        .summary = "an animal",
                                        BRZ_OPTIONS(options, config),
                                        .vtable = &vtable};
static const brz_component *const components[] = {&component, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
