/* Groups frames into functions. */
#include "functions.h"

/* Marks the frames that occur in stacks. The root's frame occurs in none, so it stays unmarked. */
static void mark_met(const brz_tree *tree, bool *met)
{
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        for (uint32_t k = 0; k < s->n; k++)
            met[s->frames[k]] = true;
    }
}

void functions_init(functions *f, brz_ctx *ctx, const brz_tree *tree, functions_by by)
{
    keys origins, known;
    size_t room = (size_t)tree->n_frames + 1;
    bool *met = ctx->host->alloc(ctx, room * sizeof *met, 0);
    keys_init(&origins, ctx);
    keys_init(&known, ctx);
    texts_init(&f->texts, ctx);
    texts_add(&f->texts, BRZ_STR(""));
    f->items = ctx->host->alloc(ctx, room * sizeof *f->items, 0);
    f->of_frame = ctx->host->alloc(ctx, room * sizeof *f->of_frame, 0);
    mark_met(tree, met);
    for (uint32_t i = 0; i < tree->n_frames; i++) {
        const brz_frame_info *info = brz_frame_at(tree, i);
        if (!met[i])
            continue;
        function new = {.name = texts_add(&f->texts, brz_display_name(info->name)),
                        .module = texts_add(&f->texts, info->module),
                        .file = texts_add(&f->texts, info->file)};
        new.full_name = texts_add(&f->texts, info->name);
        uint32_t origin = keys_add(&origins, key_of_two(new.module, new.file));
        uint32_t name = by == FUNCTIONS_BY_NAME ? new.name : new.full_name, before = known.n;
        f->of_frame[i] = keys_add(&known, key_of_two(name, origin));
        if (known.n > before)
            f->items[f->of_frame[i]] = new;
    }
    f->n = known.n;
}
