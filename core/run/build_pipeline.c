/* Builds a pipeline from the configuration and the command line. */
#include "run/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "config/confinement.h"
#include "config/output_build.h"
#include "config/request_keys.h"
#include "request/run_option.h"

brz_suggestion brz_pipeline_suggest(brz_session *s, const char *name)
{
    const brz_yaml *section = brz_config_section(s->config, "pipelines");
    brz_suggestion near = {.typed = brz_str_of(name, strlen(name))};
    for (const brz_yaml *n = section == NULL ? NULL : section->first; n != NULL; n = n->next)
        if (n->key != NULL)
            brz_suggestion_offer(&near, n->key->text.data);
    return near;
}

static void say_no_pipeline(brz_session *s, const char *name)
{
    brz_suggestion near = brz_pipeline_suggest(s, name);
    brz_buf b = {0};
    brz_suggestion_add(&near, &b);
    brz_say_code(&s->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                 "no pipeline '%s' in the configuration%s", name, brz_buf_text(&b));
    brz_buf_finish(&b);
}

/* Finds the pipeline that the request names. Returns false after reporting an error if no pipeline
 * has that name. */
static bool find_pipeline(brz_session *s, const brz_request *r, const brz_yaml **node)
{
    const char *wanted = r->pipeline == NULL ? "default" : r->pipeline;
    *node = NULL;
    if (r->pipeline == NULL &&
        (r->no_pipeline || brz_config_near_section(s->config, "pipelines") == NULL))
        return true;
    *node = brz_config_find(s->config, "pipelines", brz_str_of(wanted, strlen(wanted)));
    if (*node != NULL || r->pipeline == NULL)
        return true;
    say_no_pipeline(s, wanted);
    return false;
}

static const char **add_key(const char **keys, size_t *n, size_t *cap, const char *key)
{
    keys = brz_grow(keys, *n, cap, sizeof *keys);
    keys[(*n)++] = key;
    return keys;
}

/* Checks the keys of a pipeline: those with structure, and options of a run. */
static bool check_keys(const brz_pipeline *p, const brz_yaml *node)
{
    static const char *const structured[] = {"inputs", "collapse", "transform", "palette",
                                             "outputs"};
    const char **keys = NULL;
    size_t n = 0, cap = 0;
    const brz_run_option *o;
    for (size_t i = 0; i < sizeof structured / sizeof structured[0]; i++)
        keys = add_key(keys, &n, &cap, structured[i]);
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++)
        if (o->flags & BRZ_RUN_KEY)
            keys = add_key(keys, &n, &cap, o->name);
    keys = add_key(keys, &n, &cap, NULL);
    bool good = brz_config_check_keys(&p->session->console, node, "a pipeline has no key", keys);
    free(keys);
    return good;
}

static bool build(brz_pipeline *p)
{
    const brz_yaml *node = p->node;
    if (node != NULL && node->type != BRZ_YAML_MAP)
        return brz_pipeline_refuse(p, node,
                                   "a pipeline is a map: collapse, transform, palette, outputs, …");
    bool good = node == NULL || check_keys(p, node);
    good &= brz_pipeline_set_inputs(p);
    good &= brz_request_set_keys(p->session, node, &p->texts, &p->effective, &p->key_nodes);
    if (brz_pipeline_isolates(p))
        brz_registry_describe(p->session->registry, true);
    good &= brz_pipeline_set_samples(p);
    good &= brz_pipeline_set_components(p);
    return good && brz_pipeline_check_time(p) && brz_pipeline_check_places(p) &&
           brz_pipeline_check_labels(p) && brz_pipeline_check_split(p) &&
           brz_pipeline_check_components(p);
}

brz_pipeline *brz_pipeline_create(brz_session *s, const brz_request *request, brz_verdict *verdict)
{
    const brz_yaml *node;
    *verdict = BRZ_VERDICT_USAGE;
    if (!find_pipeline(s, request, &node))
        return NULL;
    brz_pipeline *p = brz_calloc(1, sizeof *p);
    p->session = s;
    p->node = node;
    p->effective = *request;
    p->request = &p->effective;
    p->used = brz_calloc(request->n_settings, sizeof *p->used);
    bool describes = brz_registry_describes(s->registry);
    bool good = build(p);
    brz_registry_describe(s->registry, describes);
    bool incomplete = brz_registry_is_incomplete(s->registry);
    if (good && !incomplete) {
        *verdict = BRZ_VERDICT_OK;
        return p;
    }
    if (incomplete) /* something missing may not be the user's mistake */
        *verdict = BRZ_VERDICT_FAILED;
    brz_pipeline_destroy(p);
    return NULL;
}

void brz_pipeline_destroy(brz_pipeline *p)
{
    if (p == NULL)
        return;
    brz_outputs_finish(p->outputs, p->n_outputs);
    brz_use_finish(&p->collapse);
    brz_transforms_finish(&p->transforms);
    brz_selection_finish(&p->selection);
    brz_thresholds_finish(&p->thresholds);
    for (size_t i = 0; i < p->n_inputs; i++)
        brz_inside_finish(&p->inputs[i].inside);
    brz_inside_finish(&p->palette_map_inside);
    free(p->inputs);
    free(p->used);
    free(p->key_nodes);
    free(p->palette_map);
    brz_arena_finish(&p->texts);
    free(p);
}
