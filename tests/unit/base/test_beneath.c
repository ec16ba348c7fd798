/* SPDX-License-Identifier: MIT */
/* Tests access to files below a folder: refused paths, and that no file elsewhere is opened, with
 * the kernel's path resolution and with the component-wise fallback. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"

typedef struct place {
    char *top; /* contains "in", the folder, and "out", which must stay unreachable */
    char in[PATH_MAX];
    brz_beneath beneath;
} place;

static void make(const char *top, const char *name, const char *text)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", top, name);
    if (text == NULL) {
        assert_int_equal(mkdir(path, 0755), 0);
        return;
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void make_link(const char *top, const char *target, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", top, name);
    assert_int_equal(symlink(target, path), 0);
}

static void place_make(place *p, bool by_step)
{
    char real[PATH_MAX], path[PATH_MAX];
    p->top = folder_make();
    assert_non_null(realpath(p->top, real));
    snprintf(p->in, sizeof p->in, "%.4000s/in", real);
    make(p->top, "in", NULL);
    make(p->top, "out", NULL);
    make(p->top, "out/secret", "secret");
    make(p->top, "in/file", "file");
    make(p->top, "in/a", NULL);
    make(p->top, "in/a/b", NULL);
    make(p->top, "in/a/b/file", "deep");
    make(p->top, "in/tool", "tool");
    make_link(p->top, "../out/secret", "in/link");
    make_link(p->top, "file", "in/inner");
    make_link(p->top, "../out", "in/folder");
    make_link(p->top, "b", "in/a/c");
    make_link(p->top, "nowhere", "in/dangling");
    make_link(p->top, "loop", "in/loop");
    snprintf(path, sizeof path, "%s/in/tool", p->top);
    assert_int_equal(chmod(path, 0755), 0);
    snprintf(path, sizeof path, "%s/in/pipe", p->top);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_true(brz_beneath_open(&p->beneath, p->in));
    p->beneath.by_step = by_step;
}

static void place_remove(place *p)
{
    brz_beneath_close(&p->beneath);
    folder_remove(p->top);
}

/* ---- paths as text ------------------------------------------------------------------------- */

static void a_path_is_relative_to_the_folder_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *from, *path;
        brz_refusal why;
        const char *inside;
    } cases[] = {
        {"/w/p", "x", BRZ_REFUSED_NOT, "x"},
        {"/w/p", "./a//b/./x", BRZ_REFUSED_NOT, "a/b/x"},
        {"/w/p", "a/b/", BRZ_REFUSED_NOT, "a/b"},
        {"/w/p", ".", BRZ_REFUSED_NOT, ""},
        {"/w/p", "", BRZ_REFUSED_NOT, ""},
        {"/w/p/sub", "x", BRZ_REFUSED_NOT, "sub/x"},
        {"/w/p/sub/", "./x", BRZ_REFUSED_NOT, "sub/x"},
        {"/w/p/sub", "/w/p/x", BRZ_REFUSED_NOT, "x"},
        {"/w/p", "/w/p", BRZ_REFUSED_NOT, ""},
        {"/w/p", "/w/p/", BRZ_REFUSED_NOT, ""},
        {"/w/p", "/w/p//a/./x", BRZ_REFUSED_NOT, "a/x"},
        {"/w/p", "a.b/..x", BRZ_REFUSED_HIDDEN, NULL},
        {"/w/p", "...", BRZ_REFUSED_HIDDEN, NULL},
        {"/w/p", "/w/pp/x", BRZ_REFUSED_OUTSIDE, NULL},
        {"/w/p", "/w", BRZ_REFUSED_OUTSIDE, NULL},
        {"/w/p", "/w/p2", BRZ_REFUSED_OUTSIDE, NULL},
        {"/w/p", "//w/p/x", BRZ_REFUSED_OUTSIDE, NULL},
        {"/w/p", "/", BRZ_REFUSED_OUTSIDE, NULL},
        {"/w/p", "/etc/passwd", BRZ_REFUSED_OUTSIDE, NULL},
        {"/w/other", "x", BRZ_REFUSED_OUTSIDE, NULL},
        {"/w", "p/x", BRZ_REFUSED_OUTSIDE, NULL},
        {"/w/p", "/w/p/../x", BRZ_REFUSED_PARENT, NULL},
        {"/w/p", "..", BRZ_REFUSED_PARENT, NULL},
        {"/w/p", "a/../x", BRZ_REFUSED_PARENT, NULL},
        {"/w/p", "a/..", BRZ_REFUSED_PARENT, NULL},
        {"/w/p", ".git/config", BRZ_REFUSED_HIDDEN, NULL},
        {"/w/p", "a/.git/config", BRZ_REFUSED_HIDDEN, NULL},
        {"/w/p/.git", "x", BRZ_REFUSED_HIDDEN, NULL},
        {"/w/p", ".x", BRZ_REFUSED_HIDDEN, NULL},
        {"/w/p", "GIT~1/x", BRZ_REFUSED_HIDDEN, NULL},
        {"/w/p", "\xe2\x80\x8c.git/x", BRZ_REFUSED_HIDDEN, NULL},
        {"/w/p", "\xef\xbb\xbf.git/x", BRZ_REFUSED_HIDDEN, NULL},
        {"/w/p", "gitter", BRZ_REFUSED_NOT, "gitter"},
        {"/w/p", "x~1", BRZ_REFUSED_NOT, "x~1"},
    };
    char folder[] = "/w/p";
    const brz_beneath b = {.path = folder, .fd = -1};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *inside;
        assert_int_equal(brz_beneath_resolve(&b, cases[i].from, cases[i].path, &inside),
                         cases[i].why);
        if (cases[i].inside == NULL)
            assert_null(inside);
        else
            assert_string_equal(inside, cases[i].inside);
        free(inside);
    }
}

static void the_root_is_a_folder_too(void **state)
{
    (void)state;
    char folder[] = "/";
    const brz_beneath b = {.path = folder, .fd = -1};
    char *inside;
    assert_int_equal(brz_beneath_resolve(&b, "/", "/a/x", &inside), BRZ_REFUSED_NOT);
    assert_string_equal(inside, "a/x");
    free(inside);
    assert_int_equal(brz_beneath_resolve(&b, "/a", "x", &inside), BRZ_REFUSED_NOT);
    assert_string_equal(inside, "a/x");
    free(inside);
}

static void a_path_has_a_longest_length(void **state)
{
    (void)state;
    char folder[] = "/w", *inside;
    const brz_beneath b = {.path = folder, .fd = -1};
    for (size_t len = PATH_MAX - 8; len < PATH_MAX + 8; len++) {
        char *path = malloc(len + 1);
        memset(path, 'x', len);
        path[len] = '\0';
        brz_refusal why = brz_beneath_resolve(&b, "/w", path, &inside);
        assert_int_equal(why, len + 2 > PATH_MAX ? BRZ_REFUSED_LONG : BRZ_REFUSED_NOT);
        free(inside);
        free(path);
    }
}

/* ---- files --------------------------------------------------------------------------------- */

/* Expected results for paths that are read, written, or named by an option. */
static const struct {
    const char *inside;
    brz_refusal read, write, check;
} files[] = {
    {"file", BRZ_REFUSED_NOT, BRZ_REFUSED_NOT, BRZ_REFUSED_NOT},
    {"a/b/file", BRZ_REFUSED_NOT, BRZ_REFUSED_NOT, BRZ_REFUSED_NOT},
    {"tool", BRZ_REFUSED_NOT, BRZ_REFUSED_PROGRAM, BRZ_REFUSED_NOT},
    {"", BRZ_REFUSED_SPECIAL, BRZ_REFUSED_SPECIAL, BRZ_REFUSED_NOT},
    {"a", BRZ_REFUSED_SPECIAL, BRZ_REFUSED_SPECIAL, BRZ_REFUSED_NOT},
    {"a/b", BRZ_REFUSED_SPECIAL, BRZ_REFUSED_SPECIAL, BRZ_REFUSED_NOT},
    {"pipe", BRZ_REFUSED_SPECIAL, BRZ_REFUSED_SPECIAL, BRZ_REFUSED_SPECIAL},
    {"link", BRZ_REFUSED_LINK, BRZ_REFUSED_LINK, BRZ_REFUSED_LINK},
    {"inner", BRZ_REFUSED_LINK, BRZ_REFUSED_LINK, BRZ_REFUSED_LINK},
    {"dangling", BRZ_REFUSED_LINK, BRZ_REFUSED_LINK, BRZ_REFUSED_LINK},
    {"loop", BRZ_REFUSED_LINK, BRZ_REFUSED_LINK, BRZ_REFUSED_LINK},
    {"loop/x", BRZ_REFUSED_LINK, BRZ_REFUSED_LINK, BRZ_REFUSED_LINK},
    {"folder", BRZ_REFUSED_LINK, BRZ_REFUSED_LINK, BRZ_REFUSED_LINK},
    {"folder/secret", BRZ_REFUSED_LINK, BRZ_REFUSED_LINK, BRZ_REFUSED_LINK},
    {"a/c/file", BRZ_REFUSED_LINK, BRZ_REFUSED_LINK, BRZ_REFUSED_LINK},
    {"no", BRZ_REFUSED_ABSENT, BRZ_REFUSED_ABSENT, BRZ_REFUSED_ABSENT},
    {"no/file", BRZ_REFUSED_ABSENT, BRZ_REFUSED_ABSENT, BRZ_REFUSED_ABSENT},
    {"file/file", BRZ_REFUSED_ABSENT, BRZ_REFUSED_ABSENT, BRZ_REFUSED_ABSENT},
};

static brz_refusal target(const brz_beneath *b, const char *inside)
{
    const char *name;
    struct stat st;
    brz_refusal why;
    int dir = brz_beneath_open_parent(b, inside, &name, &why);
    if (dir < 0)
        return why;
    why = brz_beneath_check_target(dir, name, &st);
    close(dir);
    return why;
}

static void check_files(bool by_step)
{
    place p;
    place_make(&p, by_step);
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        brz_refusal why;
        int fd = brz_beneath_open_file(&p.beneath, files[i].inside, &why);
        assert_int_equal(why, files[i].read);
        assert_int_equal(fd >= 0, why == BRZ_REFUSED_NOT);
        if (fd >= 0)
            close(fd);
        assert_int_equal(target(&p.beneath, files[i].inside), files[i].write);
        assert_int_equal(brz_beneath_check(&p.beneath, files[i].inside), files[i].check);
    }
    place_remove(&p);
}

static void files_are_reached_through_no_link(void **state)
{
    (void)state;
    check_files(false);
}

static void files_are_reached_through_no_link_step_by_step(void **state)
{
    (void)state;
    check_files(true);
}

static void a_file_is_the_one_that_was_named(void **state)
{
    (void)state;
    for (int by_step = 0; by_step < 2; by_step++) {
        place p;
        brz_refusal why;
        char text[8] = "";
        place_make(&p, by_step);
        int fd = brz_beneath_open_file(&p.beneath, "a/b/file", &why);
        assert_int_equal(read(fd, text, sizeof text - 1), 4);
        assert_string_equal(text, "deep");
        close(fd);
        place_remove(&p);
    }
}

/* The descriptor keeps referring to the opened folder, even if its path leads elsewhere. */
static void a_folder_that_is_swapped_stays_the_same(void **state)
{
    (void)state;
    for (int by_step = 0; by_step < 2; by_step++) {
        place p;
        brz_refusal why;
        char moved[PATH_MAX + 8];
        place_make(&p, by_step);
        snprintf(moved, sizeof moved, "%s.moved", p.in);
        assert_int_equal(rename(p.in, moved), 0);
        assert_int_equal(symlink("out", p.in), 0);
        assert_int_equal(brz_beneath_open_file(&p.beneath, "secret", &why), -1);
        assert_int_equal(why, BRZ_REFUSED_ABSENT);
        int fd = brz_beneath_open_file(&p.beneath, "file", &why);
        assert_true(fd >= 0);
        close(fd);
        place_remove(&p);
    }
}

static void links_and_files_are_rejected_as_folders(void **state)
{
    (void)state;
    place p;
    brz_beneath b;
    char path[PATH_MAX + 8];
    place_make(&p, false);
    static const char *const names[] = {"folder", "file", "no"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(path, sizeof path, "%s/%s", p.in, names[i]);
        assert_false(brz_beneath_open(&b, path));
    }
    place_remove(&p);
}

static void no_descriptor_is_left_open(void **state)
{
    (void)state;
    int before = open("/dev/null", O_RDONLY);
    close(before);
    check_files(false);
    check_files(true);
    int after = open("/dev/null", O_RDONLY);
    close(after);
    assert_int_equal(before, after);
}

static void each_refusal_has_words(void **state)
{
    (void)state;
    for (int why = BRZ_REFUSED_OUTSIDE; why <= BRZ_REFUSED_PROGRAM; why++)
        assert_non_null(brz_refusal_text((brz_refusal)why));
    errno = ENOENT;
    assert_string_equal(brz_refusal_text(BRZ_REFUSED_ABSENT), strerror(ENOENT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_relative_to_the_folder_or_refused),
        cmocka_unit_test(the_root_is_a_folder_too),
        cmocka_unit_test(a_path_has_a_longest_length),
        cmocka_unit_test(files_are_reached_through_no_link),
        cmocka_unit_test(files_are_reached_through_no_link_step_by_step),
        cmocka_unit_test(a_file_is_the_one_that_was_named),
        cmocka_unit_test(a_folder_that_is_swapped_stays_the_same),
        cmocka_unit_test(links_and_files_are_rejected_as_folders),
        cmocka_unit_test(no_descriptor_is_left_open),
        cmocka_unit_test(each_refusal_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
