/* SPDX-License-Identifier: MIT */
/* Tests the cache of what was computed from files. */
#include "unit.h"

#include "input/file_cache.h"
#include "input/related.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static int make_folder(void **state)
{
    (void)state;
    folder = folder_make();
    return chmod(folder, 0700) != 0 || setenv("XDG_CACHE_HOME", folder, 1) != 0;
}

static int remove_folder(void **state)
{
    (void)state;
    folder_remove(folder);
    return 0;
}

static const brz_file_identity some = {1, 2, 3, {4, 5}, {6, 7}};

/* Returns whether the entry of a file and key is this text. */
static bool has(const brz_file_identity *of, brz_str key, const char *text)
{
    brz_mapping m;
    brz_str content;
    if (!brz_file_cache_load(of, key, &m, &content))
        return false;
    bool same = content.len == strlen(text) && memcmp(content.data, text, content.len) == 0;
    brz_mapping_finish(&m);
    return same;
}

static void contents_are_those_of_the_file_and_the_key(void **state)
{
    (void)state;
    brz_str one = BRZ_STR("one"), two = BRZ_STR("two");
    assert_false(has(&some, one, "content"));
    brz_file_cache_save(&some, one, BRZ_STR("content"));
    brz_file_cache_save(&some, two, BRZ_STR("other"));
    assert_true(has(&some, one, "content"));
    assert_true(has(&some, two, "other"));
    assert_false(has(&some, BRZ_STR("on"), "content"));
    brz_file_cache_save(&some, one, BRZ_STR("new"));
    assert_true(has(&some, one, "new"));
}

static void each_part_of_the_identity_counts(void **state)
{
    (void)state;
    brz_str key = BRZ_STR("identity");
    brz_file_cache_save(&some, key, BRZ_STR("content"));
    for (size_t i = 0; i < sizeof some / 8; i++) {
        brz_file_identity other = some;
        ((uint64_t *)&other)[i]++;
        assert_false(has(&other, key, "content"));
    }
    assert_true(has(&some, key, "content"));
}

static void the_identity_of_a_file_changes_with_it(void **state)
{
    (void)state;
    char path[100];
    snprintf(path, sizeof path, "%s/file", folder);
    int fd = open(path, O_CREAT | O_RDWR, 0600);
    brz_file_identity before = brz_file_identity_of(fd);
    assert_int_equal(write(fd, "x", 1), 1);
    brz_file_identity after = brz_file_identity_of(fd);
    assert_int_equal(before.inode, after.inode);
    assert_int_equal(after.size, 1);
    assert_memory_not_equal(&before, &after, sizeof before);
    close(fd);
    assert_int_equal(brz_file_identity_of(-1).inode, 0);
}

static void bad_keys_and_contents_are_not_kept(void **state)
{
    (void)state;
    char longest[102];
    memset(longest, 'x', sizeof longest);
    brz_str bad[] = {BRZ_STR(""),   BRZ_STR("../x"), BRZ_STR("a/b"),
                     BRZ_STR(".a"), BRZ_STR("a\0b"), brz_str_of(longest, 101)};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        brz_file_cache_save(&some, bad[i], BRZ_STR("content"));
        assert_false(has(&some, bad[i], "content"));
    }
    brz_str good = brz_str_of(longest, 100);
    brz_file_cache_save(&some, good, BRZ_STR("content"));
    assert_true(has(&some, good, "content"));
    brz_file_cache_save(&some, BRZ_STR("empty"), BRZ_STR(""));
    assert_false(has(&some, BRZ_STR("empty"), ""));
    brz_file_identity unknown = {0};
    brz_file_cache_save(&unknown, BRZ_STR("unknown"), BRZ_STR("content"));
    assert_false(has(&unknown, BRZ_STR("unknown"), "content"));
}

static void contents_that_are_too_large_are_not_kept(void **state)
{
    (void)state;
    brz_str large = brz_str_of("", BRZ_FILE_CACHE_ENTRY_MAX + 1); /* nothing reads it */
    brz_file_cache_save(&some, BRZ_STR("large"), large);
    assert_false(has(&some, BRZ_STR("large"), ""));
}

static void contents_above_the_limit_of_files_do_not_end_the_program(void **state)
{
    (void)state;
    static const char large[10000];
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 8192;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    brz_file_cache_save(&some, BRZ_STR("above"), brz_str_of(large, sizeof large));
    brz_file_cache_save(&some, BRZ_STR("below"), BRZ_STR("content"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(has(&some, BRZ_STR("above"), ""));
    assert_true(has(&some, BRZ_STR("below"), "content"));
}

static brz_related_found find(void *context, brz_str name, uint32_t flags)
{
    brz_related_found found = {.status = BRZ_RELATED_OPENED, .size = 6};
    (void)context;
    (void)flags;
    brz_buf_add_str(&found.path, name);
    found.fd = open(brz_buf_text(&found.path), O_RDONLY);
    return found;
}

static void rescue(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)context;
    if (!brz_mapping_rescue(info->si_addr))
        _exit(1);
}

static void an_entry_that_becomes_shorter_while_it_is_used_is_noticed(void **state)
{
    (void)state;
    skip_under_valgrind();
    struct sigaction action = {.sa_sigaction = rescue, .sa_flags = SA_SIGINFO}, before;
    char path[PATH_MAX], pattern[PATH_MAX];
    glob_t entries;
    brz_console console = {0};
    brz_related_file file = {.struct_size = sizeof file};
    brz_str key = BRZ_STR("shorter"), content;
    snprintf(path, sizeof path, "%s/recorded", folder);
    file_write_text(path, "binary");
    brz_str name = brz_str_of(path, strlen(path));
    brz_related *r = brz_related_create(find, NULL, &console);
    brz_related_use_cache(r);
    assert_int_equal(brz_related_open(r, name, 0, &file), BRZ_RELATED_OPENED);
    brz_related_save(r, name, key, BRZ_STR("content"));
    assert_true(brz_related_load(r, name, key, &content));
    assert_null(brz_related_cut(r));
    sigaction(SIGBUS, &action, &before);
    snprintf(pattern, sizeof pattern, "%s/brazier/shorter-*", folder);
    assert_int_equal(glob(pattern, 0, NULL, &entries), 0);
    assert_int_equal(truncate(entries.gl_pathv[0], 0), 0);
    globfree(&entries);
    assert_int_equal(*(const volatile char *)content.data, 0);
    sigaction(SIGBUS, &before, NULL);
    assert_non_null(brz_related_cut(r));
    assert_non_null(strstr(brz_related_cut(r), "recorded, as it was kept for later runs"));
    brz_related_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_are_those_of_the_file_and_the_key),
        cmocka_unit_test(each_part_of_the_identity_counts),
        cmocka_unit_test(the_identity_of_a_file_changes_with_it),
        cmocka_unit_test(bad_keys_and_contents_are_not_kept),
        cmocka_unit_test(contents_that_are_too_large_are_not_kept),
        cmocka_unit_test(contents_above_the_limit_of_files_do_not_end_the_program),
        cmocka_unit_test(an_entry_that_becomes_shorter_while_it_is_used_is_noticed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
