/* SPDX-License-Identifier: MIT */
/* Parsing the titles of frames. */
#include "unit.h"

#include "collapse/picture/title.h"

typedef struct expected {
    const char *text, *name, *unit;
    int64_t count;
    uint32_t decimals;
    double percent;
} expected;

static const expected counted[] = {
    {"main (5 samples, 1.25%)", "main", "samples", 5, 0, 1.25},
    {"main (1 sample, <0.01%)", "main", "sample", 1, 0, -1},
    {"all (12,345,678 bytes, 100%)", "all", "bytes", 12345678, 0, 100},
    {"f (1.234.567 Proben, 12,5%)", "f", "Proben", 1234567, 0, 12.5},
    {"f (1.234,5 ms, 12,5 %)", "f", "ms", 12345, 1, 12.5},
    {"f (1 234 567 ms, 1,5 %)", "f", "ms", 1234567, 0, 1.5},
    {"f (1\xc2\xa0"
     "234\xe2\x80\xaf"
     "567 ms, 1.5%)",
     "f", "ms", 1234567, 0, 1.5},
    {"f (1'234 ms, 1.5%)", "f", "ms", 1234, 0, 1.5},
    {"f (0.125 s, 1.5%)", "f", "s", 125, 3, 1.5},
    {"f (3.13 s in 4 samples, 1.5%)", "f", "s", 313, 2, 1.5},
    {"operator()(int) (7 samples, 2.00%; +1.20%)", "operator()(int)", "samples", 7, 0, 2},
    {"f (a) (7 samples, 2.00%)", "f (a)", "samples", 7, 0, 2},
    {"f (-2 sample weight, 3 samples, 0.65%)", "f", "samples", 3, 0, 0.65},
    {"root (100.000%, 12 samples)", "root", "samples", 12, 0, 100},
    {"  f\n(7 samples)  ", "f", "samples", 7, 0, -1},
    {"(7 samples, 1%)", "", "samples", 7, 0, 1},
};

static const expected uncounted[] = {
    {"main", "main", "", 0, 0, -1},
    {"", "", "", 0, 0, -1},
    {"f (int)", "f (int)", "", 0, 0, -1},
    {"f(3)", "f(3)", "", 0, 0, -1},
    {"f (100%)", "f", "", 0, 0, 100},
    {"f (many samples, few%)", "f (many samples, few%)", "", 0, 0, -1},
    {"f (123456789012345678901 samples, 1%)", "f", "", 0, 0, 1},
    {")", ")", "", 0, 0, -1},
    {"()", "()", "", 0, 0, -1},
};

static void check(const expected *e, bool has_count)
{
    title t;
    char *copy = exact_copy(e->text, strlen(e->text));
    title_parse(brz_str_of(copy, strlen(e->text)), &t);
    if (t.name.len != strlen(e->name) || memcmp(t.name.data, e->name, t.name.len) != 0)
        fail_msg("%s: the name is '%.*s'", e->text, (int)t.name.len, t.name.data);
    if (t.has_count != has_count || t.count != (has_count ? e->count : t.count))
        fail_msg("%s: the count is %lld", e->text, (long long)t.count);
    if (has_count && (t.decimals != e->decimals || t.unit.len != strlen(e->unit) ||
                      memcmp(t.unit.data, e->unit, t.unit.len) != 0))
        fail_msg("%s: %u decimals of '%.*s'", e->text, t.decimals, (int)t.unit.len, t.unit.data);
    if (t.percent != e->percent)
        fail_msg("%s: %g%%", e->text, t.percent);
    free(copy);
}

static void a_title_states_a_count_its_unit_and_a_share(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(counted); i++)
        check(&counted[i], true);
}

static void other_texts_are_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(uncounted); i++)
        check(&uncounted[i], false);
}

static void a_change_shows_a_comparison(void **state)
{
    title t;
    (void)state;
    title_parse(BRZ_STR("f (7 samples, 2.00%; -1.20%)"), &t);
    assert_true(t.is_comparison);
    title_parse(BRZ_STR("f (7 samples, 2.00%; gains 9, losses 2)"), &t);
    assert_false(t.is_comparison);
    title_parse(BRZ_STR("f (2.00%, 7 samples)"), &t);
    assert_true(t.percent_first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_title_states_a_count_its_unit_and_a_share),
        cmocka_unit_test(other_texts_are_names),
        cmocka_unit_test(a_change_shows_a_comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
