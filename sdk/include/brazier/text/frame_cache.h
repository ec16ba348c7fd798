/** @file
 * From the text of a frame to what the plug-in made of it the first time.
 *
 * A key is a text and a small number, the context (say, which module the symbol is in): the same
 * symbol may come out differently elsewhere. The value is the plug-in's: a frame id, or an index
 * into a table of its own when a text stands for several frames.
 *
 * Open addressing at a load of at most a half. A slot holds the upper half of the hash and the
 * entry's place, so that a wrong entry is hardly ever touched; an entry holds its text beside its
 * value, so that verifying costs no further look-up. Texts of up to 32 bytes are hashed and
 * compared without a branch that depends on their length. A table of many symbols does not fit
 * into the nearest cache: who has several keys asks for all of them before using the first.
 */
#ifndef BRAZIER_TEXT_FRAME_CACHE_H
#define BRAZIER_TEXT_FRAME_CACHE_H

#include <brazier/host.h>
#include <brazier/text/hash.h>

/** What is found under a key that is not there. */
#define BRZ_CACHE_MISS UINT32_MAX

/** A text with its value. What follows it in memory is the text behind its first 32 bytes. */
typedef struct brz_frame_cache_entry {
    uint32_t value;   /**< what was put there */
    uint32_t context; /**< of the key */
    uint64_t len;     /**< of the text */
    brz_words head;   /**< its first 32 bytes */
} brz_frame_cache_entry;

/** The cache. */
typedef struct brz_frame_cache {
    uint64_t *slots;        /**< hash >> 32 << 32 | place + 1; 0: free */
    size_t n_slots;         /**< a power of two */
    size_t used;            /**< how many of them */
    unsigned char *entries; /**< a place counts 16 bytes from here */
    size_t entries_len;     /**< bytes of entries */
    size_t entries_cap;     /**< bytes that there is room for */
    brz_hash_keys keys;     /**< of the hashes */
} brz_frame_cache;

#define BRZ_FRAME_CACHE_SLOTS 1024        /**< to begin with */
#define BRZ_FRAME_CACHE_BYTES (32u << 10) /**< of entries, to begin with */

/** A key with its hash: worked out once for a look-up and the insertion that may follow. */
typedef struct brz_frame_key {
    brz_str text;     /**< of the frame */
    uint64_t hash;    /**< of all of it */
    uint32_t context; /**< what else it depends on */
    brz_words head;   /**< the first 32 bytes of the text */
} brz_frame_key;

/** Once per instance. */
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

/** A key, whose text is read up to 31 bytes behind its end. */
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

/** 0 if both are equal. */
static inline uint64_t brz_words_differ(const brz_words *a, const brz_words *b)
{
    return (a->w[0] ^ b->w[0]) | (a->w[1] ^ b->w[1]) | (a->w[2] ^ b->w[2]) | (a->w[3] ^ b->w[3]);
}

/** Compares texts of more than 32 bytes behind those: mostly their last 32 are all that is left. */
static inline bool brz_frame_cache_same_tail(const brz_frame_cache_entry *e, const brz_str text)
{
    const char *own = (const char *)&e->head; /* the text, in one piece */
    brz_words a, b;
    memcpy(&a, own + text.len - 32, sizeof a);
    memcpy(&b, text.data + text.len - 32, sizeof b);
    if (brz_words_differ(&a, &b) != 0)
        return false;
    return text.len <= 64 || memcmp(own + 32, text.data + 32, text.len - 64) == 0;
}

/** True if the entry is that of the key. */
static inline bool brz_frame_cache_same(const brz_frame_cache_entry *e, const brz_frame_key *k)
{
    uint64_t differ =
        brz_words_differ(&e->head, &k->head) | (e->len ^ k->text.len) | (e->context ^ k->context);
    if (differ != 0)
        return false;
    return k->text.len <= 32 || brz_frame_cache_same_tail(e, k->text);
}

/** The entry that a slot points to. */
static inline brz_frame_cache_entry *brz_frame_cache_at(const brz_frame_cache *c, uint64_t slot)
{
    return (brz_frame_cache_entry *)(void *)(c->entries + (size_t)((uint32_t)slot - 1) * 16);
}

/** The value put under the key, or BRZ_CACHE_MISS. */
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

/** Fetches the slot that the key will be looked for in. */
static inline void brz_frame_cache_fetch_slot(const brz_frame_cache *c, const brz_frame_key *k)
{
    __builtin_prefetch(&c->slots[(size_t)k->hash & (c->n_slots - 1)]);
}

/** Fetches the entry of the key, once its slot is there. */
static inline void brz_frame_cache_fetch_entry(const brz_frame_cache *c, const brz_frame_key *k)
{
    uint64_t slot = c->slots[(size_t)k->hash & (c->n_slots - 1)];
    const char *e = (const char *)brz_frame_cache_at(c, slot == 0 ? 1 : slot);
    __builtin_prefetch(e);
    __builtin_prefetch(e + 64);
}

/** The hash of an entry, whose text is in one piece: its head is full if it has a tail. */
static inline uint64_t brz_frame_cache_hash(const brz_frame_cache *c,
                                            const brz_frame_cache_entry *e)
{
    return brz_frame_key_of(c, (const char *)&e->head, (size_t)e->len, e->context).hash;
}

/** Puts what a slot holds into the first free one. */
static inline void brz_frame_cache_insert(brz_frame_cache *c, uint64_t hash, uint64_t slot)
{
    size_t mask = c->n_slots - 1, at = (size_t)hash & mask;
    while (c->slots[at] != 0)
        at = (at + 1) & mask;
    c->slots[at] = slot;
}

/** Doubles the slots. They keep half of a hash, so entries are hashed again. */
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

/** Room for an entry of `size` bytes, with what is read behind it. */
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

/** Remembers a value (not BRZ_CACHE_MISS) under a key that is not there yet. Texts that would
 * exceed what a slot can address, some 60 GiB, are not remembered. */
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
