/* What is checked: a file, the components that were found in it, and samples of what collapsers
 * read.
 *
 * Samples are files of a folder: see check_samples_read.
 */
#ifndef BRZ_CHECK_SUBJECT_H
#define BRZ_CHECK_SUBJECT_H

#include "plugin/loader.h"
#include "samples.h"

typedef struct check_component {
    uint32_t kind, flags; /* flags of its vtable */
    char *id;
    check_sample *samples; /* of a collapser */
    size_t n_samples;
} check_component;

typedef struct check_subject {
    const char *path, *program; /* absolute */
    const char *samples;        /* the folder; NULL: beside the file */
    brz_tier tier;
    const char *const *also_read; /* ids of built-in formats that it reads on purpose */
    size_t n_also_read;
    check_component *components;
    size_t n, cap;
} check_subject;

/* Adds a component, and reads its samples. */
void check_subject_add(check_subject *s, uint32_t kind, uint32_t flags, brz_str id);
void check_subject_finish(check_subject *s);

/* The bits of the kinds that it has. */
uint32_t check_subject_kinds(const check_subject *s);

/* How many samples there are. */
size_t check_subject_samples(const check_subject *s);

#endif
