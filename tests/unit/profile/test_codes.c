/* SPDX-License-Identifier: MIT */
/* Tests the code of functions that a profile keeps. */
#include "unit.h"

#include "profile/codes.h"
#include "profile/profile.h"

static brz_module_code code_of(const char *build_id, uint64_t address, const char *bytes)
{
    brz_module_code m = {.module = BRZ_STR("/srv/app"), .build_id = brz_str_of_text(build_id)};
    m.code = (brz_code){.address = address, .shown = address, .bytes = brz_str_of_text(bytes)};
    return m;
}

static const brz_code *find(const brz_codes *c, const char *module, const char *id,
                            uint64_t address)
{
    const brz_frame_info at = {
        .module = brz_str_of_text(module), .build_id = brz_str_of_text(id), .address = address};
    return brz_codes_find(c, &at);
}

static void code_is_found_by_file_and_address(void **state)
{
    (void)state;
    brz_codes c = {.n = 0};
    brz_module_code m = code_of("ab", 16, "code");
    assert_true(brz_codes_add(&c, &m));
    assert_int_equal(find(&c, "/srv/app", "ab", 16)->address, 16);
    assert_non_null(find(&c, "/srv/app", "ab", 19));
    assert_null(find(&c, "/srv/app", "ab", 15));
    assert_null(find(&c, "/srv/app", "ab", 20));
    assert_null(find(&c, "/srv/app", "cd", 16));
    assert_null(find(&c, "/srv/other", "ab", 16));
    brz_codes_finish(&c);
}

static void code_is_found_among_other_code(void **state)
{
    (void)state;
    brz_codes c = {.n = 0};
    static const char *const ids[] = {"ab", "cd"};
    for (uint64_t i = 0; i < 200; i++) { /* in no order */
        brz_module_code m = code_of(ids[i % 2], i * 37 % 101 * 10, "code");
        m.code.shown = i % 2;
        assert_true(brz_codes_add(&c, &m));
    }
    for (uint64_t i = 0; i < 200; i++) {
        uint64_t at = i * 37 % 101 * 10;
        const brz_code *code = find(&c, "/srv/app", ids[i % 2], at + 3);
        assert_non_null(code);
        assert_int_equal(code->address, at);
        assert_int_equal(code->shown, i % 2);
        assert_null(find(&c, "/srv/app", ids[i % 2], at + 4));
        assert_null(find(&c, "/srv/zoo", ids[i % 2], at));
    }
    brz_codes_finish(&c);
}

static void code_around_other_code_is_found(void **state)
{
    (void)state;
    brz_codes c = {.n = 0};
    const brz_module_code all[] = {code_of("ab", 20, "in"), code_of("ab", 30, "in"),
                                   code_of("ab", 10, "a long function with code in it")};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        assert_true(brz_codes_add(&c, &all[i]));
    assert_int_equal(find(&c, "/srv/app", "ab", 21)->address, 20);
    assert_int_equal(find(&c, "/srv/app", "ab", 29)->address, 10);
    assert_int_equal(find(&c, "/srv/app", "ab", 35)->address, 10);
    assert_null(find(&c, "/srv/app", "ab", 41));
    brz_codes_finish(&c);
}

static void code_that_is_there_or_invalid_is_not_added(void **state)
{
    (void)state;
    brz_codes c = {.n = 0};
    const brz_module_code all[] = {code_of("ab", 16, "code"), code_of("ab", 16, "code"),
                                   code_of("ab", 16, ""), code_of("ab", UINT64_MAX - 2, "code")};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        assert_true(brz_codes_add(&c, &all[i]));
    assert_int_equal(c.n, 1);
    brz_codes_finish(&c);
}

static void code_is_limited(void **state)
{
    (void)state;
    brz_codes c = {.n = 0};
    char *large = calloc(1, BRZ_CODE_MAX + 1);
    brz_module_code m = code_of("ab", 0, "");
    m.code.bytes = brz_str_of(large, BRZ_CODE_MAX + 1);
    brz_codes_add(&c, &m);
    assert_int_equal(c.n, 0);
    m.code.bytes.len = BRZ_CODE_MAX;
    for (size_t i = 0; i < BRZ_CODES_BYTES / BRZ_CODE_MAX; i++, m.code.address += BRZ_CODE_MAX)
        assert_true(brz_codes_add(&c, &m));
    assert_false(brz_codes_add(&c, &m));
    free(large);
    brz_codes_finish(&c);
}

static void functions_are_limited(void **state)
{
    (void)state;
    brz_codes c = {.n = 0};
    brz_module_code m = code_of("ab", 0, "c");
    for (; m.code.address < BRZ_CODES_MAX; m.code.address++)
        assert_true(brz_codes_add(&c, &m));
    assert_false(brz_codes_add(&c, &m));
    brz_codes_finish(&c);
}

static void a_profile_takes_over_code(void **state)
{
    (void)state;
    brz_profile *from = brz_profile_create(), *into = brz_profile_create();
    brz_module_code m = code_of("ab", 16, "code");
    brz_codes_add(&from->codes, &m);
    brz_profile_absorb(into, from);
    brz_profile_absorb(into, from);
    brz_profile_destroy(from);
    assert_int_equal(into->codes.n, 1);
    assert_memory_equal(find(&into->codes, "/srv/app", "ab", 17)->bytes.data, "code", 4);
    brz_profile_destroy(into);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_found_by_file_and_address),
        cmocka_unit_test(code_is_found_among_other_code),
        cmocka_unit_test(code_around_other_code_is_found),
        cmocka_unit_test(code_that_is_there_or_invalid_is_not_added),
        cmocka_unit_test(code_is_limited),
        cmocka_unit_test(functions_are_limited),
        cmocka_unit_test(a_profile_takes_over_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
