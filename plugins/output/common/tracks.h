/* Threads of a profile, and the samples of each thread and weight in order.
 *
 * For formats with threads or times: the output sets BRZ_OUTPUT_TIME and BRZ_OUTPUT_STACKS. A track
 * is a thread with one weight. Its samples are referred to, not copied.
 */
#ifndef OUTPUT_COMMON_TRACKS_H
#define OUTPUT_COMMON_TRACKS_H

#include "keys.h"
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
    thread *threads; /* sorted by process id, thread id and names */
    track *items;    /* sorted by thread; the run's weight precedes other weights */
    uint64_t *order; /* samples, by track: in order of time, or of stacks without times */
    uint32_t *threads_of_tags;
    uint32_t n_threads, n;
    uint32_t heaviest; /* track of the run's weight with the largest total */
} tracks;

/* A value of a stack. */
typedef struct piece {
    uint32_t stack; /* index for brz_stack_at() */
    int64_t value;
    int64_t time; /* in nanoseconds, in tracks with times */
} piece;

/* Finds the tracks. Returns false if the profile has neither threads nor times, or if it is a
 * comparison, which has no samples. The memory belongs to the plug-in instance. */
bool tracks_init(tracks *t, brz_output_ctx *ctx, const brz_tree *tree);

/* Stores the next piece of a track in *p, beginning at *at, which is 0 at first. Without times,
 * equal stacks make one piece. Returns false at the end. */
bool tracks_next(const tracks *t, const track *of, uint64_t *at, piece *p);

/* Returns the name of a thread: its own or else that of its process, or "thread". With `numbers`
 * appends the ids that are known, and the weight if the thread has several. */
brz_str tracks_name(const tracks *t, brz_output_ctx *ctx, const track *of, bool numbers);

#endif
