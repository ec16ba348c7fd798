/* SPDX-License-Identifier: MIT */
/* Tests feeds: the bytes of a short file, which the source keeps, and those of other inputs. */
#include "unit.h"

#include "input/feed.h"

typedef struct place {
    char *folder, *path;
    brz_source *source;
    brz_feed feed;
} place;

/* Opens a feed of a file with this content. */
static void place_make(place *p, const char *content, size_t n, brz_decoding decoding)
{
    brz_buf error = {0};
    p->folder = folder_make();
    p->path = path_in(p->folder, "input");
    FILE *f = fopen(p->path, "w");
    assert_int_equal(fwrite(content, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    p->source = brz_source_open(p->path, decoding, &error);
    assert_non_null(p->source);
    brz_feed_init(&p->feed, p->source);
}

static void place_remove(place *p)
{
    brz_feed_finish(&p->feed);
    brz_source_close(p->source);
    free(p->path);
    folder_remove(p->folder);
}

static void assert_content(place *p, const char *content, size_t n)
{
    brz_feed_fill(&p->feed, BRZ_PRELUDE_SIZE);
    assert_true(p->feed.ended);
    assert_int_equal(brz_feed_len(&p->feed), n);
    assert_memory_equal(brz_feed_data(&p->feed), content, n);
    assert_int_equal(brz_feed_data(&p->feed)[-(int)BRZ_SLACK_FRONT], 0);
    assert_int_equal(brz_feed_data(&p->feed)[n + BRZ_SLACK_BACK - 1], 0);
}

static void a_short_file_is_not_copied(void **state)
{
    place p;
    (void)state;
    place_make(&p, "a;b 1\n", 6, BRZ_DECODE_TEXT);
    assert_ptr_equal(p.feed.memory, p.source->raw.memory);
    assert_content(&p, "a;b 1\n", 6);
    brz_feed_consume(&p.feed, 4);
    assert_content(&p, "1\n", 2);
    assert_int_equal(p.feed.offset, 4);
    place_remove(&p);
}

static void an_empty_file_has_no_bytes(void **state)
{
    place p;
    (void)state;
    place_make(&p, "", 0, BRZ_DECODE_TEXT);
    assert_content(&p, "", 0);
    assert_true(brz_feed_is_complete(&p.feed));
    place_remove(&p);
}

static void a_byte_order_mark_is_not_content(void **state)
{
    place p;
    (void)state;
    place_make(&p,
               "\xef\xbb\xbf"
               "abc",
               6, BRZ_DECODE_TEXT);
    assert_content(&p, "abc", 3);
    assert_int_equal(p.feed.offset, 0);
    place_remove(&p);
}

static void other_text_is_converted(void **state)
{
    place p;
    (void)state;
    place_make(&p,
               "\xff\xfe"
               "a\0b\0",
               6, BRZ_DECODE_TEXT);
    assert_content(&p, "ab", 2);
    place_remove(&p);
}

static void a_restart_shows_the_bytes_of_a_binary_format(void **state)
{
    static const char mark[] = "\xef\xbb\xbf"
                               "abc",
                      wide[] = "\xff\xfe"
                               "a\0b\0";
    place p;
    (void)state;
    place_make(&p, mark, 6, BRZ_DECODE_UNKNOWN);
    assert_content(&p, "abc", 3);
    assert_true(brz_source_settle(p.source, BRZ_DECODE_NOTHING));
    brz_feed_restart(&p.feed);
    assert_content(&p, mark, 6);
    place_remove(&p);
    place_make(&p, wide, 6, BRZ_DECODE_UNKNOWN);
    assert_content(&p, "ab", 2);
    assert_true(brz_source_settle(p.source, BRZ_DECODE_NOTHING));
    brz_feed_restart(&p.feed);
    assert_content(&p, wide, 6);
    place_remove(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_file_is_not_copied),
        cmocka_unit_test(an_empty_file_has_no_bytes),
        cmocka_unit_test(a_byte_order_mark_is_not_content),
        cmocka_unit_test(other_text_is_converted),
        cmocka_unit_test(a_restart_shows_the_bytes_of_a_binary_format),
    };
    return cmocka_run_group_tests_name("feed", tests, NULL, NULL);
}
