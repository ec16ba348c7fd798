/* SPDX-License-Identifier: MIT */
/* Numbers names in the order in which they first occur.
 *
 * The hash table uses open addressing; at most half of its slots are in use. A slot holds half of
 * the hash of its name, so that a look-up mostly compares one name, and the place of its record: a
 * record takes little more than the text. With AVX2, a name of up to 32 bytes is hashed and
 * compared as one vector: its hash is NH over words of 32 bits, of which two different names have
 * the same one for at most one key in 2^32, and a product with another key selects the slot.
 */
#include "sorted/name_numbers.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/text/avx2.h>
#include <brazier/text/short_name.h>

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_BITS 10 /* of a hash, which select one of the first slots */

/* Records begin at multiples of UNIT bytes in pieces of PIECE bytes, or of one longer record. The
 * place of a record is the number of its piece times UNITS, plus its offset in units. */
#define UNIT  ((size_t)8)
#define PIECE ((size_t)8 << 10)
#define UNITS (PIECE / UNIT)

/* Bytes after the last record of a piece that may be read and written. */
#define SPARE ((size_t)32)

void brz_name_numbers_init(brz_name_numbers *t, brz_arena *memory)
{
    *t = (brz_name_numbers){.n_slots = (size_t)1 << FIRST_BITS,
                            .shift = 32 - FIRST_BITS,
                            .keys = *brz_hash_host_keys(),
                            .memory = memory};
    t->slots = brz_table_alloc(t->n_slots * sizeof *t->slots);
}

void brz_name_numbers_finish(brz_name_numbers *t)
{
    free(t->pieces);
    brz_table_free(t->slots, t->n_slots * sizeof *t->slots);
    *t = (brz_name_numbers){0};
}

/* Enlarges the table fourfold, which touches fewer pages than two times twofold. */
static void grow(brz_name_numbers *t)
{
    brz_name_slot *old = t->slots;
    size_t n = t->n_slots;
    t->n_slots *= 4;
    t->shift -= 2;
    t->slots = brz_table_alloc(t->n_slots * sizeof *t->slots);
    for (size_t i = 0; i < n; i++) {
        if (old[i].place == 0)
            continue;
        size_t at = old[i].hash >> t->shift;
        while (t->slots[at].place != 0)
            at = (at + 1) & (t->n_slots - 1);
        t->slots[at] = old[i];
    }
    brz_table_free(old, n * sizeof *old);
}

/* ---- records -------------------------------------------------------------------------------- */

/* Returns the size of the record of a name. */
static size_t record_size(size_t len)
{
    return (sizeof(brz_name_record) + len + 1 + UNIT - 1) / UNIT * UNIT;
}

static inline const brz_name_record *record_at(const brz_name_numbers *t, uint32_t place)
{
    const char *records = t->pieces[place / UNITS].records;
    return (const brz_name_record *)(const void *)(records + place % UNITS * UNIT);
}

static void add_piece(brz_name_numbers *t, size_t size)
{
    if (t->n_pieces >= UINT32_MAX / UNITS)
        brz_out_of_memory(size);
    t->room = size < PIECE ? PIECE : size;
    t->pieces = brz_grow(t->pieces, t->n_pieces, &t->pieces_cap, sizeof *t->pieces);
    char *records = brz_arena_alloc(t->memory, t->room + SPARE, UNIT);
    t->pieces[t->n_pieces++] = (brz_name_piece){records, 0};
}

/* Adds a record in a free slot. The caller copies the text. */
static inline brz_name_record *add(brz_name_numbers *t, brz_name_slot *slot,
                                   const brz_found_name *name)
{
    size_t size = record_size(name->len);
    if (t->n_pieces == 0 || t->room - t->pieces[t->n_pieces - 1].used < size)
        add_piece(t, size);
    brz_name_piece *piece = &t->pieces[t->n_pieces - 1];
    *slot =
        (brz_name_slot){name->hash, (uint32_t)((t->n_pieces - 1) * UNITS + piece->used / UNIT + 1)};
    brz_name_record *r = (brz_name_record *)(void *)(piece->records + piece->used);
    piece->used += size;
    r->number = (uint32_t)t->n++;
    r->len = name->len;
    if (2 * t->n > t->n_slots)
        grow(t);
    return r;
}

brz_str brz_name_numbers_next(const brz_name_numbers *t, brz_name_cursor *c)
{
    if (c->at == t->pieces[c->piece].used)
        *c = (brz_name_cursor){.piece = c->piece + 1};
    const void *record = t->pieces[c->piece].records + c->at;
    const brz_name_record *r = record;
    c->at += record_size(r->len);
    return brz_str_of(r->text, r->len);
}

/* ---- every processor ------------------------------------------------------------------------ */

static bool is_printable(brz_str name)
{
    bool is_good = true;
    for (size_t i = 0; i < name.len; i++)
        is_good &= name.data[i] >= ' ' && name.data[i] <= '~';
    return is_good;
}

static uint32_t hash_of(const brz_name_numbers *t, const char *name, size_t len)
{
    return (uint32_t)(brz_hash_text(&t->keys, name, len, 0) >> 32);
}

/* Returns the number of a name of any length. */
static uint32_t number_of(brz_name_numbers *t, const brz_found_name *name)
{
    for (size_t at = name->hash >> t->shift;; at = (at + 1) & (t->n_slots - 1)) {
        brz_name_slot *s = &t->slots[at];
        if (s->place == 0) {
            t->is_odd |= !is_printable(brz_str_of(name->text, name->len));
            brz_name_record *added = add(t, s, name);
            memcpy(added->text, name->text, name->len);
            added->text[name->len] = '\0';
            return added->number;
        }
        if (s->hash != name->hash)
            continue;
        const brz_name_record *r = record_at(t, s->place - 1);
        if (r->len == name->len && memcmp(r->text, name->text, name->len) == 0)
            return r->number;
    }
}

static size_t find_portable(const brz_name_numbers *t, brz_str line, size_t start, uint32_t *ends,
                            brz_found_name *found, size_t room)
{
    size_t n = 0, at = start;
    do {
        const char *name = line.data + at, *end = memchr(name, ';', line.len - at);
        size_t len = end == NULL ? line.len - at : (size_t)(end - name);
        found[n] = (brz_found_name){name, (uint32_t)len, hash_of(t, name, len)};
        ends[n++] = (uint32_t)(at + len);
        at += len + 1;
    } while (n < room && at < line.len);
    return n;
}

static void number_portable(brz_name_numbers *t, const brz_found_name *found, size_t n,
                            uint32_t *numbers)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = number_of(t, &found[i]);
}

brz_name_functions brz_name_functions_portable(void)
{
    return (brz_name_functions){find_portable, number_portable};
}

/* ---- AVX2 ----------------------------------------------------------------------------------- */

#if BRZ_HAVE_AVX2
/* Returns whether the first bytes of a vector are printable ASCII. */
__attribute__((target("avx2"))) static inline bool is_printable_short(__m256i name, size_t len)
{
    __m256i low = _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), name); /* with those above 127 */
    __m256i bad = _mm256_or_si256(low, _mm256_cmpeq_epi8(name, _mm256_set1_epi8(127)));
    uint64_t mask = (uint32_t)_mm256_movemask_epi8(bad);
    return (mask & ((UINT64_C(1) << len) - 1)) == 0;
}

/* Returns whether a record is that of a name of up to 32 bytes. */
__attribute__((target("avx2"))) static inline bool is_same_short(const brz_name_record *r,
                                                                 __m256i name, size_t len)
{
    __m256i differ = _mm256_xor_si256(brz_short_name_load(r->text, len), name);
    return r->len == len && _mm256_testz_si256(differ, differ);
}

/* Adds a name of up to 32 bytes. */
__attribute__((target("avx2"))) static uint32_t add_short(brz_name_numbers *t, brz_name_slot *slot,
                                                          const brz_found_name *found, __m256i name)
{
    t->is_odd |= !is_printable_short(name, found->len);
    brz_name_record *r = add(t, slot, found);
    _mm256_storeu_si256((__m256i *)(void *)r->text, name);
    r->text[found->len] = '\0';
    return r->number;
}

/* Returns the number of a name of up to 32 bytes. */
__attribute__((target("avx2"))) static inline uint32_t number_short(brz_name_numbers *t,
                                                                    const brz_found_name *found)
{
    __m256i name = brz_short_name_load(found->text, found->len);
    for (size_t at = found->hash >> t->shift;; at = (at + 1) & (t->n_slots - 1)) {
        brz_name_slot *s = &t->slots[at];
        if (s->place == 0)
            return add_short(t, s, found, name);
        const brz_name_record *r = record_at(t, s->place - 1);
        if (s->hash == found->hash && is_same_short(r, name, found->len))
            return r->number;
    }
}

__attribute__((target("avx2"))) static void number_avx2(brz_name_numbers *t,
                                                        const brz_found_name *found, size_t n,
                                                        uint32_t *numbers)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = found[i].len <= 32 ? number_short(t, &found[i]) : number_of(t, &found[i]);
}

/* Returns the length of the name at the beginning of a text of `n` bytes. */
__attribute__((target("avx2,bmi"))) static inline size_t length_of(const char *text, size_t n)
{
    uint32_t ends = brz_equal_mask32(brz_load32(text), brz_fill32(';'));
    if (ends == 0 && n > 32) {
        const char *end = memchr(text + 32, ';', n - 32);
        return end == NULL ? n : (size_t)(end - text);
    }
    size_t end = brz_lowest_bit(ends);
    return end < n ? end : n;
}

/* Returns the hash of a name of up to 32 bytes. */
__attribute__((target("avx2"))) static inline uint32_t hash_short(const brz_hash_keys *keys,
                                                                  const char *name, size_t len)
{
    return (uint32_t)(brz_short_name_hash(keys, brz_short_name_load(name, len)) >> 32);
}

__attribute__((target("avx2,bmi"))) static size_t find_avx2(const brz_name_numbers *t, brz_str line,
                                                            size_t start, uint32_t *ends,
                                                            brz_found_name *found, size_t room)
{
    const brz_hash_keys keys = t->keys;
    const brz_name_slot *slots = t->slots;
    const unsigned shift = t->shift;
    size_t n = 0, at = start;
    do {
        const char *name = line.data + at;
        size_t len = length_of(name, line.len - at);
        uint32_t hash = len <= 32 ? hash_short(&keys, name, len) : hash_of(t, name, len);
        __builtin_prefetch(&slots[hash >> shift]);
        found[n] = (brz_found_name){name, (uint32_t)len, hash};
        ends[n++] = (uint32_t)(at + len);
        at += len + 1;
    } while (n < room && at < line.len);
    return n;
}
#endif

brz_name_functions brz_name_functions_best(void)
{
#if BRZ_HAVE_AVX2
    if (brz_cpu_has_avx2())
        return (brz_name_functions){find_avx2, number_avx2};
#endif
    return brz_name_functions_portable();
}
