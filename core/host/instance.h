/* SPDX-License-Identifier: MIT */
/* An instance of a component: its context and its state in the host. */
#ifndef BRZ_INSTANCE_H
#define BRZ_INSTANCE_H

#include <brazier/collapser.h>
#include <brazier/output.h>
#include <brazier/palette.h>
#include <brazier/transform.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/run.h"
#include "plugin/loaded.h"
#include "profile/detail.h"
#include "profile/profile.h"
#include "host/parallel.h"
#include "host/trace.h"
#include "input/related.h"

typedef struct brz_instance {
    /* Must be first: the plug-in's context is the instance. All begin with the same members.
     */
    union {
        brz_ctx ctx;
        brz_palette_ctx palette_ctx;
        brz_output_ctx output_ctx;
        brz_transform_ctx transform_ctx;
    };
    const brz_loaded *loaded;
    brz_run *run;
    brz_arena memory;

    /* Filled by collapsers. Has the new frames of transforms; empty for other components. */
    brz_profile *profile;

    /* Members for collapsers. */
    brz_trace *trace;
    brz_count last_count; /* passed to `add` */
    brz_notices reports;
    const char *input;    /* name of the input */
    bool rejected;        /* a call of a service was rejected */
    bool closing;         /* its samples and reports are taken: it may add no more samples */
    const uint8_t *chunk; /* the chunk being parsed */
    size_t chunk_len;
    uint64_t chunk_offset; /* position of its first byte over all inputs of the run */
    uint64_t chunk_line;   /* line of its first byte, from 1; 0: unknown */
    uint64_t chunk_column; /* column of its first byte, from 0, if the line is known */
    uint64_t chunk_byte;   /* position of its first byte in this input */
    brz_input_desc input_desc;
    brz_related *related;   /* files that belong to the input; NULL: none can be opened */
    uint32_t drops;         /* BRZ_DROPS_*: attributes that frames lose before they are compared */
    unsigned threads;       /* number of threads for its work, the caller's included; 0: as 1 */
    brz_parallel *parallel; /* NULL: it has started no work */
    bool in_order;          /* one thread is to parse the whole input */
    bool is_watched;        /* the profile is shown while the input is read */
    bool is_binary;         /* positions in the input are byte offsets */
    brz_buf demangled;      /* the last name that the instance had demangled */

    /* Members for transforms, which use `reports`, `drops` and `related`, too. */
    brz_frame first_frame; /* id of the first new frame; those before are of the tree */

    /* Members for outputs. */
    struct brz_coloring *coloring; /* colours for host->color: see draw/coloring.h */
    brz_str source;                /* names of the files that are shown; empty: unknown */
    const brz_codes *codes;        /* of the profile; NULL: none */
} brz_instance;

/* Records a call of the instance's component, which receives the context: see brz_call_enter. */
void brz_instance_enter(brz_instance *i, const char *phase, const char *input, uint64_t offset,
                        size_t len);

/* Ends the call. Reports what a thread of the plug-in did wrong in the meantime. */
void brz_instance_leave(brz_instance *i);

/* Prepares an instance for collapsing an input, to which its reports will refer. `ctx_flags` are
 * BRZ_CTX_*. */
void brz_instance_collect(brz_instance *i, const char *input, uint32_t ctx_flags);

/* Returns whether the instance has called a service that fills a profile, which collapsers may do
 * in some of their functions only. */
bool brz_instance_has_emitted(const brz_instance *i);

/* Converts the calls that a tracer reported into samples; called after `finish`. */
void brz_instance_finish_trace(brz_instance *i);

/* Adds a report about the byte at `at` of the current chunk, or NULL. Prints a report of an output
 * or a palette immediately. */
void brz_instance_add_report(brz_instance *i, brz_notice *r, const uint8_t *at);

/* Adds a report about a byte of this chunk or an earlier one, by its offset in the input. */
void brz_instance_add_earlier_report(brz_instance *i, brz_notice *r, uint64_t offset);

/* Adds a report of the host itself about the byte at `at` of the current chunk. */
void brz_instance_report(brz_instance *i, int32_t severity, const char *code, const uint8_t *at,
                         size_t len, const char *msg);

/* Adds a warning of the host that the record at `at` is left out. */
void brz_instance_report_lost(brz_instance *i, const char *code, const uint8_t *at,
                              const char *msg);

#endif
