/* Tests windows: a file that becomes shorter is noticed, wherever it ends then. */
#include "unit.h"

#include <brazier/collapser.h>

#include <fcntl.h>
#include <unistd.h>

#include "input/source.h"
#include "input/window.h"

#define PAGES 4

typedef struct place {
    char *folder, *path;
    brz_source *source;
    brz_window window;
    size_t page;
} place;

/* Opens a file of some pages of lines. */
static void place_make(place *p)
{
    brz_buf error = {0};
    p->page = (size_t)sysconf(_SC_PAGESIZE);
    p->folder = folder_make();
    p->path = path_in(p->folder, "input");
    FILE *f = fopen(p->path, "w");
    for (size_t i = 0; i < PAGES * p->page; i++)
        fputc(i % 2 == 0 ? 'x' : '\n', f);
    assert_int_equal(fclose(f), 0);
    p->source = brz_source_open(p->path, BRZ_DECODE_TEXT, &error);
    assert_non_null(p->source);
    assert_true(p->source->fd >= 0);
    brz_window_init(&p->window, p->source);
}

static void place_remove(place *p)
{
    brz_window_finish(&p->window);
    brz_source_close(p->source);
    free(p->path);
    folder_remove(p->folder);
}

/* Shows the first half of the second page, and checks that it is mapped. */
static const uint8_t *show_half_a_page(place *p)
{
    size_t n = p->page / 2;
    const uint8_t *text = brz_window_at(&p->window, p->page, &n);
    assert_int_equal(n, p->page / 2);
    assert_non_null(p->window.map);
    assert_null(brz_window_problem(&p->window));
    return text;
}

static void a_file_that_stays_as_it_is_has_no_problem(void **state)
{
    place p;
    (void)state;
    place_make(&p);
    show_half_a_page(&p);
    size_t n = PAGES * p.page;
    brz_window_at(&p.window, 0, &n);
    assert_int_equal(n, PAGES * p.page);
    assert_null(brz_window_problem(&p.window));
    place_remove(&p);
}

static void an_end_within_a_mapped_page_is_noticed(void **state)
{
    place p;
    (void)state;
    place_make(&p);
    const uint8_t *text = show_half_a_page(&p);
    assert_int_equal(truncate(p.path, (off_t)p.page + 100), 0);
    assert_int_equal(text[99], '\n');
    assert_int_equal(text[100], 0); /* the page has it, the file does not */
    const char *problem = brz_window_problem(&p.window);
    assert_non_null(problem);
    assert_string_equal(problem, BRZ_BECAME_SHORTER);
    place_remove(&p);
}

static void an_end_before_what_is_read_is_noticed(void **state)
{
    place p;
    (void)state;
    place_make(&p);
    size_t n = p.page;
    assert_int_equal(truncate(p.path, (off_t)(PAGES * p.page - 1)), 0);
    brz_window_at(&p.window, (PAGES - 1) * p.page, &n);
    assert_int_equal(n, p.page - 1);
    assert_string_equal(brz_window_problem(&p.window), BRZ_BECAME_SHORTER);
    place_remove(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_stays_as_it_is_has_no_problem),
        cmocka_unit_test(an_end_within_a_mapped_page_is_noticed),
        cmocka_unit_test(an_end_before_what_is_read_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
