/* SPDX-License-Identifier: MIT */
/* Places of a run's files: no two outputs may have the same place, and no input may be replaced. */
#include "draw/places.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "draw/sink.h"

/* ---- places of outputs ---------------------------------------------------------------------- */

/* The place of a path. */
typedef struct place {
    char *text;
    size_t index;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

bool brz_places_find_pair(const char *const *paths, size_t n, brz_place_pair *pair)
{
    place *places = brz_calloc(n, sizeof *places);
    size_t n_places = 0;
    bool found = false;
    for (size_t i = 0; i < n; i++)
        if (paths[i] != NULL)
            places[n_places++] = (place){brz_place_of(paths[i]), i};
    qsort(places, n_places, sizeof *places, compare_places);
    for (size_t i = 1; i < n_places; i++) {
        if (strcmp(places[i - 1].text, places[i].text) != 0 ||
            (found && places[i].index > pair->second))
            continue;
        *pair = (brz_place_pair){places[i - 1].index, places[i].index};
        found = true;
    }
    for (size_t i = 0; i < n_places; i++)
        free(places[i].text);
    free(places);
    return found;
}

/* ---- inputs --------------------------------------------------------------------------------- */

/* Stores the state of an input. Returns false if it is no regular file. */
static bool stat_input(const brz_input *input, struct stat *st)
{
    int result = -1;
    if (input->kind == BRZ_INPUT_DESCRIPTOR)
        result = fstat(input->fd, st);
    else if (input->kind == BRZ_INPUT_FILE && input->inside.folder != NULL)
        result = fstatat(input->inside.folder->fd, input->inside.path, st, 0);
    else if (input->kind == BRZ_INPUT_FILE && strcmp(input->name, "-") == 0)
        result = fstat(STDIN_FILENO, st);
    else if (input->kind == BRZ_INPUT_FILE)
        result = stat(input->name, st);
    return result == 0 && S_ISREG(st->st_mode);
}

static int compare_files(const void *a, const void *b)
{
    const brz_place_of_input *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->inode > y->inode) - (x->inode < y->inode);
}

static void examine_inputs(brz_input_places *p)
{
    struct stat st;
    p->files = brz_calloc(p->n + 1, sizeof *p->files);
    for (size_t i = 0; i < p->n; i++)
        if (stat_input(&p->inputs[i], &st))
            p->files[p->n_files++] = (brz_place_of_input){st.st_dev, st.st_ino, &p->inputs[i]};
    qsort(p->files, p->n_files, sizeof *p->files, compare_files);
}

const brz_input *brz_input_places_find(brz_input_places *p, const char *path)
{
    struct stat st;
    if (!brz_place_stat(path, &st) || !S_ISREG(st.st_mode))
        return NULL;
    if (p->files == NULL)
        examine_inputs(p);
    const brz_place_of_input wanted = {.device = st.st_dev, .inode = st.st_ino};
    const brz_place_of_input *found =
        bsearch(&wanted, p->files, p->n_files, sizeof wanted, compare_files);
    return found == NULL ? NULL : found->input;
}

void brz_input_places_finish(brz_input_places *p)
{
    free(p->files);
    p->files = NULL;
}
