/* SPDX-License-Identifier: MIT */
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

/* Returns a frame as a function. Adds only the texts that are used. */
static function function_of(functions *f, const brz_frame_info *info, functions_by by)
{
    function new = {.name = texts_add(&f->texts, brz_display_name(info)),
                    .module = texts_add(&f->texts, info->module),
                    .file = texts_add(&f->texts, info->file),
                    .first_line = info->first_line};
    new.full_name = texts_add(&f->texts, info->name);
    if (by == FUNCTIONS_BY_SYMBOL)
        new.system_name = texts_add(&f->texts, info->system_name);
    if (by != FUNCTIONS_BY_NAME)
        new.build_id = texts_add(&f->texts, info->build_id);
    return new;
}

/* Tables of keys that identify functions step by step: a key refers to that of the step before. */
typedef struct identities {
    keys origins, builds, lines, symbols, names;
} identities;

static uint32_t identify(identities *known, const function *f, functions_by by)
{
    uint32_t origin = keys_add(&known->origins, key_of_two(f->module, f->file));
    if (by != FUNCTIONS_BY_NAME) {
        origin = keys_add(&known->builds, key_of_two(f->build_id, origin));
        origin = keys_add(&known->lines, key_of_two(f->first_line, origin));
    }
    if (by == FUNCTIONS_BY_SYMBOL)
        origin = keys_add(&known->symbols, key_of_two(f->system_name, origin));
    uint32_t name = by == FUNCTIONS_BY_SYMBOL ? f->full_name : f->name;
    return keys_add(&known->names, key_of_two(name, origin));
}

void functions_init(functions *f, brz_output_ctx *ctx, const brz_tree *tree, functions_by by)
{
    identities known;
    keys *tables[] = {&known.origins, &known.builds, &known.lines, &known.symbols, &known.names};
    size_t room = (size_t)tree->n_frames + 1;
    bool *met = ctx->host->alloc(ctx, room * sizeof *met, 0);
    for (size_t i = 0; i < BRZ_COUNT_OF(tables); i++)
        keys_init(tables[i], ctx);
    texts_init(&f->texts, ctx);
    texts_add(&f->texts, BRZ_STR(""));
    f->items = ctx->host->alloc(ctx, room * sizeof *f->items, 0);
    f->of_frame = ctx->host->alloc(ctx, room * sizeof *f->of_frame, 0);
    mark_met(tree, met);
    for (uint32_t i = 0; i < tree->n_frames; i++) {
        if (!met[i])
            continue;
        function new = function_of(f, brz_frame_at(tree, i), by);
        uint32_t before = known.names.n;
        f->of_frame[i] = identify(&known, &new, by);
        if (known.names.n > before)
            f->items[f->of_frame[i]] = new;
    }
    f->n = known.names.n;
}
