/* SPDX-License-Identifier: MIT */
/** @file
 * Caches the results of parsing frames, by the text of the frame.
 *
 * A key is a text and a small number, the context (for example, the module of the symbol), because
 * the same text may mean something else in another context. The plug-in defines the value: a frame
 * id, or an index into its own table if a text stands for several frames.
 *
 * The hash table uses open addressing with a load factor of at most a half. A slot holds the upper
 * half of the hash and the entry's place, so that lookups rarely touch a wrong entry. An entry
 * holds its text next to its value, so that comparing keys needs no further memory access. Texts of
 * up to 32 bytes are hashed and compared without branches that depend on their length. A table with
 * many symbols does not fit into the nearest cache: a caller with several keys prefetches all of
 * them before it looks up the first.
 */
#ifndef BRAZIER_TEXT_FRAME_CACHE_H
#define BRAZIER_TEXT_FRAME_CACHE_H

#include <brazier/host.h>
#include <brazier/text/hash.h>

/** The result of a lookup that finds nothing. */
#define BRZ_CACHE_MISS UINT32_MAX

/** An entry. The rest of a text of more than 32 bytes follows it in memory. */
typedef struct brz_frame_cache_entry {
    uint32_t value;   /**< the cached value */
    uint32_t context; /**< context of the key */
    uint64_t len;     /**< length of the text */
    brz_words head;   /**< first 32 bytes of the text */
} brz_frame_cache_entry;

/** A frame cache. */
typedef struct brz_frame_cache {
    uint64_t *slots;        /**< upper 32 bits of the hash, and place + 1; 0: free */
    size_t n_slots;         /**< number of slots, a power of two */
    size_t used;            /**< number of occupied slots */
    unsigned char *entries; /**< the entries; places are multiples of 16 bytes */
    size_t entries_len;     /**< size of the entries in bytes */
    size_t entries_cap;     /**< capacity in bytes */
    brz_hash_keys keys;     /**< keys of the hash function */
} brz_frame_cache;

/* Small, because each page that a short run touches costs it as much as a thousand instructions. */
#define BRZ_FRAME_CACHE_SLOTS 128        /**< initial number of slots */
#define BRZ_FRAME_CACHE_BYTES (2u << 10) /**< initial capacity for entries */

/** A key with its hash, which is computed once for a lookup and the insertion that may follow. */
typedef struct brz_frame_key {
    brz_str text;     /**< text of the frame */
    uint64_t hash;    /**< hash of text and context */
    uint32_t context; /**< context in which the text is interpreted */
    brz_words head;   /**< first 32 bytes of the text */
} brz_frame_key;

/** Initialises a cache; call it once per instance. */
static inline void brz_frame_cache_init(brz_frame_cache *c, brz_ctx *ctx)
{
    c->n_slots = BRZ_FRAME_CACHE_SLOTS;
    c->used = 0;
    c->slots = (uint64_t *)ctx->host->alloc(ctx, c->n_slots * sizeof *c->slots, 64);
    c->entries_cap = BRZ_FRAME_CACHE_BYTES;
    c->entries_len = 0;
    c->entries = (unsigned char *)ctx->host->alloc(ctx, c->entries_cap, 64);
    c->keys = brz_hash_keys_of(ctx->seed);
}

/** Computes a key. Reads up to 31 bytes after the text. */
static inline brz_frame_key brz_frame_key_of(const brz_frame_cache *c, const char *text, size_t len,
                                             uint32_t context)
{
    brz_frame_key k;
    k.text = brz_str_of(text, len);
    k.context = context;
    k.head = brz_words_load(text, len);
    uint64_t more = (uint64_t)context << 32 | len;
    if (len > 32)
        more = brz_hash_text(&c->keys, text + 32, len - 32, more);
    k.hash = brz_words_hash(&c->keys, &k.head, more);
    return k;
}

/** Returns 0 if both are equal. */
static inline uint64_t brz_words_differ(const brz_words *a, const brz_words *b)
{
    return (a->w[0] ^ b->w[0]) | (a->w[1] ^ b->w[1]) | (a->w[2] ^ b->w[2]) | (a->w[3] ^ b->w[3]);
}

/** Compares the remainders of texts of more than 32 bytes. Compares the last 32 bytes first, which
 * often complete the text. */
static inline bool brz_frame_cache_same_tail(const brz_frame_cache_entry *e, const brz_str text)
{
    const char *own = (const char *)&e->head; /* the whole text */
    brz_words a, b;
    memcpy(&a, own + text.len - 32, sizeof a);
    memcpy(&b, text.data + text.len - 32, sizeof b);
    if (brz_words_differ(&a, &b) != 0)
        return false;
    return text.len <= 64 || memcmp(own + 32, text.data + 32, text.len - 64) == 0;
}

/** Returns whether an entry has this key. */
static inline bool brz_frame_cache_same(const brz_frame_cache_entry *e, const brz_frame_key *k)
{
    uint64_t differ =
        brz_words_differ(&e->head, &k->head) | (e->len ^ k->text.len) | (e->context ^ k->context);
    if (differ != 0)
        return false;
    return k->text.len <= 32 || brz_frame_cache_same_tail(e, k->text);
}

/** Returns the entry that a slot refers to. */
static inline brz_frame_cache_entry *brz_frame_cache_at(const brz_frame_cache *c, uint64_t slot)
{
    return (brz_frame_cache_entry *)(void *)(c->entries + (size_t)((uint32_t)slot - 1) * 16);
}

/** Returns the value of a key, or BRZ_CACHE_MISS if the cache does not have it. */
static inline uint32_t brz_frame_cache_find(const brz_frame_cache *c, const brz_frame_key *k)
{
    size_t mask = c->n_slots - 1;
    for (size_t i = (size_t)k->hash & mask;; i = (i + 1) & mask) {
        uint64_t slot = c->slots[i];
        if (slot == 0)
            return BRZ_CACHE_MISS;
        if ((slot ^ k->hash) >> 32 != 0)
            continue;
        const brz_frame_cache_entry *e = brz_frame_cache_at(c, slot);
        if (brz_frame_cache_same(e, k))
            return e->value;
    }
}

/** Prefetches the slot where the search for a key starts. */
BRZ_PREFETCHING
static inline void brz_frame_cache_fetch_slot(const brz_frame_cache *c, const brz_frame_key *k)
{
    __builtin_prefetch(&c->slots[(size_t)k->hash & (c->n_slots - 1)]);
}

/** Prefetches the entry of a key; its slot should already be in the processor's cache. */
BRZ_PREFETCHING
static inline void brz_frame_cache_fetch_entry(const brz_frame_cache *c, const brz_frame_key *k)
{
    uint64_t slot = c->slots[(size_t)k->hash & (c->n_slots - 1)];
    const char *e = (const char *)brz_frame_cache_at(c, slot == 0 ? 1 : slot);
    __builtin_prefetch(e);
    __builtin_prefetch(e + 64);
}

/** Computes the hash of an entry. Its text is contiguous, because the first 32 bytes are complete
 * if there are more. */
static inline uint64_t brz_frame_cache_hash(const brz_frame_cache *c,
                                            const brz_frame_cache_entry *e)
{
    return brz_frame_key_of(c, (const char *)&e->head, (size_t)e->len, e->context).hash;
}

/** Stores a slot's value in the first free slot for a hash. */
static inline void brz_frame_cache_insert(brz_frame_cache *c, uint64_t hash, uint64_t slot)
{
    size_t mask = c->n_slots - 1, at = (size_t)hash & mask;
    while (c->slots[at] != 0)
        at = (at + 1) & mask;
    c->slots[at] = slot;
}

/** Doubles the number of slots. Rehashes the entries, because slots hold only half of a hash. */
static inline void brz_frame_cache_rehash(brz_frame_cache *c, brz_ctx *ctx)
{
    const uint64_t *old = c->slots;
    size_t n = c->n_slots;
    c->n_slots *= 2;
    c->slots = (uint64_t *)ctx->host->alloc(ctx, c->n_slots * sizeof *c->slots, 64);
    for (size_t i = 0; i < n; i++)
        if (old[i] != 0)
            brz_frame_cache_insert(c, brz_frame_cache_hash(c, brz_frame_cache_at(c, old[i])),
                                   old[i]);
}

/** Makes room for an entry of `size` bytes and the readable bytes after it. */
static inline void brz_frame_cache_room(brz_frame_cache *c, brz_ctx *ctx, size_t size)
{
    if (c->entries_cap - c->entries_len >= size + 32)
        return;
    size_t cap = 2 * c->entries_cap + size + 32;
    unsigned char *moved = (unsigned char *)ctx->host->alloc(ctx, cap, 64);
    memcpy(moved, c->entries, c->entries_len);
    c->entries = moved;
    c->entries_cap = cap;
}

/** Adds a value, which must not be BRZ_CACHE_MISS, under a key that is not in the cache. Ignores
 * further entries once the cache exceeds the range of a slot, which is about 60 GiB. */
static inline void brz_frame_cache_put(brz_frame_cache *c, brz_ctx *ctx, const brz_frame_key *k,
                                       uint32_t value)
{
    size_t tail = k->text.len > 32 ? k->text.len - 32 : 0;
    size_t size = (sizeof(brz_frame_cache_entry) + tail + 15) & ~(size_t)15;
    brz_frame_cache_room(c, ctx, size);
    if (c->entries_len / 16 >= UINT32_MAX - 1)
        return;
    if (2 * (c->used + 1) > c->n_slots)
        brz_frame_cache_rehash(c, ctx);
    uint64_t place = c->entries_len / 16 + 1;
    brz_frame_cache_entry *e = brz_frame_cache_at(c, place);
    e->value = value;
    e->context = k->context;
    e->len = k->text.len;
    e->head = k->head;
    if (tail > 0)
        memcpy(e + 1, k->text.data + 32, tail);
    brz_frame_cache_insert(c, k->hash, k->hash >> 32 << 32 | place);
    c->entries_len += size;
    c->used++;
}

#endif
