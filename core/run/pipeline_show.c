/* Describes a pipeline: its stages and the origin of each setting. */
#include "run/pipeline_parts.h"

#include <string.h>

#include "base/json.h"
#include "request/run_option.h"

/* Appends " name: value # origin" for each option of a component. */
static void show_options(const brz_use *use, const char *indent, brz_buf *b)
{
    const brz_component *c = use->loaded->component;
    for (uint32_t i = 0; i < c->n_options; i++) {
        const brz_option *o = brz_option_at(c, i);
        const brz_option_value *v = &use->options->values[i];
        if (o->flags & BRZ_OPTION_HIDDEN)
            continue;
        brz_buf_printf(b, "%s%s: ", indent, o->name);
        if (o->type == BRZ_OPTION_LIST) {
            brz_buf_add_text(b, "[");
            for (size_t k = 0; k < v->n_items; k++) {
                brz_buf_add_text(b, k > 0 ? ", " : "");
                brz_json_string(b, v->items[k]);
            }
            brz_buf_add_text(b, "]");
        } else if (o->type == BRZ_OPTION_STR || o->type == BRZ_OPTION_COLOR) {
            brz_json_string(b, v->text);
        } else {
            brz_buf_add_str(b, v->text);
        }
        brz_buf_printf(b, "  # %s\n", v->origin.len > 0 ? v->origin.data : "default");
    }
}

static void show_use(const brz_use *use, const char *indent, brz_buf *b)
{
    brz_buf deeper = {0};
    brz_buf_printf(b, "%suse: %s  # %s\n", indent, use->loaded->component->id, use->loaded->path);
    brz_buf_printf(&deeper, "%s  ", indent);
    if (use->loaded->component->n_options > 0)
        brz_buf_printf(b, "%soptions:\n", indent);
    show_options(use, brz_buf_text(&deeper), b);
    brz_buf_finish(&deeper);
}

static void show_output(const brz_output_use *o, brz_buf *b)
{
    brz_buf_printf(b, "  - to: ");
    brz_json_string(b, brz_str_of(o->to, strlen(o->to)));
    brz_buf_add_text(b, "\n");
    show_use(&o->use, "    ", b);
    for (size_t i = 0; i < o->palettes.n; i++) {
        brz_buf_add_text(b, i == 0 ? "    palette:\n" : "    palette:  # then\n");
        show_use(&o->palettes.items[i].use, "      ", b);
    }
}

/* Appends the options of the run that are set. */
static void show_run_options(const brz_pipeline *p, brz_buf *b)
{
    const brz_run_option *o;
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++) {
        if (!(o->flags & BRZ_RUN_KEY) || !brz_run_option_is_set(o, p->request))
            continue;
        brz_buf_printf(b, "%s: ", o->name);
        brz_run_option_add_yaml(o, p->request, b);
        brz_buf_add_char(b, '\n');
    }
}

void brz_pipeline_describe(const brz_pipeline *p, brz_buf *b)
{
    brz_buf_add_text(b, "inputs: [");
    for (size_t i = 0; i < p->n_inputs; i++) {
        brz_buf_add_text(b, i > 0 ? ", " : "");
        brz_json_string(b, brz_str_of(p->inputs[i].name, strlen(p->inputs[i].name)));
    }
    brz_buf_add_text(b, "]\ncollapse:\n");
    if (p->guess)
        brz_buf_add_text(b, "  use: guess\n");
    else
        show_use(&p->collapse, "  ", b);
    brz_buf_printf(b, "transform:%s\n", p->transforms.n == 0 ? " []" : "");
    for (size_t i = 0; i < p->transforms.n; i++)
        brz_buf_printf(b, "  - %s\n", brz_transforms_name(&p->transforms, i));
    if (p->request->weight == NULL)
        brz_buf_add_text(b, "weight: ~  # the input's first\n");
    show_run_options(p, b);
    brz_buf_add_text(b, "outputs:\n");
    for (size_t i = 0; i < p->n_outputs; i++)
        show_output(&p->outputs[i], b);
}
