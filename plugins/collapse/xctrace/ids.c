/* SPDX-License-Identifier: MIT */
/* Maps ids to values.
 *
 * The first occurrence of an element is written out with an id, later ones are references to it.
 * Ids are actually numbers, but other ids work, too. An id gets a slot at its first occurrence, so
 * that the value can be set when the element ends.
 */
#include "reader.h"

void ids_init(id_table *t, brz_ctx *ctx)
{
    brz_frame_cache_init(&t->slots, ctx);
    t->n = 0;
    t->cap = 1024;
    t->all = ctx->host->alloc(ctx, t->cap * sizeof *t->all, 0);
    t->numbered_cap = 4096;
    t->numbered = ctx->host->alloc(ctx, t->numbered_cap * sizeof *t->numbered, 0);
    t->padded_cap = 64;
    t->padded = ctx->host->alloc(ctx, t->padded_cap, 0);
}

static void forget_texts(brz_frame_cache *c, brz_ctx *ctx)
{
    if (c->used == 0)
        return;
    if (c->n_slots > BRZ_FRAME_CACHE_SLOTS) {
        brz_frame_cache_init(c, ctx);
        return;
    }
    memset(c->slots, 0, c->n_slots * sizeof *c->slots);
    c->used = c->entries_len = 0;
}

void ids_forget(id_table *t, brz_ctx *ctx)
{
    for (size_t i = 0; i < t->n; i++)
        t->numbered[t->all[i].number] = 0;
    t->n = 0;
    forget_texts(&t->slots, ctx);
}

static uint32_t add_slot(id_table *t, brz_ctx *ctx, element_kind kind)
{
    if (t->n == t->cap)
        t->all = brz_stacks_double(ctx, t->all, t->n, &t->cap, sizeof *t->all);
    t->all[t->n] = (id_slot){NO_VALUE, kind, 0};
    return (uint32_t)t->n++;
}

/* Copies an id so that 31 bytes after it are readable. */
static brz_str padded(id_table *t, brz_ctx *ctx, brz_str id)
{
    size_t n = id.len;
    if (t->padded_cap < n + 32) {
        t->padded_cap = 2 * n + 32;
        t->padded = ctx->host->alloc(ctx, t->padded_cap, 0);
    }
    if (n > 0)
        memcpy(t->padded, id.data, n);
    return brz_str_of(t->padded, n);
}

static uint32_t text_slot(id_table *t, brz_ctx *ctx, element_kind kind, brz_str id)
{
    brz_str s = padded(t, ctx, id);
    brz_frame_key key = brz_frame_key_of(&t->slots, s.data, s.len, (uint32_t)kind);
    uint32_t slot = brz_frame_cache_find(&t->slots, &key);
    if (slot != BRZ_CACHE_MISS)
        return slot;
    slot = add_slot(t, ctx, kind);
    brz_frame_cache_put(&t->slots, ctx, &key, slot);
    return slot;
}

/* ---- ids that are numbers -------------------------------------------------------------------- */

/* Returns whether a numeric id is within reach. Ids count the elements of a document, only some of
 * which are stored; numbers much larger than the number of slots would waste memory. */
static bool is_in_reach(const id_table *t, size_t number)
{
    return number < 64 * t->n + (1u << 20);
}

/* Returns the number of an id, or SIZE_MAX if it is not a number in its usual form. */
static size_t number_of(brz_str id)
{
    size_t n = 0;
    if (id.len == 0 || id.len > 9 || id.data[0] == '0')
        return SIZE_MAX;
    for (size_t i = 0; i < id.len; i++) {
        if (!brz_is_digit(id.data[i]))
            return SIZE_MAX;
        n = n * 10 + (size_t)(id.data[i] - '0');
    }
    return n;
}

static void make_room(id_table *t, brz_ctx *ctx, size_t number)
{
    while (number >= t->numbered_cap)
        t->numbered = brz_stacks_double(ctx, t->numbered, t->numbered_cap, &t->numbered_cap,
                                        sizeof *t->numbered);
}

/* Returns the slot of an id. Its first occurrence decides whether it is stored as a number or as a
 * text; the same number may be stored as a text for another kind. */
uint32_t ids_slot(id_table *t, brz_ctx *ctx, element_kind kind, brz_str id)
{
    size_t number = number_of(id);
    bool has_room = number < t->numbered_cap;
    uint32_t there = has_room ? t->numbered[number] : 0;
    if (there != 0 && t->all[there - 1].kind == kind)
        return there - 1;
    if (there != 0 || t->slots.used > 0 || number == SIZE_MAX || !is_in_reach(t, number))
        return text_slot(t, ctx, kind, id);
    make_room(t, ctx, number);
    uint32_t slot = add_slot(t, ctx, kind);
    t->numbered[number] = slot + 1;
    t->all[slot].number = (uint32_t)number;
    return slot;
}
