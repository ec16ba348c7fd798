/* SPDX-License-Identifier: MIT */
/* Tests reading build ids of mapped files. */
#include "identified_file.h"

#include "record/build_id.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void a_file_of_a_process_that_has_ended_is_read_through_the_next_one(void **state)
{
    (void)state;
    char path[] = "/tmp/brazier-build-id-XXXXXX";
    uint8_t id[BRZ_BUILD_ID_MAX];
    struct stat st;
    close(mkstemp(path));
    write_identified_file(path, "12345678");
    assert_int_equal(stat(path, &st), 0);
    brz_build_ids *ids = brz_build_ids_create();
    brz_mapped_file file = {.pid = INT_MAX, .name = path, .inode = (uint64_t)st.st_ino};
    assert_int_equal(brz_build_ids_read(ids, &file, id), 0);
    file.pid = getpid();
    assert_int_equal(brz_build_ids_read(ids, &file, id), 8);
    assert_memory_equal(id, "12345678", 8);
    unlink(path);
    assert_int_equal(brz_build_ids_read(ids, &file, id), 8); /* it is kept */
    brz_build_ids_destroy(ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_a_process_that_has_ended_is_read_through_the_next_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
