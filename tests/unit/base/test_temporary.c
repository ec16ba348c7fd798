/* SPDX-License-Identifier: MIT */
/* Tests temporary files: those of killed processes are removed, those still being written are
 * not. */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/temporary.h"

typedef struct place {
    char *folder, *target;
} place;

static void place_make(place *p)
{
    p->folder = folder_make();
    p->target = path_in(p->folder, "out.svg");
}

static void place_remove(place *p)
{
    free(p->target);
    folder_remove(p->folder);
}

static struct stat status_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st;
}

static mode_t mode_of(const char *path)
{
    return status_of(path).st_mode & 07777;
}

/* Creates a file in a child process and kills the process. */
static void leave_behind(const char *target)
{
    int status, ends[2];
    char ready;
    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        brz_temporary t;
        bool good = brz_temporary_create(&t, AT_FDCWD, target, NULL);
        if (write(ends[1], good ? "y" : "n", 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ends[0], &ready, 1), 1);
    assert_int_equal(ready, 'y');
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(ends[0]);
    close(ends[1]);
}

/* ---- abandoned files ----------------------------------------------------------------------- */

static void files_of_killed_processes_are_removed_with_the_next_write(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    brz_temporary held, t;
    assert_true(
        brz_temporary_create(&held, AT_FDCWD, p.target, NULL)); /* makes the numbers increase */
    leave_behind(p.target);
    leave_behind(p.target);
    assert_true(folder_count(p.folder) >= 2);
    assert_true(brz_temporary_create(&t, AT_FDCWD, p.target, NULL));
    assert_int_equal(folder_count(p.folder), 2);
    assert_true(brz_temporary_commit(&t));
    brz_temporary_finish(&t);
    brz_temporary_finish(&held);
    assert_int_equal(folder_count(p.folder), 1);
    assert_int_equal(access(p.target, F_OK), 0);
    place_remove(&p);
}

static void a_file_without_a_name_gets_it_when_it_is_complete(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    static const char *const others[] = {".out.svg.brazier-1", "out.svg"};
    brz_temporary t;
    assert_true(brz_temporary_create_unnamed(&t, AT_FDCWD, p.target, NULL));
    bool has_name = access(t.name, F_OK) == 0; /* where the file system has no other files */
    assert_int_equal(folder_count(p.folder), has_name ? 1 : 0);
    assert_int_equal(write(t.fd, "text", 4), 4);
    for (size_t i = has_name ? 1 : 0; i < COUNT_OF(others); i++) {
        char *path = path_in(p.folder, others[i]);
        file_write_text(path, "other");
        free(path);
    }
    assert_true(brz_temporary_commit(&t));
    brz_temporary_finish(&t);
    assert_int_equal(folder_count(p.folder), 1); /* the other one was abandoned */
    assert_int_equal(status_of(p.target).st_size, 4);
    assert_true(brz_temporary_create_unnamed(&t, AT_FDCWD, p.target, NULL));
    brz_temporary_finish(&t);
    assert_int_equal(folder_count(p.folder), 1);
    place_remove(&p);
}

static void files_of_other_targets_and_other_names_stay(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    static const char *const names[] = {".out.svg.backup", "out.svg.brazier-1", ".out.brazier-1",
                                        ".out.svg.brazier-1.old", ".out.svg.brazier-01"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char *path = path_in(p.folder, names[i]);
        file_write_text(path, "precious");
        free(path);
    }
    brz_temporary t;
    assert_true(brz_temporary_create(&t, AT_FDCWD, p.target, NULL));
    brz_temporary_finish(&t);
    assert_int_equal(folder_count(p.folder), COUNT_OF(names));
    place_remove(&p);
}

static void other_types_of_files_are_skipped(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    char *fifo = path_in(p.folder, ".out.svg.brazier-1");
    char *folder = path_in(p.folder, ".out.svg.brazier-2");
    char *link = path_in(p.folder, ".out.svg.brazier-3");
    char *precious = path_in(p.folder, "precious");
    file_write_text(precious, "precious");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(symlink("precious", link), 0);
    brz_temporary t;
    assert_true(brz_temporary_create(&t, AT_FDCWD, p.target, NULL));
    assert_contains(t.name, ".out.svg.brazier-4");
    brz_temporary_finish(&t);
    assert_int_equal(folder_count(p.folder), 4);
    assert_int_equal(status_of(precious).st_size, 8);
    free(fifo);
    free(folder);
    free(link);
    free(precious);
    place_remove(&p);
}

/* ---- files being written ------------------------------------------------------------------- */

static void any_number_of_writers_have_files_of_their_own(void **state)
{
    (void)state;
    enum { WRITERS = 40 };
    place p;
    place_make(&p);
    brz_temporary t[WRITERS];
    for (size_t i = 0; i < WRITERS; i++) {
        assert_true(brz_temporary_create(&t[i], AT_FDCWD, p.target, NULL));
        assert_int_equal(folder_count(p.folder), i + 1);
        assert_int_equal(write(t[i].fd, "x", 1), 1);
    }
    for (size_t i = 0; i < WRITERS; i++) {
        assert_true(brz_temporary_commit(&t[i]));
        brz_temporary_finish(&t[i]);
    }
    assert_int_equal(folder_count(p.folder), 1);
    place_remove(&p);
}

/* Several processes create, commit and abandon files as fast as they can: a commit would fail if
 * another process took its file for an abandoned one. */
static void concurrent_writers_do_not_remove_each_others_files(void **state)
{
    (void)state;
    skip_under_valgrind();
    enum { PROCESSES = 4, ROUNDS = 300 };
    place p;
    place_make(&p);
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++) {
        if (fork() != 0)
            continue;
        for (int k = 0; k < ROUNDS; k++) {
            brz_temporary t;
            if (!brz_temporary_create(&t, AT_FDCWD, p.target, NULL))
                _exit(1);
            if (k % 3 == i % 3)
                close(t.fd); /* as at the end of a process */
            else if (!brz_temporary_commit(&t))
                _exit(2);
            else
                brz_temporary_finish(&t);
        }
        _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    brz_temporary t;
    assert_true(brz_temporary_create(&t, AT_FDCWD, p.target, NULL));
    brz_temporary_finish(&t);
    assert_int_equal(folder_count(p.folder), 1);
    place_remove(&p);
}

static void the_file_is_locked_until_it_has_its_name(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    brz_temporary t;
    assert_true(brz_temporary_create(&t, AT_FDCWD, p.target, NULL));
    int fd = open(t.name, O_RDWR);
    assert_true(fd >= 0);
    assert_int_not_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    assert_int_equal(errno, EWOULDBLOCK);
    assert_true(brz_temporary_commit(&t));
    brz_temporary_finish(&t);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    close(fd);
    place_remove(&p);
}

/* A limit on descriptors makes open() fail. */
/* Processes on other machines do not see the lock if the file system is NFS. */
static void a_file_of_another_process_under_the_name_is_neither_renamed_nor_removed(void **state)
{
    (void)state;
    for (int commits = 0; commits < 2; commits++) {
        place p;
        place_make(&p);
        file_write_text(p.target, "old");
        brz_temporary t;
        assert_true(brz_temporary_create(&t, AT_FDCWD, p.target, NULL));
        assert_int_equal(unlink(t.name), 0);
        file_write_text(t.name, "half of another");
        if (commits) {
            assert_false(brz_temporary_commit(&t));
            assert_int_equal(errno, ESTALE);
        }
        brz_temporary_finish(&t);
        assert_int_equal(status_of(p.target).st_size, 3);
        assert_int_equal(folder_count(p.folder), 2);
        place_remove(&p);
    }
}

static void a_file_that_cannot_be_created_leaves_nothing(void **state)
{
    (void)state;
    skip_under_valgrind();
    place p;
    place_make(&p);
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int next = dup(STDIN_FILENO);
    close(next);
    limit = before;
    limit.rlim_cur = (rlim_t)next;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    brz_temporary t;
    bool good = brz_temporary_create(&t, AT_FDCWD, p.target, NULL);
    int error = errno;
    brz_temporaries_discard();
    brz_temporary_finish(&t);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_false(good);
    assert_int_equal(error, EMFILE);
    assert_int_equal(folder_count(p.folder), 0);
    place_remove(&p);
}

static void discarding_removes_what_is_not_committed_and_nothing_else(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    char *other = path_in(p.folder, "other");
    brz_temporary done, left;
    assert_true(brz_temporary_create(&done, AT_FDCWD, p.target, NULL));
    assert_true(brz_temporary_create(&left, AT_FDCWD, other, NULL));
    assert_true(brz_temporary_commit(&done));
    brz_temporaries_discard();
    assert_int_equal(folder_count(p.folder), 1);
    assert_int_equal(access(p.target, F_OK), 0);
    brz_temporary_finish(&done);
    brz_temporary_finish(&left);
    assert_int_equal(folder_count(p.folder), 1);
    free(other);
    place_remove(&p);
}

/* A program may fork while it writes; the child's exit must not affect the file. */
static void a_forked_process_discards_nothing_of_its_parent(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    brz_temporary t;
    int status;
    assert_true(brz_temporary_create(&t, AT_FDCWD, p.target, NULL));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        brz_temporaries_discard();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(brz_temporary_commit(&t));
    brz_temporary_finish(&t);
    place_remove(&p);
}

/* ---- modes and owners ---------------------------------------------------------------------- */

static void replace(const char *target)
{
    struct stat like = status_of(target);
    brz_temporary t;
    assert_true(brz_temporary_create(&t, AT_FDCWD, target, &like));
    assert_true(brz_temporary_commit(&t));
    brz_temporary_finish(&t);
}

static void permissions_are_kept_and_special_bits_are_not(void **state)
{
    (void)state;
    static const struct {
        mode_t before, after;
    } cases[] = {{0644, 0644},  {0600, 0600},  {0664, 0664},  {0755, 0755},
                 {04755, 0755}, {02755, 0755}, {01644, 0644}, {07777, 0777}};
    place p;
    place_make(&p);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        file_write_text(p.target, "old");
        assert_int_equal(chmod(p.target, cases[i].before), 0);
        replace(p.target);
        assert_int_equal(mode_of(p.target), cases[i].after);
    }
    place_remove(&p);
}

static void a_new_file_has_the_mode_of_the_umask(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    mode_t mask = umask(027);
    brz_temporary t;
    assert_true(brz_temporary_create(&t, AT_FDCWD, p.target, NULL));
    assert_int_equal(mode_of(t.name), 0640);
    brz_temporary_finish(&t);
    umask(mask);
    place_remove(&p);
}

static void root_keeps_owner_and_group(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    place p;
    place_make(&p);
    file_write_text(p.target, "old");
    assert_int_equal(chown(p.target, 12345, 23456), 0);
    assert_int_equal(chmod(p.target, 0640), 0);
    replace(p.target);
    struct stat st = status_of(p.target);
    assert_int_equal(st.st_uid, 12345);
    assert_int_equal(st.st_gid, 23456);
    assert_int_equal(st.st_mode & 07777, 0640);
    place_remove(&p);
}

static int replace_unprivileged(void *arg)
{
    replace(arg);
    return 0;
}

static void a_group_that_cannot_be_kept_loses_what_others_may_not_do(void **state)
{
    (void)state;
    skip_under_valgrind();
    if (geteuid() != 0)
        skip();
    place p;
    place_make(&p);
    file_write_text(p.target, "old");
    assert_int_equal(chmod(p.folder, 0777), 0);
    assert_int_equal(chmod(p.target, 0664), 0);
    assert_int_equal(run_unprivileged(replace_unprivileged, p.target), 0);
    struct stat st = status_of(p.target);
    assert_int_not_equal(st.st_gid, 0);
    assert_int_equal(st.st_mode & 07777, 0644);
    place_remove(&p);
}

static void other_names_of_the_replaced_file_keep_its_text(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    char *other = path_in(p.folder, "other");
    file_write_text(p.target, "old");
    assert_int_equal(link(p.target, other), 0);
    replace(p.target);
    assert_int_equal(status_of(other).st_size, 3);
    assert_int_equal(status_of(p.target).st_size, 0);
    free(other);
    place_remove(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_killed_processes_are_removed_with_the_next_write),
        cmocka_unit_test(a_file_without_a_name_gets_it_when_it_is_complete),
        cmocka_unit_test(files_of_other_targets_and_other_names_stay),
        cmocka_unit_test(other_types_of_files_are_skipped),
        cmocka_unit_test(any_number_of_writers_have_files_of_their_own),
        cmocka_unit_test(concurrent_writers_do_not_remove_each_others_files),
        cmocka_unit_test(the_file_is_locked_until_it_has_its_name),
        cmocka_unit_test(a_file_of_another_process_under_the_name_is_neither_renamed_nor_removed),
        cmocka_unit_test(a_file_that_cannot_be_created_leaves_nothing),
        cmocka_unit_test(discarding_removes_what_is_not_committed_and_nothing_else),
        cmocka_unit_test(a_forked_process_discards_nothing_of_its_parent),
        cmocka_unit_test(permissions_are_kept_and_special_bits_are_not),
        cmocka_unit_test(a_new_file_has_the_mode_of_the_umask),
        cmocka_unit_test(root_keeps_owner_and_group),
        cmocka_unit_test(a_group_that_cannot_be_kept_loses_what_others_may_not_do),
        cmocka_unit_test(other_names_of_the_replaced_file_keep_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
