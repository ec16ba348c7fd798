/* From the text of a frame to what the plug-in made of it the first time.
 *
 * A key is a text, perhaps a second one (the module the symbol is in), and a small number, the
 * context: the same symbol may come out differently elsewhere. The value is the plug-in's: a frame
 * id, or an index into a table of its own when a text stands for several frames.
 *
 * Open addressing at a load of at most a half. A slot holds the upper half of the hash and the
 * entry's place, so that a wrong entry is hardly ever touched; an entry holds its texts beside its
 * value, so that verifying costs no further look-up. Texts of up to 32 bytes are hashed and
 * compared without a branch that depends on their length.
 */
#ifndef BRAZIER_TEXT_FRAME_CACHE_H
#define BRAZIER_TEXT_FRAME_CACHE_H

#include <brazier/host.h>
#include <brazier/text/hash.h>

#define BRZ_CACHE_MISS UINT32_MAX

/* What follows an entry: the text behind its first 32 bytes, then the second one likewise. */
typedef struct brz_frame_cache_entry {
    uint32_t value, context;
    uint32_t len, second_len;
    brz_words head, second_head;
} brz_frame_cache_entry;

typedef struct brz_frame_cache {
    uint64_t *slots; /* hash >> 32 << 32 | place + 1; 0: free */
    size_t n_slots, used;
    unsigned char *entries; /* a place counts 16 bytes from here */
    size_t entries_len, entries_cap;
    uint64_t seed;
} brz_frame_cache;

#define BRZ_FRAME_CACHE_SLOTS 1024
#define BRZ_FRAME_CACHE_BYTES (32u << 10)

/* A key with its hash: worked out once for a look-up and the insertion that may follow. */
typedef struct brz_frame_key {
    brz_str text, second;
    uint64_t hash;
    uint32_t context;
    brz_words head, second_head;
} brz_frame_key;

/* Once per instance. */
static inline void brz_frame_cache_init(brz_frame_cache *c, brz_ctx *ctx)
{
    c->n_slots = BRZ_FRAME_CACHE_SLOTS;
    c->used = 0;
    c->slots = (uint64_t *)ctx->host->alloc(ctx, c->n_slots * sizeof *c->slots, 64);
    c->entries_cap = BRZ_FRAME_CACHE_BYTES;
    c->entries_len = 0;
    c->entries = (unsigned char *)ctx->host->alloc(ctx, c->entries_cap, 64);
    c->seed = ctx->seed;
}

/* The hash of what is in a key; texts are read up to 31 bytes behind their ends. */
static inline void brz_frame_key_hash(brz_frame_key *k, uint64_t seed)
{
    seed ^= ((uint64_t)k->context << 32 | k->text.len) * BRZ_HASH_K2;
    seed ^= k->second.len << 40;
    if (k->text.len > 32)
        seed = brz_hash_text(k->text.data + 32, k->text.len - 32, seed);
    if (k->second.len > 32)
        seed ^= brz_load64(k->second.data + k->second.len - 8) * BRZ_HASH_K1;
    uint64_t a = brz_words_hash(&k->head, seed), b = brz_words_hash(&k->second_head, BRZ_HASH_K1);
    k->hash = brz_mix(a ^ b, BRZ_HASH_K3);
}

/* A key of two texts, of which up to 31 bytes behind the end are read. */
static inline brz_frame_key brz_frame_key_of_two(const brz_frame_cache *c, brz_str text,
                                                 brz_str second, uint32_t context)
{
    brz_frame_key k;
    k.text = text;
    k.second = second;
    k.context = context;
    k.head = brz_words_load(text.data, text.len);
    k.second_head = brz_words_load(second.data, second.len);
    brz_frame_key_hash(&k, c->seed);
    return k;
}

/* A key of one text, of which up to 31 bytes behind the end are read. */
static inline brz_frame_key brz_frame_key_of(const brz_frame_cache *c, const char *text, size_t len,
                                             uint32_t context)
{
    brz_frame_key k;
    k.text = brz_str_of(text, len);
    k.second = brz_str_of(text, 0);
    k.context = context;
    k.head = brz_words_load(text, len);
    memset(&k.second_head, 0, sizeof k.second_head);
    brz_frame_key_hash(&k, c->seed);
    return k;
}

static inline uint64_t brz_words_differ(const brz_words *a, const brz_words *b)
{
    return (a->w[0] ^ b->w[0]) | (a->w[1] ^ b->w[1]) | (a->w[2] ^ b->w[2]) | (a->w[3] ^ b->w[3]);
}

static inline size_t brz_frame_tail(size_t len)
{
    return len > 32 ? len - 32 : 0;
}

static inline bool brz_frame_cache_same(const brz_frame_cache_entry *e, const brz_frame_key *k)
{
    uint64_t differ = brz_words_differ(&e->head, &k->head) |
                      brz_words_differ(&e->second_head, &k->second_head) |
                      (e->len ^ k->text.len) | (e->second_len ^ k->second.len) |
                      (e->context ^ k->context);
    if (differ != 0)
        return false;
    const char *tail = (const char *)(e + 1);
    size_t n = brz_frame_tail(k->text.len), m = brz_frame_tail(k->second.len);
    return (n == 0 || memcmp(tail, k->text.data + 32, n) == 0) &&
           (m == 0 || memcmp(tail + n, k->second.data + 32, m) == 0);
}

static inline brz_frame_cache_entry *brz_frame_cache_at(const brz_frame_cache *c, uint64_t slot)
{
    return (brz_frame_cache_entry *)(void *)(c->entries + (size_t)((uint32_t)slot - 1) * 16);
}

/* The value put under the key, or BRZ_CACHE_MISS. */
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

/* The hash of an entry, from its texts: a second one that is long follows the first. */
static inline uint64_t brz_frame_cache_hash(const brz_frame_cache *c,
                                            const brz_frame_cache_entry *e)
{
    brz_frame_key k;
    const char *tail = (const char *)(e + 1);
    k.text = brz_str_of(tail - 32, e->len);
    k.second = brz_str_of(tail + brz_frame_tail(e->len) - 32, e->second_len);
    k.context = e->context;
    k.head = e->head;
    k.second_head = e->second_head;
    brz_frame_key_hash(&k, c->seed);
    return k.hash;
}

static inline void brz_frame_cache_insert(brz_frame_cache *c, uint64_t hash, uint64_t slot)
{
    size_t mask = c->n_slots - 1, at = (size_t)hash & mask;
    while (c->slots[at] != 0)
        at = (at + 1) & mask;
    c->slots[at] = slot;
}

/* Doubles the slots. They keep half of a hash, so entries are hashed again. */
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

/* Room for an entry of `size` bytes, with what is read behind it. */
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

/* Remembers a value (not BRZ_CACHE_MISS) under a key that is not there yet. Texts that would
 * exceed what a slot can address, some 60 GiB, are not remembered. */
static inline void brz_frame_cache_put(brz_frame_cache *c, brz_ctx *ctx, const brz_frame_key *k,
                                       uint32_t value)
{
    size_t n = brz_frame_tail(k->text.len), m = brz_frame_tail(k->second.len);
    size_t size = (sizeof(brz_frame_cache_entry) + n + m + 15) & ~(size_t)15;
    brz_frame_cache_room(c, ctx, size);
    if (c->entries_len / 16 >= UINT32_MAX - 1)
        return;
    if (2 * (c->used + 1) > c->n_slots)
        brz_frame_cache_rehash(c, ctx);
    uint64_t place = c->entries_len / 16 + 1;
    brz_frame_cache_entry *e = brz_frame_cache_at(c, place);
    e->value = value;
    e->context = k->context;
    e->len = (uint32_t)k->text.len;
    e->second_len = (uint32_t)k->second.len;
    e->head = k->head;
    e->second_head = k->second_head;
    if (n > 0)
        memcpy((char *)(e + 1), k->text.data + 32, n);
    if (m > 0)
        memcpy((char *)(e + 1) + n, k->second.data + 32, m);
    brz_frame_cache_insert(c, k->hash, k->hash >> 32 << 32 | place);
    c->entries_len += size;
    c->used++;
}

#endif
