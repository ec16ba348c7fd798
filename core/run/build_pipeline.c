/* SPDX-License-Identifier: MIT */
/* Builds a pipeline from the configuration and the command line. */
#include "run/plan.h"

#include <stdlib.h>

#include "base/mem.h"
#include "config/confinement.h"
#include "config/named_pipeline.h"
#include "config/output_build.h"
#include "config/request_keys.h"

static bool build(brz_pipeline *p)
{
    const brz_yaml *node = p->node;
    if (node != NULL && node->type != BRZ_YAML_MAP)
        return brz_pipeline_refuse(p, node,
                                   "a pipeline is a map: collapse, transform, palette, outputs, …");
    bool good = node == NULL || brz_request_check_keys(&p->session->console, node);
    good &= brz_pipeline_set_inputs(p);
    good &= brz_request_set_keys(p->session, node, &p->texts, &p->effective, &p->key_nodes);
    if (brz_pipeline_isolates(p))
        brz_registry_describe(p->session->registry, true);
    good &= brz_pipeline_set_samples(p);
    good &= brz_pipeline_set_components(p);
    return good && brz_pipeline_check_time(p) && brz_pipeline_check_places(p) &&
           brz_pipeline_check_labels(p) && brz_pipeline_check_split(p) &&
           brz_pipeline_check_destinations(p) && brz_pipeline_check_settings(p);
}

brz_pipeline *brz_pipeline_create(brz_session *s, const brz_request *request, brz_verdict *verdict)
{
    const brz_yaml *node;
    *verdict = BRZ_VERDICT_USAGE;
    if (!brz_named_pipeline_find(s, request, &node))
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
