/* Stacks that were counted before, by their text: a sampler that writes a line per sample, or files
 * of several runs in one, repeat the same lines, and then nothing of them needs to be taken apart.
 *
 * The texts are copies, so that they outlive the chunk; how much of them is kept is bounded. An
 * input whose lines are all different is found out soon, and its lines are no longer looked up.
 */
#ifndef FOLDED_SEEN_H
#define FOLDED_SEEN_H

#include <brazier/text/hash.h>
#include <brazier/text/stacks.h>

#define SEEN_CHUNK    ((size_t)128 << 10) /* a smaller chunk is not worth it */
#define SEEN_SLOTS    4096u               /* a power of two */
#define SEEN_PROBES   8u                  /* slots that a text may be in */
#define SEEN_SHORTEST 64u                 /* a shorter text is as soon taken apart */
#define SEEN_BLOCKS   32u                 /* of text that is kept */
#define SEEN_BLOCK    ((size_t)64 << 10)  /* bytes; a longer text is not kept */
#define SEEN_NO_ENTRY UINT32_MAX

typedef struct seen_stack {
    const char *text; /* NULL: the slot is free */
    uint32_t len, tag;
    uint32_t entry[2]; /* in brz_stacks, by weight; SEEN_NO_ENTRY: not counted there yet */
} seen_stack;

typedef struct seen {
    seen_stack *slots; /* NULL: nothing is looked up */
    char *room;        /* where the next text goes */
    size_t left;       /* bytes there */
    size_t n_blocks;
    size_t looked_up, found;
    bool in_vain; /* for good */
    brz_hash_keys keys;
} seen;

/* Few look-ups tell sorted lines, more of them lines that are hardly ever repeated. */
static inline bool seen_is_in_vain(const seen *s)
{
    return (s->looked_up == 256 && s->found < 4) || (s->looked_up == 4096 && s->found < 512);
}

/* Looks stacks up from now on, unless that was in vain before. */
static inline void seen_begin(seen *s, brz_ctx *ctx)
{
    if (s->slots != NULL || s->in_vain)
        return;
    s->slots = ctx->host->alloc(ctx, SEEN_SLOTS * sizeof *s->slots, 64);
    s->keys = brz_hash_keys_of(ctx->seed);
}

/* By its length and four places of it, spread over a text of SEEN_SHORTEST bytes or more. */
static inline uint64_t seen_hash(const brz_hash_keys *k, brz_str text)
{
    uint64_t h = text.len;
    for (size_t i = 1; i <= 4; i++) {
        const char *p = text.data + text.len / 4 * i - 16;
        h = brz_hash_pair(k, h ^ brz_load64(p), brz_load64(p + 8));
    }
    return brz_hash_pair(k, h, brz_load64(text.data + text.len - 8));
}

/* The slot of a text with that hash, or a free one for it, or NULL. */
static inline seen_stack *seen_slot(const seen *s, brz_str text, uint64_t hash)
{
    for (size_t i = 0; i < SEEN_PROBES; i++) {
        seen_stack *e = &s->slots[(hash + i) % SEEN_SLOTS];
        if (e->text == NULL || (e->tag == hash >> 32 && e->len == text.len &&
                                memcmp(e->text, text.data, text.len) == 0))
            return e;
    }
    return NULL;
}

static inline bool seen_takes(const seen *s, brz_str text)
{
    return s->slots != NULL && text.len >= SEEN_SHORTEST && text.len <= SEEN_BLOCK;
}

/* What was noted of the text, or NULL. */
static inline const seen_stack *seen_find(seen *s, brz_str text)
{
    if (!seen_takes(s, text))
        return NULL;
    const seen_stack *e = seen_slot(s, text, seen_hash(&s->keys, text));
    bool found = e != NULL && e->text != NULL;
    s->found += found;
    s->looked_up++;
    if (seen_is_in_vain(s)) {
        s->slots = NULL;
        s->in_vain = true;
    }
    return found ? e : NULL;
}

/* A copy of a text, or NULL if no more are kept. */
static inline const char *seen_keep(seen *s, brz_ctx *ctx, brz_str text)
{
    if (text.len > s->left) {
        if (s->n_blocks == SEEN_BLOCKS)
            return NULL;
        s->room = ctx->host->alloc(ctx, SEEN_BLOCK, 64);
        s->left = SEEN_BLOCK;
        s->n_blocks++;
    }
    char *copy = s->room;
    memcpy(copy, text.data, text.len);
    s->room += text.len;
    s->left -= text.len;
    return copy;
}

/* Notes that the stack of this text is counted in that entry of brz_stacks, as long as there is
 * room. */
static inline void seen_put(seen *s, brz_ctx *ctx, brz_str text, uint32_t weight, size_t entry)
{
    if (!seen_takes(s, text))
        return;
    uint64_t hash = seen_hash(&s->keys, text);
    seen_stack *e = seen_slot(s, text, hash);
    if (e == NULL)
        return;
    if (e->text == NULL) {
        e->text = seen_keep(s, ctx, text);
        e->len = (uint32_t)text.len;
        e->tag = (uint32_t)(hash >> 32);
        e->entry[0] = e->entry[1] = SEEN_NO_ENTRY;
    }
    e->entry[weight] = (uint32_t)entry;
}

#endif
