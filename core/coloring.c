/* Colours for the frames of one picture.
 *
 * A palette that depends on the frame alone is asked once per frame. One that depends on the seed
 * moves the picture's random sequence on by three numbers with each frame it colours.
 */
#include "coloring.h"

#include <brazier/numbers.h>

#include <stdlib.h>

#include "crash.h"
#include "mem.h"

#define ON_FRAME (BRZ_ON_NAME | BRZ_ON_MODULE | BRZ_ON_KIND | BRZ_ON_SOURCE)

typedef struct chain_link {
    brz_instance *instance;
    const brz_palette *palette;
    uint32_t *known; /* by frame: its colour, for palettes that depend on the frame alone */
    bool *asked;     /* by frame: `known` is filled in */
} chain_link;

struct brz_coloring {
    chain_link *links;
    size_t n_links;
    uint64_t seed;
    double largest_delta;
};

static void find_largest_delta(brz_coloring *c, const brz_tree *tree)
{
    c->largest_delta = 1;
    for (uint32_t i = 0; i < tree->n_nodes && tree->changes != NULL; i++) {
        double delta = (double)brz_delta(tree, i);
        delta = delta < 0 ? -delta : delta;
        c->largest_delta = delta > c->largest_delta ? delta : c->largest_delta;
    }
}

static bool add_link(brz_coloring *c, const brz_palette_use *use, brz_run *run,
                     const brz_tree *tree)
{
    chain_link *l = &c->links[c->n_links];
    l->palette = use->loaded->vtable;
    l->instance = brz_instance_create(use->loaded, run, use->cfg, NULL, l->palette->inst_size,
                                      (uint32_t)c->n_links);
    c->n_links++;
    if ((l->palette->depends & ~ON_FRAME) == 0) {
        l->known = brz_calloc(tree->n_frames, sizeof *l->known);
        l->asked = brz_calloc(tree->n_frames, sizeof *l->asked);
    }
    if (l->palette->prepare == NULL)
        return true;
    brz_crash_enter(use->loaded, "prepare", NULL, 0, 0);
    brz_rc rc = l->palette->prepare(&l->instance->ctx, tree);
    brz_crash_leave();
    return rc == BRZ_OK;
}

brz_coloring *brz_coloring_create(const brz_palette_use *chain, size_t n, brz_run *run,
                                  const brz_tree *tree)
{
    brz_coloring *c = brz_calloc(1, sizeof *c);
    c->links = brz_calloc(n, sizeof *c->links);
    c->seed = BRZ_FIRST_SEED;
    find_largest_delta(c, tree);
    for (size_t i = 0; i < n; i++) {
        if (add_link(c, &chain[i], run, tree))
            continue;
        brz_say(run->console, BRZ_FATAL, "palette '%s' gave up", chain[i].loaded->component->id);
        brz_coloring_destroy(c);
        return NULL;
    }
    return c;
}

void brz_coloring_destroy(brz_coloring *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->n_links; i++) {
        brz_instance_destroy(c->links[i].instance);
        free(c->links[i].known);
        free(c->links[i].asked);
    }
    free(c->links);
    free(c);
}

static uint32_t separator_color(brz_str name)
{
    if (name.len == 2 && name.data[0] == '-' && name.data[1] == '-')
        return BRZ_RGB(160, 160, 160);
    if (name.len == 1 && name.data[0] == '-')
        return BRZ_RGB(200, 200, 200);
    return BRZ_COLOR_NONE;
}

static uint32_t call_palette(const chain_link *l, const brz_color_in *in)
{
    brz_crash_enter(l->instance->loaded, "color", NULL, 0, 0);
    uint32_t color = l->palette->color(&l->instance->ctx, in);
    brz_crash_leave();
    return color;
}

static uint32_t ask(const chain_link *l, const brz_color_in *in)
{
    if (l->known == NULL)
        return call_palette(l, in);
    uint32_t frame = in->node->frame;
    if (!l->asked[frame]) {
        l->known[frame] = call_palette(l, in);
        l->asked[frame] = true;
    }
    return l->known[frame];
}

uint32_t brz_coloring_color(brz_coloring *c, const brz_tree *tree, uint32_t node)
{
    brz_color_in in = {.struct_size = sizeof in, .tree = tree, .seed = c->seed};
    in.node = brz_node_at(tree, node);
    in.frame = brz_frame_at(tree, in.node->frame);
    in.delta = (double)brz_delta(tree, node) / c->largest_delta;
    uint32_t color = separator_color(in.frame->name);
    for (size_t i = 0; i < c->n_links && color == BRZ_COLOR_NONE; i++) {
        color = ask(&c->links[i], &in);
        if (color != BRZ_COLOR_NONE && (c->links[i].palette->depends & BRZ_ON_SEED))
            c->seed = brz_next_seed(brz_next_seed(brz_next_seed(c->seed)));
    }
    return color;
}

const brz_instance *brz_coloring_culprit(const brz_coloring *c)
{
    for (size_t i = 0; i < c->n_links; i++)
        if (brz_instance_has_emitted(c->links[i].instance))
            return c->links[i].instance;
    return NULL;
}

void brz_coloring_background(const brz_coloring *c, uint32_t colors[2])
{
    colors[0] = colors[1] = BRZ_COLOR_NONE;
    for (size_t i = 0; i < c->n_links && colors[0] == BRZ_COLOR_NONE; i++) {
        colors[0] = c->links[i].palette->background[0];
        colors[1] = c->links[i].palette->background[1];
    }
}
