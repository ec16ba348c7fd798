/* SPDX-License-Identifier: MIT */
/* A pipeline: the inputs, transforms and outputs of a run. It is built from the configuration and
 * the command line, and reads the inputs once for all outputs. */
#ifndef BRZ_PIPELINE_H
#define BRZ_PIPELINE_H

#include "host/instance.h"
#include "request/request.h"
#include "config/session.h"

typedef struct brz_pipeline brz_pipeline;

/* The result of building or running a pipeline. */
typedef enum brz_verdict {
    BRZ_VERDICT_OK,
    BRZ_VERDICT_USAGE,    /* invalid request: exit status 2 */
    BRZ_VERDICT_FAILED,   /* failed run: exit status 1 */
    BRZ_VERDICT_PARTLY,   /* exit status 1, but with outputs, from the other inputs */
    BRZ_VERDICT_EXCEEDED, /* exit status 3: the outputs are written, a threshold is exceeded */
} brz_verdict;

/* Returns whether a run with this result has written its outputs. */
static inline bool brz_verdict_has_outputs(brz_verdict v)
{
    return v == BRZ_VERDICT_OK || v == BRZ_VERDICT_PARTLY || v == BRZ_VERDICT_EXCEEDED;
}

/* Builds a pipeline. Returns NULL after reporting an error, with the kind of error in *verdict. */
brz_pipeline *brz_pipeline_create(brz_session *s, const brz_request *request, brz_verdict *verdict);

/* Destroys a pipeline; NULL is allowed. The session and the request must outlive it. */
void brz_pipeline_destroy(brz_pipeline *p);

/* Stores the components of a pipeline, without duplicates, in `list`, which has room for `max`:
 * outputs, the collapser unless it is guessed, palettes. Returns their number. They live as long as
 * the session. */
size_t brz_pipeline_components(const brz_pipeline *p, const brz_component **list, size_t max);

/* Returns the limits of a run. */
const brz_limits *brz_pipeline_limits(const brz_pipeline *p);

/* Checks that files of outputs can be written, as far as that shows before a run. Returns false
 * after reporting an error. */
bool brz_pipeline_check_outputs(const brz_pipeline *p);

/* Runs a pipeline. Reports all errors. Fails without a message if the run's `stop` is set
 * meanwhile. */
brz_verdict brz_pipeline_run(const brz_pipeline *p, brz_run *run);

/* Appends a configuration that has the same pipeline under this name, with the origin of each
 * setting in comments. */
void brz_pipeline_describe(const brz_pipeline *p, const char *name, brz_buf *b);

#endif
