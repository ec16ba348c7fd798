/* SPDX-License-Identifier: MIT */
/* Tests keeping files of containers. */
#include "identified_file.h"

#include "record/build_id.h"
#include "record/kept_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PID    7
#define MOUNTS 99

/* Digits of the build id of the first file, as the cache divides them. */
#define FIRST_LINK ".build-id/31/32333435363738"

/* The record of a mapped file. */
typedef struct map_record {
    struct perf_event_header header;
    uint32_t pid, tid;
    uint64_t address, length, offset;
    uint8_t id_size, reserved[3], id[BRZ_BUILD_ID_MAX];
    uint32_t prot, flags;
    char path[16];
} map_record;

/* A recording in the layout of a pipe: the mappings of two files. */
typedef struct recording {
    char magic[8];
    uint64_t size;
    map_record maps[2];
} recording;

/* Folders of a container and of the recorder. */
typedef struct folders {
    char *container, *cache;
} folders;

static folders begin(void)
{
    skip_under_valgrind(); /* which does not know openat2() */
    folders f = {folder_make(), folder_make()};
    char *inner = path_in(f.container, "in");
    folders_make(inner);
    assert_int_equal(chmod(f.container, 0755), 0);
    assert_int_equal(chmod(inner, 0755), 0);
    free(inner);
    return f;
}

static void end(folders *f)
{
    folder_remove(f->container);
    folder_remove(f->cache);
}

static map_record mapping(const char *path, const char *id)
{
    map_record r = {.pid = PID, .tid = PID, .id_size = 8};
    r.header =
        (struct perf_event_header){.type = PERF_RECORD_MMAP2, .misc = 1u << 14, .size = sizeof r};
    r.prot = PROT_READ | PROT_EXEC;
    memcpy(r.id, id, 8);
    snprintf(r.path, sizeof r.path, "%s", path);
    return r;
}

/* Keeps the files of a recording with these bytes. */
static brz_kept_files keep_of(const folders *f, const brz_namespaces *n, const void *r, size_t size)
{
    char *file = path_in(f->container, "perf.data");
    file_write(file, r, size);
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    brz_kept_files kept = brz_keep_files(fd, n, f->cache);
    close(fd);
    free(file);
    return kept;
}

/* Keeps the files of a recording of a process that has mapped /in/app and /lib. */
static brz_kept_files keep_recorded(const folders *f, const brz_namespaces *n)
{
    recording r = {.magic = "PERFILE2", .size = 16};
    r.maps[0] = mapping("/in/app", "12345678");
    r.maps[1] = mapping("/lib", "abcdefgh");
    return keep_of(f, n, &r, sizeof r);
}

/* Keeps the files of a container, in which /in/app has this mode. */
static brz_kept_files keep(const folders *f, mode_t mode)
{
    char *app = path_in(f->container, "in/app"), *lib = path_in(f->container, "lib");
    brz_contained process = {.pid = PID, .own = 1, .mounts = MOUNTS};
    brz_kept_mounts mounts = {MOUNTS, -1, open(f->container, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    const brz_namespaces n = {.processes = &process, .n = 1, .kept = &mounts, .n_kept = 1};
    write_identified_file(app, "12345678");
    write_identified_file(lib, "abcdefgh");
    assert_int_equal(chmod(app, mode), 0);
    brz_kept_files kept = keep_recorded(f, &n);
    close(mounts.root);
    free(app);
    free(lib);
    return kept;
}

/* Returns the mode of the copy of a file with this mode in a folder with another one. */
static mode_t mode_of_copy_in(mode_t folder, mode_t mode)
{
    struct stat st;
    folders f = begin();
    char *inner = path_in(f.container, "in"), *copy = path_in(f.cache, FIRST_LINK "/elf");
    assert_int_equal(chmod(inner, folder), 0);
    brz_kept_files kept = keep(&f, mode);
    assert_int_equal(kept.error, 0);
    assert_int_equal(kept.n, 2);
    assert_int_equal(stat(copy, &st), 0);
    assert_int_equal(st.st_uid, geteuid());
    free(copy);
    free(inner);
    end(&f);
    return st.st_mode & 07777;
}

static mode_t mode_of_copy(mode_t mode)
{
    return mode_of_copy_in(0755, mode);
}

static void a_copy_is_readable_by_others_if_all_may_read_the_file(void **state)
{
    (void)state;
    assert_int_equal(mode_of_copy(0755), 0644);
    assert_int_equal(mode_of_copy(0705), 0604);
    assert_int_equal(mode_of_copy(0700), 0600);
    assert_int_equal(mode_of_copy(06711), 0600);
}

static void a_copy_from_a_closed_folder_is_not_readable_by_others(void **state)
{
    (void)state;
    assert_int_equal(mode_of_copy_in(0700, 0644), 0600);
    assert_int_equal(mode_of_copy_in(0750, 0644), 0600);
    assert_int_equal(mode_of_copy_in(0711, 0644), 0644);
}

static void the_group_of_a_file_is_not_that_of_its_copy(void **state)
{
    (void)state;
    assert_int_equal(mode_of_copy(0750), 0600);
    assert_int_equal(mode_of_copy(0640), 0600);
}

static void a_link_to_a_file_that_was_removed_is_replaced(void **state)
{
    (void)state;
    folders f = begin();
    char *links = path_in(f.cache, ".build-id/31");
    char *link = path_in(links, "32333435363738"), *copy = path_in(link, "elf");
    folders_make(links);
    assert_int_equal(symlink("../../in/removed", link), 0);
    brz_kept_files kept = keep(&f, 0755);
    assert_int_equal(kept.error, 0);
    assert_int_equal(kept.n, 2);
    assert_int_equal(access(copy, R_OK), 0);
    free(copy);
    free(link);
    free(links);
    end(&f);
}

static void a_file_that_cannot_be_written_does_not_stop_the_next_one(void **state)
{
    (void)state;
    folders f = begin();
    char *in_the_way = path_in(f.cache, "in");
    file_write_text(in_the_way, "not a folder");
    brz_kept_files kept = keep(&f, 0755);
    assert_int_equal(kept.error, ENOTDIR);
    assert_int_equal(kept.n_failed, 1);
    assert_int_equal(kept.n, 1);
    free(in_the_way);
    end(&f);
}

static void files_of_a_process_that_nobody_looked_at_are_counted(void **state)
{
    (void)state;
    uint8_t unseen[1] = {1u << PID};
    const brz_namespaces n = {.unseen = unseen}, none = {.n = 0};
    folders f = begin();
    assert_int_equal(keep_recorded(&f, &n).n_gone, 2);
    assert_int_equal(keep_recorded(&f, &none).n_gone, 0);
    end(&f);
}

static void all_files_beyond_the_limit_are_counted(void **state)
{
    (void)state;
    static struct {
        recording r;
        map_record more[5 * BRZ_KEPT_MAX];
    } of;
    folders f = begin();
    brz_contained process = {.pid = PID, .own = 1, .mounts = MOUNTS};
    brz_kept_mounts mounts = {MOUNTS, -1, open(f.container, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    const brz_namespaces n = {.processes = &process, .n = 1, .kept = &mounts, .n_kept = 1};
    of.r = (recording){.magic = "PERFILE2", .size = 16};
    of.r.maps[0] = of.r.maps[1] = mapping("/absent", "12345678");
    for (int i = 0; i < 5 * BRZ_KEPT_MAX; i++) {
        char id[9];
        snprintf(id, sizeof id, "%08d", i);
        of.more[i] = mapping("/absent", id);
    }
    brz_kept_files kept = keep_of(&f, &n, &of, sizeof of);
    assert_int_equal(kept.n_absent, BRZ_KEPT_MAX);
    assert_int_equal(kept.n_over, 4 * BRZ_KEPT_MAX + 1);
    close(mounts.root);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_readable_by_others_if_all_may_read_the_file),
        cmocka_unit_test(a_copy_from_a_closed_folder_is_not_readable_by_others),
        cmocka_unit_test(a_link_to_a_file_that_was_removed_is_replaced),
        cmocka_unit_test(the_group_of_a_file_is_not_that_of_its_copy),
        cmocka_unit_test(a_file_that_cannot_be_written_does_not_stop_the_next_one),
        cmocka_unit_test(all_files_beyond_the_limit_are_counted),
        cmocka_unit_test(files_of_a_process_that_nobody_looked_at_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
