/* SPDX-License-Identifier: MIT */
/* Writes a file for each value of a part of the samples' tags. */
#include "run/execution.h"

#include <stdlib.h>
#include <string.h>

#include "base/beneath.h"
#include "base/mem.h"
#include "profile/split.h"
#include "draw/places.h"
#include "draw/split_files.h"

static brz_str part_name(const brz_pipeline *p)
{
    return brz_str_of_text(p->request->split_by);
}

/* ---- names --------------------------------------------------------------------------------- */

/* Returns the reason for refusing a file that a restricted configuration names: the rules for names
 * hold for the name with the value in it. */
static brz_refusal check_restricted(const brz_pipeline *p, const brz_split_names *f, size_t output,
                                    size_t value)
{
    const brz_inside *inside = &p->outputs[output].inside;
    if (inside->folder == NULL)
        return BRZ_REFUSED_NOT;
    char *resolved = NULL;
    char *filled = brz_split_files_fill(inside->path, part_name(p), f->words[value]);
    brz_refusal why = brz_beneath_resolve(inside->folder, inside->folder->path, filled, &resolved);
    free(resolved);
    free(filled);
    return why;
}

/* The maximum length of a file's name in bytes on common file systems. */
#define LONGEST_NAME 255

static bool check_name(const brz_pipeline *p, const brz_split_names *f, size_t output, size_t value)
{
    const char *name = brz_split_names_at(f, output, value);
    brz_refusal why = check_restricted(p, f, output, value);
    if (strlen(basename(name)) > LONGEST_NAME)
        return brz_pipeline_fail(p, BRZ_SAYS_WRITE, "%s: the name is longer than %d bytes", name,
                                 LONGEST_NAME);
    return why == BRZ_REFUSED_NOT ||
           brz_pipeline_fail(p, BRZ_SAYS_WRITE, "%s: refused: it %s", name, brz_refusal_text(why));
}

static bool refuse(const brz_pipeline *p, const char *name, const char *what)
{
    return brz_pipeline_fail(p, BRZ_SAYS_WRITE, "%s: refused: it is %s", name, what);
}

/* Checks that the files and the palette map have different places. */
static bool check_pairs(const brz_pipeline *p, const brz_split_names *f)
{
    brz_place_pair pair;
    size_t n = f->n_names;
    const char **paths = brz_calloc(n + 1, sizeof *paths);
    memcpy(paths, f->names, n * sizeof *paths);
    paths[n] = p->palette_map;
    bool found = brz_places_find_pair(paths, n + 1, &pair);
    free(paths);
    if (!found)
        return true;
    return pair.second == n ? refuse(p, f->names[pair.first], "the palette map")
                            : refuse(p, f->names[pair.second], "another output");
}

/* Checks that no file is an input, or another file that the run reads. */
static bool check_inputs(brz_execution *x, const brz_split_names *f)
{
    const brz_pipeline *p = x->plan;
    brz_input_places places = {.inputs = p->inputs, .n = p->n_inputs};
    brz_read_files others = {0};
    brz_buf role = {0};
    bool good = true;
    brz_pipeline_add_read_files(p, &others);
    for (size_t i = 0; i < f->n_names && good; i++)
        if (brz_input_places_find(&places, f->names[i]) != NULL)
            good = refuse(p, f->names[i], "an input");
        else if (brz_read_files_find(&others, f->names[i], &role))
            good = refuse(p, f->names[i], brz_buf_text(&role));
    brz_buf_finish(&role);
    brz_read_files_finish(&others);
    brz_input_places_finish(&places);
    x->is_misused |= !good;
    return good;
}

/* Checks all names before the first file is written, because the values are text of the input. */
static bool check_names(brz_execution *x, const brz_split_names *f)
{
    const brz_pipeline *p = x->plan;
    for (size_t i = 0; i < p->n_outputs; i++)
        for (size_t k = 0; k < f->n_words; k++)
            if (!check_name(p, f, i, k))
                return false;
    return check_pairs(p, f) && check_inputs(x, f);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Writes the outputs of a value. Stores whether it has anything to show. */
static bool write_value(brz_execution *x, const brz_split_names *f, size_t value, brz_profile *part,
                        bool *is_written)
{
    const brz_pipeline *p = x->plan;
    brz_output_use *outputs = brz_calloc(p->n_outputs, sizeof *outputs);
    for (size_t i = 0; i < p->n_outputs; i++) {
        outputs[i] = p->outputs[i];
        outputs[i].to = brz_split_names_at(f, i, value);
        if (outputs[i].inside.folder != NULL)
            outputs[i].inside.path =
                brz_split_files_fill(outputs[i].inside.path, part_name(p), f->words[value]);
    }
    bool good = brz_execution_write_part(x, part, outputs, is_written);
    for (size_t i = 0; i < p->n_outputs; i++)
        if (outputs[i].inside.folder != NULL)
            free(outputs[i].inside.path);
    free(outputs);
    return good;
}

/* Writes the outputs of all values. Reports an error if none has anything to show. */
static bool write_values(brz_execution *x, const brz_profile *whole, brz_split *split)
{
    brz_split_names f;
    bool wrote_any = false;
    brz_split_names_init(&f, x->plan->outputs, x->plan->n_outputs, part_name(x->plan), split->texts,
                         split->n);
    bool good = check_names(x, &f);
    for (size_t i = 0; i < split->n && good; i++) {
        bool is_written;
        brz_profile *part = brz_split_take(split, whole, i);
        good = write_value(x, &f, i, part, &is_written);
        wrote_any |= is_written;
        brz_profile_destroy(part);
    }
    brz_split_names_finish(&f);
    if (good && !wrote_any)
        return brz_pipeline_fail(x->plan, BRZ_SAYS_EMPTY, "%s: all samples have a weight of 0",
                                 brz_pipeline_input_name(x->plan));
    return good;
}

bool brz_execution_write_split(brz_execution *x, brz_profile *profile)
{
    brz_split split;
    brz_buf error = {0};
    const brz_tag_part part = brz_tag_part_of(part_name(x->plan));
    bool good = brz_split_init(&split, profile, &part, BRZ_MOST_SPLIT_FILES, &error);
    if (good)
        good = write_values(x, profile, &split);
    else
        brz_pipeline_fail(x->plan, BRZ_SAYS_EMPTY, "%s", brz_buf_text(&error));
    brz_split_finish(&split);
    brz_buf_finish(&error);
    return good;
}
