/* SPDX-License-Identifier: MIT */
/* Counts the self time of events of threads, without that of the events that they called.
 *
 * The events of a thread are sorted by the times at which they begin. Of those that begin at the
 * same time, the one that lasts longest is the outermost; those with a beginning of their own stay
 * in the order of the file. Events without duration take no time and are left out. An event that
 * ends while one is open that began within it lasts as long as that one. Events that do not end
 * last until their thread ends.
 */
#ifndef COMMON_NESTING_NESTING_H
#define COMMON_NESTING_NESTING_H

#include <brazier/text/stacks.h>

#define NESTED_NO_NAME UINT32_MAX

typedef enum nested_kind { NESTED_BEGINS, NESTED_ENDS, NESTED_COMPLETE } nested_kind;

/* An event with a duration, or the beginning or end of one. */
typedef struct nested_event {
    int64_t begin, end; /* equal until the end of a beginning is found */
    uint32_t name;      /* number of the name; NESTED_NO_NAME: without a name */
    brz_frame frame;
    uint32_t track; /* number of the thread */
    uint32_t outer; /* while ends are found: the open event of the same name around it, from 1 */
    uint8_t kind;   /* nested_kind */
    bool early;     /* an end of the same name and time stands before it */
    bool endless;   /* a beginning without an end */
} nested_event;

/* The column, tag and precision of the time of a thread. */
typedef struct nested_track {
    uint32_t column; /* id of the host */
    int64_t divisor; /* number of units of time that count 1 in the column */
    brz_tag tag;
    bool timed; /* times are in nanoseconds, and the host gets them */
} nested_track;

struct nesting_reader;

/* The events of an input, in its order. */
typedef struct nesting {
    nested_event *events;
    size_t n_events;
    size_t n_names, n_tracks;
    brz_stacks *stacks;                       /* what they count into */
    uint64_t unmatched, endless, overlapping; /* numbers of events that do not nest */
    uint32_t *order;                          /* indices of events, sorted by thread */
    size_t *first;                            /* by thread: its first event in `order` */
    struct nesting_reader *reader;
} nesting;

/* Sorts the events by thread. Initialise the first five members before, and zero the others. */
void nesting_sort(nesting *n, brz_ctx *ctx);

/* Returns the number of events of a thread, after nesting_sort(). */
static inline size_t nesting_track_length(const nesting *n, uint32_t track)
{
    return n->first[track + 1] - n->first[track];
}

/* Counts the time of a thread, once. Adds to the numbers of events that do not nest. */
brz_rc nesting_count(nesting *n, uint32_t track, const nested_track *how);

#endif
