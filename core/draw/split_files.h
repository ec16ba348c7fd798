/* SPDX-License-Identifier: MIT */
/* Names the files of a run that writes a file for each value of a tag's part. */
#ifndef BRZ_SPLIT_FILES_H
#define BRZ_SPLIT_FILES_H

#include <brazier/base.h>

#include "base/buf.h"
#include "draw/render.h"

/* Maximum number of files that a run writes for each of its outputs. */
#define BRZ_MOST_SPLIT_FILES 1000

/* Checks a file's name, such as "flame-{thread}.svg" for the part "thread": it must contain the
 * part in braces, only in its last component, and in front of its ending. Returns false and appends
 * the reason to `error` if it does not. */
bool brz_split_files_check(const char *name, brz_str part, brz_buf *error);

/* Returns a file's name with the part replaced by a word. Release it with free(). */
char *brz_split_files_fill(const char *name, brz_str part, const char *word);

/* The names of all files. */
typedef struct brz_split_names {
    char **words; /* by value: what replaces the part */
    size_t n_words;
    char **names; /* by output and then by value */
    size_t n_names;
} brz_split_names;

/* Names the files of outputs for each value of the part. The words consist of letters, digits and a
 * few other characters, do not begin with a dot or a dash, and differ from each other. */
void brz_split_names_init(brz_split_names *s, const brz_output_use *outputs, size_t n_outputs,
                          brz_str part, const brz_str *values, size_t n_values);

static inline char *brz_split_names_at(const brz_split_names *s, size_t output, size_t value)
{
    return s->names[output * s->n_words + value];
}

void brz_split_names_finish(brz_split_names *s);

#endif
