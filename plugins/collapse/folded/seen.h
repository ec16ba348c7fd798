/* SPDX-License-Identifier: MIT */
/* Caches counted stacks by their text: samplers that write a line per sample, and concatenated
 * files of several runs, repeat the same lines, which need no parsing then.
 *
 * The cache copies texts, so that they outlive the chunk; its size is bounded. If the lines of an
 * input are all distinct, the cache soon detects that and switches itself off.
 */
#ifndef FOLDED_SEEN_H
#define FOLDED_SEEN_H

#include <brazier/text/hash.h>
#include <brazier/text/stacks.h>

#define SEEN_CHUNK    ((size_t)128 << 10) /* smaller chunks do not use the cache */
#define SEEN_SLOTS    4096u               /* a power of two */
#define SEEN_PROBES   8u                  /* slots examined per text */
#define SEEN_SHORTEST 64u                 /* shorter texts are parsed just as fast */
#define SEEN_BLOCKS   32u                 /* maximum number of text blocks */
#define SEEN_BLOCK    ((size_t)64 << 10)  /* bytes per block; longer texts are not cached */
#define SEEN_NO_ENTRY UINT32_MAX

typedef struct seen_stack {
    const char *text; /* NULL: the slot is free */
    uint32_t len, tag;
    uint32_t entry[2]; /* entries in brz_stacks, by weight; SEEN_NO_ENTRY: not counted yet */
} seen_stack;

typedef struct seen {
    seen_stack *slots; /* NULL: the cache is off */
    char *room;        /* position of the next text */
    size_t left;       /* bytes left there */
    size_t n_blocks;
    size_t looked_up, found;
    bool disabled; /* permanently switched off */
    brz_hash_keys keys;
} seen;

/* Returns whether hits are too rare to be useful: few look-ups identify sorted lines, more of them
 * lines that rarely repeat. */
static inline bool seen_is_useless(const seen *s)
{
    return (s->looked_up == 256 && s->found < 4) || (s->looked_up == 4096 && s->found < 512);
}

/* Switches the cache on, unless it was switched off as useless. */
static inline void seen_begin(seen *s, brz_ctx *ctx)
{
    if (s->slots != NULL || s->disabled)
        return;
    s->slots = ctx->host->alloc(ctx, SEEN_SLOTS * sizeof *s->slots, 64);
    s->keys = brz_hash_keys_of(ctx->seed);
}

/* Hashes the length and four places of a text, which has SEEN_SHORTEST bytes or more. */
static inline uint64_t seen_hash(const brz_hash_keys *k, brz_str text)
{
    uint64_t h = text.len;
    for (size_t i = 1; i <= 4; i++) {
        const char *p = text.data + text.len / 4 * i - 16;
        h = brz_hash_pair(k, h ^ brz_load64(p), brz_load64(p + 8));
    }
    return brz_hash_pair(k, h, brz_load64(text.data + text.len - 8));
}

/* Returns the slot of a text with this hash, or a free slot for it, or NULL. */
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

/* Returns the cached stack of a text, or NULL. */
static inline const seen_stack *seen_find(seen *s, brz_str text)
{
    if (!seen_takes(s, text))
        return NULL;
    const seen_stack *e = seen_slot(s, text, seen_hash(&s->keys, text));
    bool found = e != NULL && e->text != NULL;
    s->found += found;
    s->looked_up++;
    if (seen_is_useless(s)) {
        s->slots = NULL;
        s->disabled = true;
    }
    return found ? e : NULL;
}

/* Copies a text. Returns NULL if the cache is full. */
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

/* Stores the entry of brz_stacks that counts the stack of this text, if there is room. */
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
