/* SPDX-License-Identifier: MIT */
/* Tests arenas: allocations are zeroed, aligned and disjoint, and do not move. */
#include "unit.h"

#include "base/arena.h"

static void every_alignment_is_kept(void **state)
{
    (void)state;
    brz_arena a = {0};
    for (size_t align = 1; align <= 4096; align *= 2)
        for (size_t size = 0; size < 150000; size += size < 40 ? 13 : 29000) {
            const char *p = brz_arena_alloc(&a, size, align);
            assert_non_null(p);
            assert_int_equal((uintptr_t)p % align, 0);
            assert_int_equal((uintptr_t)p % 16, 0);
        }
    brz_arena_finish(&a);
}

static void no_alignment_means_sixteen(void **state)
{
    (void)state;
    brz_arena a = {0};
    brz_arena_alloc(&a, 1, 0);
    assert_int_equal((uintptr_t)brz_arena_alloc(&a, 1, 0) % 16, 0);
    brz_arena_finish(&a);
}

static void allocations_are_zeroed_and_disjoint(void **state)
{
    (void)state;
    enum { PIECES = 3000 };
    static unsigned char *pieces[PIECES];
    static size_t sizes[PIECES];
    brz_arena a = {0};
    dice d = {1};
    for (size_t i = 0; i < PIECES; i++) {
        sizes[i] = roll_below(&d, i % 100 == 0 ? 40000 : 90);
        pieces[i] = brz_arena_alloc(&a, sizes[i], (size_t)1 << roll_below(&d, 8));
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], (int)(i % 251) + 1, sizes[i]);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(pieces[i][k], (int)(i % 251) + 1);
    brz_arena_finish(&a);
}

static void a_piece_larger_than_any_block_fits(void **state)
{
    (void)state;
    brz_arena a = {0};
    unsigned char *p = brz_arena_alloc(&a, (size_t)5 << 20, 4096);
    p[0] = p[((size_t)5 << 20) - 1] = 1;
    assert_int_equal((uintptr_t)p % 4096, 0);
    assert_non_null(brz_arena_alloc(&a, 8, 0));
    brz_arena_finish(&a);
}

static void the_last_piece_can_be_given_back(void **state)
{
    (void)state;
    brz_arena a = {0};
    for (size_t size = 0; size < 300000; size = 3 * size + 1) {
        const char *first = brz_arena_alloc(&a, 10, 0);
        unsigned char *p = brz_arena_alloc(&a, size, 0);
        memset(p, 0xff, size);
        brz_arena_give_back(&a, p);
        unsigned char *again = brz_arena_alloc(&a, size, 0);
        assert_ptr_equal(again, p);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(again[i], 0);
        assert_int_equal(first[9], 0);
    }
    brz_arena_finish(&a);
}

static void texts_are_terminated_copies(void **state)
{
    (void)state;
    brz_arena a = {0};
    char text[] = "a\0b";
    brz_str s = brz_arena_str(&a, brz_str_of(text, 3));
    text[0] = 'x';
    assert_int_equal(s.len, 3);
    assert_memory_equal(s.data, "a\0b", 4);
    brz_str empty = brz_arena_str(&a, brz_str_of(NULL, 0));
    assert_int_equal(empty.len, 0);
    assert_string_equal(empty.data, "");
    brz_arena_finish(&a);
}

static void small_pieces_stay_together_beside_large_ones(void **state)
{
    (void)state;
    brz_arena a = {0};
    const char *first = brz_arena_alloc(&a, 64, 0);
    const char *large = brz_arena_alloc(&a, 100000, 0);
    const char *other = brz_arena_alloc(&a, 100000, 0);
    assert_ptr_equal(brz_arena_alloc(&a, 64, 0), first + 64);
    assert_ptr_equal(other, large + 100000); /* in the same mapping */
    brz_arena_finish(&a);
}

static void a_finished_arena_is_empty_and_usable(void **state)
{
    (void)state;
    brz_arena a = {0};
    brz_arena_finish(&a);
    brz_arena_alloc(&a, 100, 0);
    brz_arena_finish(&a);
    assert_null(a.blocks);
    assert_non_null(brz_arena_alloc(&a, 1, 0));
    brz_arena_finish(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_alignment_is_kept),
        cmocka_unit_test(no_alignment_means_sixteen),
        cmocka_unit_test(allocations_are_zeroed_and_disjoint),
        cmocka_unit_test(a_piece_larger_than_any_block_fits),
        cmocka_unit_test(the_last_piece_can_be_given_back),
        cmocka_unit_test(texts_are_terminated_copies),
        cmocka_unit_test(small_pieces_stay_together_beside_large_ones),
        cmocka_unit_test(a_finished_arena_is_empty_and_usable),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
