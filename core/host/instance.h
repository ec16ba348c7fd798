/* One instance of a component at work: its context, and the host's services behind it. */
#ifndef BRZ_INSTANCE_H
#define BRZ_INSTANCE_H

#include <brazier/collapser.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/run.h"
#include "plugin/loaded.h"
#include "profile/profile.h"
#include "host/trace.h"

typedef struct brz_instance {
    brz_ctx ctx; /* first: a plug-in's brz_ctx is its instance */
    const brz_loaded *loaded;
    brz_run *run;
    brz_arena memory;

    brz_profile *profile; /* of a collapser; one that stays empty of others */

    /* of a collapser */
    brz_trace *trace;
    brz_notices reports;
    const char *input;    /* the source's name */
    const uint8_t *chunk; /* being parsed */
    size_t chunk_len;
    uint64_t chunk_offset; /* of its first byte, over all inputs of the run */
    uint64_t chunk_line;   /* of its first byte, from 1; 0: not known */
    uint64_t chunk_column; /* of its first byte, from 0, if the line is known */

    /* of an output */
    struct brz_coloring *coloring; /* see draw/coloring.h */
} brz_instance;

/* Makes an instance with `inst_size` bytes of its own. `cfg` and `shared` outlive it. */
brz_instance *brz_instance_create(const brz_loaded *loaded, brz_run *run, const void *cfg,
                                  const void *shared, size_t inst_size, uint32_t index);
void brz_instance_destroy(brz_instance *i);

/* Returns the services of the host, as an instance is created with them. A caller that has more to
 * offer, as for outputs, copies the table and replaces members. */
const brz_host *brz_instance_host(void);

/* Makes it a collapser's: what it reports is about that input. */
void brz_instance_collect(brz_instance *i, const char *input, uint32_t ctx_flags);

/* True if it has called a service that fills a profile: nobody but a collapser may, and that not
 * everywhere. */
bool brz_instance_has_emitted(const brz_instance *i);

/* After `finish`: calls that tracers told of become samples. */
void brz_instance_finish_trace(brz_instance *i);

/* Adds a report of the host's own about the byte at `at` of the current chunk. */
void brz_instance_report(brz_instance *i, int32_t severity, const char *code, const uint8_t *at,
                         size_t len, const char *msg);

#endif
