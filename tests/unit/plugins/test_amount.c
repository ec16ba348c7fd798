/* SPDX-License-Identifier: MIT */
/* Tests formatting weights and shares with the tables amounts.tsv and shares.tsv, which the
 * viewers' script is tested with too. */
#include "unit.h"

#include "output/common/amount.h"

/* Formats the value of a line "UNIT, DECIMALS, VALUE" with its unit or word. */
static void format(char *text, size_t size, char *columns[3])
{
    const brz_column_info info = {.name = BRZ_STR("cycles"),
                                  .unit = str_of(columns[0]),
                                  .decimals = (uint32_t)strtoul(columns[1], NULL, 10)};
    const amount_scale scale = amount_scale_of(&info, 1);
    char number[AMOUNT_ROOM];
    char *end = amount_format(number, &scale, strtoll(columns[2], NULL, 10));
    brz_str word = amount_has_units(&scale) ? BRZ_STR("") : amount_word(&scale, number, end);
    snprintf(text, size, "%.*s%s%.*s", (int)(end - number), number, word.len > 0 ? " " : "",
             (int)word.len, word.data);
}

static FILE *open_table(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/unit/plugins/%s", getenv("BRAZIER_SOURCE"), name);
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    return table;
}

static void weights_are_formatted_in_the_unit_that_suits_them(void **state)
{
    (void)state;
    char line[256], got[256];
    FILE *table = open_table("amounts.tsv");
    while (fgets(line, sizeof line, table) != NULL) {
        char *columns[4] = {line};
        for (int i = 1; i < 4; i++) {
            columns[i] = strchr(columns[i - 1], '\t');
            assert_non_null(columns[i]);
            *columns[i]++ = '\0';
        }
        columns[3][strcspn(columns[3], "\n")] = '\0';
        format(got, sizeof got, columns);
        assert_string_equal(got, columns[3]);
    }
    fclose(table);
}

static void only_nothing_has_a_share_of_zero(void **state)
{
    (void)state;
    char line[256], got[AMOUNT_ROOM];
    FILE *table = open_table("shares.tsv");
    while (fgets(line, sizeof line, table) != NULL) {
        char *text = strchr(line, '\t');
        assert_non_null(text);
        char *end = amount_share(got, strtod(line, NULL));
        memcpy(end, "%\n", 3);
        assert_string_equal(got, text + 1);
    }
    fclose(table);
}

static void a_factor_multiplies_what_is_shown(void **state)
{
    (void)state;
    const brz_column_info info = {.name = BRZ_STR("time"), .unit = BRZ_STR("nanoseconds")};
    const amount_scale scale = amount_scale_of(&info, 1000);
    char text[AMOUNT_ROOM];
    *amount_format(text, &scale, 1500) = '\0';
    assert_string_equal(text, "1.5 ms");
}

static void the_sides_of_a_comparison_count_samples(void **state)
{
    (void)state;
    const brz_column_info info = {
        .name = BRZ_STR("before"), .unit = BRZ_STR(""), .flags = BRZ_COLUMN_BEFORE};
    assert_text(amount_scale_of(&info, 1).word, "samples");
    const brz_column_info other = {.name = BRZ_STR("before"), .unit = BRZ_STR("")};
    assert_text(amount_scale_of(&other, 1).word, "before");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_formatted_in_the_unit_that_suits_them),
        cmocka_unit_test(only_nothing_has_a_share_of_zero),
        cmocka_unit_test(a_factor_multiplies_what_is_shown),
        cmocka_unit_test(the_sides_of_a_comparison_count_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
