/* SPDX-License-Identifier: MIT */
/* Opens inputs whose collapser reads stacks in order, for a run that needs no profile: see
 * <brazier/draft/sorted.h>. */
#ifndef BRZ_SORTED_INPUTS_H
#define BRZ_SORTED_INPUTS_H

#include <pthread.h>

#include "input/source.h"
#include "run/execution.h"
#include "run/sorted_instance.h"
#include "sorted/source.h"

typedef struct brz_sorted_inputs brz_sorted_inputs;

typedef struct brz_sorted_input {
    brz_sorted_inputs *all; /* of which it is one */
    const char *name;
    uint64_t size; /* of the file */
    uint64_t device, inode;
    brz_packing packing;
    int fd;                      /* of a plain file; -1: it is opened for each buffer */
    uint64_t at;                 /* bytes of a plain file that were read */
    brz_stream *stream;          /* of a compressed file, while it is read; or NULL */
    brz_stream *file;            /* the stream below */
    size_t memory;               /* bytes that it takes to read an expensive one, about */
    bool is_whole;               /* its collapser needs the whole input */
    brz_sorted_instance samples; /* of a whole one, while it is read */
    bool has_changed;            /* while it was read */
} brz_sorted_input;

struct brz_sorted_inputs {
    const brz_execution *execution;
    brz_sorted_input *items;
    size_t n, n_expensive;
    size_t n_open;                   /* of many inputs, the first ones stay open */
    const brz_loaded *collapser;     /* of all inputs */
    const brz_sorted_reader *reader; /* which it offers */
    brz_use use;                     /* the collapser with its options, if it was guessed */
    brz_buf weight;                  /* name and unit of all whole inputs */
    pthread_mutex_t telling;         /* for the weight, and for one report of progress at a time */
};

static inline bool brz_sorted_input_is_packed(const brz_sorted_input *i)
{
    return i->packing != BRZ_PACKED_NOT;
}

/* Returns whether an input takes much memory while it is read. */
static inline bool brz_sorted_input_is_expensive(const brz_sorted_input *i)
{
    return i->is_whole || brz_sorted_input_is_packed(i);
}

/* Returns the writer of sorted stacks that an output offers, or NULL. */
const brz_sorted_writer *brz_sorted_writer_of(const brz_loaded *l);

/* Returns whether all options of a component have their defaults. */
bool brz_has_default_options(const brz_use *use);

/* Opens the inputs of a run that asks for nothing but the sums of its inputs' counts, apart from
 * comparing them and from settings of outputs, and checks the beginning of each. Returns false,
 * without a message, if the run needs a profile: anything else was asked for, an input is not a
 * regular file or not in order, or all together are small. */
bool brz_sorted_inputs_open(brz_sorted_inputs *s, const brz_execution *x);

/* Opens a compressed input, from its beginning on. One that cannot be opened fails when it is read.
 */
void brz_sorted_input_begin(brz_sorted_input *i);

/* Reads a whole input, and begins to take samples from it. Returns BRZ_SORTED_READING, or the state
 * of a source that gives none. */
brz_sorted_state brz_sorted_input_load(brz_sorted_input *i);

/* Returns the function that reads an input, whose context is the input. */
brz_sorted_fill_fn *brz_sorted_input_fill(const brz_sorted_input *i);

/* Ends reading an expensive input, before it is closed. */
void brz_sorted_input_end(brz_sorted_input *i);

/* Reports an input that has changed while it was read. Returns false if none has. */
bool brz_sorted_inputs_say_changed(const brz_sorted_inputs *s);

/* Releases the inputs; zeroed ones are allowed. */
void brz_sorted_inputs_close(brz_sorted_inputs *s);

#endif
