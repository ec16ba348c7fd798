/* SPDX-License-Identifier: MIT */
/* The plug-in under test: its file, its components, and sample inputs of its collapsers (see
 * check_samples_read).
 */
#ifndef BRZ_CHECK_SUBJECT_H
#define BRZ_CHECK_SUBJECT_H

#include "plugin/loader.h"
#include "samples.h"

typedef struct check_component {
    uint32_t kind, flags; /* flags of its vtable */
    char *id;
    check_sample *samples; /* samples of a collapser */
    size_t n_samples;
} check_component;

typedef struct check_subject {
    const char *path, *program; /* absolute paths */
    const char *samples;        /* folder of samples; NULL: beside the file */
    brz_tier tier;
    const char *const *also_read; /* ids of built-in formats that it intentionally reads */
    size_t n_also_read;
    check_component *components;
    size_t n, cap;
} check_subject;

/* Adds a component and reads its samples. */
void check_subject_add(check_subject *s, uint32_t kind, uint32_t flags, brz_str id);
void check_subject_finish(check_subject *s);

/* Returns the bits of the kinds of its components. */
uint32_t check_subject_kinds(const check_subject *s);

/* Returns the number of samples. */
size_t check_subject_samples(const check_subject *s);

#endif
