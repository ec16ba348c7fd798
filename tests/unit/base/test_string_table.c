/* SPDX-License-Identifier: MIT */
/* Tests the string table: equal texts have equal ids. */
#include "unit.h"

#include "base/string_table.h"

static void the_empty_text_has_id_zero(void **state)
{
    (void)state;
    brz_strings t = {0};
    uint32_t a = brz_strings_intern(&t, BRZ_STR("a"));
    assert_int_equal(a, 1);
    assert_int_equal(brz_strings_intern(&t, brz_str_of(NULL, 0)), 0);
    assert_int_equal(brz_strings_at(&t, 0).len, 0);
    brz_strings_finish(&t);
}

static void ids_are_dense_and_texts_stay_where_they_are(void **state)
{
    (void)state;
    enum { N = 20000 };
    static const char *places[N];
    brz_strings t = {0};
    for (uint32_t i = 0; i < N; i++) {
        char text[32];
        int n = snprintf(text, sizeof text, "name %u", i);
        assert_int_equal(brz_strings_intern(&t, brz_str_of(text, (size_t)n)), i + 1);
        places[i] = brz_strings_at(&t, i + 1).data;
    }
    for (uint32_t i = 0; i < N; i++) {
        char text[32];
        int n = snprintf(text, sizeof text, "name %u", i);
        assert_int_equal(brz_strings_intern(&t, brz_str_of(text, (size_t)n)), i + 1);
        assert_ptr_equal(brz_strings_at(&t, i + 1).data, places[i]);
        assert_text(brz_strings_at(&t, i + 1), text);
    }
    assert_int_equal(t.n, N + 1);
    brz_strings_finish(&t);
}

static void texts_with_equal_beginnings_are_distinct(void **state)
{
    (void)state;
    brz_strings t = {0};
    char text[200];
    memset(text, 'x', sizeof text);
    for (uint32_t n = 1; n <= sizeof text; n++) {
        char *exact = exact_copy(text, n);
        assert_int_equal(brz_strings_intern(&t, brz_str_of(exact, n)), n);
        free(exact);
    }
    assert_int_equal(brz_strings_intern(&t, BRZ_STR("x\0")), 201);
    brz_strings_finish(&t);
}

static void malformed_text_is_the_same_as_its_repaired_form(void **state)
{
    (void)state;
    brz_strings t = {0};
    uint32_t first = brz_strings_intern(&t, BRZ_STR("a\xff"));
    assert_text(brz_strings_at(&t, first), "a\xef\xbf\xbd");
    assert_int_equal(brz_strings_intern(&t, BRZ_STR("a\xfe")), first);
    assert_int_equal(brz_strings_intern(&t, BRZ_STR("a\xef\xbf\xbd")), first);
    assert_int_equal(brz_strings_intern(&t, BRZ_STR("a\xff")), first);
    brz_strings_finish(&t);
}

static void a_finished_table_can_be_filled_again(void **state)
{
    (void)state;
    brz_strings t = {0};
    brz_strings_intern(&t, BRZ_STR("one"));
    brz_strings_finish(&t);
    assert_int_equal(brz_strings_intern(&t, BRZ_STR("two")), 1);
    brz_strings_finish(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_empty_text_has_id_zero),
        cmocka_unit_test(ids_are_dense_and_texts_stay_where_they_are),
        cmocka_unit_test(texts_with_equal_beginnings_are_distinct),
        cmocka_unit_test(malformed_text_is_the_same_as_its_repaired_form),
        cmocka_unit_test(a_finished_table_can_be_filled_again),
    };
    return cmocka_run_group_tests_name("string_table", tests, NULL, NULL);
}
