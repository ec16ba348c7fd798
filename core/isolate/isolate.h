/* SPDX-License-Identifier: MIT */
/* Runs work in a sandboxed child process, which reads a descriptor and returns its results through
 * a pipe.
 *
 * The child is a fork, so it has everything that this process has loaded, including plug-ins. It
 * enters the sandbox before it reads any input, and loads plug-ins that were only described under
 * the restrictions for that. Its results are treated as untrusted. If it crashes, violates the
 * sandbox or does not stop when asked to, an error is reported and only its input is lost.
 */
#ifndef BRZ_ISOLATE_H
#define BRZ_ISOLATE_H

#include "plugin/component_use.h"
#include "plugin/loaded.h"
#include "input/progress.h"
#include "input/related.h"
#include "profile/wire.h"
#include "base/run.h"

typedef struct brz_isolated {
    brz_run *run;
    brz_progress *progress;          /* or NULL; in the child, forwards to the parent */
    const char *name;                /* name of the input in messages */
    int input;                       /* descriptor of the input */
    unsigned threads;                /* maximum number of threads in the child */
    uint64_t memory;                 /* memory limit in bytes; 0: that of brz_sandbox_memory() */
    const brz_loaded *const *plugin; /* plug-in that the child runs, once known; or NULL */
    /* Loads plug-ins in the child, see brz_sandbox_needs; or NULL. */
    void (*load)(void *context, brz_run *run, brz_wire_out *out);
    const char *const *folders; /* of these plug-ins, a list that ends with NULL */
    /* Does the work in the child and writes the results to `out`. The parent prints the messages
     * sent to the console of `run`. NULL: `load` does all of it. */
    void (*work)(void *context, brz_run *run, brz_wire_out *out);
    /* Reads the results in the parent. May return early if the rest is not needed. */
    void (*take)(void *context, brz_wire_in *in);
    /* Finds a file for the child, in the parent, and tells the user about it; NULL: the child can
     * open none. */
    brz_related_fn *find;
    void *context;
    bool is_again;    /* the input was read before: the same restrictions are not reported again */
    unsigned seconds; /* the parent ends the child after this time; 0: it has no limit */
    brz_buf *why;     /* receives the reason if results are lost, instead of an error; or NULL */
} brz_isolated;

typedef enum brz_isolated_end {
    BRZ_ISOLATED_DONE,
    BRZ_ISOLATED_LOST, /* the results are incomplete or invalid; an error was reported, see `why` */
    BRZ_ISOLATED_STOPPED, /* the run was to end, and the child has stopped */
} brz_isolated_end;

/* Runs `work` in a child, reads its results with `take`, and waits for the child to end. */
brz_isolated_end brz_isolate(const brz_isolated *task);

/* Asks the parent for a file. For use in `work`, with `out` as the context. */
brz_related_found brz_isolated_find(void *out, brz_str name, uint32_t flags);

/* Suppresses the messages of the child until it is called with false. For use in `work`. */
void brz_isolated_mute(brz_run *run, bool mute);

/* Lets a component check its options, in the child and if the parent could not. Reports each fault.
 * Returns true without one. */
bool brz_isolated_validate(const brz_use *use, brz_console *console);

#endif
