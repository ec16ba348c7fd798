/* SPDX-License-Identifier: MIT */
/* A valid output whose options depend on each other.
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
    if (c->least > c->most)
        faults->add(faults, "least", 0, BRZ_STR("is larger than 'most'"));
    for (size_t i = 0; i < c->names.count; i++)
        if (c->names.items[i].len == 0 ||
            memchr(c->names.items[i].data, ' ', c->names.items[i].len))
            faults->add(faults, "names", i, BRZ_STR("has a blank or is empty"));
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
