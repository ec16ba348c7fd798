/* A transform that trims the frames of frameworks: frames between a program's own functions whose
 * names begin with one of some prefixes become one frame, or none.
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/new_stack.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>

typedef struct config {
    brz_strlist prefixes;
    brz_str as;
} config;

/* What is known about a frame. Zero comes first, since memory of the host is zeroed. */
enum { UNKNOWN, OWN, TRIMMED };

typedef struct state {
    uint8_t *kinds;      /* by frame of the tree */
    brz_frame stand_in;  /* for trimmed frames; BRZ_NO_FRAME: none */
    brz_new_stack stack; /* the result of the last call */
} state;

static brz_rc open_trim(brz_transform_ctx *ctx, const brz_tree *tree)
{
    const config *cfg = ctx->cfg;
    state *s = ctx->inst;
    s->kinds = ctx->host->alloc(ctx, tree->n_frames, 1);
    s->stand_in = BRZ_NO_FRAME;
    if (cfg->as.len > 0)
        s->stand_in = ctx->host->intern(ctx, cfg->as.data, cfg->as.len);
    return BRZ_OK;
}

/* Returns whether a frame is one of a framework. Names are compared once per frame. */
static bool is_trimmed(const config *cfg, const state *s, const brz_tree *tree, brz_frame frame)
{
    uint8_t *kind = &s->kinds[frame];
    brz_str name = brz_frame_at(tree, frame)->name;
    for (size_t i = 0; i < cfg->prefixes.count && *kind == UNKNOWN; i++)
        if (brz_starts_with(name, cfg->prefixes.items[i]))
            *kind = TRIMMED;
    *kind = *kind == UNKNOWN ? OWN : *kind;
    return *kind == TRIMMED;
}

/* Keeps a stack that has no other frames as it is: it would disappear with its weight. */
static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    const config *cfg = ctx->cfg;
    state *s = ctx->inst;
    size_t n_own = 0;
    bool was_trimmed = false; /* the frame before this one */
    s->stack.n = 0;
    for (uint32_t i = 0; i < edit->n; i++) {
        bool trim = is_trimmed(cfg, s, tree, edit->frames[i]);
        n_own += !trim;
        if (!trim)
            brz_new_stack_push(ctx, &s->stack, edit->frames[i]);
        else if (!was_trimmed && s->stand_in != BRZ_NO_FRAME)
            brz_new_stack_push(ctx, &s->stack, s->stand_in);
        was_trimmed = trim;
    }
    if (n_own > 0 && n_own < edit->n)
        brz_new_stack_use(&s->stack, edit);
    return BRZ_OK;
}

static const brz_transform trim = {
    .struct_size = sizeof trim,
    .inst_size = sizeof(state),
    .open = open_trim,
    .apply = apply,
};

static const brz_option options[] = {
    BRZ_OPTION(config, "prefixes", LIST, prefixes, NULL,
               "how names of the frames to trim begin, such as tokio::"),
    BRZ_OPTION(config, "as", STR, as, NULL,
               "name of a frame in place of trimmed ones that follow each other"),
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_TRANSFORM,
    .id = "trim",
    .summary = "trim the frames of frameworks",
    .vtable = &trim,
    BRZ_OPTIONS(options, config),
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("trim", "1.0", "MIT", "https://example.org/trim/issues", components)
