/* SPDX-License-Identifier: MIT */
/* Declarations shared by the parts of the library and the program brazier, which is linked with
 * them. */
#ifndef BRZ_LIB_LIBRARY_H
#define BRZ_LIB_LIBRARY_H

#include <brazier.h>

#include <pthread.h>

#include "isolate/input_reader.h"
#include "run/pipeline.h"

struct brazier_session {
    brz_session core; /* must be first */
    brz_arena memory; /* holds the descriptions of components */
    brazier_diagnostic_fn *on_diagnostic;
    void *context;
    pthread_mutex_t lock; /* protects the members below: reports come from any thread */
    brz_arena texts;      /* holds the kept diagnostics */
    brazier_diagnostic **diagnostics;
    size_t n_diagnostics, diagnostics_cap;
    /* used only by the session's thread */
    brazier_component *components; /* NULL: not loaded yet */
    size_t n_components;
};

/* Returns the session that contains a core session. */
static inline brazier_session *brz_lib_session(brz_session *core)
{
    return (brazier_session *)core;
}

/* Guesses the format of an input with a reader. `reading` has the input and the run, which may be
 * stopped. Returns the name of the format, or NULL after reporting the reason, and stores the score
 * in *score. */
const char *brz_lib_guess(brazier_session *s, const brz_input_reader *reader, brz_reading reading,
                          int *score);

/* Adds an open regular file, which the caller closes after the last run. `name` is its name in
 * diagnostics. */
void brz_lib_add_input_descriptor(brazier_pipeline *p, const char *name, int fd);

/* Adds a function that returns bytes while they arrive, and waits for the next one. The run shows
 * the profile to `watch` meanwhile. */
void brz_lib_add_input_live(brazier_pipeline *p, const char *name, brz_read_fn *read, void *context,
                            const struct brz_watch *watch);

/* Adds a profile that another run has read. A run takes over *profile. */
void brz_lib_add_input_profile(brazier_pipeline *p, const char *name, brz_profile **profile);

/* Adds an output that the program has itself, without a plug-in. It is called like that of a
 * plug-in, with the call tree and the colours; what it writes is dropped. Its context has `cfg`, or
 * its options if that is NULL. */
void brz_lib_add_output_component(brazier_pipeline *p, const brz_loaded *output, const void *cfg);

/* Checks a pipeline like brazier_pipeline_check(), and that files of its outputs can be written, as
 * far as that shows before a run. Stores whether the time of a run is limited. */
brazier_status brz_lib_check_with_outputs(brazier_pipeline *p, bool *has_time_limit);

/* Returns the run of a pipeline, for handlers that stop it. */
brz_run *brz_lib_run(brazier_pipeline *p);

/* Copies a struct of the program, of its own size, into one of this library and zeroes the other
 * members. Returns false if the struct has no size, or has nonzero members that this library does
 * not know. */
bool brz_lib_take(void *own, size_t own_size, const void *theirs, size_t least);

/* Reports the misuse of a public function. */
#define BRZ_MISUSE(session, ...)                                                                   \
    brz_say_code(&(session)->core.console, BRZ_FATAL, BRZ_SAYS_OPTION, __VA_ARGS__)

#endif
