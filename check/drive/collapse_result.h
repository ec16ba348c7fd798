/* SPDX-License-Identifier: MIT */
/* The result of running a collapser on an input. */
#ifndef BRZ_CHECK_COLLAPSE_RESULT_H
#define BRZ_CHECK_COLLAPSE_RESULT_H

#include "cases.h"
#include "base/diag.h"
#include "profile/profile.h"

typedef struct check_collapse_result {
    bool good, saturated;
    brz_buf stacks;   /* all stacks with their weights */
    brz_buf messages; /* messages with their counts and places */
    size_t rest;      /* bytes left unused at the end of the input */
    size_t n_samples; /* number of samples, if their order was requested */
    size_t emissions, after_stop;
    size_t related_calls;   /* calls of open_related */
    uint64_t tagged, timed; /* counts and samples with a tag or a time */
    bool stopped;           /* a function returned BRZ_STOP */
    size_t memory;          /* check_resident() before the instances were closed */
} check_collapse_result;

void check_collapse_result_add_profile(check_collapse_result *o, brz_profile *p);
void check_collapse_result_add_messages(check_collapse_result *o, const brz_notices *n);
void check_collapse_result_finish(check_collapse_result *o);

/* Reports a failure if a case had different results; `how` is, for example, "in feeds of 7 bytes".
 * Saturated sums and failed runs may differ. */
void check_compare(check *c, const check_case *k, unsigned clause,
                   const check_collapse_result *plain, const check_collapse_result *other,
                   const char *how);

/* Returns true if two texts differ, and stores the lines from the first difference on. */
bool check_texts_differ(const brz_buf *a, const brz_buf *b, brz_str *in_a, brz_str *in_b);

/* Return the bytes in use of the process's heap, and its total resident memory; 0 if unknown. */
size_t check_heap_in_use(void);
size_t check_resident(void);

#endif
