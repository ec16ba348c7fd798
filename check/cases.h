/* What a collapser is tried with: each sample, with the options that it is to be read with. */
#ifndef BRZ_CHECK_CASES_H
#define BRZ_CHECK_CASES_H

#include "check.h"
#include "plugin/options.h"

typedef struct check_case {
    const brz_loaded *loaded;
    const brz_collapser *collapser;
    const void *cfg;
    const check_sample *sample; /* NULL: bytes of our own */
    const uint8_t *data;
    size_t len;
    char label[160]; /* "perf, sample.txt --kernel" */
} check_case;

typedef struct check_cases {
    check_case *items;
    size_t n, cap;
    brz_options **options;
    size_t n_options, options_cap;
} check_cases;

/* All cases of all collapsers. Options of samples that are not the component's own leave a case
 * out. Skips the test if there are none. */
bool check_cases_init(check_cases *k, check *c);
void check_cases_finish(check_cases *k);

/* A case of the i-th component, which is a collapser, without any bytes; false if it cannot do with
 * its defaults. */
bool check_case_bare(const check *c, size_t i, check_case *k);

/* A case with other bytes. */
check_case check_case_with(const check_case *k, const uint8_t *data, size_t len);

#endif
