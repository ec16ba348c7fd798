/* SPDX-License-Identifier: MIT */
/* Sets the inputs of a run, and checks their labels. */
#include "run/plan.h"

#include <string.h>

#include "base/mem.h"
#include "config/confinement.h"
#include "input/source.h"
#include "profile/input_labels.h"

static bool add_config_input(brz_pipeline *p, const brz_yaml *node)
{
    if (node->type != BRZ_YAML_SCALAR || node->text.len == 0)
        return brz_pipeline_refuse(p, node, "an input is the name of a file, or '-'");
    brz_input *input = &p->inputs[p->n_inputs++];
    *input = (brz_input){.name = node->text.data};
    return p->request->n_inputs > 0 ||
           brz_confine_input(&p->session->console, node, &input->inside);
}

static bool add_config_inputs(brz_pipeline *p, const brz_yaml *list)
{
    bool good = true;
    if (list == NULL || list->type != BRZ_YAML_LIST)
        return list == NULL || add_config_input(p, list);
    for (const brz_yaml *v = list->first; v != NULL; v = v->next)
        good &= add_config_input(p, v);
    return good;
}

/* Reads the file that stands for a folder, where an input is one. */
static void enter_folders(brz_pipeline *p)
{
    brz_buf file = {0};
    for (size_t i = 0; i < p->n_inputs; i++) {
        brz_input *input = &p->inputs[i];
        if (input->kind == BRZ_INPUT_FILE && input->inside.folder == NULL &&
            brz_source_in_folder(input->name, &file))
            input->name = brz_arena_str(&p->texts, brz_buf_str(&file)).data;
    }
    brz_buf_finish(&file);
}

static bool find_inputs(brz_pipeline *p)
{
    const brz_yaml *list = brz_yaml_get(p->node, "inputs");
    size_t from_config = list == NULL ? 0 : list->n_children + 1;
    p->inputs = brz_calloc(p->request->n_inputs + from_config + 1, sizeof *p->inputs);
    if (!add_config_inputs(p, list))
        return false;
    if (p->request->n_inputs > 0) {
        p->n_inputs = p->request->n_inputs;
        memcpy(p->inputs, p->request->inputs, p->n_inputs * sizeof *p->inputs);
        enter_folders(p);
        return true;
    }
    enter_folders(p);
    if (p->n_inputs == 0)
        p->inputs[p->n_inputs++] = (brz_input){.name = "-"};
    for (size_t i = 0; i < p->n_inputs && p->request->no_standard_streams; i++)
        if (strcmp(p->inputs[i].name, "-") == 0)
            return brz_pipeline_refuse(p, NULL, "nothing to read: there is no input");
    return true;
}

/* Returns the name of an input without its folders, or "" if it is no file that has one. */
static const char *source_of(const brz_input *input)
{
    const char *name = input->name, *slash = strrchr(name, '/');
    bool is_named = input->kind == BRZ_INPUT_FILE && strcmp(name, "-") != 0 &&
                    strncmp(name, "/dev/", 5) != 0 && strncmp(name, "/proc/", 6) != 0;
    return !is_named ? "" : slash == NULL ? name : slash + 1;
}

/* Names what pictures show: the only file, or the two that are compared. */
static void name_source(brz_pipeline *p)
{
    brz_buf b = {0};
    bool is_pair = p->n_inputs == 2 && p->request->compare;
    if (p->n_inputs == 1)
        brz_buf_printf(&b, "%s", source_of(&p->inputs[0]));
    if (is_pair && *source_of(&p->inputs[0]) != '\0' && *source_of(&p->inputs[1]) != '\0')
        brz_buf_printf(&b, "%s \342\206\222 %s", source_of(&p->inputs[0]),
                       source_of(&p->inputs[1])); /* → */
    p->source = brz_arena_str(&p->texts, brz_buf_str(&b));
    brz_buf_finish(&b);
}

bool brz_pipeline_set_inputs(brz_pipeline *p)
{
    if (!find_inputs(p))
        return false;
    name_source(p);
    return true;
}

/* ---- labels -------------------------------------------------------------------------------- */

/* Returns whether the labels of inputs have an effect: an output has room for them, or the run uses
 * tags itself. */
static bool uses_labels(const brz_pipeline *p)
{
    const brz_selection *s = &p->selection;
    return s->n_by > 0 || s->n_only > 0 || p->request->split_by != NULL ||
           (brz_pipeline_output_flags(p) & (BRZ_OUTPUT_TAGS | BRZ_OUTPUT_TIME));
}

bool brz_pipeline_check_labels(const brz_pipeline *p)
{
    const char *labels = p->request->labels;
    brz_buf error = {0};
    if (labels == NULL || p->request->is_survey)
        return true;
    if (brz_input_labels_check(brz_str_of_text(labels), &error) && !uses_labels(p))
        brz_buf_printf(&error,
                       "%s has no place for labels; write pprof, as in -o all.pb.gz, or add "
                       "--group-by %.*s to make them frames",
                       p->outputs[0].use.loaded->component->id, (int)strcspn(labels, "="), labels);
    return brz_pipeline_check_error(p, NULL, "--label", &error);
}
