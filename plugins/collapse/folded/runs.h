/* Frames that were looked up in this chunk, by what stands there: where a line goes on like one
 * before it, its frames are those that it had.
 *
 * A run is a piece of a line, frame behind frame. The table leads from the text at which a frame
 * begins to where that text was met last; what follows is compared.
 */
#ifndef FOLDED_RUNS_H
#define FOLDED_RUNS_H

#include <brazier/text/hash.h>
#include <brazier/text/stacks.h>

#define RUNS_SLOTS 8192u /* a power of two */

/* A frame in the text of the chunk. The next one of its run begins behind the ';' at its end. */
typedef struct run_frame {
    uint32_t start, end;
    brz_frame id;
} run_frame;

typedef struct runs {
    const char *text; /* the chunk */
    uint32_t *slots;  /* number of a frame + 1; 0: none */
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

/* Forgets all: a chunk begins. */
static inline void runs_start(runs *r, const char *text)
{
    if (r->n > 0)
        memset(r->slots, 0, RUNS_SLOTS * sizeof *r->slots);
    r->text = text;
    r->n = 0;
}

/* By the 24 bytes at p, whatever they are. */
static inline uint32_t *runs_slot(const runs *r, const char *p)
{
    uint64_t a = brz_load64(p), b = brz_load64(p + 8) ^ brz_load64(p + 16) * r->keys.times;
    return &r->slots[brz_hash_pair(&r->keys, a, b) % RUNS_SLOTS];
}

/* Adds the frame [p, end), which continues the last run if it stands behind it. */
static inline void runs_add(runs *r, brz_ctx *ctx, const char *p, const char *end, brz_frame id)
{
    if (r->n == r->cap)
        r->frames = brz_stacks_double(ctx, r->frames, r->n, &r->cap, sizeof *r->frames);
    r->frames[r->n] = (run_frame){(uint32_t)(p - r->text), (uint32_t)(end - r->text), id};
    *runs_slot(r, p) = (uint32_t)++r->n;
}

/* The frame that began with the same text as p, or NULL. */
static inline const run_frame *runs_find(const runs *r, const char *p)
{
    uint32_t n = *runs_slot(r, p);
    return n == 0 ? NULL : &r->frames[n - 1];
}

/* The frame behind this one in its run, or NULL. */
static inline const run_frame *runs_next(const runs *r, const run_frame *f)
{
    return f + 1 < r->frames + r->n && f[1].start == f->end + 1 ? f + 1 : NULL;
}

#endif
