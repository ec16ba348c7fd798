/* SPDX-License-Identifier: MIT */
/* Follows a NULL pointer if an option has another value than the default.
 *
 * only: transform/odd
 */
#include "animal.h"

typedef struct config {
    int64_t least;
} config;

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    const config *cfg = ctx->cfg;
    const brz_frame *volatile none = NULL;
    (void)tree;
    if (cfg->least > 5)
        edit->n = none[0];
    return BRZ_OK;
}

static const brz_option options[] = {
    BRZ_OPTION(config, "least", INT, least, "1", "stacks below are left out", .range = "0..20"),
};

static const brz_transform vtable = {GOOD_TRANSFORM, .apply = apply};
static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_TRANSFORM,
                                        .id = "zoo",
                                        .summary = "an animal",
                                        .vtable = &vtable,
                                        BRZ_OPTIONS(options, config)};
static const brz_component *const components[] = {&component, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
