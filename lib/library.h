/* What the parts of the library share, and what the program brazier, which is linked with them, may
 * use beside the public header. */
#ifndef BRZ_LIB_LIBRARY_H
#define BRZ_LIB_LIBRARY_H

#include <brazier.h>

#include <pthread.h>

#include "run/pipeline.h"

struct brazier_session {
    brz_session core; /* first */
    brz_arena memory; /* of what is told about components */
    brazier_diagnostic_fn *on_diagnostic;
    void *context;
    pthread_mutex_t lock; /* of all below: reports come from any thread */
    brz_arena texts;      /* of the diagnostics that are kept */
    brazier_diagnostic **diagnostics;
    size_t n_diagnostics, diagnostics_cap;
    /* of the session's thread */
    brazier_component *components; /* NULL: not loaded yet */
    size_t n_components;
};

/* The session that a core session is part of. */
static inline brazier_session *brz_lib_session(brz_session *core)
{
    return (brazier_session *)core;
}

/* The run of a pipeline, for handlers that stop it. */
brz_run *brz_lib_run(brazier_pipeline *p);

/* Copies a struct that a program made, of its size, into one of ours, whose other members become
 * zero. False if it has members that are not known here and not zero, or no size. */
bool brz_lib_take(void *own, size_t own_size, const void *theirs, size_t least);

/* "…" ends the call of a public function with a diagnostic about its use. */
#define BRZ_MISUSE(session, ...)                                                                   \
    brz_say_code(&(session)->core.console, BRZ_FATAL, BRZ_SAYS_OPTION, __VA_ARGS__)

#endif
