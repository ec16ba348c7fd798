/* SPDX-License-Identifier: MIT */
/* A transform that does something right or wrong with stacks, as its option says. */
#include <brazier/plugin.h>

#include <stdlib.h>
#include <time.h>

typedef struct config {
    int32_t how;
} config;

enum {
    HOW_NOT,
    HOW_HEAVY,
    HOW_NOTHING,
    HOW_INVENTED,
    HOW_LONGER,
    HOW_NULL,
    HOW_UNNAMED,
    HOW_SILENT,
    HOW_ODD_ONES,
    HOW_SLOW,
    HOW_FILE,
    HOW_ODD,
};

static const char *const hows[] = {"not",  "heavy",   "nothing", "invented", "longer",
                                   "null", "unnamed", "silent",  "odd-ones", "slow",
                                   "file", "odd",     NULL};

/* Sleeps until the host ends the run. */
static void wait_for_the_end(brz_transform_ctx *ctx)
{
    const struct timespec little = {.tv_nsec = 1000000};
    while (!ctx->host->stopped(ctx))
        nanosleep(&little, NULL);
}

static brz_rc open_edits(brz_transform_ctx *ctx, const brz_tree *tree)
{
    const config *cfg = ctx->cfg;
    const char *name = getenv("EDITS_FILE");
    brz_related_file file = {.struct_size = sizeof file};
    (void)tree;
    if (cfg->how != HOW_FILE || name == NULL)
        return BRZ_OK;
    brz_str path = brz_str_of_text(name);
    *(bool *)ctx->inst = ctx->host->open_related(ctx, path, 0, &file) == BRZ_RELATED_OPENED;
    return BRZ_OK;
}

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    static const brz_frame invented[] = {4000000};
    const config *cfg = ctx->cfg;
    brz_frame *own = ctx->inst;
    (void)tree;
    switch (cfg->how) {
    case HOW_HEAVY:
        edit->n = edit->values[0] < 5 ? 0 : edit->n;
        break;
    case HOW_NOTHING:
        edit->n = 0;
        break;
    case HOW_INVENTED:
        edit->frames = invented;
        edit->n = 1;
        break;
    case HOW_LONGER:
        edit->n++;
        break;
    case HOW_NULL:
        edit->frames = NULL;
        break;
    case HOW_UNNAMED:
        ctx->host->intern(ctx, NULL, 3);
        break;
    case HOW_SILENT:
        return BRZ_ERROR;
    case HOW_ODD_ONES:
        brz_transform_report(ctx, BRZ_WARNING, "edits.odd",
                             BRZ_STR("{count} {stack is|stacks are} odd"));
        break;
    case HOW_SLOW:
        wait_for_the_end(ctx);
        return BRZ_STOP;
    case HOW_FILE:
        if (*(const bool *)ctx->inst)
            *own = ctx->host->intern(ctx, "opened", 6);
        edit->frames = *own != 0 ? own : edit->frames;
        edit->n = *own != 0 ? 1 : edit->n;
        break;
    default:
        break;
    }
    return BRZ_OK;
}

static void validate(const void *cfg, brz_option_faults *faults)
{
    if (((const config *)cfg)->how == HOW_ODD)
        faults->add(faults, "how", 0, BRZ_STR("is odd"));
}

static const brz_transform edits = {
    .struct_size = sizeof edits,
    .flags = BRZ_TRANSFORM_VALUES,
    .inst_size = 64,
    .open = open_edits,
    .apply = apply,
};

static const brz_option options[] = {
    BRZ_OPTION(config, "how", ENUM, how, "not", "what it does with stacks", .choices = hows),
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_TRANSFORM,
    .id = "edits",
    .summary = "changes stacks",
    .vtable = &edits,
    BRZ_OPTIONS(options, config),
    .validate = validate,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("edits", "1.0", "MIT", "https://example.org/edits", components)
