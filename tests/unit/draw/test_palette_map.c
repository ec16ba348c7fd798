/* SPDX-License-Identifier: MIT */
/* Tests palette maps: reading, look-up, writing. */
#include "unit.h"

#include <brazier/palette.h>

#include "draw/palette_map.h"

static uint32_t color_of(brz_palette_map *m, const char *name)
{
    return brz_palette_map_color(m, brz_palette_map_number(m, str_of(name)));
}

static void assert_printed(const brz_palette_map *m, const char *want)
{
    brz_buf b = {0};
    brz_palette_map_print(m, &b);
    assert_string_equal(brz_buf_text(&b), want);
    brz_buf_finish(&b);
}

static const struct {
    const char *line;
    const char *name; /* NULL: the line has no entry */
    uint32_t color;
} lines[] = {
    {"main->rgb(1,2,3)", "main", BRZ_RGB(1, 2, 3)},
    {"main->rgb(1,2,3)\n", "main", BRZ_RGB(1, 2, 3)},
    {"main->rgb(1,2,3)\r\n", "main", BRZ_RGB(1, 2, 3)},
    {"main-> rgb( 1 ,\t2, 255 ) ", "main", BRZ_RGB(1, 2, 255)},
    {"->rgb(0,0,0)", "", BRZ_RGB(0, 0, 0)},
    {"a b ->rgb(001,0,0)", "a b ", BRZ_RGB(1, 0, 0)},
    {"a->b->rgb(4,5,6)", "a->b", BRZ_RGB(4, 5, 6)},
    {"operator->->rgb(4,5,6)", "operator->", BRZ_RGB(4, 5, 6)},
    {"a->rgb(1,1,1)->rgb(2,2,2)", "a->rgb(1,1,1)", BRZ_RGB(2, 2, 2)},
    {"", NULL, 0},
    {"main", NULL, 0},
    {"main->", NULL, 0},
    {"->", NULL, 0},
    {"main->rgb", NULL, 0},
    {"main->rgb()", NULL, 0},
    {"main->rgb(1,2)", NULL, 0},
    {"main->rgb(1,2,3", NULL, 0},
    {"main->rgb(1,2,3,4)", NULL, 0},
    {"main->rgb(1,2,256)", NULL, 0},
    {"main->rgb(1,2,99999999999999999999)", NULL, 0},
    {"main->rgb(-1,2,3)", NULL, 0},
    {"main->rgb(1,,3)", NULL, 0},
    {"main->rgb(1,2,3) x", NULL, 0},
    {"main->RGB(1,2,3)", NULL, 0},
    {"main>rgb(1,2,3)", NULL, 0},
    {"main->#010203", NULL, 0},
};

static void a_line_is_a_name_and_a_colour_or_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        brz_palette_map *m = brz_palette_map_create();
        size_t len = strlen(lines[i].line);
        char *text = exact_copy(lines[i].line, len);
        size_t bad = brz_palette_map_parse(m, brz_str_of(text, len));
        assert_int_equal(bad, len > 0 && lines[i].name == NULL);
        if (lines[i].name != NULL)
            assert_int_equal(color_of(m, lines[i].name), lines[i].color);
        free(text);
        brz_palette_map_destroy(m);
    }
}

static void the_last_word_on_a_name_counts(void **state)
{
    (void)state;
    brz_palette_map *m = brz_palette_map_create();
    assert_int_equal(brz_palette_map_parse(m, BRZ_STR("a->rgb(1,1,1)\nnothing\n\na->rgb(2,2,2)")),
                     2);
    assert_int_equal(color_of(m, "a"), BRZ_RGB(2, 2, 2));
    brz_palette_map_destroy(m);
}

static void a_name_that_was_only_looked_up_is_not_written(void **state)
{
    (void)state;
    brz_palette_map *m = brz_palette_map_create();
    assert_int_equal(color_of(m, "a"), BRZ_COLOR_NONE);
    assert_int_equal(color_of(m, ""), BRZ_COLOR_NONE);
    assert_printed(m, "");
    brz_palette_map_destroy(m);
}

static void names_are_written_in_the_order_of_their_bytes(void **state)
{
    (void)state;
    static const char *const names[] = {"b", "", "a;b", "\xc3\xa4", "B", "aa", "a"};
    brz_palette_map *m = brz_palette_map_create();
    for (size_t i = 0; i < COUNT_OF(names); i++)
        brz_palette_map_set(m, brz_palette_map_number(m, str_of(names[i])), BRZ_RGB(i, 0, 255));
    assert_printed(m, "->rgb(1,0,255)\nB->rgb(4,0,255)\na->rgb(6,0,255)\na;b->rgb(2,0,255)\n"
                      "aa->rgb(5,0,255)\nb->rgb(0,0,255)\n\xc3\xa4->rgb(3,0,255)\n");
    brz_palette_map_destroy(m);
}

static void names_with_line_breaks_are_not_kept(void **state)
{
    (void)state;
    brz_palette_map *m = brz_palette_map_create();
    brz_palette_map_set(m, brz_palette_map_number(m, BRZ_STR("a\nb")), BRZ_RGB(1, 2, 3));
    brz_palette_map_set(m, brz_palette_map_number(m, BRZ_STR("a\r")), BRZ_RGB(1, 2, 3));
    brz_palette_map_set(m, brz_palette_map_number(m, BRZ_STR("c")), BRZ_RGB(1, 2, 3));
    assert_printed(m, "c->rgb(1,2,3)\n");
    brz_palette_map_destroy(m);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    dice d = {7};
    for (int round = 0; round < 200; round++) {
        brz_palette_map *m = brz_palette_map_create(), *again = brz_palette_map_create();
        brz_buf first = {0}, second = {0};
        for (size_t i = roll_below(&d, 40); i > 0; i--) {
            char name[40];
            size_t n = roll_text(&d, "ab->rgb(1,2) ;", 30, name);
            uint32_t number = brz_palette_map_number(m, brz_str_of(name, n));
            brz_palette_map_set(m, number, (uint32_t)roll(&d) | 0xff);
        }
        brz_palette_map_print(m, &first);
        assert_int_equal(brz_palette_map_parse(again, brz_buf_str(&first)), 0);
        brz_palette_map_print(again, &second);
        assert_string_equal(brz_buf_text(&first), brz_buf_text(&second));
        brz_buf_finish(&first);
        brz_buf_finish(&second);
        brz_palette_map_destroy(m);
        brz_palette_map_destroy(again);
    }
}

static void a_file_that_is_not_there_is_empty(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    char *folder = folder_make(), *path = path_in(folder, "palette.map");
    brz_palette_map *m = brz_palette_map_create();
    assert_true(brz_palette_map_read(m, path, NULL, &e.console));
    assert_string_equal(ear_heard(&e), "");
    assert_printed(m, "");
    brz_palette_map_destroy(m);
    free(path);
    folder_remove(folder);
    ear_close(&e);
}

static void lines_without_an_entry_cause_a_warning(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    char *folder = folder_make(), *path = path_in(folder, "palette.map");
    file_write_text(path, "a->rgb(1,2,3)\nb\nc\n");
    brz_palette_map *m = brz_palette_map_create();
    assert_true(brz_palette_map_read(m, path, NULL, &e.console));
    assert_contains(ear_heard(&e), "2 lines are not");
    assert_printed(m, "a->rgb(1,2,3)\n");
    brz_palette_map_destroy(m);
    free(path);
    folder_remove(folder);
    ear_close(&e);
}

static void a_folder_cannot_be_read(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    char *folder = folder_make();
    brz_palette_map *m = brz_palette_map_create();
    assert_false(brz_palette_map_read(m, folder, NULL, &e.console));
    assert_contains(ear_heard(&e), folder);
    brz_palette_map_destroy(m);
    folder_remove(folder);
    ear_close(&e);
}

static void nothing_can_be_destroyed(void **state)
{
    (void)state;
    brz_palette_map_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_name_and_a_colour_or_counted),
        cmocka_unit_test(the_last_word_on_a_name_counts),
        cmocka_unit_test(a_name_that_was_only_looked_up_is_not_written),
        cmocka_unit_test(names_are_written_in_the_order_of_their_bytes),
        cmocka_unit_test(names_with_line_breaks_are_not_kept),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(a_file_that_is_not_there_is_empty),
        cmocka_unit_test(lines_without_an_entry_cause_a_warning),
        cmocka_unit_test(a_folder_cannot_be_read),
        cmocka_unit_test(nothing_can_be_destroyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
