/* Tests the search for blank lines: vector code gives the results of byte-by-byte code and reads
 * nothing beyond the slack of a chunk. */
#include "unit.h"

#include <brazier/collapser.h>

#include "collapse/perf/blank_line.h"

/* Returns a text with as many bytes after it as a chunk has. They must not matter. */
static char *with_slack(const char *text, size_t len)
{
    char *copy = malloc(len + BRZ_SLACK_BACK);
    assert_non_null(copy);
    memcpy(copy, text, len);
    memset(copy + len, '\n', BRZ_SLACK_BACK);
    return copy;
}

static void the_first_blank_line_is_found_wherever_it_is(void **state)
{
    (void)state;
    dice d = {17};
    for (int round = 0; round < 3000; round++) {
        char drawn[301];
        size_t len = roll_text(&d, round % 2 ? "a\n" : "abcdefghijklmnop\n", 300, drawn), want = 1;
        while (want < len && (drawn[want - 1] != '\n' || drawn[want] != '\n'))
            want++;
        want = want < len ? want + 1 : len;
        char *text = with_slack(drawn, len);
        assert_int_equal(blank_line_best()(text, text + len) - text, want);
        assert_int_equal(blank_line_portable(text, text + len) - text, want);
        free(text);
    }
}

static void a_newline_at_the_end_is_no_blank_line(void **state)
{
    (void)state;
    char lines[200];
    memset(lines, 'a', sizeof lines);
    for (size_t len = 1; len <= sizeof lines; len++) {
        lines[len - 1] = '\n';
        char *text = with_slack(lines, len);
        assert_ptr_equal(blank_line_best()(text, text + len), text + len);
        assert_ptr_equal(blank_line_portable(text, text + len), text + len);
        free(text);
        lines[len - 1] = 'a';
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_blank_line_is_found_wherever_it_is),
        cmocka_unit_test(a_newline_at_the_end_is_no_blank_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
