/* What came of showing a collapser an input. */
#ifndef BRZ_CHECK_OUTCOME_H
#define BRZ_CHECK_OUTCOME_H

#include "cases.h"
#include "base/diag.h"
#include "profile/profile.h"

typedef struct check_outcome {
    bool good, saturated;
    brz_buf stacks;   /* every stack and its weights */
    brz_buf messages; /* how often what was said, and where */
    size_t rest;      /* bytes left over at the end of the input */
    size_t n_samples; /* in order, if that was asked for */
    size_t emissions, after_stop;
    bool stopped;  /* a function returned BRZ_STOP */
    size_t memory; /* check_resident() before the instances were closed */
} check_outcome;

void check_outcome_add_profile(check_outcome *o, brz_profile *p);
void check_outcome_add_messages(check_outcome *o, const brz_notices *n);
void check_outcome_finish(check_outcome *o);

/* Says that a case came out differently, unless it did not; `how`: "in feeds of 7 bytes". Sums that
 * reached the end of their range, and runs that failed, may differ. */
void check_compare(check *c, const check_case *k, unsigned clause, const check_outcome *plain,
                   const check_outcome *other, const char *how);

/* True if two texts differ; then the lines where they begin to. */
bool check_texts_differ(const brz_buf *a, const brz_buf *b, brz_str *in_a, brz_str *in_b);

/* The bytes in use of the process' heap, and of memory that it takes in all; 0 if that cannot be
 * known. */
size_t check_heap_in_use(void);
size_t check_resident(void);

#endif
