/* The finder of blocks of the SDK: which lines begin blocks, and which blocks are complete. */
#include "unit.h"

#include <brazier/block_format.h>

static bool begins(brz_str line)
{
    return line.len > 0 && line.data[0] == '#' && line.data[line.len - 1] != '\r';
}

static void assert_blocks(const char *text, bool last, const char *expected)
{
    brz_buf b = {0};
    brz_str block;
    size_t at = 0;
    while (brz_block_take(text, strlen(text), &at, last, begins, &block)) {
        brz_buf_add_str(&b, block);
        brz_buf_add_char(&b, '|');
    }
    brz_buf_add_text(&b, text + at);
    assert_string_equal(expected, brz_buf_text(&b));
    brz_buf_finish(&b);
}

static void blocks_extend_to_the_next_beginning(void **state)
{
    (void)state;
    assert_blocks("#a\nx\n#b\ny\n", true, "#a\nx\n|#b\ny\n|");
    assert_blocks("#a\n#b\n#c\n", true, "#a\n|#b\n|#c\n|");
    assert_blocks("", true, "");
}

static void text_before_the_first_beginning_is_a_block(void **state)
{
    (void)state;
    assert_blocks("x\ny\n#a\n", true, "x\ny\n|#a\n|");
    assert_blocks("\n\n#a\n", true, "\n\n|#a\n|");
    assert_blocks("no beginning", true, "no beginning|");
}

static void a_block_without_an_end_in_sight_is_left(void **state)
{
    (void)state;
    assert_blocks("#a\nx\n#b\ny\n", false, "#a\nx\n|#b\ny\n");
    assert_blocks("#a\nx\n#b", false, "#a\nx\n#b"); /* the line may go on */
    assert_blocks("#a", false, "#a");
}

static void a_line_that_is_cut_by_the_end_of_the_input_begins_nothing(void **state)
{
    (void)state;
    assert_blocks("#a\nx\n#b", true, "#a\nx\n#b|");
}

static void carriage_returns_do_not_belong_to_lines(void **state)
{
    brz_str block = BRZ_STR("one\r\n\r\ntwo\r"), line;
    (void)state;
    assert_blocks("#a\r\nx\r\n#b\r\n", true, "#a\r\nx\r\n|#b\r\n|");
    assert_true(brz_block_line(&block, &line));
    assert_text(line, "one");
    assert_true(brz_block_line(&block, &line));
    assert_text(line, "");
    assert_true(brz_block_line(&block, &line));
    assert_text(line, "two");
    assert_false(brz_block_line(&block, &line));
}

static void a_boundary_is_the_next_complete_beginning(void **state)
{
    static const uint8_t text[] = "#a\nx\n#b\ny\n#c";
    static const size_t expected[] = {0, 5, 5, 5, 5, 5, 12, 12, 12, 12, 12, 12, 12};
    (void)state;
    for (size_t from = 0; from < COUNT_OF(expected); from++)
        assert_int_equal(expected[from],
                         brz_block_format_boundary(text, sizeof text - 1, from, begins));
}

static void warn_nobody(brz_ctx *ctx, const brz_diag *d)
{
    (void)d;
    (*(int *)ctx->inst)++;
}

static void parts_are_reported_unless_sniffing(void **state)
{
    static const brz_collapser_host host = {.struct_size = sizeof host, .diag = warn_nobody};
    int warnings = 0;
    brz_ctx ctx = {.struct_size = sizeof ctx, .host = &host, .inst = &warnings};
    brz_line_sample sample = {.ctx = &ctx}, sniffing = {0};
    (void)state;
    brz_block_warn(&sniffing, "x.y", BRZ_STR("part"), BRZ_STR("odd: left out"));
    assert_int_equal(0, warnings);
    brz_block_warn(&sample, "x.y", BRZ_STR("part"), BRZ_STR("odd: left out"));
    assert_int_equal(1, warnings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_extend_to_the_next_beginning),
        cmocka_unit_test(text_before_the_first_beginning_is_a_block),
        cmocka_unit_test(a_block_without_an_end_in_sight_is_left),
        cmocka_unit_test(a_line_that_is_cut_by_the_end_of_the_input_begins_nothing),
        cmocka_unit_test(carriage_returns_do_not_belong_to_lines),
        cmocka_unit_test(a_boundary_is_the_next_complete_beginning),
        cmocka_unit_test(parts_are_reported_unless_sniffing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
