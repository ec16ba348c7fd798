/* A pipeline: what a run reads, does and writes. Built from the configuration and the command line,
 * then run: one pass over the inputs, however many outputs. */
#ifndef BRZ_PIPELINE_H
#define BRZ_PIPELINE_H

#include "base/suggest.h"
#include "host/instance.h"
#include "run/request.h"
#include "run/session.h"

typedef struct brz_pipeline brz_pipeline;

/* What is wrong with a request. */
typedef enum brz_verdict {
    BRZ_VERDICT_OK,
    BRZ_VERDICT_USAGE,  /* it cannot be done as asked: exit status 2 */
    BRZ_VERDICT_FAILED, /* it was tried: exit status 1 */
    BRZ_VERDICT_PARTLY, /* the same, and outputs are there, without the inputs that were lost */
} brz_verdict;

/* The pipeline of the configuration whose name is nearest to one that it does not have. */
brz_suggestion brz_pipeline_suggest(brz_session *s, const char *name);

/* Builds what is asked for; NULL after saying what is wrong, with the verdict in *verdict. */
brz_pipeline *brz_pipeline_create(brz_session *s, const brz_request *request, brz_verdict *verdict);

/* The session and the request outlive it. NULL is fine. */
void brz_pipeline_destroy(brz_pipeline *p);

/* Puts the components of a pipeline into `list`, which has room for `max`, each once: outputs, the
 * collapser unless it is guessed, palettes. Returns how many. They live as long as the session. */
size_t brz_pipeline_components(const brz_pipeline *p, const brz_component **list, size_t max);

/* Reads, transforms and writes. What fails was said; if `stop` of the run is set meanwhile it fails
 * too, without a word. */
brz_verdict brz_pipeline_run(brz_pipeline *p, brz_run *run);

/* Appends what the pipeline would do, as YAML, with where each setting comes from. */
void brz_pipeline_describe(const brz_pipeline *p, brz_buf *b);

#endif
