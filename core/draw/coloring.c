/* SPDX-License-Identifier: MIT */
/* Computes the colours of a picture.
 *
 * A palette that depends only on the frame is called once per frame. After a palette that depends
 * on the seed has coloured a frame, the picture's random sequence advances by three numbers.
 *
 * A map of fixed colours takes precedence over the first palette whose colours can belong to names.
 * Palettes that depend on weights or on the position in the tree do not use it.
 */
#include "draw/coloring.h"

#include <brazier/numbers.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/instance_create.h"
#include "host/services.h"
#include "plugin/process_state.h"
#include "base/mem.h"

#define ON_FRAME (BRZ_ON_NAME | BRZ_ON_MODULE | BRZ_ON_KIND | BRZ_ON_SOURCE)
#define ON_PLACE (BRZ_ON_DEPTH | BRZ_ON_VALUE | BRZ_ON_PATH)

/* States of a cached yes/no result. */
enum { UNKNOWN, NO, YES };

typedef struct chain_link {
    const brz_chain_item *item;
    brz_instance *instance;
    const brz_palette *palette;
    uint32_t *known;  /* by frame: cached colour; for palettes that depend only on the frame */
    uint8_t *asked;   /* by frame: `known` is valid */
    uint8_t *matched; /* by frame: `only` matches its name; for palettes with `only` */
    bool only_failed; /* a match of `only` hit a limit, which was reported */
} chain_link;

struct brz_coloring {
    brz_output_host host; /* services for the output */
    chain_link *links;
    size_t n_links;
    uint64_t seed;
    double largest_delta;
    double total; /* weight of the whole picture */
    bool diffusion;
    brz_palette_map *map;
    uint32_t *map_numbers; /* by frame: number of its name, from 1; 0: unknown */
    size_t n_frames;
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

static bool is_by_frame(const brz_palette *palette)
{
    return (palette->depends & ~ON_FRAME) == 0;
}

static bool add_link(brz_coloring *c, const brz_chain_item *item, brz_run *run,
                     const brz_tree *tree, const brz_tree *usual)
{
    chain_link *l = &c->links[c->n_links];
    const brz_use *use = &item->use;
    l->item = item;
    l->palette = use->loaded->vtable;
    l->instance = brz_instance_create(use->loaded, run, use->options->cfg, NULL,
                                      l->palette->inst_size, (uint32_t)c->n_links);
    c->n_links++;
    if (is_by_frame(l->palette)) {
        l->known = brz_table_alloc(c->n_frames * sizeof *l->known);
        l->asked = brz_calloc(tree->n_frames, sizeof *l->asked);
    }
    if (item->only != NULL)
        l->matched = brz_calloc(tree->n_frames, sizeof *l->matched);
    if (l->palette->prepare == NULL)
        return true;
    brz_instance_enter(l->instance, "prepare", NULL, 0, 0);
    brz_rc rc =
        l->palette->prepare(&l->instance->palette_ctx, is_by_frame(l->palette) ? usual : tree);
    brz_instance_leave(l->instance);
    brz_process_state_check(use->loaded, "prepare", run->console);
    return rc == BRZ_OK;
}

/* Reports that a palette failed to prepare, unless the palette has reported an error itself. */
static void report_unprepared(const brz_chain_item *item, brz_run *run, size_t errors)
{
    if (run->console->errors == errors)
        brz_say_code(run->console, BRZ_FATAL, BRZ_SAYS_PLUGIN, "palette '%s' failed",
                     item->use.loaded->component->id);
}

brz_coloring *brz_coloring_create(const brz_coloring_options *options, brz_run *run,
                                  const brz_tree *tree)
{
    brz_coloring *c = brz_calloc(1, sizeof *c);
    c->links = brz_calloc(options->chain->n, sizeof *c->links);
    c->seed = BRZ_FIRST_SEED;
    c->diffusion = options->diffusion;
    c->total = tree->n_nodes > 0 ? (double)brz_node_at(tree, 0)->total : 0;
    c->map = options->map;
    const brz_tree *usual = options->usual == NULL ? tree : options->usual;
    c->n_frames = tree->n_frames;
    if (c->map != NULL)
        c->map_numbers = brz_calloc(tree->n_frames, sizeof *c->map_numbers);
    find_largest_delta(c, tree);
    for (size_t i = 0; i < options->chain->n; i++) {
        size_t errors = run->console->errors;
        if (add_link(c, &options->chain->items[i], run, tree, usual))
            continue;
        report_unprepared(&options->chain->items[i], run, errors);
        brz_coloring_destroy(c);
        return NULL;
    }
    return c;
}

static void close_palette(const chain_link *l)
{
    if (l->palette->close == NULL)
        return;
    brz_instance_enter(l->instance, "close", NULL, 0, 0);
    l->palette->close(&l->instance->palette_ctx);
    brz_instance_leave(l->instance);
}

void brz_coloring_destroy(brz_coloring *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->n_links; i++) {
        close_palette(&c->links[i]);
        brz_instance_destroy(c->links[i].instance);
        brz_table_free(c->links[i].known, c->n_frames * sizeof *c->links[i].known);
        free(c->links[i].asked);
        free(c->links[i].matched);
    }
    free(c->links);
    free(c->map_numbers);
    free(c);
}

static bool is_separator(brz_str name)
{
    return (name.len == 1 || name.len == 2) && name.data[0] == '-' &&
           name.data[name.len - 1] == '-';
}

/* Returns the grey of a separator between stacks, for which no palette is called, or BRZ_COLOR_NONE
 * for other frames. */
static uint32_t separator_color(const brz_color_in *in)
{
    if (!is_separator(in->frame->name))
        return BRZ_COLOR_NONE;
    return in->frame->name.len == 2 ? BRZ_RGB(160, 160, 160) : BRZ_RGB(200, 200, 200);
}

static uint32_t call_palette(const chain_link *l, const brz_color_in *in)
{
    brz_instance_enter(l->instance, "color", NULL, 0, 0);
    uint32_t color = l->palette->color(&l->instance->palette_ctx, in);
    brz_instance_leave(l->instance);
    return color;
}

static uint32_t palette_color(const chain_link *l, const brz_color_in *in)
{
    if (l->known == NULL)
        return call_palette(l, in);
    uint32_t frame = in->node->frame;
    if (l->asked[frame] == UNKNOWN) {
        l->known[frame] = call_palette(l, in);
        l->asked[frame] = YES;
    }
    return l->known[frame];
}

/* Returns whether `only` matches a name. A failed match is an error of the run. */
static bool only_matches(chain_link *l, brz_str name)
{
    brz_buf error = {0};
    if (l->only_failed)
        return false;
    brz_match m = brz_pattern_search(l->item->only, name, &error);
    l->only_failed = m == BRZ_MATCH_FAILED;
    if (l->only_failed)
        brz_say_code(l->instance->run->console, BRZ_FATAL, BRZ_SAYS_PATTERN,
                     "palette '%s', 'only': %s", l->instance->loaded->component->id,
                     brz_buf_text(&error));
    brz_buf_finish(&error);
    return m == BRZ_MATCH_FOUND;
}

/* Returns whether a palette applies to a frame. */
static bool applies_to(chain_link *l, const brz_color_in *in)
{
    if (l->matched == NULL)
        return true;
    uint8_t *m = &l->matched[in->node->frame];
    if (*m == UNKNOWN)
        *m = only_matches(l, in->frame->name) ? YES : NO;
    return *m == YES;
}

/* Returns the number of a frame's name in the map. */
static uint32_t map_number(brz_coloring *c, const brz_color_in *in)
{
    uint32_t *number = &c->map_numbers[in->node->frame];
    if (*number == 0)
        *number = brz_palette_map_number(c->map, in->frame->name) + 1;
    return *number - 1;
}

/* Returns the first colour that a palette of the chain has for a frame. */
static uint32_t chain_color(brz_coloring *c, const brz_color_in *in)
{
    bool mapped = false;
    for (size_t i = 0; i < c->n_links; i++) {
        chain_link *l = &c->links[i];
        bool of_name = c->map != NULL && (l->palette->depends & ON_PLACE) == 0;
        if (of_name && !mapped) {
            uint32_t color = brz_palette_map_color(c->map, map_number(c, in));
            if (color != BRZ_COLOR_NONE)
                return color;
            mapped = true;
        }
        uint32_t color = applies_to(l, in) ? palette_color(l, in) : BRZ_COLOR_NONE;
        if (color == BRZ_COLOR_NONE)
            continue;
        if (l->palette->depends & BRZ_ON_SEED)
            c->seed = brz_next_seed(brz_next_seed(brz_next_seed(c->seed)));
        if (of_name)
            brz_palette_map_set(c->map, map_number(c, in), color);
        return color;
    }
    return BRZ_COLOR_OTHERWISE;
}

/* Number of steps of paleness, which depends on the square root of a frame's share of the
 * picture. */
#define PALENESS_STEPS 2000

/* Reduces the saturation of a colour (in terms of hue, saturation and value): the brightest
 * component stays, the others move towards it. */
static uint32_t diffuse(const brz_coloring *c, const brz_node *n, uint32_t color)
{
    double share = c->total > 0 && n->total > 0 ? (double)n->total / c->total : 0;
    int64_t steps = (int64_t)(sqrt(share < 1 ? share : 1) * PALENESS_STEPS);
    int64_t parts[3], brightest = 0;
    for (int i = 0; i < 3; i++) {
        parts[i] = color >> (24 - 8 * i) & 0xff;
        brightest = parts[i] > brightest ? parts[i] : brightest;
    }
    for (int i = 0; i < 3; i++)
        parts[i] = brightest - (brightest - parts[i]) * steps / PALENESS_STEPS;
    return BRZ_RGB(parts[0], parts[1], parts[2]);
}

static brz_color_in color_in(const brz_coloring *c, const brz_tree *tree, uint32_t node)
{
    brz_color_in in = {.struct_size = sizeof in, .tree = tree, .seed = c->seed};
    in.node = brz_node_at(tree, node);
    in.frame = brz_frame_at(tree, in.node->frame);
    if (tree->changes != NULL)
        in.delta = (double)brz_delta(tree, node) / c->largest_delta;
    return in;
}

uint32_t brz_coloring_color(brz_coloring *c, const brz_tree *tree, uint32_t node)
{
    brz_color_in in = color_in(c, tree, node);
    uint32_t color = separator_color(&in);
    if (color != BRZ_COLOR_NONE)
        return color;
    color = chain_color(c, &in);
    return c->diffusion ? diffuse(c, in.node, color) : color;
}

void brz_coloring_background(const brz_coloring *c, uint32_t colors[2])
{
    colors[0] = colors[1] = BRZ_COLOR_NONE;
    for (size_t i = 0; i < c->n_links && colors[0] == BRZ_COLOR_NONE; i++) {
        const chain_link *l = &c->links[i];
        const uint32_t *own =
            l->item->background[0] != BRZ_COLOR_NONE ? l->item->background : l->palette->background;
        memcpy(colors, own, 2 * sizeof *colors);
    }
}

/* Marks the palettes whose colours a picture uses. */
static void find_used_palettes(const brz_coloring *c, const brz_tree *tree, bool *used)
{
    size_t n = 0;
    for (uint32_t i = 0; i < tree->n_nodes && n < c->n_links; i++) {
        brz_color_in in = color_in(c, tree, i);
        if (separator_color(&in) != BRZ_COLOR_NONE)
            continue;
        for (size_t k = 0; k < c->n_links; k++) {
            chain_link *l = &c->links[k];
            if (!applies_to(l, &in) || palette_color(l, &in) == BRZ_COLOR_NONE)
                continue;
            n += !used[k];
            used[k] = true;
            break;
        }
    }
}

void brz_coloring_legend(const brz_coloring *c, const brz_tree *tree, brz_legend *legend)
{
    size_t with_legend = 0;
    for (size_t i = 0; i < c->n_links; i++)
        with_legend += c->links[i].palette->legend != NULL;
    if (with_legend == 0)
        return;
    bool *used = brz_calloc(c->n_links, sizeof *used);
    find_used_palettes(c, tree, used);
    for (size_t i = 0; i < c->n_links; i++) {
        const chain_link *l = &c->links[i];
        if (l->palette->legend == NULL || !used[i])
            continue;
        brz_instance_enter(l->instance, "legend", NULL, 0, 0);
        l->palette->legend(&l->instance->palette_ctx, tree, legend);
        brz_instance_leave(l->instance);
    }
    free(used);
}

/* ---- services for outputs ------------------------------------------------------------------ */

/* Returns the output that calls a service, or NULL if something else does. */
static brz_instance *output_of(brz_output_ctx *ctx, const char *service)
{
    brz_instance *i = brz_host_instance(ctx, service);
    return i == NULL || i->coloring == NULL ? NULL : i;
}

static uint32_t host_color(brz_output_ctx *ctx, const brz_tree *tree, uint32_t node)
{
    brz_instance *i = output_of(ctx, "color");
    if (i != NULL && tree != NULL && node < tree->n_nodes)
        return brz_coloring_color(i->coloring, tree, node);
    if (i != NULL)
        brz_host_reject(i, "color: a node that the tree does not have");
    return BRZ_COLOR_NONE;
}

static void host_background(brz_output_ctx *ctx, uint32_t colors[2])
{
    brz_instance *i = output_of(ctx, "background");
    if (i != NULL && colors != NULL)
        brz_coloring_background(i->coloring, colors);
    else if (i != NULL)
        brz_host_reject(i, "background: the array is NULL");
}

static void host_legend(brz_output_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    brz_instance *i = output_of(ctx, "legend");
    if (i != NULL && tree != NULL && legend != NULL && BRZ_HAS(legend, brz_legend, add))
        brz_coloring_legend(i->coloring, tree, legend);
    else if (i != NULL)
        brz_host_reject(i, "legend: the tree or the legend is NULL or too short");
}

void brz_coloring_serve(brz_coloring *c, brz_instance *output)
{
    c->host = *brz_host_for_outputs();
    c->host.color = host_color;
    c->host.background = host_background;
    c->host.legend = host_legend;
    output->coloring = c;
    output->output_ctx.host = &c->host;
}
