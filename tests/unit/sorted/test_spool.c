/* SPDX-License-Identifier: MIT */
/* Tests that an output is kept, and written whole or not at all. */
#include "unit.h"

#include "sorted/spool.h"

static void bytes_are_kept_until_they_are_released(void **state)
{
    (void)state;
    enum { N = 300000 };
    brz_spool s;
    keeper k;
    char *text = malloc(N), part[3];
    keeper_init(&k);
    for (size_t i = 0; i < N; i++)
        text[i] = (char)('a' + i % 23);
    assert_true(brz_spool_init(&s));
    assert_int_equal(s.sink.write(&s.sink, text, 7), BRZ_OK);
    assert_int_equal(s.sink.write(&s.sink, text + 7, N - 7), BRZ_OK);
    assert_int_equal(k.text.len, 0);
    assert_int_equal(brz_spool_read(&s, part, 3, 5), 3);
    assert_memory_equal(part, text + 5, 3);
    assert_int_equal(brz_spool_read(&s, part, 3, N - 2), 2);
    bool is_read = true;
    assert_true(brz_spool_release(&s, &k.base, &is_read));
    assert_int_equal(k.text.len, N);
    assert_memory_equal(k.text.data, text, N);
    brz_spool_finish(&s);
    keeper_finish(&k);
    free(text);
}

static void a_sink_that_fails_is_reported(void **state)
{
    (void)state;
    brz_spool s;
    keeper k;
    keeper_init(&k);
    k.limit = 2;
    assert_true(brz_spool_init(&s));
    assert_int_equal(s.sink.write(&s.sink, "abc", 3), BRZ_OK);
    bool is_read = true;
    assert_false(brz_spool_release(&s, &k.base, &is_read));
    assert_true(is_read);
    s.size++;
    k.limit = SIZE_MAX;
    assert_false(brz_spool_release(&s, &k.base, &is_read));
    assert_false(is_read);
    brz_spool_finish(&s);
    keeper_finish(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_kept_until_they_are_released),
        cmocka_unit_test(a_sink_that_fails_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
