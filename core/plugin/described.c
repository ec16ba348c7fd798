/* SPDX-License-Identifier: MIT */
/* Plug-ins that are described rather than loaded. */
#include "plugin/described.h"

#include <string.h>

#include "plugin/component_copy.h"
#include "plugin/options.h"

/* ---- functions that do nothing --------------------------------------------------------------- */

static int32_t sniff_nothing(const brz_head *head)
{
    (void)head;
    return BRZ_SNIFF_NO;
}

static brz_rc parse_nothing(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    (void)ctx;
    (void)chunk;
    *used = 0;
    return BRZ_ERROR;
}

static size_t find_no_boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    (void)prelude_data;
    (void)buf;
    (void)from;
    return n;
}

static uint32_t color_nothing(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    (void)in;
    return BRZ_COLOR_NONE;
}

static brz_rc write_nothing(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    (void)ctx;
    (void)tree;
    (void)sink;
    return BRZ_ERROR;
}

static brz_rc apply_nothing(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    (void)ctx;
    (void)tree;
    (void)edit;
    return BRZ_ERROR;
}

static void fill_collapser(brz_collapser *c, bool recognises)
{
    c->struct_size = sizeof *c;
    c->sniff = recognises ? sniff_nothing : NULL;
    c->parse = parse_nothing;
    c->boundary = find_no_boundary;
}

void brz_described_fill(uint32_t kind, void *vtable, bool recognises)
{
    if (kind == BRZ_COLLAPSER) {
        fill_collapser(vtable, recognises);
    } else if (kind == BRZ_PALETTE) {
        ((brz_palette *)vtable)->struct_size = sizeof(brz_palette);
        ((brz_palette *)vtable)->color = color_nothing;
    } else if (kind == BRZ_TRANSFORM) {
        ((brz_transform *)vtable)->struct_size = sizeof(brz_transform);
        ((brz_transform *)vtable)->apply = apply_nothing;
    } else {
        ((brz_output *)vtable)->struct_size = sizeof(brz_output);
        ((brz_output *)vtable)->write = write_nothing;
    }
}

/* ---- loading -------------------------------------------------------------------------------- */

static bool are_equal(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool are_equal_lists(const char *const *a, const char *const *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    for (; *a != NULL && *b != NULL; a++, b++)
        if (strcmp(*a, *b) != 0)
            return false;
    return *a == *b;
}

/* Returns whether the options are the same, whose values were filled in already. */
static bool have_same_options(const brz_component *a, const brz_component *b)
{
    if (a->n_options != b->n_options || a->cfg_size != b->cfg_size)
        return false;
    for (uint32_t i = 0; i < a->n_options; i++) {
        const brz_option *x = brz_option_at(a, i), *y = brz_option_at(b, i);
        if (x->type != y->type || x->flags != y->flags || x->offset != y->offset ||
            strcmp(x->name, y->name) != 0 || !are_equal(x->dflt, y->dflt) ||
            !are_equal(x->range, y->range) || !are_equal_lists(x->choices, y->choices))
            return false;
    }
    return true;
}

static const brz_loaded *find_same(const brz_plugin_file *f, const brz_loaded *described)
{
    const brz_component *wanted = described->component;
    for (size_t i = 0; i < f->n_components; i++) {
        const brz_component *c = f->components[i].component;
        if (c->kind == wanted->kind && strcmp(c->id, wanted->id) == 0)
            return have_same_options(c, wanted) ? &f->components[i] : NULL;
    }
    return NULL;
}

/* Puts the functions in place. The structs are the host's own copies. */
static void set_functions(brz_loaded *own, const brz_loaded *theirs, bool confined)
{
    brz_component *c = (brz_component *)(uintptr_t)own->component;
    bool later = confined && brz_described_works_apart(c->kind);
    memcpy((void *)(uintptr_t)own->vtable, theirs->vtable, brz_vtable_size(c->kind));
    c->validate = later ? NULL : theirs->component->validate;
    own->validate = later ? theirs->component->validate : NULL;
}

bool brz_described_works_apart(uint32_t kind)
{
    return kind == BRZ_COLLAPSER || kind == BRZ_TRANSFORM;
}

bool brz_described_load(brz_plugin_file *file, bool confined, brz_arena *memory, brz_steps *steps)
{
    brz_plugin_file actual = {.path = file->path, .tier = file->tier};
    if (!brz_plugin_open(&actual, memory, steps))
        return false;
    for (size_t i = 0; i < file->n_components; i++)
        if (find_same(&actual, &file->components[i]) == NULL) {
            brz_steps_add(steps, "components", false,
                          BRZ_STR("it describes itself differently each time it is loaded"));
            return false;
        }
    for (size_t i = 0; i < file->n_components; i++)
        set_functions(&file->components[i], find_same(&actual, &file->components[i]), confined);
    file->is_described = false;
    return true;
}
