/* SPDX-License-Identifier: MIT */
/* A sample, and how the usual ones are read quickly.
 *
 * Most of an input are samples in Protocol Buffers, whose members have the types that writers
 * choose. fields.h reads all others.
 */
#ifndef OTLP_SAMPLE_H
#define OTLP_SAMPLE_H

#include <brazier/text/buffer.h>

#include "fields.h"

/* A list of numbers. */
typedef struct number_list {
    int64_t *items;
    size_t n, cap;
} number_list;

/* A sample: a stack, the times at which it was taken, and its values: one for each type of the
 * profile or, of a profile with one type, one for each time. */
typedef struct sample {
    int64_t stack; /* position in the table of stacks */
    int64_t first, n_locations;
    bool has_range; /* `first` and `n_locations` are known */
    number_list values, times;
    int64_t link;
    const char *at;
    brz_str attributes; /* a packed list, if sample_read_usual() read the sample */
} sample;

/* The members of samples by their numbers. */
#define N_SAMPLE_NUMBERS 8
typedef struct sample_members {
    uint8_t of[N_SAMPLE_NUMBERS]; /* SAMPLE_STACK and others, or SAMPLE_OTHER */
    bool has_fixed_times;
} sample_members;
#define SAMPLE_OTHER UINT8_MAX

static inline void number_list_push(brz_ctx *ctx, number_list *list, int64_t number)
{
    list->items = brz_list_room(ctx, list->items, list->n, &list->cap, sizeof number);
    list->items[list->n++] = number;
}

/* Finds the members of samples in a layout. */
sample_members sample_members_of(layout l);

/* Starts to read a sample of a profile, which has a list of locations or not. */
static inline void sample_start(sample *s, brz_str message, bool has_range)
{
    s->values.n = s->times.n = 0;
    s->stack = s->first = s->n_locations = s->link = 0;
    s->has_range = has_range;
    s->at = message.data;
    s->attributes = brz_str_of(message.data, 0);
}

/* Reads a sample in Protocol Buffers. Returns false without a message if it is damaged, or has
 * another form than the usual one; some of `s` is then set. */
bool sample_read_usual(sample *s, const document *d, const sample_members *m, brz_str message);

#endif
