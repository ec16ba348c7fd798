/* A pipeline: built from the configuration and the command line, then run. */
#include "pipeline.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"
#include "progress.h"
#include "render.h"
#include "resolve.h"

struct brz_pipeline {
    brz_session *session;
    const brz_request *request;
    bool *used; /* by setting of the request */
    const char **inputs;
    size_t n_inputs;
    bool guess;         /* the collapser is found when the input is seen */
    brz_use collapse;   /* otherwise */
    const brz_yaml *collapse_options; /* for the collapser that is guessed */
    brz_transforms transforms;
    brz_output_use *outputs;
    size_t n_outputs;
    char *weight; /* NULL: the first */
    brz_collected collected;
};

static brz_resolver resolver_of(const brz_pipeline *p)
{
    return (brz_resolver){p->session, p->request, p->used};
}

static char *copy(const char *s)
{
    return brz_memdup(s, strlen(s));
}

static void complain(const brz_pipeline *p, const brz_yaml *at, const char *what)
{
    brz_yaml_say(&p->session->console, BRZ_FATAL, at, "%s", what);
}

/* ---- the collapser ------------------------------------------------------------------------- */

static const char *const use_keys[] = {"use", "options", NULL};

/* Checks that a map has no other keys than these. */
static bool check_keys(const brz_pipeline *p, const brz_yaml *map, const char *what,
                       const char *const *keys)
{
    bool good = true;
    for (const brz_yaml *n = map->first; n != NULL; n = n->next) {
        size_t i = 0;
        while (keys[i] != NULL && !brz_yaml_is(n->key, keys[i]))
            i++;
        if (keys[i] != NULL)
            continue;
        brz_config_say_unknown(&p->session->console, n, what, keys);
        good = false;
    }
    return good;
}

/* The name in `NAME` or `{use: NAME, …}`; NULL after saying what is wrong. */
static const brz_yaml *used_name(const brz_pipeline *p, const brz_yaml *node, const char *what,
                                 const char *const *keys)
{
    const brz_yaml *name = node->type == BRZ_YAML_MAP ? brz_yaml_get(node, "use") : node;
    if (node->type == BRZ_YAML_MAP && !check_keys(p, node, what, keys))
        return NULL;
    if (name != NULL && name->type == BRZ_YAML_SCALAR && name->text.len > 0)
        return name;
    complain(p, node, "write the name of a plug-in here, or {use: NAME, options: {…}}");
    return NULL;
}

static bool set_collapse(brz_pipeline *p, const brz_yaml *node)
{
    brz_resolver r = resolver_of(p);
    const brz_yaml *at = NULL;
    brz_str name = BRZ_STR("guess");
    if (node != NULL) {
        at = used_name(p, node, "a collapser has no key", use_keys);
        if (at == NULL)
            return false;
        name = at->text;
        p->collapse_options = brz_yaml_get(node, "options");
    }
    if (p->request->from != NULL) {
        brz_str from = brz_str_of(p->request->from, strlen(p->request->from));
        if (at == NULL || from.len != name.len || memcmp(from.data, name.data, from.len) != 0)
            p->collapse_options = NULL;
        name = from;
        at = NULL;
    }
    p->guess = name.len == 5 && memcmp(name.data, "guess", 5) == 0;
    return p->guess ||
           brz_resolve(&r, BRZ_COLLAPSER, name, at, p->collapse_options, &p->collapse);
}

/* ---- transforms ---------------------------------------------------------------------------- */

#define MAX_ARGS 64

/* The arguments of `- drop: RE`, `- base: [a, b]`, `- rename: {match: RE, with: TEXT}`. */
static bool transform_args(const brz_pipeline *p, const brz_yaml *node, brz_str args[MAX_ARGS],
                           size_t *n)
{
    static const char *const keys[] = {"match", "with", NULL};
    *n = 0;
    if (node->type == BRZ_YAML_MAP) {
        if (!check_keys(p, node, "a transform has no key", keys))
            return false;
        for (size_t i = 0; i < 2; i++) {
            const brz_yaml *v = brz_yaml_get(node, keys[i]);
            if (v != NULL && v->type == BRZ_YAML_SCALAR)
                args[(*n)++] = v->text;
        }
        return true;
    }
    if (node->type == BRZ_YAML_SCALAR) {
        if (!node->is_null && !brz_yaml_is(node, "true"))
            args[(*n)++] = node->text;
        return true;
    }
    for (const brz_yaml *v = node->first; v != NULL && *n < MAX_ARGS; v = v->next)
        if (v->type == BRZ_YAML_SCALAR)
            args[(*n)++] = v->text;
    return true;
}

static bool add_transform(brz_pipeline *p, const brz_yaml *node)
{
    brz_buf error = {0};
    brz_str args[MAX_ARGS];
    size_t n = 0;
    const brz_yaml *value = node->type == BRZ_YAML_MAP ? node->first : node;
    const brz_yaml *name = node->type == BRZ_YAML_MAP && value != NULL ? value->key : node;
    if (name->type != BRZ_YAML_SCALAR || (node->type == BRZ_YAML_MAP && node->n_children != 1)) {
        complain(p, node, "write one transform here: a name, or {name: argument}");
        return false;
    }
    const brz_transform_kind *kind = brz_transform_find(name->text, &error);
    bool good = kind != NULL && (value == node || transform_args(p, value, args, &n));
    good = good && brz_transforms_add(&p->transforms, kind, args, n, &error);
    if (!good && error.len > 0)
        complain(p, kind == NULL ? name : value, brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

static bool add_config_transforms(brz_pipeline *p, const brz_yaml *list)
{
    if (list == NULL)
        return true;
    if (list->type != BRZ_YAML_LIST) {
        complain(p, list, "transforms are a list");
        return false;
    }
    bool good = true;
    for (const brz_yaml *n = list->first; n != NULL; n = n->next)
        good &= add_transform(p, n);
    return good;
}

/* Several of a kind that takes names are one: any of them. */
static bool add_requested_transforms(brz_pipeline *p)
{
    for (size_t i = 0; i < p->request->n_transforms; i++) {
        const brz_transform_request *t = &p->request->transforms[i];
        brz_buf error = {0};
        brz_str args[2];
        for (size_t k = 0; k < t->n_args; k++)
            args[k] = brz_str_of(t->args[k], strlen(t->args[k]));
        const brz_transform_kind *kind =
            brz_transform_find(brz_str_of(t->name, strlen(t->name)), &error);
        bool good = kind != NULL && ((t->n_args == 1 && brz_transforms_extend(&p->transforms, kind,
                                                                              args[0])) ||
                                     brz_transforms_add(&p->transforms, kind, args, t->n_args,
                                                        &error));
        if (!good)
            brz_say(&p->session->console, BRZ_FATAL, "--%s: %s", t->name, brz_buf_text(&error));
        brz_buf_finish(&error);
        if (!good)
            return false;
    }
    return true;
}

/* ---- outputs ------------------------------------------------------------------------------- */

static bool add_palettes(brz_pipeline *p, const brz_yaml *node, brz_output_use *o)
{
    brz_resolver r = resolver_of(p);
    if (!(((const brz_output *)o->use.loaded->vtable)->flags & BRZ_OUTPUT_COLOR))
        return true;
    if (p->request->palette != NULL)
        return brz_resolve_palette(&r, brz_str_of(p->request->palette,
                                                  strlen(p->request->palette)),
                                   NULL, &o->palettes, &o->n_palettes);
    if (node == NULL)
        return brz_resolve_palette(&r, BRZ_STR("hot"), NULL, &o->palettes, &o->n_palettes);
    if (node->type == BRZ_YAML_SCALAR)
        return brz_resolve_palette(&r, node->text, node, &o->palettes, &o->n_palettes);
    bool good = true;
    for (const brz_yaml *n = node->first; n != NULL && good; n = n->next)
        good = n->type == BRZ_YAML_SCALAR && node->type == BRZ_YAML_LIST &&
               brz_resolve_palette(&r, n->text, n, &o->palettes, &o->n_palettes);
    if (!good && node->type == BRZ_YAML_MAP)
        complain(p, node, "write the name of a palette here, or a list of names");
    return good;
}

static brz_output_use *new_output(brz_pipeline *p)
{
    p->outputs = brz_realloc(p->outputs, p->n_outputs + 1, sizeof *p->outputs);
    p->outputs[p->n_outputs] = (brz_output_use){0};
    return &p->outputs[p->n_outputs++];
}

static bool add_config_output(brz_pipeline *p, const brz_yaml *node, const brz_yaml *palette)
{
    static const char *const keys[] = {"use", "to", "options", "palette", NULL};
    brz_resolver r = resolver_of(p);
    const brz_yaml *name = used_name(p, node, "an output has no key", keys);
    if (name == NULL)
        return false;
    const brz_yaml *to = brz_yaml_get(node, "to"), *own = brz_yaml_get(node, "palette");
    brz_output_use *o = new_output(p);
    o->to = to != NULL && to->type == BRZ_YAML_SCALAR ? copy(to->text.data) : copy("-");
    return brz_resolve(&r, BRZ_OUTPUT, name->text, name, brz_yaml_get(node, "options"),
                       &o->use) &&
           add_palettes(p, own != NULL ? own : palette, o);
}

static bool add_requested_output(brz_pipeline *p, const char *to, const brz_yaml *palette)
{
    brz_resolver r = resolver_of(p);
    const char *name = p->request->to;
    if (name == NULL)
        name = strcmp(to, "-") == 0 ? "svg" : brz_resolve_ending(&r, to);
    if (name == NULL)
        return false;
    brz_output_use *o = new_output(p);
    o->to = copy(to);
    return brz_resolve(&r, BRZ_OUTPUT, brz_str_of(name, strlen(name)), NULL, NULL, &o->use) &&
           add_palettes(p, palette, o);
}

/* Those of the command line instead of the configuration's; standard output if there are none. */
static bool set_outputs(brz_pipeline *p, const brz_yaml *list, const brz_yaml *palette)
{
    bool good = true;
    for (size_t i = 0; i < p->request->n_outputs; i++)
        good &= add_requested_output(p, p->request->outputs[i], palette);
    if (p->request->n_outputs > 0)
        return good;
    if (list == NULL)
        return add_requested_output(p, "-", palette);
    if (list->type != BRZ_YAML_LIST) {
        complain(p, list, "outputs are a list");
        return false;
    }
    for (const brz_yaml *n = list->first; n != NULL; n = n->next)
        good &= add_config_output(p, n, palette);
    return good;
}

/* Two outputs that would be mixed up, or one that would replace another. */
static bool check_outputs(const brz_pipeline *p)
{
    for (size_t i = 0; i < p->n_outputs; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(p->outputs[i].to, p->outputs[k].to) == 0) {
                brz_say(&p->session->console, BRZ_FATAL, "two outputs to %s",
                        strcmp(p->outputs[i].to, "-") == 0 ? "standard output"
                                                           : p->outputs[i].to);
                return false;
            }
    return true;
}

/* ---- building ------------------------------------------------------------------------------ */

static void set_inputs(brz_pipeline *p, const brz_yaml *list)
{
    size_t n = 0, from_config = list == NULL ? 0 : list->n_children + 1;
    p->inputs = brz_calloc(p->request->n_inputs + from_config + 1, sizeof(const char *));
    for (size_t i = 0; i < p->request->n_inputs; i++)
        p->inputs[n++] = p->request->inputs[i];
    if (n == 0 && list != NULL && list->type == BRZ_YAML_SCALAR)
        p->inputs[n++] = list->text.data;
    else if (n == 0 && list != NULL)
        for (const brz_yaml *v = list->first; v != NULL; v = v->next)
            if (v->type == BRZ_YAML_SCALAR)
                p->inputs[n++] = v->text.data;
    if (n == 0)
        p->inputs[n++] = "-";
    p->n_inputs = n;
}

static void set_weight(brz_pipeline *p, const brz_yaml *node)
{
    if (p->request->weight != NULL)
        p->weight = copy(p->request->weight);
    else if (node != NULL && node->type == BRZ_YAML_SCALAR)
        p->weight = copy(node->text.data);
}

/* A setting that no component took was meant for one that is not there. */
static bool check_settings(const brz_pipeline *p)
{
    bool good = true;
    for (size_t i = 0; i < p->request->n_settings && !p->guess; i++) {
        const brz_setting *s = &p->request->settings[i];
        if (p->used[i])
            continue;
        brz_say(&p->session->console, BRZ_FATAL, "%s: this run has no component '%s'", s->origin,
                s->component);
        good = false;
    }
    return good;
}

static const brz_yaml *find_pipeline(brz_session *s, const char *name)
{
    const char *wanted = name == NULL ? "default" : name;
    const brz_yaml *n = brz_config_find(s->config, "pipelines",
                                        brz_str_of(wanted, strlen(wanted)));
    if (n == NULL && name != NULL)
        brz_say(&s->console, BRZ_FATAL, "no pipeline '%s' in the configuration", name);
    return n;
}

static const char *const pipeline_keys[] = {"inputs",  "collapse", "transform", "palette",
                                            "outputs", "weight",   NULL};

static bool build(brz_pipeline *p, const brz_yaml *node)
{
    if (node != NULL && node->type != BRZ_YAML_MAP) {
        complain(p, node, "a pipeline is a map: collapse, transform, palette, outputs, …");
        return false;
    }
    if (node != NULL && !check_keys(p, node, "a pipeline has no key", pipeline_keys))
        return false;
    set_inputs(p, brz_yaml_get(node, "inputs"));
    set_weight(p, brz_yaml_get(node, "weight"));
    bool good = set_collapse(p, brz_yaml_get(node, "collapse"));
    good &= add_config_transforms(p, brz_yaml_get(node, "transform"));
    good &= add_requested_transforms(p);
    good &= set_outputs(p, brz_yaml_get(node, "outputs"), brz_yaml_get(node, "palette"));
    return good && check_outputs(p) && check_settings(p);
}

brz_pipeline *brz_pipeline_create(brz_session *s, const brz_request *request,
                                  brz_verdict *verdict)
{
    const brz_yaml *node = NULL;
    *verdict = BRZ_VERDICT_USAGE;
    if (request->pipeline != NULL || brz_config_near_section(s->config, "pipelines") != NULL) {
        node = find_pipeline(s, request->pipeline);
        if (node == NULL && request->pipeline != NULL)
            return NULL;
    }
    brz_pipeline *p = brz_calloc(1, sizeof *p);
    p->session = s;
    p->request = request;
    p->used = brz_calloc(request->n_settings, sizeof *p->used);
    if (build(p, node)) {
        *verdict = BRZ_VERDICT_OK;
        return p;
    }
    brz_pipeline_destroy(p);
    return NULL;
}

void brz_pipeline_destroy(brz_pipeline *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->n_outputs; i++) {
        for (size_t k = 0; k < p->outputs[i].n_palettes; k++)
            brz_use_finish(&p->outputs[i].palettes[k]);
        free(p->outputs[i].palettes);
        brz_use_finish(&p->outputs[i].use);
        free(p->outputs[i].to);
    }
    brz_use_finish(&p->collapse);
    brz_transforms_finish(&p->transforms);
    brz_profile_destroy(p->collected.profile);
    brz_notices_finish(&p->collected.reports);
    free(p->outputs);
    free(p->inputs);
    free(p->used);
    free(p->weight);
    free(p);
}

bool brz_pipeline_check(brz_session *s, const char *name)
{
    brz_verdict verdict;
    brz_request request = {.pipeline = name};
    brz_pipeline *p = brz_pipeline_create(s, &request, &verdict);
    brz_pipeline_destroy(p);
    return verdict == BRZ_VERDICT_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

static unsigned thread_count(const brz_request *r)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (r->threads > 0)
        return r->threads;
    return n < 1 ? 1 : n > 64 ? 64 : (unsigned)n;
}

/* The collapser for an input: the pipeline's, or the one that knows it. */
static bool choose_collapser(brz_pipeline *p, brz_feed *feed, brz_use *use)
{
    if (!p->guess) {
        *use = p->collapse;
        return true;
    }
    brz_guess g = brz_guess_format(p->session->registry, feed);
    bool good = g.winner != NULL;
    if (good) {
        brz_resolver r = resolver_of(p);
        const char *id = g.winner->component->id;
        if (p->session->console.verbosity > 0)
            brz_say(&p->session->console, BRZ_NOTE, "%s: guessed %s (%d)", feed->source->name, id,
                    (int)g.items[0].score);
        good = brz_resolve(&r, BRZ_COLLAPSER, brz_str_of(id, strlen(id)), NULL,
                           p->collapse_options, use);
    } else {
        brz_buf why = {0};
        brz_guess_explain(&g, feed, &why);
        brz_say(&p->session->console, BRZ_FATAL, "%s", brz_buf_text(&why));
        brz_buf_finish(&why);
    }
    brz_guess_finish(&g);
    return good;
}

static bool read_input(brz_pipeline *p, const char *path, brz_progress *progress)
{
    brz_buf error = {0};
    brz_use use = {0};
    brz_feed feed;
    bool raw = !p->guess && (((const brz_collapser *)p->collapse.loaded->vtable)->flags & BRZ_RAW);
    brz_source *source = brz_source_open(path, raw, &error);
    if (source == NULL) {
        brz_say(&p->session->console, BRZ_FATAL, "%s", brz_buf_text(&error));
        brz_buf_finish(&error);
        return false;
    }
    brz_collapse_options options = {
        .threads = thread_count(p->request),
        .chunk_size = p->request->chunk_size,
        .range_size = p->request->range_size,
        .progress = progress,
    };
    brz_feed_init(&feed, source);
    bool good = choose_collapser(p, &feed, &use) &&
                brz_collapse(&feed, use.loaded, use.options->cfg, &p->session->run, &options,
                             &p->collected);
    if (p->guess)
        brz_use_finish(&use);
    brz_feed_finish(&feed);
    brz_source_close(source);
    return good;
}

static bool read_inputs(brz_pipeline *p)
{
    bool good = true;
    brz_progress *progress = brz_progress_create(p->session->console.color &&
                                                 p->session->console.verbosity >= 0);
    for (size_t i = 0; i < p->n_inputs && good; i++)
        good = read_input(p, p->inputs[i], progress);
    brz_progress_destroy(progress);
    brz_notices_sort(&p->collected.reports);
    brz_say_notices(&p->session->console, &p->collected.reports);
    return good;
}

/* ---- writing ------------------------------------------------------------------------------- */

static bool has_samples(const brz_profile *profile)
{
    return profile != NULL && profile->n_stacks > 0;
}

/* The column that the run is about. */
static bool find_weight(const brz_pipeline *p, uint32_t *weight)
{
    const brz_profile *profile = p->collected.profile;
    *weight = 0;
    if (p->weight == NULL)
        return true;
    *weight = brz_profile_find_weight(profile, brz_str_of(p->weight, strlen(p->weight)));
    if (*weight != BRZ_NO_WEIGHT)
        return true;
    brz_buf b = {0};
    for (size_t i = 0; i < profile->n_weights; i++)
        brz_buf_printf(&b, "%s%s", i > 0 ? ", " : "",
                       brz_strings_at(&profile->strings, profile->weights[i].name).data);
    brz_say(&p->session->console, BRZ_FATAL, "the input has no weight '%s'; it has %s", p->weight,
            brz_buf_text(&b));
    brz_buf_finish(&b);
    return false;
}

/* Writes every output, and gives the files their names once all are written. */
static bool write_outputs(brz_pipeline *p, uint32_t weight)
{
    brz_file_sink **sinks = brz_calloc(p->n_outputs, sizeof(brz_file_sink *));
    bool good = true;
    for (size_t i = 0; i < p->n_outputs && good; i++) {
        sinks[i] = brz_file_sink_open(p->outputs[i].to, &p->session->console);
        good = sinks[i] != NULL;
    }
    good = good && brz_render(p->collected.profile, weight, p->outputs, p->n_outputs, sinks,
                              &p->session->run);
    for (size_t i = 0; i < p->n_outputs && good; i++)
        good = brz_file_sink_complete(sinks[i]);
    for (size_t i = 0; i < p->n_outputs && good; i++)
        good = brz_file_sink_commit(sinks[i]);
    for (size_t i = 0; i < p->n_outputs; i++)
        brz_file_sink_destroy(sinks[i]);
    free(sinks);
    return good;
}

static void say_left_out(const brz_pipeline *p, size_t left_out)
{
    if (left_out > 0 && p->session->console.verbosity > 0)
        brz_say(&p->session->console, BRZ_NOTE, "transforms left out %zu distinct stacks",
                left_out);
}

brz_verdict brz_pipeline_run(brz_pipeline *p)
{
    brz_console *console = &p->session->console;
    uint32_t weight;
    if (!read_inputs(p))
        return BRZ_VERDICT_FAILED;
    if (!has_samples(p->collected.profile)) {
        brz_say(console, BRZ_FATAL, "%s: no samples in it",
                p->n_inputs == 1 && strcmp(p->inputs[0], "-") != 0 ? p->inputs[0] : "input");
        return BRZ_VERDICT_FAILED;
    }
    size_t left_out = brz_transforms_apply(&p->transforms, p->collected.profile);
    if (!has_samples(p->collected.profile)) {
        brz_say(console, BRZ_FATAL, "the transforms left no samples");
        return BRZ_VERDICT_FAILED;
    }
    say_left_out(p, left_out);
    if (!find_weight(p, &weight) || !write_outputs(p, weight))
        return BRZ_VERDICT_FAILED;
    return BRZ_VERDICT_OK;
}
