/* SPDX-License-Identifier: MIT */
/* Describes a pipeline as a configuration that makes the same pipeline. */
#include "run/plan.h"

#include <string.h>

#include "base/json.h"
#include "config/config_text.h"
#include "request/run_option.h"

static void show_inputs(const brz_pipeline *p, int indent, brz_buf *b)
{
    const brz_yaml *node = brz_yaml_get(p->node, "inputs");
    brz_config_text_indent(b, indent);
    if (node == NULL) {
        brz_buf_add_text(b, "# inputs: those of the command line, or standard input\n");
        return;
    }
    brz_buf_add_text(b, "inputs: ");
    brz_config_text_node(b, node);
    brz_config_text_place(b, node);
}

/* Appends the collapser. A guessed one has the options of the configuration. */
static void show_collapse(const brz_pipeline *p, int indent, brz_buf *b)
{
    brz_config_text_indent(b, indent);
    brz_buf_add_text(b, "collapse:\n");
    brz_config_text_indent(b, indent + 2);
    if (!p->guess) {
        brz_config_text_use(&p->collapse, indent + 2, b);
        return;
    }
    brz_buf_add_text(b, "use: guess\n");
    if (p->collapse_options == NULL)
        return;
    brz_config_text_indent(b, indent + 2);
    brz_buf_add_text(b, "options: ");
    brz_config_text_node(b, p->collapse_options);
    brz_config_text_place(b, p->collapse_options);
}

static void show_transforms(const brz_pipeline *p, int indent, brz_buf *b)
{
    brz_config_text_indent(b, indent);
    brz_buf_add_text(b, p->transforms.n > 0 ? "transform:\n" : "transform: []\n");
    for (size_t i = 0; i < p->transforms.n; i++) {
        const char *origin = brz_transforms_origin(&p->transforms, i);
        brz_config_text_indent(b, indent + 2);
        brz_buf_add_text(b, "- ");
        if (brz_transforms_use(&p->transforms, i) != NULL) {
            brz_config_text_use(brz_transforms_use(&p->transforms, i), indent + 4, b);
            continue;
        }
        brz_transforms_add_yaml(&p->transforms, i, b);
        brz_config_text_origin(b, origin != NULL ? origin : "default");
    }
}

/* Appends the options of the run that are set. */
static void show_run_options(const brz_pipeline *p, int indent, brz_buf *b)
{
    const brz_run_option *o;
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++) {
        if (!(o->flags & BRZ_RUN_KEY) || !brz_run_option_is_set(o, p->request))
            continue;
        brz_config_text_indent(b, indent);
        brz_buf_printf(b, "%s: ", o->name);
        brz_run_option_add_yaml(o, p->request, b);
        if (p->key_nodes[i] != NULL)
            brz_config_text_place(b, p->key_nodes[i]);
        else
            brz_buf_add_char(b, '\n');
    }
}

void brz_pipeline_describe(const brz_pipeline *p, const char *name, brz_buf *b)
{
    enum { INDENT = 4 };
    brz_buf_add_text(b, "pipelines:\n  ");
    brz_json_string(b, brz_str_of_text(name));
    brz_buf_add_text(b, ":\n");
    show_inputs(p, INDENT, b);
    show_collapse(p, INDENT, b);
    show_transforms(p, INDENT, b);
    if (p->request->weight == NULL) {
        brz_config_text_indent(b, INDENT);
        brz_buf_add_text(b, "# weight: the input's first\n");
    }
    show_run_options(p, INDENT, b);
    brz_config_text_indent(b, INDENT);
    brz_buf_add_text(b, "outputs:\n");
    for (size_t i = 0; i < p->n_outputs; i++)
        brz_config_text_output(&p->outputs[i], INDENT + 2, b);
}
