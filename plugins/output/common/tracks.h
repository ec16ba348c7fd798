/* SPDX-License-Identifier: MIT */
/* Threads of a profile, and the samples of each thread and weight in order.
 *
 * For formats with threads or times: the output sets BRZ_OUTPUT_TIME and BRZ_OUTPUT_STACKS. A track
 * is a thread with one weight, or the samples of one with the same labels. Its samples are referred
 * to, not copied.
 */
#ifndef OUTPUT_COMMON_TRACKS_H
#define OUTPUT_COMMON_TRACKS_H

#include "keys.h"
#include "label_sets.h"
#include "texts.h"

typedef struct thread {
    const brz_tag_info *tag; /* a tag of the thread, for its ids and names */
    brz_str process_name;    /* from any thread of the process */
    int64_t process;         /* process id, or a number that no process has */
    uint32_t n_tracks;
} thread;

typedef struct track {
    uint32_t thread, weight;
    uint64_t first, n;  /* part of tracks.order */
    int64_t id;         /* of the thread, or a number that no thread has */
    int64_t start, end; /* times of the first and the last sample */
    int64_t total;
    bool timed; /* samples have times; the first ones may lack them */
    bool shown; /* its weight is the run's */
} track;

typedef struct tracks {
    const brz_tree *tree;
    const label_sets *labels; /* NULL: not wanted */
    thread *threads;          /* sorted by process id, thread id and names, then by labels */
    track *items;             /* sorted by thread; the run's weight precedes other weights */
    uint64_t *order;          /* samples, by track: in order of time, or of stacks without times */
    uint32_t *threads_of_tags;
    uint32_t n_threads, n;
    size_t cap;        /* capacity in tracks */
    uint32_t heaviest; /* track of the run's weight with the largest total */
    bool is_by_labels; /* samples of different labels have different tracks, and threads */
    bool has_threads;  /* a thread or times are known, not only labels */
} tracks;

/* A value of a stack. */
typedef struct piece {
    uint32_t stack; /* index for brz_stack_at() */
    int64_t value;
    int64_t time;    /* in nanoseconds, in tracks with times */
    uint32_t labels; /* number of their set */
} piece;

/* The role of labels, which the output may not want. */
typedef enum tracks_labels {
    TRACKS_WITH_LABELS, /* pieces have labels */
    TRACKS_BY_LABELS,   /* tracks have labels, too, as if each set had threads of its own */
} tracks_labels;

/* Finds the tracks. Returns false if the profile has neither threads nor times nor labels, or if it
 * is a comparison, which has no samples. Without `labels`, which must outlive the tracks, all
 * samples have the empty set. The memory belongs to the plug-in instance. */
bool tracks_init(tracks *t, brz_output_ctx *ctx, const brz_tree *tree, const label_sets *labels,
                 tracks_labels role);

/* Returns a tag with the labels of a piece; NULL for none. */
static inline const brz_tag_info *tracks_labels_at(const tracks *t, uint32_t labels)
{
    return labels == 0 ? NULL : t->labels->items[labels];
}

/* Stores the next piece of a track in *p, beginning at *at, which is 0 at first. Without times,
 * equal stacks with equal labels make one piece, and those with equal labels follow one another.
 * Returns false at the end. */
bool tracks_next(const tracks *t, const track *of, uint64_t *at, piece *p);

/* Returns the name of a thread: its own or else that of its process, or "thread". With `numbers`
 * appends the ids that are known; with tracks by labels, the labels; and the weight if the thread
 * has several. If nothing but labels is known, they or else the weight are the name. */
brz_str tracks_name(const tracks *t, brz_output_ctx *ctx, const track *of, bool numbers);

#endif
