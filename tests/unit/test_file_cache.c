/* Tests the cache of what was computed from files. */
#include "unit.h"

#include "input/file_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/brazier-cache-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL || setenv("XDG_CACHE_HOME", folder, 1) != 0;
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_are_those_of_the_file_and_the_key),
        cmocka_unit_test(each_part_of_the_identity_counts),
        cmocka_unit_test(the_identity_of_a_file_changes_with_it),
        cmocka_unit_test(bad_keys_and_contents_are_not_kept),
        cmocka_unit_test(contents_that_are_too_large_are_not_kept),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
