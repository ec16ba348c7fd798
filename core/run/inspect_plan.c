/* SPDX-License-Identifier: MIT */
/* Answers questions about the plan of a run, and reports what is wrong with it. */
#include "run/plan.h"

#include <stdarg.h>
#include <string.h>

#include "draw/sink.h"
#include "request/run_option.h"

brz_resolver brz_pipeline_resolver(const brz_pipeline *p)
{
    return (brz_resolver){.session = p->session, .request = p->request, .used = p->used};
}

const brz_yaml *brz_pipeline_key(const brz_pipeline *p, const char *option)
{
    const brz_run_option *o;
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++)
        if (strcmp(o->name, option) == 0)
            return p->key_nodes[i];
    return NULL;
}

const char *brz_pipeline_input_name(const brz_pipeline *p)
{
    if (p->n_inputs > 1)
        return "input";
    return strcmp(p->inputs[0].name, "-") == 0 ? "stdin" : p->inputs[0].name;
}

static size_t add_component(const brz_component *c, const brz_component **list, size_t n,
                            size_t max)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == c)
            return n;
    if (n < max)
        list[n++] = c;
    return n;
}

size_t brz_pipeline_components(const brz_pipeline *p, const brz_component **list, size_t max)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_outputs; i++)
        n = add_component(p->outputs[i].use.loaded->component, list, n, max);
    if (p->collapse.loaded != NULL)
        n = add_component(p->collapse.loaded->component, list, n, max);
    for (size_t i = 0; i < p->n_outputs; i++)
        for (size_t k = 0; k < p->outputs[i].palettes.n; k++)
            n = add_component(p->outputs[i].palettes.items[k].use.loaded->component, list, n, max);
    for (size_t i = 0; i < p->transforms.n; i++)
        if (brz_transforms_use(&p->transforms, i) != NULL)
            n = add_component(brz_transforms_use(&p->transforms, i)->loaded->component, list, n,
                              max);
    return n;
}

uint32_t brz_pipeline_output_flags(const brz_pipeline *p)
{
    uint32_t flags = 0;
    for (size_t i = 0; i < p->n_outputs; i++)
        flags |= ((const brz_output *)p->outputs[i].use.loaded->vtable)->flags;
    return flags;
}

uint32_t brz_pipeline_wants(const brz_pipeline *p)
{
    uint32_t wants = p->request->drawing.time != BRZ_TIME_MERGED ? BRZ_CTX_WANTS_ORDER : 0;
    wants |= p->request->split_by != NULL || p->request->labels != NULL ? BRZ_CTX_WANTS_TAGS : 0;
    wants |= brz_selection_wants(&p->selection) | brz_detail_wants(p->request->detail);
    wants |= brz_selection_wants(&p->sides[0]) | brz_selection_wants(&p->sides[1]);
    uint32_t flags = brz_pipeline_output_flags(p);
    wants |= flags & (BRZ_OUTPUT_TAGS | BRZ_OUTPUT_TIME) ? BRZ_CTX_WANTS_TAGS : 0;
    wants |= flags & BRZ_OUTPUT_TIME ? BRZ_CTX_WANTS_TIME | BRZ_CTX_WANTS_ORDER : 0;
    return wants;
}

uint32_t brz_pipeline_drops(const brz_pipeline *p)
{
    for (size_t i = 0; i < p->n_outputs; i++) {
        const brz_output *o = p->outputs[i].use.loaded->vtable;
        if (!(o->flags & BRZ_OUTPUT_FUNCTIONS))
            return 0;
    }
    return brz_detail_drops(p->request->detail);
}

bool brz_pipeline_wants_code(const brz_pipeline *p)
{
    for (size_t i = 0; i < p->n_outputs; i++) {
        const brz_output *o = p->outputs[i].use.loaded->vtable;
        if (o->offer != NULL && o->offer(BRZ_CODE_ID) != NULL)
            return true;
    }
    return false;
}

const brz_limits *brz_pipeline_limits(const brz_pipeline *p)
{
    return &p->request->limits;
}

bool brz_pipeline_check_outputs(const brz_pipeline *p)
{
    bool good = true;
    for (size_t i = 0; i < p->n_outputs && good; i++) {
        const brz_output_use *o = &p->outputs[i];
        good = o->write != NULL || o->inside.folder != NULL ||
               brz_file_sink_check(o->to, o->makes_folder, &p->session->console);
    }
    return good;
}

/* ---- errors -------------------------------------------------------------------------------- */

/* Reports an error at a node or, if that is NULL, with a code. */
static void say(const brz_pipeline *p, const brz_yaml *at, const char *code, const char *format,
                va_list args)
{
    brz_buf text = {0};
    brz_buf_vprintf(&text, format, args);
    if (at != NULL)
        brz_yaml_say(&p->session->console, BRZ_FATAL, at, "%s", brz_buf_text(&text));
    else
        brz_say_code(&p->session->console, BRZ_FATAL, code, "%s", brz_buf_text(&text));
    brz_buf_finish(&text);
}

bool brz_pipeline_fail(const brz_pipeline *p, const char *code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(p, NULL, code, format, args);
    va_end(args);
    return false;
}

bool brz_pipeline_refuse(const brz_pipeline *p, const brz_yaml *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(p, at, BRZ_SAYS_PIPELINE, format, args);
    va_end(args);
    return false;
}

bool brz_pipeline_check_error(const brz_pipeline *p, const brz_yaml *at, const char *option,
                              brz_buf *error)
{
    bool good =
        error->len == 0 || brz_pipeline_refuse(p, at, "%s%s%s", option != NULL ? option : "",
                                               option != NULL ? ": " : "", brz_buf_text(error));
    brz_buf_finish(error);
    return good;
}
