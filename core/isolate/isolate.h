/* Work in a child process that can do no harm: it reads one descriptor, and answers.
 *
 * The child is a fork, so it knows all that this process knew, plug-ins included; it is put into a
 * sandbox before anything of the input is read. What it answers is taken as from a stranger. If it
 * crashes, breaks out, or does not end when it is asked to, that is told and nothing else is lost.
 */
#ifndef BRZ_ISOLATE_H
#define BRZ_ISOLATE_H

#include "plugin/loaded.h"
#include "input/progress.h"
#include "profile/wire.h"
#include "base/run.h"

typedef struct brz_isolated {
    brz_run *run;
    brz_progress *progress;          /* or NULL; in the child, it tells the parent */
    const char *name;                /* the input's, for messages */
    int input;                       /* its descriptor */
    unsigned threads;                /* how many the child may want */
    uint64_t memory;                 /* bytes that the child may take; 0: what a sandbox has */
    const brz_loaded *const *plugin; /* whose code the child runs, once it is known; or NULL */
    /* In the child: does it, and gives what comes of it. What is said on the console of `run` is
     * said by the parent. */
    void (*work)(void *context, brz_run *run, brz_wire_out *out);
    /* In the parent: takes what is given; returns early if the rest is not needed. */
    void (*take)(void *context, brz_wire_in *in);
    void *context;
} brz_isolated;

typedef enum brz_isolated_end {
    BRZ_ISOLATED_DONE,
    BRZ_ISOLATED_LOST,    /* whatever was taken is incomplete, or a lie; said why */
    BRZ_ISOLATED_STOPPED, /* the run is to end, and the child has obeyed */
} brz_isolated_end;

/* Lets `work` be done in a child and `take` take what it gives, and waits for the child's end. */
brz_isolated_end brz_isolate(const brz_isolated *task);

/* In the child's work: says nothing until it is called with false. */
void brz_isolated_mute(brz_run *run, bool mute);

#endif
