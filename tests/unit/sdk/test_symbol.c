/* SPDX-License-Identifier: MIT */
/* Tests the helpers of <brazier/symbol.h> that make symbols readable. */
#include "unit.h"

#include <brazier/symbol.h>

static void an_arrow_divides_a_caller_and_what_was_inlined_into_it(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t at; /* SIZE_MAX: not found */
    } cases[] = {
        {"", SIZE_MAX},
        {"main", SIZE_MAX},
        {"a->b", 1},
        {"a->b->c", 1},
        {"Lcom/Main;::run->Lcom/Main;::step", 15},
        {"ptr::operator->", SIZE_MAX},
        {"ptr::operator->(int)", SIZE_MAX},
        {"<fn() -> T as Call>::call", SIZE_MAX},
        {"map<a->b>", SIZE_MAX},
        {"f<a->b>->g", 7},
        {"unbalanced<a->b", 12},
        {"->", 0},
        {"-", SIZE_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        brz_str name = brz_str_of(cases[i].name, strlen(cases[i].name));
        size_t want = cases[i].at == SIZE_MAX ? name.len : cases[i].at;
        size_t at = brz_find_arrow_in(name, brz_bracket_balance(name));
        if (at != want)
            fail_msg("%s: %zu", cases[i].name, at);
    }
}

static void a_rust_hash_goes_and_escapes_are_spelt_out(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"main", "main"},
        {"a::b::h0123456789abcdef", "a::b"},
        {"_$LT$a..B$u20$as$u20$c..D$GT$::e::h0123456789abcdef", "<a::B as c::D>::e"},
        {"a::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "a::_{{closure}}"},
        {"a$new$::h0123456789abcdef", "a$new$"},
        {"a::b::h0123456789abcdeg", "a::b::h0123456789abcdeg"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[100];
        size_t n = brz_rust_repair(brz_str_of(cases[i][0], strlen(cases[i][0])), out);
        out[n] = '\0';
        assert_string_equal(out, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arrow_divides_a_caller_and_what_was_inlined_into_it),
        cmocka_unit_test(a_rust_hash_goes_and_escapes_are_spelt_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
