/* Describes a pipeline as a configuration that makes the same pipeline. Comments name the origins.
 */
#include "run/plan.h"

#include <string.h>

#include "base/json.h"
#include "request/run_option.h"

/* Appends a comment with the origin of a setting, such as "FILE:LINE", which ends the line. */
static void add_origin(brz_buf *b, const char *origin)
{
    brz_buf_add_text(b, "  # ");
    brz_add_printable(b, brz_str_of(origin, strlen(origin)));
    brz_buf_add_char(b, '\n');
}

static void add_place(brz_buf *b, const brz_yaml *node)
{
    brz_buf place = {0};
    brz_buf_printf(&place, "%s:%zu", node->file->name, node->line);
    add_origin(b, brz_buf_text(&place));
    brz_buf_finish(&place);
}

/* Begins a line with an indentation. */
static void indent_by(brz_buf *b, int indent)
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
        indent_by(b, indent);
        brz_buf_printf(b, is_set || o->dflt != NULL ? "%s: " : "# %s: ", o->name);
        add_value(b, o, v);
        add_origin(b, is_set ? v->origin.data : "default");
    }
}

/* Appends the keys `use` and `options`; the caller has begun the line. */
static void show_use(const brz_use *use, int indent, brz_buf *b)
{
    brz_buf_printf(b, "use: %s", use->loaded->component->id);
    add_origin(b, use->loaded->path);
    if (use->loaded->component->n_options == 0)
        return;
    indent_by(b, indent);
    brz_buf_add_text(b, "options:\n");
    show_options(use, indent + 2, b);
}

static void show_background(const brz_chain_item *item, int indent, brz_buf *b)
{
    if (item->background[0] == BRZ_COLOR_NONE)
        return;
    indent_by(b, indent);
    brz_buf_printf(b, "background: [\"#%08x\", \"#%08x\"]\n", (unsigned)item->background[0],
                   (unsigned)item->background[1]);
}

static void show_palette(const brz_chain_item *item, int indent, brz_buf *b)
{
    indent_by(b, indent);
    brz_buf_add_text(b, "- ");
    show_use(&item->use, indent + 2, b);
    if (item->only != NULL) {
        indent_by(b, indent + 2);
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
    indent_by(b, indent);
    brz_buf_add_text(b, "palette:\n");
    if (o->palettes_are_default) {
        indent_by(b, indent + 2);
        brz_buf_add_text(b, "- " BRZ_COMPARING_PALETTE);
        add_origin(b, "default, for comparisons");
    }
    for (size_t i = 0; i < o->palettes.n; i++)
        show_palette(&o->palettes.items[i], indent + 2, b);
}

static void show_output(const brz_output_use *o, int indent, brz_buf *b)
{
    indent_by(b, indent);
    brz_buf_add_text(b, "- to: ");
    brz_json_string(b, brz_str_of(o->to, strlen(o->to)));
    add_origin(b, o->origin != NULL ? o->origin : "default");
    indent_by(b, indent + 2);
    show_use(&o->use, indent + 2, b);
    show_palettes(o, indent + 2, b);
}

/* ---- parts of the configuration ------------------------------------------------------------- */

/* Appends a node in one line. The depth of the tree is at most BRZ_YAML_MAX_DEPTH. */
static void add_node(brz_buf *b, const brz_yaml *node)
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
        add_node(b, n);
    }
    brz_buf_add_char(b, node->type == BRZ_YAML_MAP ? '}' : ']');
}

static void show_inputs(const brz_pipeline *p, int indent, brz_buf *b)
{
    const brz_yaml *node = brz_yaml_get(p->node, "inputs");
    indent_by(b, indent);
    if (node == NULL) {
        brz_buf_add_text(b, "# inputs: those of the command line, or standard input\n");
        return;
    }
    brz_buf_add_text(b, "inputs: ");
    add_node(b, node);
    add_place(b, node);
}

/* Appends the collapser. A guessed one has the options of the configuration. */
static void show_collapse(const brz_pipeline *p, int indent, brz_buf *b)
{
    indent_by(b, indent);
    brz_buf_add_text(b, "collapse:\n");
    indent_by(b, indent + 2);
    if (!p->guess) {
        show_use(&p->collapse, indent + 2, b);
        return;
    }
    brz_buf_add_text(b, "use: guess\n");
    if (p->collapse_options == NULL)
        return;
    indent_by(b, indent + 2);
    brz_buf_add_text(b, "options: ");
    add_node(b, p->collapse_options);
    add_place(b, p->collapse_options);
}

static void show_transforms(const brz_pipeline *p, int indent, brz_buf *b)
{
    indent_by(b, indent);
    brz_buf_add_text(b, p->transforms.n > 0 ? "transform:\n" : "transform: []\n");
    for (size_t i = 0; i < p->transforms.n; i++) {
        const char *origin = brz_transforms_origin(&p->transforms, i);
        indent_by(b, indent + 2);
        brz_buf_add_text(b, "- ");
        brz_transforms_add_yaml(&p->transforms, i, b);
        add_origin(b, origin != NULL ? origin : "default");
    }
}

/* Appends the options of the run that are set. */
static void show_run_options(const brz_pipeline *p, int indent, brz_buf *b)
{
    const brz_run_option *o;
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++) {
        if (!(o->flags & BRZ_RUN_KEY) || !brz_run_option_is_set(o, p->request))
            continue;
        indent_by(b, indent);
        brz_buf_printf(b, "%s: ", o->name);
        brz_run_option_add_yaml(o, p->request, b);
        if (p->key_nodes[i] != NULL)
            add_place(b, p->key_nodes[i]);
        else
            brz_buf_add_char(b, '\n');
    }
}

void brz_pipeline_describe(const brz_pipeline *p, const char *name, brz_buf *b)
{
    enum { INDENT = 4 };
    brz_buf_add_text(b, "pipelines:\n  ");
    brz_json_string(b, brz_str_of(name, strlen(name)));
    brz_buf_add_text(b, ":\n");
    show_inputs(p, INDENT, b);
    show_collapse(p, INDENT, b);
    show_transforms(p, INDENT, b);
    if (p->request->weight == NULL) {
        indent_by(b, INDENT);
        brz_buf_add_text(b, "# weight: the input's first\n");
    }
    show_run_options(p, INDENT, b);
    indent_by(b, INDENT);
    brz_buf_add_text(b, "outputs:\n");
    for (size_t i = 0; i < p->n_outputs; i++)
        show_output(&p->outputs[i], INDENT + 2, b);
}
