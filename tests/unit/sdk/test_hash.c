/* SPDX-License-Identifier: MIT */
/* Tests <brazier/text/hash.h> and the tables that use it: names and stacks crafted to share a slot
 * are distributed like others, with every seed. Built twice, the second time with the
 * multiplication for processors without a 128-bit product. */
#include "unit.h"

#include <brazier/text.h>

#include "base/string_table.h"

#define N_NAMES 20000
#define N_SEEDS 5
#define NAME    40 /* bytes of the longest name */

static const uint64_t seeds[N_SEEDS] = {0, 1, UINT64_C(0x9e3779b97f4a7c15), UINT64_MAX, 12345};

/* ---- names ----------------------------------------------------------------------------------- */

/* Constants that multiply-and-fold hashes are often built with: a word that equals one of them
 * makes a product zero wherever the factor is the word XOR the constant. */
#define K1 UINT64_C(0x9e3779b97f4a7c15)
#define K2 UINT64_C(0xd6e8feb86659fd93)
#define K3 UINT64_C(0xa0761d6478bd642f)

/* Writes the i-th name of a family, of NAME bytes, as five words. */
typedef void name_fn(uint64_t i, uint64_t words[5]);

/* Spells a number with sixteen letters, as a word of text. */
static uint64_t letters_of(uint64_t i)
{
    uint64_t word = 0;
    for (int at = 0; at < 8; at++)
        word |= ((i >> 4 * at & 15) + 'a') << 8 * at;
    return word;
}

static void plain(uint64_t i, uint64_t w[5])
{
    w[0] = w[2] = w[3] = w[4] = letters_of(0);
    w[1] = letters_of(i);
}

static void zero_products(uint64_t i, uint64_t w[5])
{
    w[0] = w[3] = K1;
    w[1] = letters_of(i);
    w[2] = K2;
    w[4] = K3;
}

static void zero_products_from_the_second_word(uint64_t i, uint64_t w[5])
{
    w[0] = letters_of(i);
    w[1] = K1;
    w[2] = letters_of(i * 7);
    w[3] = K3;
    w[4] = K2;
}

static void high_bits(uint64_t i, uint64_t w[5])
{
    for (int k = 0; k < 5; k++)
        w[k] = (i >> 3 * k & 7) << 61;
}

static void swapped_halves(uint64_t i, uint64_t w[5])
{
    for (int k = 0; k < 4; k++)
        w[k] = i >> (k ^ (int)(i & 1) * 2) & 0xff;
    w[4] = i;
}

static void after_the_first_block(uint64_t i, uint64_t w[5])
{
    w[0] = w[1] = w[2] = w[3] = 0;
    w[4] = i << 40;
}

static const struct {
    const char *name;
    name_fn *make;
} families[] = {
    {"plain", plain},
    {"zero products", zero_products},
    {"zero products from the second word", zero_products_from_the_second_word},
    {"high bits", high_bits},
    {"swapped halves", swapped_halves},
    {"after the first block", after_the_first_block},
};

/* Returns the i-th name, followed by as many bytes as the text kit reads. */
static brz_str name_of(name_fn *make, uint64_t i, char room[NAME + 32])
{
    uint64_t words[5];
    make(i, words);
    memset(room, 0, NAME + 32);
    memcpy(room, words, NAME);
    return brz_str_of(room, NAME);
}

/* With linear probing and a load factor of at most 1/2, entries are displaced by half a slot on
 * average. Entries with a common slot would be displaced by thousands. */
static void assert_spread(size_t displaced, size_t n, const char *what)
{
    if (displaced > n)
        fail_msg("%s: %zu entries are displaced by %zu slots", what, n, displaced);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static size_t displacement_of_cache(const brz_frame_cache *c)
{
    size_t sum = 0, mask = c->n_slots - 1;
    for (size_t at = 0; at < c->n_slots; at++)
        if (c->slots[at] != 0) {
            size_t home = (size_t)brz_frame_cache_hash(c, brz_frame_cache_at(c, c->slots[at]));
            sum += (at - home) & mask;
        }
    return sum;
}

static void prepared_names_are_spread_in_the_frame_cache(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(families); f++)
        for (size_t s = 0; s < N_SEEDS; s++) {
            bench b;
            brz_frame_cache c;
            bench_open(&b);
            b.ctx->seed = seeds[s];
            brz_frame_cache_init(&c, b.ctx);
            for (uint32_t i = 0; i < N_NAMES; i++) {
                char room[NAME + 32];
                brz_str name = name_of(families[f].make, i, room);
                brz_frame_key key = brz_frame_key_of(&c, name.data, name.len, 0);
                if (brz_frame_cache_find(&c, &key) == BRZ_CACHE_MISS)
                    brz_frame_cache_put(&c, b.ctx, &key, i);
            }
            assert_spread(displacement_of_cache(&c), c.used, families[f].name);
            bench_close(&b);
        }
}

static void prepared_names_are_spread_in_the_string_table(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(families); f++) {
        brz_strings t = {0};
        char room[NAME + 32];
        for (uint32_t i = 0; i < N_NAMES; i++)
            brz_strings_intern(&t, name_of(families[f].make, i, room));
        size_t sum = 0;
        for (size_t at = 0; at < t.n_slots; at++)
            if (t.slots[at] != 0)
                sum += (at - (size_t)t.hashes[t.slots[at] - 1]) & (t.n_slots - 1);
        assert_spread(sum, t.n, families[f].name);
        brz_strings_finish(&t);
    }
}

/* Ids are counted from 0, so the author of an input can predict them. */
static void prepared_stacks_are_spread(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SEEDS; s++) {
        bench b;
        brz_stacks stacks;
        bench_open(&b);
        b.ctx->seed = seeds[s];
        brz_stacks_init(&stacks, b.ctx, 0);
        for (int i = 0; i < 2; i++)
            brz_profile_add_frame(b.instance->profile,
                                  &(brz_frame_desc){.struct_size = sizeof(brz_frame_desc),
                                                    .name = str_of(i == 0 ? "a" : "b")});
        for (uint32_t i = 0; i < N_NAMES; i++) {
            brz_path_cut(stacks.path, 0);
            for (uint32_t bit = 0; bit < 15; bit++) /* a bit per frame */
                brz_path_push(stacks.path, b.ctx, i >> bit & 1);
            brz_stacks_entry_of(&stacks, b.ctx, 0);
        }
        size_t sum = 0, mask = stacks.n_slots - 1;
        for (size_t at = 0; at < stacks.n_slots; at++)
            if (stacks.slots[at] != 0)
                sum += (at - (size_t)stacks.entries[(uint32_t)stacks.slots[at] - 1].hash) & mask;
        assert_int_equal(stacks.n_entries, N_NAMES);
        assert_spread(sum, stacks.n_entries, "stacks");
        bench_close(&b);
    }
}

/* ---- hashes ---------------------------------------------------------------------------------- */

static void keys_differ_by_the_seed_and_are_fit_for_their_use(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SEEDS; s++) {
        brz_hash_keys k = brz_hash_keys_of(seeds[s]), other = brz_hash_keys_of(seeds[s] + 1);
        assert_true(k.times & 1);
        assert_in_range(k.step, 2, (UINT64_C(1) << 60) - 1);
        assert_memory_not_equal(&k, &other, sizeof k);
    }
}

/* Hashes texts with and without readable bytes after them. */
static void a_text_has_one_hash_wherever_it_is(void **state)
{
    (void)state;
    static const char text[] =
        "a text of more than two blocks, one of which is not full: the third";
    brz_hash_keys k = brz_hash_keys_of(7);
    for (size_t n = 0; n < sizeof text; n++) {
        char *exact = exact_copy(text, n), room[sizeof text + 32] = {0};
        memcpy(room, text, n);
        memset(room + n, '#', 31);
        assert_true(brz_hash_str(&k, brz_str_of(exact, n)) == brz_hash_text(&k, room, n, 0));
        free(exact);
    }
}

/* The compiler's 128-bit product and the portable one give the same hashes. */
static void numbers_have_known_hashes(void **state)
{
    (void)state;
    brz_hash_keys k = brz_hash_keys_of(7);
    brz_words words = {{1, UINT64_MAX, K2, K3}};
    uint64_t h = BRZ_HASH_EMPTY;
    for (uint32_t id = 0; id < 9; id++)
        h = brz_hash_step(&k, h, UINT32_MAX - id);
    assert_true(h == UINT64_C(0x14c7004de3a230ce));
    assert_true(brz_hash_pair(&k, UINT64_MAX, K1) == UINT64_C(0x468067c422be432a));
    assert_true(brz_words_hash(&k, &words, 3) == UINT64_C(0xfff327da7c7cd8de));
}

static void zeros_at_the_end_of_a_text_count(void **state)
{
    (void)state;
    static const char zeros[80] = {0};
    brz_hash_keys k = brz_hash_keys_of(7);
    for (size_t a = 0; a < sizeof zeros; a++)
        for (size_t b = 0; b < a; b++)
            assert_true(brz_hash_str(&k, brz_str_of(zeros, a)) !=
                        brz_hash_str(&k, brz_str_of(zeros, b)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prepared_names_are_spread_in_the_frame_cache),
        cmocka_unit_test(prepared_names_are_spread_in_the_string_table),
        cmocka_unit_test(prepared_stacks_are_spread),
        cmocka_unit_test(keys_differ_by_the_seed_and_are_fit_for_their_use),
        cmocka_unit_test(a_text_has_one_hash_wherever_it_is),
        cmocka_unit_test(numbers_have_known_hashes),
        cmocka_unit_test(zeros_at_the_end_of_a_text_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
