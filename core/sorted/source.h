/* SPDX-License-Identifier: MIT */
/* Reads the stacks of an input that has them in order: texts through a buffer, or samples. */
#ifndef BRZ_SORTED_SOURCE_H
#define BRZ_SORTED_SOURCE_H

#include "sorted/sample_stack.h"

typedef enum brz_sorted_state {
    BRZ_SORTED_READING,
    BRZ_SORTED_OVER,      /* all stacks were taken */
    BRZ_SORTED_NOT_PLAIN, /* the next record needs a collapser */
    BRZ_SORTED_FAILED,    /* the bytes cannot be read */
} brz_sorted_state;

/* Reads up to `n` bytes, n > 0. Sets *is_ended after the last byte of the input. Returns the number
 * of bytes; 0 without *is_ended is an error. */
typedef size_t brz_sorted_fill_fn(void *context, char *to, size_t n, bool *is_ended);

/* Reads a sample: see brz_sorted_reader.next. */
typedef int32_t brz_sorted_sample_fn(void *context, brz_sorted_sample *to);

typedef struct brz_sorted_source {
    const brz_sorted_reader *reader;
    brz_sorted_fill_fn *fill;
    void *context;
    brz_sorted_sample_fn *read_sample; /* in place of `fill`, or NULL */
    brz_sample_stack *samples;         /* the stack of the last one; the caller's */
    brz_sorted_state state;
    uint8_t *memory; /* the buffer, with slack on both sides */
    size_t cap, cap_max;
    brz_str rest;          /* bytes in the buffer whose records were not taken */
    brz_sorted_stack last; /* that was taken, with names in the buffer; no names: none was */
    bool is_ended;
    uint64_t at, size;        /* bytes that were read, and all; a size of 0 is unknown */
    brz_sorted_stack *stacks; /* the caller's: records that were taken together */
    size_t next, n, most;
} brz_sorted_source;

/* Prepares a source with a buffer of `cap` bytes, which grows up to `cap_max` bytes with the
 * longest record; an input with a longer one is not plain. It takes `most` records together, in
 * memory of the caller. */
void brz_sorted_source_init(brz_sorted_source *s, const brz_sorted_reader *reader, size_t cap,
                            size_t cap_max, brz_sorted_stack *stacks, size_t most);

/* Prepares a source of samples, which `read_sample` reads one by one. */
void brz_sorted_source_init_samples(brz_sorted_source *s, brz_sample_stack *samples,
                                    brz_sorted_sample_fn *read_sample, void *context,
                                    brz_sorted_stack *stacks);

/* Frees a source; a zeroed one is allowed. */
void brz_sorted_source_finish(brz_sorted_source *s);

/* Fills in the weight of the counts. */
void brz_sorted_source_weight(const brz_sorted_source *s, brz_column_desc *d);

/* Takes more records off the input. Returns the first of them, or NULL if `state` has changed. */
const brz_sorted_stack *brz_sorted_refill(brz_sorted_source *s);

/* Returns the next stack, valid until the next call, or NULL if `state` has changed. */
static inline const brz_sorted_stack *brz_sorted_next(brz_sorted_source *s)
{
    return s->next < s->n ? &s->stacks[s->next++] : brz_sorted_refill(s);
}

/* Stores the address of the next stacks, which were taken together and are valid until the next
 * call. Returns their number, or 0 if `state` has changed. */
static inline size_t brz_sorted_next_some(brz_sorted_source *s, const brz_sorted_stack **stacks)
{
    *stacks = brz_sorted_next(s);
    if (*stacks == NULL)
        return 0;
    size_t n = s->n - s->next + 1;
    s->next = s->n;
    return n;
}

#endif
