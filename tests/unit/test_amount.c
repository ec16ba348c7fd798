/* Tests formatting weights with the table amounts.tsv, which the viewers' script is tested with
 * too. */
#include "unit.h"

#include "output/common/amount.h"

/* Formats the value of a line "UNIT, DECIMALS, VALUE" with its unit or word. */
static void format(char *text, size_t size, char *columns[3])
{
    const brz_weight_info info = {.name = BRZ_STR("cycles"),
                                  .unit = str_of(columns[0]),
                                  .decimals = (uint32_t)atoi(columns[1])};
    const amount_scale scale = amount_scale_of(&info, 1);
    char number[AMOUNT_ROOM];
    char *end = amount_format(number, &scale, strtoll(columns[2], NULL, 10));
    brz_str word = amount_has_units(&scale) ? BRZ_STR("") : amount_word(&scale, number, end);
    snprintf(text, size, "%.*s%s%.*s", (int)(end - number), number, word.len > 0 ? " " : "",
             (int)word.len, word.data);
}

static void weights_are_formatted_in_the_unit_that_suits_them(void **state)
{
    (void)state;
    char path[4096], line[256], got[256];
    snprintf(path, sizeof path, "%s/tests/unit/amounts.tsv", getenv("BRAZIER_SOURCE"));
    FILE *table = fopen(path, "r");
    assert_non_null(table);
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

static void a_factor_multiplies_what_is_shown(void **state)
{
    (void)state;
    const brz_weight_info info = {.name = BRZ_STR("time"), .unit = BRZ_STR("nanoseconds")};
    const amount_scale scale = amount_scale_of(&info, 1000);
    char text[AMOUNT_ROOM];
    *amount_format(text, &scale, 1500) = '\0';
    assert_string_equal(text, "1.5 ms");
}

static void the_sides_of_a_comparison_count_samples(void **state)
{
    (void)state;
    const brz_weight_info info = {.name = BRZ_STR("before"), .unit = BRZ_STR("")};
    assert_text(amount_scale_of(&info, 1).word, "samples");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_formatted_in_the_unit_that_suits_them),
        cmocka_unit_test(a_factor_multiplies_what_is_shown),
        cmocka_unit_test(the_sides_of_a_comparison_count_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
