/* SPDX-License-Identifier: MIT */
/* Tests the recognition of the columns of an address. */
#include "unit.h"

#include <brazier/collapser.h>

#include "collapse/perf/address_columns.h"

/* Returns what the search should: blanks, and then at least one digit. */
static bool expected(const char *column)
{
    size_t i = 0;
    while (i < 16 && column[i] == ' ')
        i++;
    bool found = i < 16;
    for (; i < 16; i++)
        found &= column[i] != '\0' && strchr("0123456789abcdefABCDEF", column[i]) != NULL;
    return found;
}

static void assert_recognised(const char column[16])
{
    char text[64];
    memset(text, 'a', sizeof text);
    memcpy(text + 16, column, 16);
    assert_int_equal(is_address_columns(text + 16), expected(column));
}

static void any_byte_in_any_column_is_judged(void **state)
{
    (void)state;
    for (size_t blanks = 0; blanks <= 16; blanks++)
        for (size_t at = 0; at < 16; at++)
            for (int byte = 0; byte < 256; byte++) {
                char column[16];
                memset(column, 'f', sizeof column);
                memset(column, ' ', blanks);
                column[at] = (char)byte;
                assert_recognised(column);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_byte_in_any_column_is_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
