/* SPDX-License-Identifier: MIT */
/* Checks where the outputs of a pipeline go: to different places, and not to its inputs. */
#include "run/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/places.h"
#include "draw/sink.h"
#include "draw/split_files.h"

static const char *name_of(const char *path, const char *standard)
{
    return strcmp(path, "-") == 0 ? standard : path;
}

/* Reports two paths of check_outputs() that lead to the same place. */
static bool say_pair(const brz_pipeline *p, const brz_place_pair *pair)
{
    if (pair->second == p->n_outputs)
        return brz_pipeline_refuse(p, NULL, "%s would be both an output and the palette map",
                                   p->palette_map);
    return brz_pipeline_refuse(p, NULL, "two outputs to %s",
                               name_of(p->outputs[pair->second].to, "standard output"));
}

/* Checks that no two outputs go to the same place, nor to that of the palette map. */
static bool check_outputs(const brz_pipeline *p)
{
    brz_place_pair pair;
    const char **paths = brz_calloc(p->n_outputs + 1, sizeof *paths);
    for (size_t i = 0; i < p->n_outputs; i++)
        paths[i] = p->outputs[i].write != NULL ? NULL : p->outputs[i].to;
    paths[p->n_outputs] = p->palette_map;
    bool found = brz_places_find_pair(paths, p->n_outputs + 1, &pair);
    free(paths);
    return !found || say_pair(p, &pair);
}

/* Reports that `path` is an input, and which role it would have besides. */
static bool say_input(const brz_pipeline *p, const brz_input *input, const char *path,
                      const char *role)
{
    const char *to = name_of(path, "standard output"), *from = name_of(input->name, "stdin");
    bool is_same_name = strcmp(to, from) == 0;
    return brz_pipeline_refuse(
        p, NULL, "%s would be both an input and %s%s%s; write to another file", to, role,
        is_same_name ? "" : ": it is the same file as ", is_same_name ? "" : from);
}

/* Returns whether an output may replace an input: the request permits it, and brazier reads the
 * output's format. */
static bool may_replace(const brz_pipeline *p, const brz_output_use *o)
{
    const char *id = o->use.loaded->component->id;
    return p->request->in_place && !brz_is_descriptor(o->to) &&
           brz_registry_find(p->session->registry, BRZ_COLLAPSER, brz_str_of_text(id), NULL) !=
               NULL;
}

/* Checks that no output and no palette map replaces an input. */
static bool check_inputs(const brz_pipeline *p, brz_input_places *places)
{
    const brz_input *input = NULL;
    if (p->palette_map != NULL)
        input = brz_input_places_find(places, p->palette_map);
    if (input != NULL)
        return say_input(p, input, p->palette_map, "the palette map");
    for (size_t i = 0; i < p->n_outputs; i++) {
        const brz_output_use *o = &p->outputs[i];
        input = o->write != NULL ? NULL : brz_input_places_find(places, o->to);
        if (input != NULL && !may_replace(p, o))
            return say_input(p, input, o->to, "an output");
    }
    return true;
}

/* Checks that `path`, which the run writes as `role`, is not one of the files that it reads besides
 * its inputs. */
static bool check_read_file(const brz_pipeline *p, brz_read_files *files, const char *path,
                            const char *role)
{
    brz_buf read = {0};
    bool good = !brz_read_files_find(files, path, &read) ||
                brz_pipeline_refuse(p, NULL, "%s would be both %s and %s; write to another file",
                                    name_of(path, "standard output"), brz_buf_text(&read), role);
    brz_buf_finish(&read);
    return good;
}

/* Checks that no output and no palette map replaces one of these files. */
static bool check_read_files(const brz_pipeline *p, brz_read_files *files)
{
    bool good =
        p->palette_map == NULL || check_read_file(p, files, p->palette_map, "the palette map");
    for (size_t i = 0; i < p->n_outputs && good; i++)
        good =
            p->outputs[i].write != NULL || check_read_file(p, files, p->outputs[i].to, "an output");
    return good;
}

void brz_pipeline_add_read_files(const brz_pipeline *p, brz_read_files *files)
{
    brz_read_files_add_config(files, p->session->config);
    brz_read_files_add_use(files, &p->collapse);
    for (size_t i = 0; i < p->n_outputs; i++) {
        brz_read_files_add_use(files, &p->outputs[i].use);
        for (size_t k = 0; k < p->outputs[i].palettes.n; k++)
            brz_read_files_add_use(files, &p->outputs[i].palettes.items[k].use);
    }
    for (size_t i = 0; i < p->transforms.n; i++)
        if (brz_transforms_use(&p->transforms, i) != NULL)
            brz_read_files_add_use(files, brz_transforms_use(&p->transforms, i));
}

bool brz_pipeline_check_guessed_places(const brz_pipeline *p, const brz_use *use)
{
    brz_read_files files = {0};
    if (p->request->is_survey)
        return true;
    brz_read_files_add_use(&files, use);
    bool good = check_read_files(p, &files);
    brz_read_files_finish(&files);
    return good;
}

bool brz_pipeline_check_places(const brz_pipeline *p)
{
    brz_input_places places = {.inputs = p->inputs, .n = p->n_inputs};
    if (p->request->is_survey)
        return true;
    brz_read_files files = {0};
    brz_pipeline_add_read_files(p, &files);
    bool good = check_outputs(p) && check_inputs(p, &places) && check_read_files(p, &files);
    brz_input_places_finish(&places);
    brz_read_files_finish(&files);
    return good;
}

/* ---- a file for each value ----------------------------------------------------------------- */

/* Returns whether a word can be a part in the name of a file, after adding an error if not. */
static bool check_part(brz_str part, brz_buf *error)
{
    if (part.len > 0 && memchr(part.data, '/', part.len) == NULL)
        return true;
    brz_buf_add_text(error, part.len == 0
                                ? "'split-by' takes process, thread, cpu or the name of a label"
                                : "'split-by' takes no label with '/' in its name");
    return false;
}

bool brz_pipeline_check_split(const brz_pipeline *p)
{
    const char *by = p->request->split_by;
    brz_buf error = {0};
    if (by == NULL)
        return true;
    brz_str part = brz_str_of_text(by);
    bool good = check_part(part, &error);
    for (size_t i = 0; i < p->n_outputs && good; i++) {
        good = p->outputs[i].write == NULL && brz_split_files_check(p->outputs[i].to, part, &error);
        if (p->outputs[i].write != NULL)
            brz_buf_add_text(&error, "'split-by' writes files, but an output goes to the program");
    }
    return brz_pipeline_check_error(p, brz_pipeline_key(p, "split-by"), NULL, &error);
}
