/* SPDX-License-Identifier: MIT */
/* Writes parts of a configuration. */
#include "config/config_text.h"

#include <string.h>

#include "base/defaults.h"
#include "base/json.h"
#include "plugin/format.h"

void brz_config_text_origin(brz_buf *b, const char *origin)
{
    brz_buf_add_text(b, "  # ");
    brz_add_printable(b, brz_str_of_text(origin));
    brz_buf_add_char(b, '\n');
}

void brz_config_text_place(brz_buf *b, const brz_yaml *node)
{
    brz_buf place = {0};
    brz_buf_printf(&place, "%s:%zu", node->file->name, node->line);
    brz_config_text_origin(b, brz_buf_text(&place));
    brz_buf_finish(&place);
}

void brz_config_text_indent(brz_buf *b, int indent)
{
    brz_buf_printf(b, "%*s", indent, "");
}

static void add_texts(brz_buf *b, const brz_str *items, size_t n)
{
    brz_buf_add_char(b, '[');
    for (size_t i = 0; i < n; i++) {
        brz_buf_add_text(b, i > 0 ? ", " : "");
        brz_json_string(b, items[i]);
    }
    brz_buf_add_char(b, ']');
}

/* ---- components ---------------------------------------------------------------------------- */

static void add_value(brz_buf *b, const brz_option *o, const brz_option_value *v)
{
    if (o->type == BRZ_OPTION_LIST)
        add_texts(b, v->items, v->n_items);
    else if (o->type == BRZ_OPTION_STR || o->type == BRZ_OPTION_COLOR || v->text.len == 0)
        brz_json_string(b, v->text);
    else
        brz_buf_add_str(b, v->text);
}

/* Appends "name: value  # origin" for each option of a component. One without a value has none in
 * the configuration, either. */
static void show_options(const brz_use *use, int indent, brz_buf *b)
{
    const brz_component *c = use->loaded->component;
    for (uint32_t i = 0; i < c->n_options; i++) {
        const brz_option *o = brz_option_at(c, i);
        const brz_option_value *v = &use->options->values[i];
        bool is_set = v->origin.len > 0;
        if (o->flags & BRZ_OPTION_HIDDEN && !is_set)
            continue;
        brz_config_text_indent(b, indent);
        brz_buf_printf(b, is_set || o->dflt != NULL ? "%s: " : "# %s: ", o->name);
        add_value(b, o, v);
        brz_config_text_origin(b, is_set ? v->origin.data : "default");
    }
}

/* Appends the name of a component with the place of its plug-in, or of the format that uses it. */
static void show_component(const brz_loaded *l, brz_buf *b)
{
    brz_buf origin = {0};
    if (l->format != NULL)
        brz_buf_printf(&origin, "format %s, ", l->component->id);
    brz_buf_add_text(&origin, l->path);
    brz_buf_printf(b, "use: %s", brz_loaded_plain(l)->component->id);
    brz_config_text_origin(b, brz_buf_text(&origin));
    brz_buf_finish(&origin);
}

void brz_config_text_use(const brz_use *use, int indent, brz_buf *b)
{
    show_component(use->loaded, b);
    if (use->loaded->component->n_options == 0)
        return;
    brz_config_text_indent(b, indent);
    brz_buf_add_text(b, "options:\n");
    show_options(use, indent + 2, b);
}

static void show_background(const brz_chain_item *item, int indent, brz_buf *b)
{
    if (item->background[0] == BRZ_COLOR_NONE)
        return;
    brz_config_text_indent(b, indent);
    brz_buf_printf(b, "background: [\"#%08x\", \"#%08x\"]\n", (unsigned)item->background[0],
                   (unsigned)item->background[1]);
}

static void show_palette(const brz_chain_item *item, int indent, brz_buf *b)
{
    brz_config_text_indent(b, indent);
    brz_buf_add_text(b, "- ");
    brz_config_text_use(&item->use, indent + 2, b);
    if (item->only != NULL) {
        brz_config_text_indent(b, indent + 2);
        brz_buf_add_text(b, "only: ");
        brz_json_string(b, brz_pattern_text(item->only));
        brz_buf_add_char(b, '\n');
    }
    show_background(item, indent + 2, b);
}

/* Appends the palettes. The default ones are preceded by that of comparisons, which has no colours
 * for other data. */
static void show_palettes(const brz_output_use *o, int indent, brz_buf *b)
{
    if (o->palettes.n == 0)
        return;
    brz_config_text_indent(b, indent);
    brz_buf_add_text(b, "palette:\n");
    if (o->palettes_are_default) {
        brz_config_text_indent(b, indent + 2);
        brz_buf_add_text(b, "- " BRZ_COMPARING_PALETTE);
        brz_config_text_origin(b, "default, for comparisons");
    }
    for (size_t i = 0; i < o->palettes.n; i++)
        show_palette(&o->palettes.items[i], indent + 2, b);
}

void brz_config_text_output(const brz_output_use *o, int indent, brz_buf *b)
{
    brz_config_text_indent(b, indent);
    brz_buf_add_text(b, "- to: ");
    brz_json_string(b, brz_str_of_text(o->to));
    brz_config_text_origin(b, o->origin != NULL ? o->origin : "default");
    brz_config_text_indent(b, indent + 2);
    brz_config_text_use(&o->use, indent + 2, b);
    show_palettes(o, indent + 2, b);
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* The depth of the tree is at most BRZ_YAML_MAX_DEPTH. */
void brz_config_text_node(brz_buf *b, const brz_yaml *node)
{
    if (node->type == BRZ_YAML_SCALAR && node->is_null) {
        brz_buf_add_char(b, '~');
        return;
    }
    if (node->type == BRZ_YAML_SCALAR) {
        brz_json_string(b, node->text);
        return;
    }
    brz_buf_add_char(b, node->type == BRZ_YAML_MAP ? '{' : '[');
    for (const brz_yaml *n = node->first; n != NULL; n = n->next) {
        brz_buf_add_text(b, n == node->first ? "" : ", ");
        if (node->type == BRZ_YAML_MAP) {
            brz_json_string(b, n->key->text);
            brz_buf_add_text(b, ": ");
        }
        brz_config_text_node(b, n);
    }
    brz_buf_add_char(b, node->type == BRZ_YAML_MAP ? '}' : ']');
}
