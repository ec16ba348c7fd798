/* SPDX-License-Identifier: MIT */
/* Runs an output on a tree. */
#ifndef BRZ_CHECK_RUN_OUTPUT_H
#define BRZ_CHECK_RUN_OUTPUT_H

#include "check/contract/check.h"

typedef struct check_output_options {
    unsigned newer;   /* see host_monitor.h */
    size_t limit;     /* bytes that the sink accepts before it fails; SIZE_MAX: unlimited */
    uint32_t columns; /* width of the terminal that it writes to */
    bool drops;       /* the sink keeps no bytes */
} check_output_options;

typedef struct check_output_result {
    brz_buf bytes;
    brz_rc rc;
    bool sink_failed;
    size_t colors; /* number of requested colours */
} check_output_result;

void check_run_output(check *c, size_t component, const brz_tree *tree,
                      const check_output_options *how, check_output_result *w);
void check_output_result_finish(check_output_result *w);

/* Calls `run` for each output and each tree that it may receive, in write-protected arrays. */
void check_for_each_output(check *c, bool typical_only,
                           void (*run)(check *c, size_t component, const brz_tree *tree,
                                       const char *name));

extern const check_output_options check_default_output_options;

#endif
