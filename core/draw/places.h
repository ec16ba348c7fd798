/* SPDX-License-Identifier: MIT */
/* Places of a run's files: no two outputs may have the same place, and no input may be replaced. */
#ifndef BRZ_PLACES_H
#define BRZ_PLACES_H

#include <sys/types.h>

#include "input/input.h"

/* Two of several paths. */
typedef struct brz_place_pair {
    size_t first, second; /* indexes; first < second */
} brz_place_pair;

/* Finds two paths for which brz_is_same_place() holds. NULL elements have no place. Returns false
 * if all places differ. */
bool brz_places_find_pair(const char *const *paths, size_t n, brz_place_pair *pair);

/* An input that is a regular file. */
typedef struct brz_place_of_input {
    dev_t device;
    ino_t inode;
    const brz_input *input;
} brz_place_of_input;

/* The inputs of a run, which outputs must not replace. Initialise the first two members; the inputs
 * are examined only if an output exists already. */
typedef struct brz_input_places {
    const brz_input *inputs;
    size_t n;
    brz_place_of_input *files; /* sorted; NULL: not examined yet */
    size_t n_files;
} brz_input_places;

/* Returns the input that is the same file as `path`, by device and inode, or NULL. Only regular
 * files count: a terminal may be both read and written. */
const brz_input *brz_input_places_find(brz_input_places *p, const char *path);

void brz_input_places_finish(brz_input_places *p);

#endif
