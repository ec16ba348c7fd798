/* SPDX-License-Identifier: MIT */
/* Sets the components of a run: its collapser, transforms, outputs and palette map. */
#include "run/plan.h"

#include <brazier/symbol.h>
#include <string.h>

#include "base/mem.h"
#include "config/confinement.h"
#include "config/output_build.h"
#include "config/transform_build.h"

/* Sets the palette map. A path of the configuration is relative to its file and restricted. */
static bool set_palette_map(brz_pipeline *p)
{
    const brz_yaml *node = brz_pipeline_key(p, "palette-map");
    const char *file = p->request->palette_map;
    if (file != NULL && file[0] == '\0')
        return brz_pipeline_refuse(p, NULL, "a palette map is the name of a file");
    if (node != NULL) {
        p->palette_map = brz_config_path(node);
        if (!brz_confine_updated_file(&p->session->console, node, ".map", &p->palette_map_inside))
            return false;
    } else if (file != NULL) {
        p->palette_map = brz_memdup(file, strlen(file));
    }
    return p->palette_map == NULL || strcmp(p->palette_map, "-") != 0 ||
           brz_pipeline_refuse(p, NULL, "a palette map must be a file, not '-'");
}

static bool set_collapse(brz_pipeline *p)
{
    static const char *const use_keys[] = {"use", "options", NULL};
    const brz_yaml *node = brz_yaml_get(p->node, "collapse");
    brz_console *console = &p->session->console;
    brz_resolver r = brz_pipeline_resolver(p);
    const brz_yaml *at = NULL;
    brz_str name = BRZ_STR("guess");
    bool good =
        node == NULL || brz_config_check_keys(console, node, "a collapser has no key", use_keys);
    if (node != NULL) {
        at = brz_config_used_name(console, node);
        if (at == NULL)
            return false;
        name = at->text;
        p->collapse_options = brz_yaml_get(node, "options");
    }
    const char *wanted = brz_request_from(p->request);
    if (wanted != NULL) {
        brz_str from = brz_str_of_text(wanted);
        if (at == NULL || !brz_str_equal(from, name))
            p->collapse_options = NULL;
        name = from;
        at = NULL;
    }
    p->guess = brz_str_is(name, "guess");
    return (p->guess ||
            brz_resolve(&r, BRZ_COLLAPSER, name, at, p->collapse_options, &p->collapse)) &&
           good;
}

static bool set_outputs(brz_pipeline *p)
{
    brz_resolver r = brz_pipeline_resolver(p);
    brz_output_builder b = {
        .resolver = &r, .inputs = p->inputs, .n_inputs = p->n_inputs, .texts = &p->texts};
    bool good =
        brz_outputs_build(&b, brz_yaml_get(p->node, "outputs"), brz_yaml_get(p->node, "palette"));
    p->outputs = b.outputs;
    p->n_outputs = b.n_outputs;
    return good;
}

bool brz_pipeline_set_components(brz_pipeline *p)
{
    bool good = set_palette_map(p);
    good &= set_collapse(p);
    brz_resolver r = brz_pipeline_resolver(p);
    good &= brz_transforms_build(&r, brz_yaml_get(p->node, "transform"), &p->texts, &p->transforms);
    good &= set_outputs(p);
    return good;
}

brz_used_components brz_pipeline_used(const brz_pipeline *p, const brz_loaded *collapser)
{
    return (brz_used_components){collapser, &p->transforms, p->outputs, p->n_outputs};
}

bool brz_pipeline_check_settings(const brz_pipeline *p)
{
    brz_resolver r = brz_pipeline_resolver(p);
    const brz_used_components used = brz_pipeline_used(p, p->collapse.loaded);
    return p->guess || brz_settings_check(&r, &used);
}
