/* SPDX-License-Identifier: MIT */
/* An output whose faults name no option of its own.
 *
 * only: static
 */
#include "animal.h"

typedef struct config {
    int64_t least, most;
    brz_strlist names;
} config;

static const brz_option options[] = {
    {.name = "least", .type = BRZ_OPTION_INT, .offset = 0, .dflt = "1", .help = "the least number"},
    {.name = "most",
     .type = BRZ_OPTION_INT,
     .offset = offsetof(config, most),
     .dflt = "5",
     .help = "the largest number"},
    {.name = "names",
     .type = BRZ_OPTION_LIST,
     .offset = offsetof(config, names),
     .help = "names without blanks"},
};

static void validate(const void *cfg, brz_option_faults *faults)
{
    const config *c = cfg;
    if (c->names.count > 0)
        faults->add(faults, "name", 0, BRZ_STR("is wrong"));
}

static const brz_output vtable = {GOOD_OUTPUT};
static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_OUTPUT,
                                        .id = "zoo",
                                        .summary = "an animal",
                                        .options = options,
                                        .n_options = BRZ_COUNT_OF(options),
                                        .option_size = sizeof(brz_option),
                                        .cfg_size = sizeof(config),
                                        .vtable = &vtable,
                                        .validate = validate};
static const brz_component *const components[] = {&component, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
