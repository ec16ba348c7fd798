/* SPDX-License-Identifier: MIT */
/* The cases that a collapser is tested with: each sample with each set of options. */
#ifndef BRZ_CHECK_CASES_H
#define BRZ_CHECK_CASES_H

#include "check/contract/check.h"
#include "plugin/options.h"

typedef struct check_case {
    const brz_loaded *loaded;
    const brz_collapser *collapser;
    const void *cfg;
    const check_sample *sample; /* NULL: generated input */
    const uint8_t *data;
    size_t len;
    char label[160]; /* such as "perf, sample.txt --kernel" */
} check_case;

typedef struct check_cases {
    check_case *items;
    size_t n, cap;
    brz_options **options;
    size_t n_options, options_cap;
} check_cases;

/* Builds the cases of all collapsers; leaves out those with options that the component lacks. Skips
 * the test and returns false if no case remains. */
bool check_cases_init(check_cases *k, check *c);
void check_cases_finish(check_cases *k);

/* Builds a case without input for the i-th component, a collapser. Returns false if its default
 * options are not sufficient. */
bool check_case_bare(const check *c, size_t i, check_case *k);

/* Returns a copy of a case with other input. */
check_case check_case_with(const check_case *k, const uint8_t *data, size_t len);

#endif
