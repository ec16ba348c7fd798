/* Tests keeping files of containers. */
#include "identified_file.h"

#include "record/build_id.h"
#include "record/kept_files.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PID    7
#define MOUNTS 99

/* A recording in the layout of a pipe: the mapping of a file. */
typedef struct recording {
    char magic[8];
    uint64_t size;
    struct perf_event_header header;
    uint32_t pid, tid;
    uint64_t address, length, offset;
    uint8_t id_size, reserved[3], id[BRZ_BUILD_ID_MAX];
    uint32_t prot, flags;
    char path[16];
} recording;

/* Folders of a container and of the recorder. */
typedef struct folders {
    char *container, *cache;
} folders;

/* Writes a recording of a process that has mapped /app. Returns its descriptor. */
static int record(const char *path)
{
    recording r = {.magic = "PERFILE2",
                   .size = 16,
                   .pid = PID,
                   .tid = PID,
                   .id_size = sizeof IDENTIFIED_FILE_ID - 1};
    r.header = (struct perf_event_header){.type = PERF_RECORD_MMAP2,
                                          .misc = 1u << 14,
                                          .size = sizeof r - offsetof(recording, header)};
    r.prot = PROT_READ | PROT_EXEC;
    memcpy(r.id, IDENTIFIED_FILE_ID, sizeof IDENTIFIED_FILE_ID - 1);
    memcpy(r.path, "/app", 5);
    file_write(path, &r, sizeof r);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Keeps the file of a container that has this mode. */
static brz_kept_files keep(const folders *f, mode_t mode)
{
    char *app = path_in(f->container, "app"), *file = path_in(f->container, "perf.data");
    brz_contained process = {.pid = PID, .own = 1, .mounts = MOUNTS};
    brz_kept_mounts mounts = {MOUNTS, -1, open(f->container, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    const brz_namespaces n = {.processes = &process, .n = 1, .kept = &mounts, .n_kept = 1};
    write_identified_file(app);
    assert_int_equal(chmod(app, mode), 0);
    int fd = record(file);
    brz_kept_files kept = brz_keep_files(fd, &n, f->cache);
    close(fd);
    close(mounts.root);
    free(app);
    free(file);
    return kept;
}

/* Returns the mode of the copy of a file with this mode. */
static mode_t mode_of_copy(mode_t mode)
{
    struct stat st;
    folders f = {folder_make(), folder_make()};
    brz_kept_files kept = keep(&f, mode);
    assert_int_equal(kept.error, 0);
    assert_int_equal(kept.n, 1);
    char *copy = path_in(f.cache, ".build-id/31/32333435363738/elf");
    assert_int_equal(stat(copy, &st), 0);
    assert_int_equal(st.st_uid, geteuid());
    free(copy);
    folder_remove(f.container);
    folder_remove(f.cache);
    return st.st_mode & 07777;
}

static void a_copy_is_readable_by_others_if_all_may_read_the_file(void **state)
{
    (void)state;
    assert_int_equal(mode_of_copy(0755), 0644);
    assert_int_equal(mode_of_copy(0705), 0604);
    assert_int_equal(mode_of_copy(0700), 0600);
    assert_int_equal(mode_of_copy(06711), 0600);
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
    folders f = {folder_make(), folder_make()};
    char *links = path_in(f.cache, ".build-id/31");
    char *link = path_in(links, "32333435363738"), *copy = path_in(link, "elf");
    folders_make(links);
    assert_int_equal(symlink("../../app/removed", link), 0);
    brz_kept_files kept = keep(&f, 0755);
    assert_int_equal(kept.error, 0);
    assert_int_equal(kept.n, 1);
    assert_int_equal(access(copy, R_OK), 0);
    free(copy);
    free(link);
    free(links);
    folder_remove(f.container);
    folder_remove(f.cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_readable_by_others_if_all_may_read_the_file),
        cmocka_unit_test(a_link_to_a_file_that_was_removed_is_replaced),
        cmocka_unit_test(the_group_of_a_file_is_not_that_of_its_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
