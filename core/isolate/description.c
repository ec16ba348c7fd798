/* SPDX-License-Identifier: MIT */
/* Serialises the description of a plug-in. */
#include "isolate/description.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "plugin/described.h"
#include "plugin/options.h"

/* Limits of a description. The lists of a valid plug-in are far shorter. */
#define MOST_COMPONENTS 1024
#define MOST_ITEMS      4096
#define LONGEST_TEXT    ((size_t)64 << 10)

/* ---- writing -------------------------------------------------------------------------------- */

/* Writes a text, distinguishing NULL from an empty one. */
static void put_text(brz_wire_out *out, const char *text)
{
    brz_wire_put_u32(out, text != NULL);
    if (text != NULL)
        brz_wire_put_str(out, brz_str_of_text(text));
}

/* Writes a list that ends with NULL, or NULL. */
static void put_texts(brz_wire_out *out, const char *const *texts)
{
    brz_wire_put_u32(out, texts != NULL);
    for (; texts != NULL && *texts != NULL; texts++)
        put_text(out, *texts);
    if (texts != NULL)
        put_text(out, NULL);
}

static void put_option(brz_wire_out *out, const brz_option *o)
{
    put_text(out, o->name);
    brz_wire_put_u32(out, o->type);
    brz_wire_put_u32(out, o->flags);
    brz_wire_put_u64(out, o->offset);
    put_text(out, o->dflt);
    put_text(out, o->help);
    put_texts(out, o->choices);
    put_text(out, o->range);
}

static void put_collapser(brz_wire_out *out, const brz_collapser *c)
{
    brz_wire_put_u32(out, c->flags);
    brz_wire_put_u32(out, brz_collapser_recognises(c));
    brz_wire_put_u64(out, c->record_max);
}

static void put_palette(brz_wire_out *out, const brz_palette *p)
{
    brz_wire_put_u32(out, p->depends);
    brz_wire_put(out, p->background, sizeof p->background);
}

static void put_output(brz_wire_out *out, const brz_output *o)
{
    brz_wire_put_u32(out, o->flags);
    put_text(out, o->media_type);
    put_texts(out, o->endings);
}

static void put_vtable(brz_wire_out *out, const brz_loaded *l)
{
    if (l->component->kind == BRZ_COLLAPSER)
        put_collapser(out, l->vtable);
    else if (l->component->kind == BRZ_PALETTE)
        put_palette(out, l->vtable);
    else if (l->component->kind == BRZ_OUTPUT)
        put_output(out, l->vtable);
    else
        brz_wire_put_u32(out, ((const brz_transform *)l->vtable)->flags);
}

static void put_component(brz_wire_out *out, const brz_loaded *l)
{
    const brz_component *c = l->component;
    brz_wire_put_u32(out, c->kind);
    put_text(out, c->id);
    put_text(out, c->summary);
    put_text(out, c->help);
    brz_wire_put_u64(out, c->cfg_size);
    brz_wire_put_u32(out, c->n_options);
    for (uint32_t i = 0; i < c->n_options; i++)
        put_option(out, brz_option_at(c, i));
    put_vtable(out, l);
}

void brz_description_put(brz_wire_out *out, const brz_plugin_file *file)
{
    const brz_plugin *p = file->plugin;
    put_text(out, p->name);
    put_text(out, p->version);
    put_text(out, p->license);
    put_text(out, p->bugs_url);
    brz_wire_put_u32(out, file->n_components > 0 ? file->components[0].sdk_version : 0);
    brz_wire_put_u32(out, (uint32_t)file->n_components);
    for (size_t i = 0; i < file->n_components; i++)
        put_component(out, &file->components[i]);
    put_text(out, file->left_out);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Returns whether a text can be shown on a terminal: UTF-8 without control characters, of which
 * those from U+0080 to U+009F have two bytes. */
static bool is_plain(brz_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        uint8_t c = (uint8_t)s.data[i], next = i + 1 < s.len ? (uint8_t)s.data[i + 1] : 0;
        if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f || (c == 0xc2 && next < 0xa0))
            return false;
    }
    return brz_utf8_valid(s);
}

static bool take_text(brz_wire_in *in, brz_arena *memory, const char **to)
{
    uint32_t present;
    uint64_t n;
    char text[LONGEST_TEXT];
    *to = NULL;
    if (!brz_wire_take_u32(in, &present) || present == 0)
        return in->fault == NULL;
    if (!brz_wire_take_u64(in, &n))
        return false;
    if (n > sizeof text)
        return brz_wire_reject(in, "a text is too long");
    if (!brz_wire_take(in, text, (size_t)n))
        return false;
    if (!is_plain(brz_str_of(text, (size_t)n)))
        return brz_wire_reject(in, "a text has control characters, or is not UTF-8");
    *to = brz_arena_str(memory, brz_str_of(text, (size_t)n)).data;
    return true;
}

static bool take_texts(brz_wire_in *in, brz_arena *memory, const char *const **to)
{
    uint32_t present;
    size_t n = 0;
    *to = NULL;
    if (!brz_wire_take_u32(in, &present) || present == 0)
        return in->fault == NULL;
    const char **texts = brz_calloc(MOST_ITEMS, sizeof(const char *));
    while (n < MOST_ITEMS && take_text(in, memory, &texts[n]) && texts[n] != NULL)
        n++;
    if (n == MOST_ITEMS)
        brz_wire_reject(in, "a list is too long");
    if (in->fault == NULL) {
        const char **own = brz_arena_alloc(memory, (n + 1) * sizeof *own, 0);
        memcpy(own, texts, (n + 1) * sizeof *own);
        *to = own;
    }
    free(texts);
    return in->fault == NULL;
}

static bool take_option(brz_wire_in *in, brz_arena *memory, brz_option *o)
{
    uint64_t offset = 0;
    bool good = take_text(in, memory, &o->name) && brz_wire_take_u32(in, &o->type) &&
                brz_wire_take_u32(in, &o->flags) && brz_wire_take_u64(in, &offset) &&
                take_text(in, memory, &o->dflt) && take_text(in, memory, &o->help) &&
                take_texts(in, memory, &o->choices) && take_text(in, memory, &o->range);
    o->offset = (size_t)offset;
    return good;
}

static bool take_options(brz_wire_in *in, brz_arena *memory, brz_component *c)
{
    if (!brz_wire_take_u32(in, &c->n_options))
        return false;
    if (c->n_options > MOST_ITEMS)
        return brz_wire_reject(in, "too many options");
    brz_option *options = brz_arena_alloc(memory, c->n_options * sizeof *options, 0);
    c->options = c->n_options > 0 ? options : NULL;
    c->option_size = sizeof *options;
    for (uint32_t i = 0; i < c->n_options; i++)
        if (!take_option(in, memory, &options[i]))
            return false;
    return true;
}

static bool take_collapser(brz_wire_in *in, brz_arena *memory, brz_component *c)
{
    uint32_t recognises;
    brz_collapser *v = brz_arena_alloc(memory, sizeof *v, 0);
    c->vtable = v;
    if (!brz_wire_take_u32(in, &v->flags) || !brz_wire_take_u32(in, &recognises) ||
        !brz_wire_take_u64(in, &v->record_max))
        return false;
    brz_described_fill(BRZ_COLLAPSER, v, recognises != 0);
    return true;
}

static bool take_palette(brz_wire_in *in, brz_arena *memory, brz_component *c)
{
    brz_palette *v = brz_arena_alloc(memory, sizeof *v, 0);
    c->vtable = v;
    brz_described_fill(BRZ_PALETTE, v, false);
    return brz_wire_take_u32(in, &v->depends) &&
           brz_wire_take(in, v->background, sizeof v->background);
}

static bool take_output(brz_wire_in *in, brz_arena *memory, brz_component *c)
{
    brz_output *v = brz_arena_alloc(memory, sizeof *v, 0);
    c->vtable = v;
    brz_described_fill(BRZ_OUTPUT, v, false);
    return brz_wire_take_u32(in, &v->flags) && take_text(in, memory, &v->media_type) &&
           take_texts(in, memory, &v->endings);
}

static bool take_transform(brz_wire_in *in, brz_arena *memory, brz_component *c)
{
    brz_transform *v = brz_arena_alloc(memory, sizeof *v, 0);
    c->vtable = v;
    brz_described_fill(BRZ_TRANSFORM, v, false);
    return brz_wire_take_u32(in, &v->flags);
}

static bool take_vtable(brz_wire_in *in, brz_arena *memory, brz_component *c)
{
    if (c->kind == BRZ_COLLAPSER)
        return take_collapser(in, memory, c);
    if (c->kind == BRZ_PALETTE)
        return take_palette(in, memory, c);
    if (c->kind == BRZ_OUTPUT)
        return take_output(in, memory, c);
    return c->kind == BRZ_TRANSFORM ? take_transform(in, memory, c)
                                    : brz_wire_reject(in, "a component has an unknown kind");
}

static bool take_component(brz_wire_in *in, brz_arena *memory, brz_component *c)
{
    uint64_t size = 0;
    c->struct_size = sizeof *c;
    bool good = brz_wire_take_u32(in, &c->kind) && take_text(in, memory, &c->id) &&
                take_text(in, memory, &c->summary) && take_text(in, memory, &c->help) &&
                brz_wire_take_u64(in, &size) && take_options(in, memory, c) &&
                take_vtable(in, memory, c);
    c->cfg_size = (size_t)size;
    return good;
}

static bool take_components(brz_wire_in *in, brz_arena *memory, brz_plugin *p)
{
    uint32_t n;
    if (!brz_wire_take_u32(in, &n))
        return false;
    if (n > MOST_COMPONENTS)
        return brz_wire_reject(in, "too many components");
    const brz_component **list = brz_arena_alloc(memory, (n + 1) * sizeof(brz_component *), 0);
    p->components = list;
    for (uint32_t i = 0; i < n; i++) {
        brz_component *c = brz_arena_alloc(memory, sizeof *c, 0);
        list[i] = c;
        if (!take_component(in, memory, c))
            return false;
    }
    return true;
}

const brz_plugin *brz_description_take(brz_wire_in *in, brz_arena *memory, const char **left_out)
{
    brz_plugin *p = brz_arena_alloc(memory, sizeof *p, 0);
    p->magic = BRZ_PLUGIN_MAGIC;
    p->struct_size = sizeof *p;
    p->abi_major = BRZ_ABI_MAJOR;
    p->abi_minor = BRZ_ABI_MINOR;
    bool good = take_text(in, memory, &p->name) && take_text(in, memory, &p->version) &&
                take_text(in, memory, &p->license) && take_text(in, memory, &p->bugs_url) &&
                brz_wire_take_u32(in, &p->sdk_version) && take_components(in, memory, p) &&
                take_text(in, memory, left_out);
    return good ? p : NULL;
}
