/* A palette as an author of plug-ins for ABI 1.0 may have written it; its colours depend on all
 * data that it receives. */
#include <brazier/color.h>
#include <brazier/plugin.h>

typedef struct config {
    uint32_t base;
    bool shy; /* no opinion of kernel frames */
} config;

typedef struct prepared {
    int64_t total;
} prepared;

static brz_rc prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    prepared *p = ctx->inst;
    p->total = brz_node_at(tree, 0)->total;
    return BRZ_OK;
}

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    const config *cfg = ctx->cfg;
    const prepared *p = ctx->inst;
    if (cfg->shy && in->frame->kind == BRZ_KIND_KERNEL)
        return BRZ_COLOR_NONE;
    uint32_t share = p->total == 0 ? 0 : (uint32_t)(100 * in->node->total / p->total);
    uint32_t length = (uint32_t)(in->frame->name.len + in->frame->module.len + in->frame->line);
    uint32_t delta = (uint32_t)(in->delta * 50 + 50);
    return (cfg->base & 0x000000ff) | share << 24 | (length & 0xff) << 16 | delta << 8;
}

static void legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *l)
{
    const config *cfg = ctx->cfg;
    (void)tree;
    l->add(l, cfg->base, BRZ_STR("everything"));
}

static const brz_option options[] = {
    {.name = "base",
     .type = BRZ_OPTION_COLOR,
     .offset = offsetof(config, base),
     .dflt = "#010203",
     .help = "its last part is how opaque frames are"},
    {.name = "shy",
     .type = BRZ_OPTION_BOOL,
     .offset = offsetof(config, shy),
     .help = "leave kernel frames to others"},
};

static void close_palette(brz_palette_ctx *ctx)
{
    ctx->host->log(ctx, BRZ_DEBUG, BRZ_STR("closed"));
}

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_NAME | BRZ_ON_MODULE | BRZ_ON_KIND | BRZ_ON_SOURCE | BRZ_ON_VALUE,
    .inst_size = sizeof(prepared),
    .background = {BRZ_RGB(9, 8, 7), BRZ_RGB(6, 5, 4)},
    .prepare = prepare,
    .color = color,
    .legend = legend,
    .close = close_palette,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_PALETTE,
    .id = "frozen",
    .summary = "colours that tell what they are of",
    .options = options,
    .n_options = BRZ_COUNT_OF(options),
    .option_size = sizeof(brz_option),
    .cfg_size = sizeof(config),
    .vtable = &palette,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("frozen-palette", "1.0", "MIT", "https://example.org/frozen", components)
