/* SPDX-License-Identifier: MIT */
/* Numbers names in the order in which they first occur.
 *
 * The hash table uses open addressing; at most half of its slots are in use. A slot holds half of
 * the hash of its name, so that a look-up mostly compares one name. With AVX2, a name of up to 32
 * bytes is hashed and compared as one vector: its hash is NH over words of 32 bits, of which two
 * different names have the same one for at most one key in 2^32, and a product with another key
 * selects the slot.
 */
#include "sorted/name_numbers.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/text/avx2.h>
#include <brazier/text/short_name.h>

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_BITS 10 /* of a hash, which select one of the first slots */

/* Sizes of the first list of names, and of the first one of large pages. */
#define FIRST_SIZE ((size_t)16 << 10)
#define LARGE_SIZE (2 * BRZ_LARGE_PAGE)

/* Size of the pieces of memory for texts. */
#define TEXTS ((size_t)8 << 10)

void brz_name_numbers_init(brz_name_numbers *t, brz_arena *texts)
{
    *t = (brz_name_numbers){.n_slots = (size_t)1 << FIRST_BITS,
                            .shift = 32 - FIRST_BITS,
                            .keys = *brz_hash_host_keys(),
                            .texts = texts};
    t->slots = brz_table_alloc(t->n_slots * sizeof *t->slots);
}

void brz_name_numbers_finish(brz_name_numbers *t)
{
    if (t->names != NULL)
        brz_pages_free(t->names, t->names_size);
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
        if (old[i].number == 0)
            continue;
        size_t at = old[i].hash >> t->shift;
        while (t->slots[at].number != 0)
            at = (at + 1) & (t->n_slots - 1);
        t->slots[at] = old[i];
    }
    brz_table_free(old, n * sizeof *old);
}

/* Returns a terminated copy of a name. */
static brz_str keep(brz_name_numbers *t, brz_str name)
{
    if ((size_t)(t->text_end - t->text) <= name.len) {
        size_t size = name.len < TEXTS ? TEXTS : name.len + 1;
        t->text = brz_arena_alloc(t->texts, size, 0);
        t->text_end = t->text + size;
    }
    char *text = t->text;
    memcpy(text, name.data, name.len);
    t->text += name.len + 1;
    return brz_str_of(text, name.len);
}

/* Enlarges the list of names by large steps: a long one soon consists of large pages. */
static void enlarge_names(brz_name_numbers *t)
{
    size_t size = t->names_size == 0           ? FIRST_SIZE
                  : t->names_size < LARGE_SIZE ? 16 * t->names_size
                                               : 4 * t->names_size;
    brz_numbered_name *names = brz_pages_alloc(size);
    if (t->names != NULL) {
        memcpy(names, t->names, t->n * sizeof *names);
        brz_pages_free(t->names, t->names_size);
    }
    t->names = names;
    t->names_size = size;
}

static bool has_room(const brz_name_numbers *t)
{
    return t->names_size / sizeof *t->names > t->n;
}

/* Adds a name in a free slot. Returns its number. */
static uint32_t add(brz_name_numbers *t, brz_name_slot *slot, uint32_t hash, brz_words head,
                    brz_str name)
{
    if (t->n >= UINT32_MAX / 2)
        brz_out_of_memory(t->n);
    if (!has_room(t))
        enlarge_names(t);
    uint32_t number = (uint32_t)t->n++;
    t->names[number] = (brz_numbered_name){head, keep(t, name)};
    *slot = (brz_name_slot){hash, number + 1};
    if (2 * t->n > t->n_slots)
        grow(t);
    return number;
}

static bool is_same(const brz_numbered_name *n, const brz_words *head, brz_str name)
{
    const uint64_t *x = n->head.w, *y = head->w;
    uint64_t differ = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]);
    return (differ | (n->text.len ^ name.len)) == 0 &&
           (name.len <= sizeof *head || memcmp(n->text.data, name.data, name.len) == 0);
}

static bool is_printable(brz_str name)
{
    bool is_good = true;
    for (size_t i = 0; i < name.len; i++)
        is_good &= name.data[i] >= ' ' && name.data[i] <= '~';
    return is_good;
}

/* Returns the number of a name of any length. */
static uint32_t number_of(brz_name_numbers *t, brz_str name)
{
    brz_words head = brz_words_load(name.data, name.len);
    uint64_t hash = name.len <= sizeof head ? brz_words_hash(&t->keys, &head, name.len)
                                            : brz_hash_text(&t->keys, name.data, name.len, 0);
    uint32_t half = (uint32_t)(hash >> 32);
    for (size_t at = half >> t->shift;; at = (at + 1) & (t->n_slots - 1)) {
        brz_name_slot *s = &t->slots[at];
        if (s->number == 0) {
            t->is_odd |= !is_printable(name);
            return add(t, s, half, head, name);
        }
        if (s->hash == half && is_same(&t->names[s->number - 1], &head, name))
            return s->number - 1;
    }
}

size_t brz_name_numbers_portable(brz_name_numbers *t, brz_str line, size_t start, uint32_t *ends,
                                 uint32_t *numbers, size_t room)
{
    size_t n = 0, at = start;
    do {
        const char *name = line.data + at, *end = memchr(name, ';', line.len - at);
        size_t len = end == NULL ? line.len - at : (size_t)(end - name);
        numbers[n] = number_of(t, brz_str_of(name, len));
        ends[n++] = (uint32_t)(at + len);
        at += len + 1;
    } while (n < room && at < line.len);
    return n;
}

#if BRZ_HAVE_AVX2
/* Returns whether the first bytes of a vector are printable ASCII. */
__attribute__((target("avx2"))) static inline bool is_printable_short(__m256i head, size_t len)
{
    __m256i low = _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), head); /* with those above 127 */
    __m256i bad = _mm256_or_si256(low, _mm256_cmpeq_epi8(head, _mm256_set1_epi8(127)));
    uint64_t mask = (uint32_t)_mm256_movemask_epi8(bad);
    return (mask & ((UINT64_C(1) << len) - 1)) == 0;
}

__attribute__((target("avx2"))) static inline bool is_same_short(const brz_numbered_name *n,
                                                                 __m256i head, size_t len)
{
    __m256i own = _mm256_loadu_si256((const __m256i *)(const void *)&n->head);
    __m256i differ = _mm256_xor_si256(own, head);
    return n->text.len == len && _mm256_testz_si256(differ, differ);
}

/* Returns the number of a name of up to 32 bytes. */
__attribute__((target("avx2"))) static inline uint32_t number_short(brz_name_numbers *t,
                                                                    brz_str name)
{
    __m256i head = brz_short_name_load(name.data, name.len);
    uint32_t half = (uint32_t)(brz_short_name_hash(&t->keys, head) >> 32);
    for (size_t at = half >> t->shift;; at = (at + 1) & (t->n_slots - 1)) {
        brz_name_slot *s = &t->slots[at];
        if (s->number == 0) {
            brz_words words;
            _mm256_storeu_si256((__m256i *)(void *)&words, head);
            t->is_odd |= !is_printable_short(head, name.len);
            return add(t, s, half, words, name);
        }
        if (s->hash == half && is_same_short(&t->names[s->number - 1], head, name.len))
            return s->number - 1;
    }
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

__attribute__((target("avx2,bmi"))) static size_t number_avx2(brz_name_numbers *t, brz_str line,
                                                              size_t start, uint32_t *ends,
                                                              uint32_t *numbers, size_t room)
{
    size_t n = 0, at = start;
    do {
        size_t len = length_of(line.data + at, line.len - at);
        brz_str name = brz_str_of(line.data + at, len);
        numbers[n] = len <= 32 ? number_short(t, name) : number_of(t, name);
        ends[n++] = (uint32_t)(at + len);
        at += len + 1;
    } while (n < room && at < line.len);
    return n;
}
#endif

brz_name_numbers_fn *brz_name_numbers_best(void)
{
    return BRZ_CPU_BEST(number_avx2, brz_name_numbers_portable);
}
