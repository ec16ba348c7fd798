/* SPDX-License-Identifier: MIT */
/* Tests reading the fields of events that Linux prints. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "common/fields/payload.h"
#include "common/nearest_word.h"

/* A payload, and its fields as "name=value unit;" with "?" for texts. */
typedef struct payload_case {
    const char *payload, *fields;
} payload_case;

static void check(const payload_case *cases, size_t n, bool is_hex)
{
    for (size_t i = 0; i < n; i++) {
        char got[512] = "";
        brz_str rest = brz_str_of_text(cases[i].payload);
        payload_word w;
        while (payload_next(&rest, is_hex, &w)) {
            size_t at = strlen(got);
            char value[32] = "?";
            if (w.is_number)
                snprintf(value, sizeof value, "%lld", (long long)w.value);
            snprintf(got + at, sizeof got - at, "%.*s=%s%s%.*s;", (int)w.name.len, w.name.data,
                     value, w.unit.len > 0 ? " " : "", (int)w.unit.len, w.unit.data);
        }
        assert_string_equal(got, cases[i].fields);
    }
}

#define CHECK(cases, is_hex) check(cases, sizeof(cases) / sizeof *(cases), is_hex)

static void names_have_values_in_three_forms(void **state)
{
    static const payload_case cases[] = {
        {"bytes_req=60 bytes_alloc=64", "bytes_req=60;bytes_alloc=64;"},
        {"fd: 0x00000003, buf: 0x10, count: 0x200", "fd=3;buf=16;count=512;"},
        {"dev 8,1 ino 131083 pos 0 len 4096 flags 0", "dev=8;ino=131083;pos=0;len=4096;flags=0;"},
        {"sys_write(fd=1)", "fd=1;"},
        {"a=1,b=2;c=3", "a=1;b=2;c=3;"},
        {"x=-8", "x=-8;"},
        {"", ""},
        {"=5 : 6 7", ""},
    };
    (void)state;
    CHECK(cases, false);
}

static void texts_are_no_numbers(void **state)
{
    static const payload_case cases[] = {
        {"gfp=GFP_KERNEL ptr=ffff8881 n=12x m=1.5", "gfp=?;ptr=?;n=?;m=?;"},
        {"comm=a=5 b=6", "comm=?;b=6;"},
        {"p=(q=7) r=8", "p=?;r=8;"},
        {"word other 9", "other=9;"},
        {"a= b=1", "a=?;b=1;"},
        {"n=0x n2=-", "n=?;n2=?;"},
    };
    (void)state;
    CHECK(cases, false);
}

static void values_name_their_unit(void **state)
{
    static const payload_case cases[] = {
        {"size=8192B", "size=8192 bytes;"},
        {"delay=25 [ns] n=1", "delay=25 nanoseconds;n=1;"},
        {"t=5us u=6ms v=7ns", "t=5 microseconds;u=6 milliseconds;v=7 nanoseconds;"},
        {"size=8192Bx", "size=?;"},
    };
    (void)state;
    CHECK(cases, false);
}

static void large_numbers_stay_at_the_limit(void **state)
{
    static const payload_case cases[] = {
        {"a=9223372036854775807", "a=9223372036854775807;"},
        {"a=9223372036854775808", "a=9223372036854775807;"},
        {"a=-99999999999999999999999", "a=-9223372036854775807;"},
        {"a=0xffffffffffffffffffff0", "a=9223372036854775807;"},
        {"a=100000000000000000000000000000000000000000", "a=9223372036854775807;"},
    };
    (void)state;
    CHECK(cases, false);
}

static void digits_may_be_hexadecimal_without_a_mark(void **state)
{
    static const payload_case cases[] = {
        {"sys_write(fd: 1, buf: 55d0, count: 10)", "fd=1;buf=21968;count=16;"},
    };
    (void)state;
    CHECK(cases, true);
}

static void the_nearest_word_is_found_within_a_limit(void **state)
{
    (void)state;
    nearest_word n = {.edits = 3};
    nearest_word_offer(&n, BRZ_STR("bytes_aloc"), BRZ_STR("bytes_req"));
    assert_int_equal(n.word.len, 0);
    nearest_word_offer(&n, BRZ_STR("bytes_aloc"), BRZ_STR("bytes_alloc"));
    assert_int_equal(n.edits, 1);
    nearest_word_offer(&n, BRZ_STR("bytes_aloc"), BRZ_STR("bytes_allcoc"));
    assert_int_equal(n.word.len, strlen("bytes_alloc"));
    assert_int_equal(word_edits(BRZ_STR("ab"), BRZ_STR("ba")), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_values_in_three_forms),
        cmocka_unit_test(texts_are_no_numbers),
        cmocka_unit_test(values_name_their_unit),
        cmocka_unit_test(large_numbers_stay_at_the_limit),
        cmocka_unit_test(digits_may_be_hexadecimal_without_a_mark),
        cmocka_unit_test(the_nearest_word_is_found_within_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
