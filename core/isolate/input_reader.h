/* SPDX-License-Identifier: MIT */
/* Reads inputs: guesses their format, or collapses them into a profile.
 *
 * There are two readers. One works in this process, the other one in a sandboxed child process, in
 * which a plug-in that crashes costs only its input. Both give the same results.
 */
#ifndef BRZ_INPUT_READER_H
#define BRZ_INPUT_READER_H

#include "base/run.h"
#include "collapse/collapse.h"
#include "collapse/guess.h"
#include "collapse/mismatch.h"
#include "input/input.h"
#include "input/related.h"
#include "input/source.h"
#include "plugin/component_use.h"

/* Decides on the guessed format of the input `name`: reports the guess and sets the collapser with
 * its options. Returns false, after reporting the reason, if the input is not to be collapsed. With
 * `is_child`, the process is a child whose parent makes the same decision: messages are suppressed,
 * and nothing but *use is kept. */
typedef bool brz_accept_fn(void *context, const brz_guess *g, const char *name, bool is_child,
                           brz_use *use);

/* An input, and how to read it. The members below `no_map` are for collapsing. */
typedef struct brz_reading {
    brz_registry *registry;
    brz_run *run;
    const brz_input *input;
    bool no_map;                  /* read files instead of mapping them, see brz_source */
    const brz_use *named;         /* the collapser; NULL: its format is guessed */
    bool is_default;              /* `named` is a default: input in another format is an error */
    bool is_only;                 /* there are no other inputs: an empty one is an error */
    bool allow_empty;             /* an input without samples is not an error */
    brz_collapse_options options; /* its progress may be NULL; a reader sets `related` */
    bool uses_cache;              /* what is computed from such files is kept for later runs */
    brz_related_rules rules;      /* where files that the input names may lie */
    uint64_t memory;              /* limit of a child in bytes; 0: see brz_isolated */
    brz_accept_fn *accept;
    void *context; /* argument of accept */
} brz_reading;

/* The result of collapsing an input. */
typedef enum brz_input_end {
    BRZ_INPUT_READ,
    BRZ_INPUT_FAILED,  /* the run fails; an error was reported */
    BRZ_INPUT_MISUSED, /* likewise, and options were invalid, which only the child could tell */
    BRZ_INPUT_LOST,    /* in isolation: other inputs can still be read; an error was reported */
} brz_input_end;

typedef struct brz_input_reader {
    /* Guesses the format of the input. Returns false if it cannot be read; an error was reported.
     * Otherwise the caller finishes the guess. */
    bool (*guess)(const brz_reading *r, brz_guess *g);

    /* Collapses the input and adds its samples to `into`. */
    brz_input_end (*collapse)(const brz_reading *r, brz_collected *into);
} brz_input_reader;

extern const brz_input_reader brz_local_reader, brz_isolated_reader;

/* ---- for the readers ----------------------------------------------------------------------- */

/* Opens an input that is a file; for others, sets only the name. Returns false after reporting an
 * error. */
bool brz_reading_find(const brz_reading *r, brz_found *found);

/* Creates the source of an input that was found, and owns its descriptor. */
brz_source *brz_reading_open(const brz_reading *r, const brz_found *found);

/* Returns the name of the input in messages. */
const char *brz_reading_name(const brz_reading *r);

/* Finds a file that the input names, and tells the user about it. */
brz_related_found brz_reading_find_related(const brz_reading *r, const brz_related_rules *rules,
                                           brz_str name, uint32_t flags);

/* Collapses a source: with the collapser `use` if the format was guessed, or else with the named
 * one. An input in the named format that contains stacks, although another collapser recognises it,
 * is an error. `related` finds files that the input names. Returns false if the run must fail; the
 * error was printed to the console of `run`, or is among the reports. If others are missing,
 * `into->lacks_others` tells whether one must be asked: before the input is collapsed, with the
 * result false, or after it was collapsed without stacks. */
bool brz_reading_collapse(const brz_reading *r, const brz_use *use, brz_feed *feed, brz_run *run,
                          brz_related *related, brz_others others, brz_collected *into);

#endif
