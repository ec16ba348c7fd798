/* Describes a pipeline: its stages and the origin of each setting. */
#include "run/pipeline_parts.h"

#include <string.h>

#include "base/json.h"

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

/* Appends "key: text", with quotes unless the text is a plain word. */
static void show_text(brz_buf *b, const char *key, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./";
    brz_buf_printf(b, "%s: ", key);
    if (text[strspn(text, plain)] == '\0')
        brz_buf_add_text(b, text);
    else
        brz_json_string(b, brz_str_of(text, strlen(text)));
    brz_buf_add_char(b, '\n');
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
    if (p->weight != NULL)
        show_text(b, "weight", p->weight);
    else
        brz_buf_add_text(b, "weight: ~  # the input's first\n");
    if (p->diffusion)
        brz_buf_add_text(b, "diffusion: true\n");
    if (p->isolate)
        brz_buf_add_text(b, "isolate: true\n");
    if (p->limits.memory > 0)
        brz_buf_printf(b, "max-memory: %llu\n", (unsigned long long)p->limits.memory);
    if (p->limits.time > 0)
        brz_buf_printf(b, "max-time: %gs\n", (double)p->limits.time / 1e9);
    if (p->palette_map != NULL)
        show_text(b, "palette-map", p->palette_map);
    brz_buf_add_text(b, "outputs:\n");
    for (size_t i = 0; i < p->n_outputs; i++)
        show_output(&p->outputs[i], b);
}
