/* SPDX-License-Identifier: MIT */
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

static void a_line_that_is_cut_by_the_end_of_the_input_begins_a_block(void **state)
{
    (void)state;
    assert_blocks("#a\nx\n#b", true, "#a\nx\n|#b|");
    assert_blocks("x\n#b", true, "x\n|#b|");
    assert_blocks("#b", true, "#b|");
    assert_blocks("#a\nx", true, "#a\nx|");
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

typedef struct heard {
    int warnings;
    uint64_t records, weighed;
    int64_t missing;
} heard;

static void hear(brz_ctx *ctx, const brz_diag *d)
{
    heard *h = ctx->inst;
    h->warnings++;
    h->records += d->records;
    h->weighed += d->weighed;
    h->missing += d->missing;
}

static const brz_collapser_host host = {.struct_size = sizeof host, .diag = hear};

static void parts_are_reported_unless_sniffing(void **state)
{
    heard h = {0};
    brz_ctx ctx = {.struct_size = sizeof ctx, .host = &host, .inst = &h};
    brz_line_sample sample = {.ctx = &ctx}, sniffing = {0};
    (void)state;
    brz_block_warn(&sniffing, "x.y", BRZ_STR("part"), BRZ_STR("odd: left out"));
    brz_block_lost(&sniffing, "x.y", BRZ_STR("part"), BRZ_STR("odd: left out"));
    brz_block_lost_weight(&sniffing, "x.y", BRZ_STR("part"), BRZ_STR("odd: left out"), 7);
    assert_int_equal(0, h.warnings);
    brz_block_warn(&sample, "x.y", BRZ_STR("part"), BRZ_STR("odd: left out"));
    assert_int_equal(1, h.warnings);
    assert_int_equal(0, h.records);
    brz_block_lost(&sample, "x.y", BRZ_STR("part"), BRZ_STR("odd: left out"));
    assert_int_equal(1, h.records);
    assert_int_equal(0, h.weighed);
    brz_block_lost_weight(&sample, "x.y", BRZ_STR("part"), BRZ_STR("odd: left out"), 7);
    assert_int_equal(2, h.records);
    assert_int_equal(1, h.weighed);
    assert_int_equal(7, h.missing);
}

/* Joins the lines that brz_block_indented_line() takes off a block. */
static void assert_indented(const char *text, const char *expected, uint64_t lost)
{
    heard h = {0};
    brz_ctx ctx = {.struct_size = sizeof ctx, .host = &host, .inst = &h};
    brz_line_sample sample = {.ctx = &ctx};
    brz_str block = brz_str_of(text, strlen(text)), line;
    brz_buf b = {0};
    while (brz_block_indented_line(&sample, &block, &line)) {
        brz_buf_add_str(&b, line);
        brz_buf_add_char(&b, '|');
    }
    assert_string_equal(expected, brz_buf_text(&b));
    assert_int_equal(lost, h.records);
    brz_buf_finish(&b);
}

static void a_line_that_is_not_indented_is_another_block_that_is_lost(void **state)
{
    (void)state;
    assert_indented(" a\r\n\tb\n\n  \n c", " a|\tb| c|", 0);
    assert_indented("", "", 0);
    assert_indented(" a\nodd\n b\n", " a|", 1);
    assert_indented(" a\n\nodd\n b\n\nodder\n c\n", " a|", 2);
    assert_indented("odd", "", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_extend_to_the_next_beginning),
        cmocka_unit_test(text_before_the_first_beginning_is_a_block),
        cmocka_unit_test(a_block_without_an_end_in_sight_is_left),
        cmocka_unit_test(a_line_that_is_cut_by_the_end_of_the_input_begins_a_block),
        cmocka_unit_test(carriage_returns_do_not_belong_to_lines),
        cmocka_unit_test(a_boundary_is_the_next_complete_beginning),
        cmocka_unit_test(parts_are_reported_unless_sniffing),
        cmocka_unit_test(a_line_that_is_not_indented_is_another_block_that_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
