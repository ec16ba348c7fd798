/* SPDX-License-Identifier: MIT */
/* Interns texts, with open addressing and a load factor of at most a half. */
#include "base/string_table.h"

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static void rehash(brz_strings *t)
{
    brz_table_free(t->slots, t->n_slots * sizeof *t->slots);
    t->n_slots = t->n_slots > 0 ? 4 * t->n_slots : 256;
    t->slots = brz_table_alloc(t->n_slots * sizeof *t->slots);
    for (size_t id = 0; id < t->n; id++) {
        size_t at = (size_t)t->hashes[id] & (t->n_slots - 1);
        while (t->slots[at] != 0)
            at = (at + 1) & (t->n_slots - 1);
        t->slots[at] = (uint32_t)(id + 1);
    }
}

/* Makes room for another text. */
static void make_room(brz_strings *t)
{
    if (t->n >= UINT32_MAX - 1)
        brz_out_of_memory(t->n);
    t->items = brz_grow(t->items, t->n, &t->items_cap, sizeof *t->items);
    t->hashes = brz_grow(t->hashes, t->n, &t->hashes_cap, sizeof *t->hashes);
}

static uint32_t add(brz_strings *t, brz_str s, uint64_t hash, size_t at)
{
    if (t->n == t->items_cap || t->n == t->hashes_cap)
        make_room(t);
    t->items[t->n] = brz_arena_str(&t->text, s);
    t->hashes[t->n] = hash;
    t->slots[at] = (uint32_t)(t->n + 1);
    t->n++;
    if (2 * t->n > t->n_slots)
        rehash(t);
    return (uint32_t)(t->n - 1);
}

static uint32_t intern_valid(brz_strings *t, brz_str s);

static uint32_t intern_repaired(brz_strings *t, brz_str s)
{
    brz_buf b = {0};
    brz_utf8_repair(&b, s);
    uint32_t id = intern_valid(t, brz_buf_str(&b));
    brz_buf_finish(&b);
    return id;
}

static bool is_at(const brz_strings *t, uint32_t id, brz_str s, uint64_t hash)
{
    return t->hashes[id] == hash && t->items[id].len == s.len &&
           memcmp(t->items[id].data, s.data, s.len) == 0;
}

/* Interns a text. Repairs it if it is neither in the table nor valid. */
static uint32_t intern_valid(brz_strings *t, brz_str s)
{
    uint64_t hash = brz_hash(s);
    size_t mask = t->n_slots - 1, at = (size_t)hash & mask;
    for (; t->slots[at] != 0; at = (at + 1) & mask)
        if (is_at(t, t->slots[at] - 1, s, hash))
            return t->slots[at] - 1;
    return brz_utf8_valid(s) ? add(t, s, hash, at) : intern_repaired(t, s);
}

uint32_t brz_strings_intern(brz_strings *t, brz_str s)
{
    if (t->n == 0) {
        rehash(t);
        intern_valid(t, BRZ_STR(""));
    }
    return s.len == 0 ? 0 : intern_valid(t, s);
}

void brz_strings_finish(brz_strings *t)
{
    brz_arena_finish(&t->text);
    free(t->items);
    free(t->hashes);
    brz_table_free(t->slots, t->n_slots * sizeof *t->slots);
    memset(t, 0, sizeof *t);
}
