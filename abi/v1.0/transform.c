/* A transform as an author of plug-ins for ABI 1.0 may have written it; it uses all services and
 * all members of a stack. */
#include <brazier/new_stack.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text/trim.h>

typedef struct config {
    brz_str drop;  /* beginning of names that are left out */
    int64_t least; /* stacks below are left out */
    brz_str root;  /* file whose first line names a new root */
} config;

typedef struct editing {
    brz_new_stack stack;
    brz_frame root;
    bool *is_dropped; /* of each frame of the tree */
} editing;

static brz_rc open_editing(brz_transform_ctx *ctx, const brz_tree *tree)
{
    const config *cfg = ctx->cfg;
    editing *e = ctx->inst;
    brz_related_file file = {.struct_size = sizeof file};
    e->root = BRZ_NO_FRAME;
    e->is_dropped = ctx->host->alloc(ctx, tree->n_frames + 1, 1);
    for (uint32_t i = 0; i < tree->n_frames; i++)
        e->is_dropped[i] =
            cfg->drop.len > 0 && brz_starts_with(brz_frame_at(tree, i)->name, cfg->drop);
    if (cfg->root.len == 0)
        return BRZ_OK;
    if (ctx->host->open_related(ctx, cfg->root, 0, &file) != BRZ_RELATED_OPENED) {
        brz_transform_report(ctx, BRZ_FATAL, "frozen.root", BRZ_STR("no file with a root"));
        return BRZ_ERROR;
    }
    const brz_frame_desc d = {.struct_size = sizeof d,
                              .kind = BRZ_KIND_PROCESS,
                              .name = brz_trim(brz_str_of((const char *)file.data, file.len))};
    e->root = ctx->host->frame(ctx, &d);
    return BRZ_OK;
}

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    const config *cfg = ctx->cfg;
    editing *e = ctx->inst;
    if (edit->values[tree->main_column] < cfg->least) {
        edit->n = 0;
        return BRZ_OK;
    }
    e->stack.n = 0;
    if (e->root != BRZ_NO_FRAME)
        brz_new_stack_push(ctx, &e->stack, e->root);
    for (uint32_t i = 0; i < edit->n; i++)
        if (!e->is_dropped[edit->frames[i]])
            brz_new_stack_push(ctx, &e->stack, edit->frames[i]);
    if (e->stack.n == 0)
        brz_new_stack_push(ctx, &e->stack, ctx->host->intern(ctx, "nothing", 7));
    brz_new_stack_use(&e->stack, edit);
    return ctx->host->stopped(ctx) ? BRZ_STOP : BRZ_OK;
}

static void close_editing(brz_transform_ctx *ctx)
{
    ctx->host->log(ctx, BRZ_DEBUG, BRZ_STR("closed"));
}

static const brz_transform transform = {
    .struct_size = sizeof transform,
    .flags = BRZ_TRANSFORM_VALUES,
    .inst_size = sizeof(editing),
    .open = open_editing,
    .apply = apply,
    .close = close_editing,
};

static const brz_option options[] = {
    BRZ_OPTION(config, "drop", STR, drop, NULL, "how names begin that are left out"),
    BRZ_OPTION(config, "least", INT, least, "0", "stacks below are left out"),
    BRZ_OPTION(config, "root-file", STR, root, NULL, "file with a root", .flags = BRZ_OPTION_PATH),
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_TRANSFORM,
    .id = "frozen",
    .summary = "stacks without some frames",
    .vtable = &transform,
    BRZ_OPTIONS(options, config),
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("frozen-transform", "1.0", "MIT", "https://example.org/frozen", components)
