/* SPDX-License-Identifier: MIT */
/* Caches the frames found in this chunk by their text: a line that continues like an earlier one
 * gets its frames from there.
 *
 * A run is a sequence of adjacent frames in a line. The table maps the text at the start of a frame
 * to the last position of that text; the following frames are compared.
 */
#ifndef FOLDED_RUNS_H
#define FOLDED_RUNS_H

#include <brazier/text/hash.h>
#include <brazier/text/stacks.h>

#define RUNS_LEAST 64u   /* slots for a short chunk */
#define RUNS_SLOTS 8192u /* slots for a long one; both are powers of two */
#define RUNS_BYTES 16    /* of text for each slot of other chunks, so that these clear few slots */

/* A frame in the text of the chunk. The next frame of its run begins after the ';' at its end. */
typedef struct run_frame {
    uint32_t start, end;
    brz_frame id;
} run_frame;

typedef struct runs {
    const char *text;    /* text of the chunk */
    size_t tried, found; /* number of look-ups in this chunk, and of frames that they found */
    uint32_t *slots;     /* frame number + 1; 0: free */
    uint32_t mask;       /* number of slots in use - 1 */
    run_frame *frames;
    size_t n, cap;
    brz_hash_keys keys;
} runs;

static inline void runs_init(runs *r, brz_ctx *ctx)
{
    r->cap = 1024;
    r->slots = ctx->host->alloc(ctx, RUNS_SLOTS * sizeof *r->slots, 64);
    r->frames = ctx->host->alloc(ctx, r->cap * sizeof *r->frames, 64);
    r->keys = brz_hash_keys_of(ctx->seed);
}

/* Clears the cache at the beginning of a chunk of `len` bytes. */
static inline void runs_start(runs *r, const char *text, size_t len)
{
    uint32_t n_slots = RUNS_LEAST;
    while (n_slots < RUNS_SLOTS && (size_t)n_slots * RUNS_BYTES < len)
        n_slots *= 2;
    if (r->n > 0)
        memset(r->slots, 0, ((size_t)r->mask + 1) * sizeof *r->slots);
    r->mask = n_slots - 1;
    r->text = text;
    r->n = r->tried = r->found = 0;
}

/* Notes that a look-up found `n` frames. */
static inline void runs_note(runs *r, size_t n)
{
    r->tried++;
    r->found += n;
}

/* Returns whether look-ups find so little in this chunk that parsing frames is faster. */
static inline bool runs_are_useless(const runs *r)
{
    return r->tried >= 256 && r->found < r->tried;
}

/* Returns the slot for the 24 bytes at p, whatever they are. */
static inline uint32_t *runs_slot(const runs *r, const char *p)
{
    uint64_t a = brz_load64(p), b = brz_load64(p + 8) ^ brz_load64(p + 16) * r->keys.times;
    return &r->slots[brz_hash_pair(&r->keys, a, b) & r->mask];
}

/* Adds the frame [p, end). It extends the last run if it is adjacent to it. */
static inline void runs_add(runs *r, brz_ctx *ctx, const char *p, const char *end, brz_frame id)
{
    if (r->n == r->cap)
        r->frames = brz_stacks_double(ctx, r->frames, r->n, &r->cap, sizeof *r->frames);
    r->frames[r->n] = (run_frame){(uint32_t)(p - r->text), (uint32_t)(end - r->text), id};
    *runs_slot(r, p) = (uint32_t)++r->n;
}

/* Returns the last frame that began with the text at p, or NULL. */
static inline const run_frame *runs_find(const runs *r, const char *p)
{
    uint32_t n = *runs_slot(r, p);
    return n == 0 ? NULL : &r->frames[n - 1];
}

/* Returns the next frame of the run, or NULL. */
static inline const run_frame *runs_next(const runs *r, const run_frame *f)
{
    return f + 1 < r->frames + r->n && f[1].start == f->end + 1 ? f + 1 : NULL;
}

#endif
