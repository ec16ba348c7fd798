/* SPDX-License-Identifier: MIT */
/* Tests windows: any pieces in any order, and files that become shorter. */
#include "unit.h"

#include <brazier/collapser.h>

#include <fcntl.h>
#include <unistd.h>

#include "input/source.h"
#include "input/window.h"

/* More pages than a source keeps in memory. */
#define PAGES 64

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

/* Returns the character at an offset of the file. */
static char expected_at(size_t i)
{
    return i % 2 == 0 ? 'x' : '\n';
}

/* Shows a piece and checks its bytes. */
static void show(place *p, size_t at, size_t wanted)
{
    size_t n = wanted, whole = PAGES * p->page;
    const uint8_t *text = brz_window_at(&p->window, at, &n);
    assert_int_equal(n, at + wanted < whole ? wanted : whole - at);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(text[i], expected_at(at + i));
    assert_null(brz_window_problem(&p->window));
}

static void pieces_may_overlap_grow_and_go_back(void **state)
{
    place p;
    (void)state;
    place_make(&p);
    show(&p, 1, 100);
    show(&p, 90, 100);       /* overlaps */
    show(&p, 95, 10);        /* lies within */
    show(&p, 96, p.page);    /* grows */
    show(&p, 3 * p.page, 9); /* skips bytes */
    show(&p, 0, 11);         /* goes back */
    show(&p, 0, PAGES * p.page);
    show(&p, PAGES * p.page - 5, 99);
    show(&p, PAGES * p.page, 1);
    place_remove(&p);
}

static void bytes_of_the_previous_piece_are_not_read_again(void **state)
{
    place p;
    (void)state;
    place_make(&p);
    show(&p, 0, 200);
    assert_int_equal(truncate(p.path, 150), 0);
    show(&p, 50, 150);
    place_remove(&p);
}

static void the_bytes_of_a_feed_are_not_read_again(void **state)
{
    place p;
    brz_feed feed;
    (void)state;
    place_make(&p);
    brz_feed_init(&feed, p.source);
    brz_feed_fill(&feed, 3 * p.page);
    brz_feed_consume(&feed, 7);
    brz_window_take(&p.window, &feed);
    assert_int_equal(brz_feed_len(&feed), 0);
    assert_int_equal(truncate(p.path, (off_t)p.page), 0);
    show(&p, 7, 100);
    show(&p, 2 * p.page, p.page);
    brz_feed_finish(&feed);
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
        cmocka_unit_test(pieces_may_overlap_grow_and_go_back),
        cmocka_unit_test(bytes_of_the_previous_piece_are_not_read_again),
        cmocka_unit_test(the_bytes_of_a_feed_are_not_read_again),
        cmocka_unit_test(an_end_before_what_is_read_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
