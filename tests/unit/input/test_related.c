/* SPDX-License-Identifier: MIT */
/* Tests opening files that change while an input is read. */
#include "unit.h"

#include "base/memory_use.h"
#include "input/related.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    char path[64];
    brz_console console;
    brz_related *related;
    size_t n_asked;
} fixture;

static brz_related_found find(void *context, brz_str name, uint32_t flags)
{
    const brz_related_rules anywhere = {.sysroot = NULL};
    ((fixture *)context)->n_asked++;
    return brz_related_find(&anywhere, name, flags & BRZ_RELATED_BY_INPUT);
}

static void write_text(const fixture *f, const char *text, const char *mode)
{
    FILE *out = fopen(f->path, mode);
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    fclose(out);
}

/* Begins without the file. */
static fixture *begin(void)
{
    fixture *f = calloc(1, sizeof *f);
    strcpy(f->path, "/tmp/brazier-related-XXXXXX");
    close(mkstemp(f->path));
    unlink(f->path);
    f->related = brz_related_create(find, f, &f->console);
    return f;
}

static void end(fixture *f)
{
    unlink(f->path);
    brz_related_destroy(f->related);
    free(f);
}

/* Opens the file again. Checks its text, NULL if it is absent, and whether it has changed. */
static void expect(fixture *f, const char *text, bool changes)
{
    bool has_changed = !changes;
    brz_related_file file = {.struct_size = sizeof file};
    int32_t status =
        brz_related_open_again(f->related, brz_str_of_text(f->path), 0, &file, &has_changed);
    assert_int_equal(status, text == NULL ? BRZ_RELATED_ABSENT : BRZ_RELATED_OPENED);
    assert_int_equal(has_changed, changes);
    if (text == NULL)
        return;
    assert_int_equal(file.len, strlen(text));
    assert_memory_equal(file.data, text, file.len);
}

static void a_file_that_grows_is_read_again(void **state)
{
    (void)state;
    fixture *f = begin();
    expect(f, NULL, false);
    write_text(f, "one\n", "w");
    expect(f, "one\n", true);
    expect(f, "one\n", false);
    write_text(f, "two\n", "a");
    expect(f, "one\ntwo\n", true);
    expect(f, "one\ntwo\n", false);
    end(f);
}

static void a_file_that_is_there_at_first_has_not_changed(void **state)
{
    (void)state;
    fixture *f = begin();
    write_text(f, "one\n", "w");
    expect(f, "one\n", true);
    expect(f, "one\n", false);
    end(f);
}

static void a_caller_need_not_know_of_changes(void **state)
{
    (void)state;
    fixture *f = begin();
    brz_related_file file = {.struct_size = sizeof file};
    for (int i = 0; i < 2; i++) {
        write_text(f, "one\n", "a");
        assert_int_equal(
            brz_related_open_again(f->related, brz_str_of_text(f->path), 0, &file, NULL),
            BRZ_RELATED_OPENED);
    }
    assert_int_equal(file.len, 8);
    end(f);
}

static void a_set_without_files_has_none(void **state)
{
    (void)state;
    bool has_changed = true;
    brz_related_file file = {.struct_size = sizeof file};
    assert_int_equal(brz_related_open_again(NULL, BRZ_STR("/etc/passwd"), 0, &file, &has_changed),
                     BRZ_RELATED_ABSENT);
    assert_false(has_changed);
    assert_int_equal(file.len, 0);
}

static void a_file_that_is_gone_keeps_its_bytes(void **state)
{
    (void)state;
    fixture *f = begin();
    write_text(f, "one\n", "w");
    expect(f, "one\n", true);
    unlink(f->path);
    expect(f, "one\n", false);
    write_text(f, "another one\n", "w");
    expect(f, "another one\n", true);
    end(f);
}

static void opening_a_file_once_does_not_look_again(void **state)
{
    (void)state;
    fixture *f = begin();
    brz_related_file file = {.struct_size = sizeof file};
    write_text(f, "one\n", "w");
    expect(f, "one\n", true);
    write_text(f, "two\n", "a");
    size_t n = f->n_asked;
    assert_int_equal(brz_related_open(f->related, brz_str_of_text(f->path), 0, &file),
                     BRZ_RELATED_OPENED);
    assert_int_equal(file.len, 4);
    assert_int_equal(f->n_asked, n);
    end(f);
}

static void a_link_to_a_device_that_takes_the_place_is_refused(void **state)
{
    (void)state;
    fixture *f = begin();
    bool has_changed;
    brz_related_file file = {.struct_size = sizeof file};
    write_text(f, "one\n", "w");
    expect(f, "one\n", true);
    unlink(f->path);
    assert_int_equal(symlink("/dev/null", f->path), 0);
    assert_int_equal(
        brz_related_open_again(f->related, brz_str_of_text(f->path), 0, &file, &has_changed),
        BRZ_RELATED_REFUSED);
    assert_false(has_changed);
    end(f);
}

/* Returns the sum of one byte of each page. */
static unsigned touch(const brz_related_file *file)
{
    unsigned sum = 0;
    for (size_t i = 0; i < file->len; i += 4096)
        sum += ((const uint8_t *)file->data)[i];
    return sum;
}

static void memory_of_files_is_let_go_and_read_again(void **state)
{
    (void)state;
    skip_under_valgrind();
    enum { SIZE = 24 << 20 };
    fixture *f = begin();
    brz_memory_use before, after;
    char *bytes = malloc(SIZE);
    memset(bytes, 1, SIZE);
    file_write(f->path, bytes, SIZE);
    free(bytes);
    brz_related_file file = {.struct_size = sizeof file};
    assert_int_equal(brz_related_open(f->related, brz_str_of_text(f->path), 0, &file),
                     BRZ_RELATED_OPENED);
    assert_int_equal(touch(&file), SIZE / 4096);
    assert_true(brz_memory_use_read(&before));
    brz_related_rest(f->related);
    assert_true(brz_memory_use_read(&after));
    assert_true(after.files + SIZE / 2 < before.files);
    assert_int_equal(touch(&file), SIZE / 4096);
    end(f);
}

static void a_set_without_files_has_nothing_to_let_go(void **state)
{
    (void)state;
    fixture *f = begin();
    brz_related_rest(f->related);
    brz_related_rest(NULL);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_grows_is_read_again),
        cmocka_unit_test(a_file_that_is_there_at_first_has_not_changed),
        cmocka_unit_test(a_caller_need_not_know_of_changes),
        cmocka_unit_test(a_set_without_files_has_none),
        cmocka_unit_test(a_file_that_is_gone_keeps_its_bytes),
        cmocka_unit_test(opening_a_file_once_does_not_look_again),
        cmocka_unit_test(memory_of_files_is_let_go_and_read_again),
        cmocka_unit_test(a_set_without_files_has_nothing_to_let_go),
        cmocka_unit_test(a_link_to_a_device_that_takes_the_place_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
