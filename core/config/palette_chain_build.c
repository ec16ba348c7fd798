/* SPDX-License-Identifier: MIT */
/* Builds chains of palettes. */
#include "config/palette_chain_build.h"

#include <brazier/color.h>
#include <brazier/symbol.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/defaults.h"
#include "base/mem.h"
#include "config/definitions.h"
#include "draw/coloring.h"
#include "plugin/component_use.h"
#include "profile/call_tree.h"

/* ---- trying palettes ------------------------------------------------------------------------- */

static bool has_options(const brz_use *use)
{
    for (uint32_t i = 0; i < use->loaded->component->n_options; i++)
        if (use->options->values[i].layer != BRZ_LAYER_DEFAULT)
            return true;
    return false;
}

static brz_profile *make_profile(void)
{
    brz_profile *p = brz_profile_create();
    const brz_frame_desc d = {.struct_size = sizeof d, .name = BRZ_STR("main")};
    brz_frame frame = brz_profile_add_frame(p, &d);
    uint32_t weight = brz_profile_add_weight(p, BRZ_STR("samples"), BRZ_STR("samples"), 0, 0);
    p->weights[weight].flags = BRZ_COLUMN_SAMPLES;
    brz_profile_add_value(p, brz_profile_add_stack(p, &frame, 1, 0), weight, 1);
    brz_profile_seal(p);
    return p;
}

/* Records the first error as the reason. */
static void hear(void *to, const brz_notice *notice)
{
    brz_buf *error = to;
    if (notice->severity != BRZ_FATAL || error->len > 0)
        return;
    if (notice->component != NULL)
        brz_buf_printf(error, "%s: ", notice->component->id);
    brz_buf_add_str(error, notice->msg);
}

static bool prepare(const brz_use *use, brz_buf *error)
{
    brz_chain_item palette = {.use = *use, .background = {BRZ_COLOR_NONE, BRZ_COLOR_NONE}};
    const brz_chain chain = {&palette, 1};
    const brz_coloring_options options = {.chain = &chain};
    const brz_call_tree_options how = {
        .before = BRZ_NO_COLUMN, .after = BRZ_NO_COLUMN, .order = BRZ_ORDER_MERGED, .nodes = true};
    brz_console console = {.report = hear, .to = error};
    brz_run run = {.console = &console};
    brz_call_tree view;
    brz_profile *p = make_profile();
    brz_call_tree_init(&view, p, &how);
    brz_coloring *c = brz_coloring_create(&options, &run, &view.tree);
    if (c != NULL)
        brz_coloring_destroy(c);
    brz_call_tree_finish(&view);
    brz_profile_destroy(p);
    return c != NULL;
}

/* Checks the options of a palette by preparing it for a picture of one frame, unless all options
 * have their defaults. Returns false and appends the reason to `error` if that fails. */
static bool check_options(const brz_use *use, brz_buf *error)
{
    const brz_palette *palette = use->loaded->vtable;
    return palette->prepare == NULL || !has_options(use) || prepare(use, error);
}

/* ---- names of palettes ----------------------------------------------------------------------- */

/* Limits on the nesting of palettes in the configuration and on the length of a chain. */
#define MAX_DEPTH 16
#define MAX_CHAIN 64

static bool complain(const brz_resolver *r, const brz_yaml *at, const char *what)
{
    if (at != NULL)
        brz_yaml_say(&r->session->console, BRZ_FATAL, at, "%s", what);
    else
        brz_say_code(&r->session->console, BRZ_FATAL, BRZ_SAYS_COMPONENT, "%s", what);
    return false;
}

/* ---- single palettes
 * -------------------------------------------------------------------------- */

/* Checks the options of a palette, which are at `at` and elsewhere. */
static bool try_options(const brz_resolver *r, const brz_use *use, const brz_yaml *at)
{
    brz_buf error = {0};
    if (r->request->is_survey)
        return true;
    bool good = check_options(use, &error) || complain(r, at, brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

/* Appends a plug-in. Also appends an invalid one, which is freed with the rest. */
static brz_chain_item *append(const brz_resolver *r, brz_str name, const brz_yaml *at,
                              const brz_yaml *options, brz_chain *chain)
{
    chain->items = brz_realloc(chain->items, chain->n + 1, sizeof *chain->items);
    brz_chain_item *item = &chain->items[chain->n++];
    *item = (brz_chain_item){.only = NULL};
    return brz_resolve(r, BRZ_PALETTE, name, at, options, &item->use) &&
                   try_options(r, &item->use, options)
               ? item
               : NULL;
}

static bool set_only(const brz_resolver *r, const brz_yaml *node, brz_chain_item *item)
{
    brz_buf error = {0};
    if (node == NULL)
        return true;
    if (node->type != BRZ_YAML_SCALAR)
        return complain(r, node, "'only' must be a regular expression");
    item->only = brz_pattern_create(node->text, &error);
    if (item->only == NULL)
        complain(r, node, brz_buf_text(&error));
    brz_buf_finish(&error);
    return item->only != NULL;
}

/* Sets the background: one colour, or those of top and bottom. */
static bool set_background(const brz_resolver *r, const brz_yaml *node, brz_chain_item *item)
{
    if (node == NULL)
        return true;
    const brz_yaml *top = node->type == BRZ_YAML_LIST ? node->first : node;
    const brz_yaml *bottom = node->type == BRZ_YAML_LIST && top != NULL ? top->next : top;
    if (top != NULL && bottom != NULL && top->type == BRZ_YAML_SCALAR &&
        bottom->type == BRZ_YAML_SCALAR && (top == bottom || bottom->next == NULL) &&
        brz_parse_color(top->text, &item->background[0]) &&
        brz_parse_color(bottom->text, &item->background[1]))
        return true;
    return complain(r, node, "a background is a colour such as \"#rrggbb\", or [top, bottom]");
}

/* Appends a palette {use: NAME, options: {...}, only: REGEX, background: COLOUR}. */
static bool add_map(const brz_resolver *r, const brz_yaml *node, brz_chain *chain)
{
    static const char *const keys[] = {"use", "options", "only", "background", NULL};
    const brz_yaml *uses = brz_yaml_get(node, "use");
    for (const brz_yaml *k = node->first; k != NULL; k = k->next) {
        size_t i = 0;
        while (keys[i] != NULL && !brz_yaml_is(k->key, keys[i]))
            i++;
        if (keys[i] != NULL || brz_definition_is_extra(k->key))
            continue;
        brz_config_say_unknown(&r->session->console, k, "a palette has no key", keys);
        return false;
    }
    if (uses == NULL || uses->type != BRZ_YAML_SCALAR)
        return complain(r, node, "a palette needs a plug-in: use: NAME");
    brz_chain_item *item = append(r, uses->text, uses, brz_yaml_get(node, "options"), chain);
    return item != NULL && set_only(r, brz_yaml_get(node, "only"), item) &&
           set_background(r, brz_yaml_get(node, "background"), item);
}

/* ---- names --------------------------------------------------------------------------------- */

static const brz_yaml *near_palette(const brz_resolver *r, brz_str name)
{
    const brz_yaml *section = brz_config_near_section(r->session->config, "palettes");
    for (const brz_yaml *k = section == NULL ? NULL : section->first; k != NULL; k = k->next)
        if (brz_str_equal(k->key->text, name))
            return k;
    return NULL;
}

/* Returns the configuration's definition of a name: that of the project or the user or, if there is
 * no plug-in with this name, the shipped one. Returns NULL if the name stands for the plug-in,
 * which "hot: hot" does, too. */
static const brz_yaml *meaning_of(const brz_resolver *r, brz_str name)
{
    const brz_yaml *node = near_palette(r, name);
    if (node == NULL && brz_registry_find(r->session->registry, BRZ_PALETTE, name, NULL) == NULL)
        node = brz_config_find(r->session->config, "palettes", name);
    bool is_itself =
        node != NULL && node->type == BRZ_YAML_SCALAR && brz_str_equal(node->text, name);
    return is_itself ? NULL : node;
}

/* ---- chains -------------------------------------------------------------------------------- */

/* A node to append, or the rest of a list from a node on. */
typedef struct place {
    const brz_yaml *node; /* NULL: all nodes were appended */
    bool in_list;
} place;

/* The position of the walk, the outermost place first. */
typedef struct walk {
    place places[MAX_DEPTH];
    size_t depth;
} walk;

static bool go_into(const brz_resolver *r, walk *w, place p, const brz_yaml *at)
{
    if (w->depth == MAX_DEPTH)
        return complain(r, at, "palettes refer to each other in a circle, or too deeply");
    w->places[w->depth++] = p;
    return true;
}

static bool add_or_go_into(const brz_resolver *r, walk *w, const brz_yaml *node, bool in_list,
                           brz_chain *chain)
{
    if (chain->n == MAX_CHAIN)
        return complain(r, node, "too many palettes in one chain");
    if (node->type == BRZ_YAML_MAP)
        return add_map(r, node, chain);
    if (node->type == BRZ_YAML_LIST) {
        if (in_list || node->first == NULL)
            return complain(r, node,
                            "write the name of a palette here, or {use: NAME, options: {…}}");
        return go_into(r, w, (place){node->first, true}, node);
    }
    const brz_yaml *means = meaning_of(r, node->text);
    if (means != NULL)
        return go_into(r, w, (place){means, false}, node);
    return append(r, node->text, node, NULL, chain) != NULL;
}

bool brz_chain_add(const brz_resolver *r, const brz_yaml *node, brz_chain *chain)
{
    walk w = {.places = {{node, false}}, .depth = 1};
    while (w.depth > 0) {
        place *p = &w.places[w.depth - 1], now = *p;
        if (now.node == NULL) {
            w.depth--;
            continue;
        }
        p->node = now.in_list ? now.node->next : NULL;
        if (!add_or_go_into(r, &w, now.node, now.in_list, chain))
            return false;
    }
    return true;
}

bool brz_chain_add_named(const brz_resolver *r, brz_str name, const brz_yaml *at, brz_chain *chain)
{
    const brz_yaml *means = meaning_of(r, name);
    if (means != NULL)
        return brz_chain_add(r, means, chain);
    return append(r, name, at, NULL, chain) != NULL;
}

/* Returns BRZ_SUBSTITUTE_PALETTE, after a warning, for "?NAME" if there is no such palette;
 * otherwise the name. */
static brz_str known_name(const brz_resolver *r, brz_str name)
{
    if (name.len == 0 || name.data[0] != '?')
        return name;
    name = brz_str_of(name.data + 1, name.len - 1);
    if (meaning_of(r, name) != NULL ||
        brz_registry_find(r->session->registry, BRZ_PALETTE, name, NULL) != NULL)
        return name;
    brz_say_code(&r->session->console, BRZ_WARNING, BRZ_SAYS_COMPONENT,
                 "no palette '%.*s'; " BRZ_SUBSTITUTE_PALETTE " colours the frames instead",
                 (int)name.len, name.data);
    return BRZ_STR(BRZ_SUBSTITUTE_PALETTE);
}

bool brz_chain_add_names(const brz_resolver *r, const char *names, brz_chain *chain)
{
    for (;;) {
        size_t n = strcspn(names, ",");
        if (!brz_chain_add_named(r, known_name(r, brz_str_of(names, n)), NULL, chain))
            return false;
        if (names[n] == '\0')
            return true;
        names += n + 1;
    }
}

bool brz_chain_add_default(const brz_resolver *r, brz_chain *chain)
{
    const brz_yaml *node = near_palette(r, BRZ_STR("default"));
    return node != NULL ? brz_chain_add(r, node, chain)
                        : brz_chain_add_named(r, BRZ_STR(BRZ_DEFAULT_PALETTE), NULL, chain);
}

bool brz_chain_add_comparing(const brz_resolver *r, brz_chain *chain)
{
    return brz_chain_add_named(r, BRZ_STR(BRZ_COMPARING_PALETTE), NULL, chain) &&
           brz_chain_add_default(r, chain);
}
