/* SPDX-License-Identifier: MIT */
/** @file
 * Collects the frames of the current stack, and sums the weights of distinct stacks.
 *
 * Frames are pushed in the order in which the format prints them. Counting a stack looks it up by a
 * hash that is updated with each push, compares its ids, and adds the value: the host is called
 * only for new stacks. Sums go to the host in batches when the instance finishes. If the run needs
 * single samples (BRZ_CTX_WANTS_ORDER and similar flags), nothing is summed here, and each count
 * carries the tag and time that brz_stacks_place() set. A count is a sample, unless it is counted
 * between brz_stacks_begin_sample() and brz_stacks_end_sample().
 */
#ifndef BRAZIER_TEXT_STACKS_H
#define BRAZIER_TEXT_STACKS_H

#include <brazier/host.h>
#include <brazier/text/hash.h>

/** Number of counts passed to the host at a time. */
#define BRZ_STACKS_BATCH 4096

/** A stack with the sum in one column. */
typedef struct brz_stacks_entry {
    uint64_t hash;        /**< hash of stack and column */
    const brz_frame *ids; /**< frames in the host's copy */
    uint32_t n;           /**< number of frames */
    brz_stack stack;      /**< id in the host */
    uint32_t column;      /**< column index */
    uint32_t reserved;    /**< 0 */
    int64_t value;        /**< sum that the host has not received yet */
} brz_stacks_entry;

/** A stack being built: its frames, and the hash of each prefix. */
typedef struct brz_path {
    brz_frame *ids;     /**< the frames */
    uint64_t *hashes;   /**< hashes of the first 0, 1, ... n frames */
    size_t n;           /**< number of frames */
    size_t cap;         /**< capacity in frames */
    brz_hash_keys keys; /**< keys of the hash function */
    size_t least;       /**< smallest number of frames since `entry` was stored */
    size_t entry;       /**< with BRZ_NESTED: last entry stored from this path, from 1; 0: none */
} brz_path;

/** The set of stacks. */
typedef struct brz_stacks {
    brz_path *path;            /**< the current stack; a plug-in may switch between several */
    brz_path own;              /**< the initial path */
    uint64_t *slots;           /**< upper 32 bits of the hash, and entry + 1; 0: free */
    size_t n_slots;            /**< number of slots, a power of two */
    brz_stacks_entry *entries; /**< entries in order of first occurrence */
    size_t n_entries;          /**< number of entries */
    size_t entries_cap;        /**< capacity in entries */
    brz_count *batch;          /**< counts to pass to the host */
    size_t n_batch;            /**< number of counts in the batch */
    uint32_t flags;            /**< BRZ_LEAF_FIRST or BRZ_NESTED: see brz_stacks_init() */
    bool ordered;              /**< the run needs single samples: nothing is summed */
    bool saturated;            /**< a sum has reached its limit */
    brz_tag tag;               /**< tag of the next counts */
    uint32_t timed;            /**< BRZ_TIMED if `time` is known */
    int64_t time;              /**< time of the next counts */
    uint32_t same;             /**< BRZ_SAME_SAMPLE if the next count belongs to the last one */
    bool joins;                /**< counts are values of one sample */
} brz_stacks;

/** Returns a copy of an array of `size`-byte elements with twice the capacity. */
static inline void *brz_stacks_double(brz_ctx *ctx, const void *old, size_t used, size_t *cap,
                                      size_t size)
{
    size_t doubled = 2 * *cap;
    void *p = ctx->host->alloc(ctx, doubled * size, 64);
    memcpy(p, old, used * size);
    *cap = doubled;
    return p;
}

/** Truncates a path to `n` frames. */
static inline void brz_path_cut(brz_path *p, size_t n)
{
    p->n = n;
    if (n < p->least)
        p->least = n;
}

/** Initialises an empty path with room for `cap` frames. */
static inline void brz_path_init(brz_path *p, brz_ctx *ctx, size_t cap)
{
    p->n = 0;
    p->cap = cap;
    p->ids = (brz_frame *)ctx->host->alloc(ctx, cap * sizeof *p->ids, 64);
    p->hashes = (uint64_t *)ctx->host->alloc(ctx, (cap + 1) * sizeof *p->hashes, 64);
    p->hashes[0] = BRZ_HASH_EMPTY;
    p->keys = brz_hash_keys_of(ctx->seed);
    p->least = p->entry = 0;
}

/** Doubles the capacity. */
static inline void brz_path_grow(brz_path *p, brz_ctx *ctx)
{
    size_t cap = p->cap + 1;
    p->hashes = (uint64_t *)brz_stacks_double(ctx, p->hashes, p->n + 1, &cap, sizeof *p->hashes);
    p->ids = (brz_frame *)brz_stacks_double(ctx, p->ids, p->n, &p->cap, sizeof *p->ids);
}

/** Appends a frame. */
static inline void brz_path_push(brz_path *p, brz_ctx *ctx, brz_frame id)
{
    size_t n = p->n;
    if (n == p->cap)
        brz_path_grow(p, ctx);
    p->ids[n] = id;
    p->hashes[n + 1] = brz_hash_step(&p->keys, p->hashes[n], id);
    p->n = n + 1;
}

/** Initialises a set of stacks; call it once per instance. `flags` is BRZ_LEAF_FIRST, or 0 if roots
 * are pushed first. With BRZ_NESTED in place of 0, stacks that begin with others are stored as
 * parts of these if they are counted one after another, as those of nested calls mostly are: for
 * paths that nothing but brz_path_push() and brz_path_cut() changes. */
static inline void brz_stacks_init(brz_stacks *s, brz_ctx *ctx, uint32_t flags)
{
    memset(s, 0, sizeof *s);
    s->flags = flags;
    brz_path_init(&s->own, ctx, 128);
    s->path = &s->own;
    s->n_slots = 64;
    s->slots = (uint64_t *)ctx->host->alloc(ctx, s->n_slots * sizeof *s->slots, 64);
    s->entries_cap = 32;
    s->entries = (brz_stacks_entry *)ctx->host->alloc(ctx, s->entries_cap * sizeof *s->entries, 64);
    s->batch = (brz_count *)ctx->host->alloc(ctx, BRZ_STACKS_BATCH * sizeof *s->batch, 64);
    s->ordered =
        (ctx->flags & (BRZ_CTX_WANTS_ORDER | BRZ_CTX_WANTS_TAGS | BRZ_CTX_WANTS_TIME)) != 0;
}

/** Sets the tag and, if `timed` is BRZ_TIMED rather than 0, the time of the next counts. Without
 * BRZ_CTX_WANTS_TAGS and BRZ_CTX_WANTS_TIME the call is unnecessary. */
static inline void brz_stacks_place(brz_stacks *s, brz_tag tag, uint32_t timed, int64_t time)
{
    s->tag = tag;
    s->timed = timed;
    s->time = timed != 0 ? time : 0;
}

/** Makes the next counts values of one sample. They have the same stack, and different columns. */
static inline void brz_stacks_begin_sample(brz_stacks *s)
{
    s->joins = true;
}

/** Ends this sample. */
static inline void brz_stacks_end_sample(brz_stacks *s)
{
    s->joins = false;
    s->same = 0;
}

/** Passes the batch to the host. */
static inline brz_rc brz_stacks_flush(brz_stacks *s, brz_ctx *ctx)
{
    size_t n = s->n_batch;
    s->n_batch = 0;
    return n == 0 ? BRZ_OK : ctx->host->add(ctx, s->batch, n, sizeof *s->batch);
}

/** Appends a count to the batch. */
static inline brz_rc brz_stacks_send(brz_stacks *s, brz_ctx *ctx, const brz_stacks_entry *e,
                                     int64_t value)
{
    brz_count *c = &s->batch[s->n_batch++];
    c->stack = e->stack;
    c->column = e->column;
    c->value = value;
    c->tag = s->tag;
    c->flags = s->timed | s->same;
    c->time = s->time;
    s->same = s->joins ? BRZ_SAME_SAMPLE : 0;
    return s->n_batch == BRZ_STACKS_BATCH ? brz_stacks_flush(s, ctx) : BRZ_OK;
}

/** Returns the slot value of an entry. */
static inline uint64_t brz_stacks_slot(uint64_t hash, size_t entry)
{
    return hash >> 32 << 32 | (uint32_t)(entry + 1);
}

/** Doubles the number of slots. */
static inline void brz_stacks_rehash(brz_stacks *s, brz_ctx *ctx)
{
    s->n_slots *= 2;
    s->slots = (uint64_t *)ctx->host->alloc(ctx, s->n_slots * sizeof *s->slots, 64);
    for (size_t i = 0; i < s->n_entries; i++) {
        size_t at = (size_t)s->entries[i].hash & (s->n_slots - 1);
        while (s->slots[at] != 0)
            at = (at + 1) & (s->n_slots - 1);
        s->slots[at] = brz_stacks_slot(s->entries[i].hash, i);
    }
}

/** Returns BRZ_NESTED if either the current stack or that of the last entry begins with all frames
 * of the other, and sets *stored to the host's copy of the latter. */
static inline uint32_t brz_stacks_relate(const brz_stacks *s, const brz_frame **stored)
{
    const brz_path *p = s->path;
    if (!(s->flags & BRZ_NESTED) || s->n_entries == 0 || p->entry != s->n_entries)
        return 0;
    const brz_stacks_entry *last = &s->entries[s->n_entries - 1];
    *stored = last->ids;
    return p->least >= (last->n < p->n ? last->n : p->n) ? BRZ_NESTED : 0;
}

/** Adds the current stack as a new entry, which no lookup finds yet. */
static inline brz_stacks_entry *brz_stacks_new(brz_stacks *s, brz_ctx *ctx, uint64_t hash,
                                               uint32_t column_index)
{
    brz_path *p = s->path;
    const brz_frame *stored = NULL;
    uint32_t flags = (s->flags & BRZ_LEAF_FIRST) | brz_stacks_relate(s, &stored);
    if (s->n_entries == s->entries_cap)
        s->entries = (brz_stacks_entry *)brz_stacks_double(ctx, s->entries, s->n_entries,
                                                           &s->entries_cap, sizeof *s->entries);
    brz_stacks_entry *e = &s->entries[s->n_entries++];
    e->hash = hash;
    e->n = (uint32_t)p->n;
    e->column = column_index;
    e->value = 0;
    e->stack = ctx->host->stack(ctx, p->ids, p->n, flags, &stored);
    e->ids = stored;
    if (s->flags & BRZ_NESTED) {
        p->entry = s->n_entries;
        p->least = p->n;
    }
    return e;
}

/** Returns the hash of a stack and a column. */
static inline uint64_t brz_stacks_hash(const brz_path *p, uint32_t column_index)
{
    return brz_hash_pair(&p->keys, p->hashes[p->n], column_index);
}

/** Prefetches the slot for the current stack, for a caller that counts it later. */
BRZ_PREFETCHING
static inline void brz_stacks_fetch(const brz_stacks *s, uint32_t column_index)
{
    __builtin_prefetch(
        &s->slots[(size_t)brz_stacks_hash(s->path, column_index) & (s->n_slots - 1)]);
}

/** Returns the entry of the current stack and a column. Creates it if necessary. */
static inline brz_stacks_entry *brz_stacks_entry_of(brz_stacks *s, brz_ctx *ctx,
                                                    uint32_t column_index)
{
    const brz_path *p = s->path;
    uint64_t hash = brz_stacks_hash(p, column_index);
    size_t mask = s->n_slots - 1, at = (size_t)hash & mask;
    for (; s->slots[at] != 0; at = (at + 1) & mask) {
        if ((s->slots[at] ^ hash) >> 32 != 0)
            continue;
        brz_stacks_entry *e = &s->entries[(uint32_t)s->slots[at] - 1];
        if (e->hash == hash && e->n == p->n && e->column == column_index &&
            memcmp(e->ids, p->ids, p->n * sizeof *p->ids) == 0)
            return e;
    }
    brz_stacks_entry *e = brz_stacks_new(s, ctx, hash, column_index);
    s->slots[at] = brz_stacks_slot(hash, s->n_entries - 1);
    if (2 * s->n_entries > s->n_slots)
        brz_stacks_rehash(s, ctx);
    return e;
}

/** Adds the current stack as a new entry without looking it up. For sorted input, whose equal
 * stacks are adjacent: the caller compares each stack with the previous one. Lookups do not find
 * the entry before brz_stacks_index(). */
static inline brz_stacks_entry *brz_stacks_append(brz_stacks *s, brz_ctx *ctx,
                                                  uint32_t column_index)
{
    return brz_stacks_new(s, ctx, 0, column_index);
}

/** Makes lookups find the entries that were appended. Call it once, when the input turns out not to
 * be sorted. */
static inline void brz_stacks_index(brz_stacks *s, brz_ctx *ctx)
{
    const brz_hash_keys *keys = &s->own.keys;
    for (size_t i = 0; i < s->n_entries; i++) {
        brz_stacks_entry *e = &s->entries[i];
        uint64_t h = BRZ_HASH_EMPTY;
        for (uint32_t k = 0; k < e->n; k++)
            h = brz_hash_step(keys, h, e->ids[k]);
        e->hash = brz_hash_pair(keys, h, e->column);
    }
    while (s->n_entries > s->n_slots)
        s->n_slots *= 2;
    brz_stacks_rehash(s, ctx);
}

/** Adds `value` to a sum, which is clamped rather than wrapped around. */
static inline void brz_stacks_sum(brz_stacks *s, int64_t *sum, int64_t value)
{
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = value > 0 ? INT64_MAX : INT64_MIN;
        s->saturated = true;
    }
}

/** Counts a stack by its entry. */
static inline brz_rc brz_stacks_add(brz_stacks *s, brz_ctx *ctx, brz_stacks_entry *e, int64_t value)
{
    if (s->ordered)
        return brz_stacks_send(s, ctx, e, value);
    brz_stacks_sum(s, &e->value, value);
    return BRZ_OK;
}

/** Counts the current stack, without changing it. */
static inline brz_rc brz_stacks_count(brz_stacks *s, brz_ctx *ctx, uint32_t column_index,
                                      int64_t value)
{
    return brz_stacks_add(s, ctx, brz_stacks_entry_of(s, ctx, column_index), value);
}

/** Multiplies the pending sums of a column. Call it before host->decimals increases the precision
 * of the column. */
static inline void brz_stacks_rescale(brz_stacks *s, uint32_t column_index, int64_t factor)
{
    for (size_t i = 0; i < s->n_entries; i++) {
        int64_t *v = &s->entries[i].value, sign = *v;
        if (s->entries[i].column == column_index && __builtin_mul_overflow(*v, factor, v)) {
            *v = sign > 0 ? INT64_MAX : INT64_MIN;
            s->saturated = true;
        }
    }
}

/** Passes all pending sums to the host. Call it from the plug-in's `finish`. */
static inline brz_rc brz_stacks_finish(brz_stacks *s, brz_ctx *ctx)
{
    if (!s->ordered)
        brz_stacks_place(s, BRZ_NO_TAG, 0, 0);
    for (size_t i = 0; i < s->n_entries && !s->ordered; i++) {
        brz_rc rc = brz_stacks_send(s, ctx, &s->entries[i], s->entries[i].value);
        if (rc != BRZ_OK)
            return rc;
    }
    if (s->saturated)
        BRZ_WARN(ctx, BRZ_SATURATED, NULL, 0, "a sum is too large: it stays at its limit");
    return brz_stacks_flush(s, ctx);
}

#endif
