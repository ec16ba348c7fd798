/* SPDX-License-Identifier: MIT */
/* Tests which names stand for code without one, by a table that the viewers' script is tested with,
 * too. */
#include "unit.h"

#include <stdio.h>

#include "names/unnamed.h"

static void names_of_modules_are_none_of_functions(void **state)
{
    (void)state;
    char path[4096], line[256];
    snprintf(path, sizeof path, "%s/tests/unit/names/unnamed.tsv", getenv("BRAZIER_SOURCE"));
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    size_t n = 0;
    for (; fgets(line, sizeof line, table) != NULL; n++) {
        line[strcspn(line, "\n")] = '\0';
        if (brz_name_is_unnamed(str_of(line + 2)) != (line[0] == '1'))
            fail_msg("%s", line);
    }
    fclose(table);
    assert_true(n > 20);
    assert_false(brz_name_is_unnamed(str_of("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_modules_are_none_of_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
