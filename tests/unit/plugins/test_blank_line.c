/* SPDX-License-Identifier: MIT */
/* Tests the search for blank lines and the map of the newlines before them: vector code gives the
 * results of byte-by-byte code and reads nothing beyond the slack of a chunk. */
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

/* Checks that the newlines in a map are those of a text, from its end upwards. */
static void assert_maps(const uint64_t *map, const char *text, size_t len)
{
    newlines_above above = newlines_above_of(map, len);
    for (size_t at = len; at-- > 0;)
        if (text[at] == '\n')
            assert_int_equal(newlines_above_next(&above), at);
    if (memchr(text, '\n', len) != NULL)
        assert_ptr_equal(text + newline_first(map), memchr(text, '\n', len));
}

static void assert_finds(blank_line_fn *find, const char *text, size_t len, size_t want)
{
    uint64_t map[NEWLINE_MAP_WORDS];
    memset(map, 0xff, sizeof map);
    assert_int_equal(find(text, text + len, map) - text, want);
    assert_maps(map, text, want - 1);
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
        if (len > 0) {
            assert_finds(blank_line_best(), text, len, want);
            assert_finds(blank_line_portable, text, len, want);
        }
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
        assert_finds(blank_line_best(), text, len, len);
        assert_finds(blank_line_portable, text, len, len);
        free(text);
        lines[len - 1] = 'a';
    }
}

static void a_text_longer_than_the_map_is_searched_to_its_end(void **state)
{
    (void)state;
    size_t len = 3 * NEWLINE_MAP_BYTES;
    char *lines = malloc(len);
    assert_non_null(lines);
    memset(lines, 'a', len);
    lines[0] = lines[len - 3] = lines[len - 2] = '\n';
    char *text = with_slack(lines, len);
    uint64_t map[NEWLINE_MAP_WORDS];
    assert_ptr_equal(blank_line_best()(text, text + len, map), text + len - 1);
    assert_ptr_equal(blank_line_portable(text, text + len, map), text + len - 1);
    free(text);
    free(lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_longer_than_the_map_is_searched_to_its_end),
        cmocka_unit_test(the_first_blank_line_is_found_wherever_it_is),
        cmocka_unit_test(a_newline_at_the_end_is_no_blank_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
