/* Numbers names in the order in which they first occur.
 *
 * The hash table uses open addressing; at most half of its slots are in use. A slot holds the
 * beginning of its name, so that a look-up mostly touches one cache line.
 */
#include "run/name_numbers.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_SLOTS ((size_t)1024)

void brz_name_numbers_init(brz_name_numbers *t)
{
    *t = (brz_name_numbers){.n_slots = FIRST_SLOTS, .keys = *brz_hash_host_keys()};
    t->slots = brz_calloc(t->n_slots, sizeof *t->slots);
}

void brz_name_numbers_finish(brz_name_numbers *t)
{
    free(t->names);
    free(t->slots);
    *t = (brz_name_numbers){0};
}

static inline uint64_t hash_of(const brz_hash_keys *keys, const brz_words *head, brz_str name)
{
    return name.len <= sizeof *head ? brz_words_hash(keys, head, name.len)
                                    : brz_hash_text(keys, name.data, name.len, 0);
}

static inline bool is_same(const brz_name_numbers *t, const brz_name_slot *s, const brz_words *head,
                           brz_str name)
{
    const uint64_t *x = s->head.w, *y = head->w;
    uint64_t differ = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]);
    return (differ | (s->len ^ name.len)) == 0 &&
           (name.len <= sizeof *head ||
            memcmp(t->names[s->number - 1].data, name.data, name.len) == 0);
}

/* Returns the slot of a name, or a free slot for it. */
static inline brz_name_slot *find_slot(const brz_name_numbers *t, uint64_t hash,
                                       const brz_words *head, brz_str name)
{
    size_t mask = t->n_slots - 1, at = (size_t)hash & mask;
    while (t->slots[at].number != 0 && !is_same(t, &t->slots[at], head, name))
        at = (at + 1) & mask;
    return &t->slots[at];
}

static void grow(brz_name_numbers *t)
{
    brz_name_slot *old = t->slots;
    size_t n = t->n_slots;
    t->n_slots *= 2;
    t->slots = brz_calloc(t->n_slots, sizeof *t->slots);
    for (size_t i = 0; i < n; i++) {
        if (old[i].number == 0)
            continue;
        brz_str name = t->names[old[i].number - 1];
        *find_slot(t, hash_of(&t->keys, &old[i].head, name), &old[i].head, name) = old[i];
    }
    free(old);
}

/* Adds a name in a free slot. Returns its number. */
static uint32_t add(brz_name_numbers *t, brz_name_slot *slot, const brz_words *head, brz_str name)
{
    if (t->n >= UINT32_MAX - 1)
        brz_out_of_memory(t->n);
    uint32_t number = (uint32_t)t->n++;
    t->names = brz_grow(t->names, number, &t->cap, sizeof *t->names);
    t->names[number] = name;
    *slot = (brz_name_slot){.head = *head, .len = name.len, .number = number + 1};
    if (2 * t->n > t->n_slots)
        grow(t);
    return number;
}

void brz_name_numbers_find(brz_name_numbers *t, const char *line, size_t start,
                           const uint32_t *ends, size_t n, uint32_t *numbers)
{
    const brz_hash_keys keys = t->keys;
    for (size_t i = 0; i < n; start = (size_t)ends[i++] + 1) {
        brz_str name = brz_str_of(line + start, ends[i] - start);
        brz_words head = brz_words_load(name.data, name.len);
        brz_name_slot *s = find_slot(t, hash_of(&keys, &head, name), &head, name);
        numbers[i] = s->number != 0 ? s->number - 1 : add(t, s, &head, name);
    }
}
