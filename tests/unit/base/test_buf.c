/* SPDX-License-Identifier: MIT */
/* Tests buffers: growing text that is terminated after every change. */
#include "unit.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void an_empty_buffer_reads_as_empty_text(void **state)
{
    (void)state;
    brz_buf b = {0};
    assert_string_equal(brz_buf_text(&b), "");
    assert_int_equal(brz_buf_str(&b).len, 0);
    brz_buf_clear(&b);
    brz_buf_add(&b, NULL, 0);
    assert_string_equal(b.data, "");
    brz_buf_finish(&b);
    assert_null(b.data);
}

static void every_way_of_adding_appends(void **state)
{
    (void)state;
    brz_buf b = {0};
    brz_buf_add(&b, "one", 2);
    brz_buf_add_str(&b, BRZ_STR(" two"));
    brz_buf_add_text(&b, " three");
    brz_buf_add_char(&b, '!');
    brz_buf_printf(&b, " %d %s", 4, "five");
    brz_buf_printf(&b, "%s", "");
    assert_string_equal(brz_buf_text(&b), "on two three! 4 five");
    assert_int_equal(b.len, 20);
    brz_buf_finish(&b);
}

static void growth_keeps_what_is_there(void **state)
{
    (void)state;
    brz_buf b = {0};
    for (size_t i = 0; i < 100000; i++) {
        brz_buf_add_char(&b, (char)('a' + i % 26));
        assert_int_equal(b.data[b.len], '\0');
    }
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(b.data[i], (char)('a' + i % 26));
    brz_buf_finish(&b);
}

static void formatted_text_of_any_length_is_whole(void **state)
{
    (void)state;
    brz_buf b = {0};
    for (int width = 0; width < 300; width++) {
        brz_buf_clear(&b);
        brz_buf_printf(&b, "<%*s>", width, "");
        assert_int_equal(b.len, (size_t)width + 2);
        assert_int_equal(b.data[b.len - 1], '>');
        assert_int_equal(b.data[b.len], '\0');
    }
    brz_buf_finish(&b);
}

static void reserved_room_is_writable_and_not_terminated(void **state)
{
    (void)state;
    brz_buf b = {0};
    for (size_t n = 0; n < 2000; n += 61) {
        memset(brz_buf_room(&b, n), 'x', n);
        b.len += n;
        b.data[b.len] = '\0'; /* the byte after the reserved ones is writable, too */
    }
    assert_int_equal(strlen(b.data), b.len);
    brz_buf_finish(&b);
}

static void clearing_keeps_the_memory(void **state)
{
    (void)state;
    brz_buf b = {0};
    brz_buf_add_text(&b, "text");
    const char *data = b.data;
    brz_buf_clear(&b);
    assert_string_equal(brz_buf_text(&b), "");
    assert_string_equal(b.data, "");
    brz_buf_add_text(&b, "more");
    assert_ptr_equal(b.data, data);
    brz_buf_finish(&b);
}

static void scaled_numbers_are_exact(void **state)
{
    (void)state;
    brz_buf b = {0};
    brz_buf_add_scaled(&b, 9007199254740993, 0);
    brz_buf_add_char(&b, ' ');
    brz_buf_add_scaled(&b, -5, 2);
    brz_buf_add_char(&b, ' ');
    brz_buf_add_scaled(&b, 12300, 2);
    brz_buf_add_char(&b, ' ');
    brz_buf_add_scaled(&b, INT64_MIN, 19);
    assert_string_equal(b.data, "9007199254740993 -0.05 123.00 -0.9223372036854775808");
    brz_buf_finish(&b);
}

static void reading_stops_after_enough_bytes(void **state)
{
    (void)state;
    brz_buf b = {0};
    int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    assert_true(brz_buf_read(&b, fd, 20000));
    assert_in_range(b.len, 20000, 40000);
    close(fd);
    brz_buf_finish(&b);
}

static void a_file_that_does_not_exist_is_not_read(void **state)
{
    (void)state;
    brz_buf b = {0};
    assert_false(brz_buf_read_file(&b, "/nonexistent"));
    assert_int_equal(errno, ENOENT);
    assert_true(brz_buf_read_file(&b, "/proc/self/status"));
    assert_true(b.len > 0);
    brz_buf_finish(&b);
}

/* Writes more bytes than one call reads, in two pieces, to a pipe that then closes. */
static void reading_takes_all_bytes_of_a_descriptor(void **state)
{
    (void)state;
    static const char piece[20000] = {'x', 'y'};
    int ends[2];
    brz_buf b = {0};
    brz_buf_add_text(&b, "before ");
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], piece, sizeof piece), sizeof piece);
    assert_int_equal(write(ends[1], piece, sizeof piece), sizeof piece);
    close(ends[1]);
    assert_true(brz_buf_read(&b, ends[0], SIZE_MAX));
    close(ends[0]);
    assert_int_equal(b.len, 7 + 2 * sizeof piece);
    assert_memory_equal(b.data + 7 + sizeof piece, piece, sizeof piece);
    assert_int_equal(b.data[b.len], 0);
    errno = 0;
    assert_false(brz_buf_read(&b, -1, SIZE_MAX));
    assert_int_equal(errno, EBADF);
    assert_int_equal(b.len, 7 + 2 * sizeof piece);
    brz_buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_buffer_reads_as_empty_text),
        cmocka_unit_test(every_way_of_adding_appends),
        cmocka_unit_test(growth_keeps_what_is_there),
        cmocka_unit_test(formatted_text_of_any_length_is_whole),
        cmocka_unit_test(reserved_room_is_writable_and_not_terminated),
        cmocka_unit_test(clearing_keeps_the_memory),
        cmocka_unit_test(scaled_numbers_are_exact),
        cmocka_unit_test(reading_takes_all_bytes_of_a_descriptor),
        cmocka_unit_test(reading_stops_after_enough_bytes),
        cmocka_unit_test(a_file_that_does_not_exist_is_not_read),
    };
    return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
