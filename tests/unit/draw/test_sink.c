/* SPDX-License-Identifier: MIT */
/* Tests sinks: a file appears completely or not at all, whatever fails. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/temporary.h"
#include "draw/sink.h"

typedef struct place {
    ear ear;
    char *folder, *path;
} place;

static void place_make(place *p)
{
    ear_open(&p->ear);
    p->folder = folder_make();
    p->path = path_in(p->folder, "out.svg");
}

static void place_remove(place *p)
{
    ear_close(&p->ear);
    free(p->path);
    folder_remove(p->folder);
}

static brz_rc put(brz_file_sink *f, const char *text)
{
    brz_sink *s = brz_file_sink_sink(f);
    return s->write(s, text, strlen(text));
}

/* Writes a text to a path. Returns true if all steps succeed. */
static bool write_whole(place *p, const char *path, const char *text)
{
    brz_file_sink *f = brz_file_sink_open(path, &p->ear.console);
    if (f == NULL)
        return false;
    put(f, text);
    bool good = brz_file_sink_complete(f);
    good = brz_file_sink_commit(f) && good;
    brz_file_sink_destroy(f);
    return good;
}

static void assert_file(const char *path, const char *want)
{
    char *got = file_read(path, NULL);
    assert_string_equal(got, want);
    free(got);
}

/* ---- complete files ------------------------------------------------------------------------ */

static void a_file_has_its_name_once_it_is_committed(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    brz_file_sink *f = brz_file_sink_open(p.path, &p.ear.console);
    assert_non_null(f);
    assert_string_equal(brz_file_sink_name(f), p.path);
    assert_int_equal(put(f, "hello "), BRZ_OK);
    assert_int_equal(put(f, "world"), BRZ_OK);
    assert_true(brz_file_sink_complete(f));
    assert_int_not_equal(access(p.path, F_OK), 0);
    assert_in_range(folder_count(p.folder), 0, 1); /* none if a file can be without a name */
    assert_true(brz_file_sink_commit(f));
    assert_file(p.path, "hello world");
    brz_file_sink_destroy(f);
    assert_int_equal(folder_count(p.folder), 1);
    assert_string_equal(ear_heard(&p.ear), "");
    place_remove(&p);
}

static void an_earlier_file_is_there_until_then(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    file_write_text(p.path, "old");
    brz_file_sink *f = brz_file_sink_open(p.path, &p.ear.console);
    put(f, "new");
    assert_file(p.path, "old");
    assert_true(brz_file_sink_complete(f));
    assert_file(p.path, "old");
    assert_true(brz_file_sink_commit(f));
    assert_file(p.path, "new");
    brz_file_sink_destroy(f);
    place_remove(&p);
}

static void uncommitted_files_leave_no_trace(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    file_write_text(p.path, "old");
    for (int completed = 0; completed < 2; completed++) {
        brz_file_sink *f = brz_file_sink_open(p.path, &p.ear.console);
        put(f, "new");
        if (completed)
            assert_true(brz_file_sink_complete(f));
        brz_file_sink_destroy(f);
        assert_file(p.path, "old");
        assert_int_equal(folder_count(p.folder), 1);
    }
    brz_file_sink_destroy(NULL);
    place_remove(&p);
}

static void bytes_of_any_number_arrive_in_order(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    dice d = {9};
    brz_buf want = {0};
    brz_file_sink *f = brz_file_sink_open(p.path, &p.ear.console);
    brz_sink *s = brz_file_sink_sink(f);
    assert_int_equal(s->struct_size, sizeof *s);
    for (int i = 0; i < 60; i++) { /* less than the buffer, exactly as much, more */
        static char piece[600 << 10];
        size_t n = i % 3 == 0 ? roll_below(&d, sizeof piece) : roll_below(&d, 3000);
        n = i == 7 ? 256 << 10 : n;
        for (size_t k = 0; k < n; k++)
            piece[k] = (char)roll(&d);
        assert_int_equal(s->write(s, piece, n), BRZ_OK);
        brz_buf_add(&want, piece, n);
    }
    assert_true(brz_file_sink_complete(f) && brz_file_sink_commit(f));
    brz_file_sink_destroy(f);
    size_t n;
    char *got = file_read(p.path, &n);
    assert_int_equal(n, want.len);
    assert_memory_equal(got, want.data, n);
    free(got);
    brz_buf_finish(&want);
    place_remove(&p);
}

static void an_empty_output_is_an_empty_file(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    assert_true(write_whole(&p, p.path, ""));
    assert_file(p.path, "");
    place_remove(&p);
}

/* ---- targets ------------------------------------------------------------------------------- */

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void permissions_are_those_of_open_or_of_the_earlier_file(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    mode_t mask = umask(027);
    assert_true(write_whole(&p, p.path, "x"));
    assert_int_equal(mode_of(p.path), 0640);
    umask(mask);
    assert_int_equal(chmod(p.path, 0604), 0);
    assert_true(write_whole(&p, p.path, "y"));
    assert_int_equal(mode_of(p.path), 0604);
    place_remove(&p);
}

static void a_link_stays_and_what_it_points_to_is_written(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    char *folder = path_in(p.folder, "elsewhere"), *target = path_in(folder, "target");
    folders_make(folder);
    struct stat st;
    for (int exists = 1; exists >= 0; exists--) { /* also a link to a missing file */
        if (exists)
            file_write_text(target, "old");
        else
            assert_int_equal(unlink(target), 0);
        if (exists)
            assert_int_equal(symlink("elsewhere/target", p.path), 0);
        assert_true(write_whole(&p, p.path, "new"));
        assert_int_equal(lstat(p.path, &st), 0);
        assert_true(S_ISLNK(st.st_mode));
        assert_file(target, "new");
        assert_int_equal(folder_count(folder), 1);
    }
    assert_int_equal(unlink(p.path), 0);
    assert_int_equal(symlink("out.svg", p.path), 0); /* a link to itself */
    assert_false(write_whole(&p, p.path, "new"));
    free(target);
    free(folder);
    place_remove(&p);
}

static void a_name_without_a_folder_is_in_the_current_one(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    char before[PATH_MAX];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(p.folder), 0);
    assert_true(write_whole(&p, "plain.svg", "x"));
    assert_true(write_whole(&p, "plain.svg", "y"));
    assert_file("plain.svg", "y");
    assert_int_equal(chdir(before), 0);
    place_remove(&p);
}

static void a_name_as_long_as_names_can_be_is_written(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    char name[NAME_MAX + 1];
    for (size_t n = NAME_MAX - 12; n <= NAME_MAX; n++) {
        memset(name, 'n', n);
        name[n] = '\0';
        char *path = path_in(p.folder, name);
        assert_true(write_whole(&p, path, "x"));
        assert_file(path, "x");
        free(path);
    }
    assert_string_equal(ear_heard(&p.ear), "");
    place_remove(&p);
}

static void *read_all(void *arg)
{
    return file_read(arg, NULL);
}

static void a_fifo_is_written_directly(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    pthread_t reader;
    void *got;
    struct stat st;
    assert_int_equal(mkfifo(p.path, 0600), 0);
    assert_int_equal(pthread_create(&reader, NULL, read_all, p.path), 0);
    assert_true(write_whole(&p, p.path, "through the pipe"));
    pthread_join(reader, &got);
    assert_string_equal(got, "through the pipe");
    assert_int_equal(stat(p.path, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    assert_int_equal(folder_count(p.folder), 1);
    free(got);
    place_remove(&p);
}

static void two_sinks_do_not_disturb_each_other(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    char *other = path_in(p.folder, "other");
    brz_file_sink *f = brz_file_sink_open(p.path, &p.ear.console);
    brz_file_sink *g = brz_file_sink_open(other, &p.ear.console);
    brz_file_sink *h = brz_file_sink_open(other, &p.ear.console);
    put(f, "f");
    put(g, "g");
    put(h, "h");
    assert_true(brz_file_sink_complete(f) && brz_file_sink_complete(g));
    brz_file_sink_destroy(h);
    assert_true(brz_file_sink_commit(g) && brz_file_sink_commit(f));
    brz_file_sink_destroy(g);
    brz_file_sink_destroy(f);
    assert_file(p.path, "f");
    assert_file(other, "g");
    assert_int_equal(folder_count(p.folder), 2);
    free(other);
    place_remove(&p);
}

/* ---- failures ------------------------------------------------------------------------------ */

static void a_full_disk_is_reported_once(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    brz_file_sink *f = brz_file_sink_open("/dev/full", &p.ear.console);
    static char much[1 << 20];
    brz_sink *s = brz_file_sink_sink(f);
    assert_int_equal(put(f, "fits into the buffer"), BRZ_OK);
    assert_int_equal(s->write(s, much, sizeof much), BRZ_ERROR);
    assert_int_equal(put(f, "x"), BRZ_ERROR);
    assert_false(brz_file_sink_complete(f));
    assert_false(brz_file_sink_commit(f));
    brz_file_sink_destroy(f);
    assert_string_equal(ear_heard(&p.ear),
                        "brazier: error: /dev/full: cannot be written: No space left on device\n");
    assert_int_equal(p.ear.console.errors, 1);
    place_remove(&p);
}

static void a_small_output_notices_a_full_disk_at_its_end(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    assert_false(write_whole(&p, "/dev/full", "x"));
    assert_contains(ear_heard(&p.ear), "No space left on device");
    place_remove(&p);
}

/* A limit of the file size simulates a disk that is full after 100 kB. */
static void when_the_disk_fills_up_the_earlier_file_stays(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    struct rlimit before, limit;
    file_write_text(p.path, "old");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    static char much[300 << 10];
    brz_file_sink *f = brz_file_sink_open(p.path, &p.ear.console);
    brz_sink *s = brz_file_sink_sink(f);
    brz_rc rc = s->write(s, much, sizeof much);
    bool complete = brz_file_sink_complete(f), committed = brz_file_sink_commit(f);
    brz_file_sink_destroy(f);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(rc, BRZ_ERROR);
    assert_false(complete || committed);
    assert_file(p.path, "old");
    assert_int_equal(folder_count(p.folder), 1);
    assert_contains(ear_heard(&p.ear), "cannot be written: File too large");
    place_remove(&p);
}

static void errors_of_opening_are_reported(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    char *missing = path_in(p.folder, "no/such/folder/x.svg"), *below = path_in(p.path, "x");
    file_write_text(p.path, "a file");
    const struct {
        const char *path, *message;
    } cases[] = {
        {missing, "cannot be created: No such file or directory"},
        {p.folder, "cannot be opened: Is a directory"},
        {below, "cannot be created: Not a directory"},
        {"", "cannot be created: "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_null(brz_file_sink_open(cases[i].path, &p.ear.console));
        assert_contains(ear_heard(&p.ear), cases[i].message);
        ear_forget(&p.ear);
    }
    free(missing);
    free(below);
    place_remove(&p);
}

/* Returns 0 if writing a read-only file was refused. */
static int refuse_read_only(void *arg)
{
    place *p = arg;
    if (brz_file_sink_open(p->path, &p->ear.console) != NULL)
        return 1;
    return strstr(ear_heard(&p->ear), "cannot be written: Permission denied") == NULL;
}

static void a_file_that_may_not_be_written_is_not_replaced(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    file_write_text(p.path, "precious");
    assert_int_equal(chmod(p.path, 0444), 0);
    assert_int_equal(chmod(p.folder, 0777), 0);
    assert_int_equal(run_unprivileged(refuse_read_only, &p), 0);
    assert_file(p.path, "precious");
    assert_int_equal(folder_count(p.folder), 1);
    place_remove(&p);
}

static void a_removed_folder_is_reported_at_the_end(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    char *folder = path_in(p.folder, "gone"), *path = path_in(folder, "x");
    folders_make(folder);
    brz_file_sink *f = brz_file_sink_open(path, &p.ear.console);
    put(f, "x");
    assert_true(brz_file_sink_complete(f));
    char *renamed = path_in(p.folder, "renamed");
    assert_int_equal(rename(folder, renamed), 0);
    assert_false(brz_file_sink_commit(f));
    assert_contains(ear_heard(&p.ear), "cannot be renamed to its final name");
    brz_file_sink_destroy(f);
    free(renamed);
    free(path);
    free(folder);
    place_remove(&p);
}

/* ---- standard output ----------------------------------------------------------------------- */

/* Writes to standard output, which is redirected to `fd`, or closed if `fd` is -1. */
static bool write_to_stdout(place *p, const char *path, int fd, const char *text)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (fd >= 0)
        dup2(fd, STDOUT_FILENO);
    else
        close(STDOUT_FILENO);
    bool good = write_whole(p, path, text);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    return good;
}

static void standard_output_is_written_and_stays_open(void **state)
{
    (void)state;
    static const char *const names[] = {"-", NULL};
    place p;
    place_make(&p);
    int fd = open(p.path, O_WRONLY | O_CREAT, 0600);
    for (int i = 0; i < 2; i++)
        assert_true(write_to_stdout(&p, names[i], fd, "text\n"));
    assert_int_equal(write(fd, "still open\n", 11), 11);
    close(fd);
    assert_file(p.path, "text\ntext\nstill open\n");
    place_remove(&p);
}

static void closed_standard_output_is_an_error(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    assert_false(write_to_stdout(&p, "-", -1, "text\n"));
    assert_string_equal(ear_heard(&p.ear),
                        "brazier: error: stdout: cannot be written: Bad file descriptor\n");
    place_remove(&p);
}

static void a_closed_pipe_is_reported(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_false(write_to_stdout(&p, "-", ends[1], "text\n"));
    close(ends[1]);
    assert_string_equal(ear_heard(&p.ear),
                        "brazier: error: stdout: cannot be written: its reader has closed it\n");
    place_remove(&p);
}

static volatile sig_atomic_t signals;

static void count_signal(int sig)
{
    (void)sig;
    signals++;
}

/* The program decides about the handling of a signal and the time of its delivery. */
static void a_broken_pipe_raises_no_signal_and_swallows_none_of_the_programs(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    int ends[2];
    sigset_t broken_pipe, pending;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    signal(SIGPIPE, count_signal);
    assert_false(write_to_stdout(&p, "-", ends[1], "text\n"));
    assert_int_equal(signals, 0);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, NULL);
    raise(SIGPIPE);
    assert_false(write_to_stdout(&p, "-", ends[1], "text\n"));
    sigpending(&pending);
    assert_true(sigismember(&pending, SIGPIPE));
    pthread_sigmask(SIG_UNBLOCK, &broken_pipe, NULL);
    assert_int_equal(signals, 1);
    signal(SIGPIPE, SIG_DFL);
    close(ends[1]);
    place_remove(&p);
}

/* ---- functions ----------------------------------------------------------------------------- */

/* A sink function that accepts a limited number of bytes. */
typedef struct taker {
    brz_buf text;
    size_t limit;
} taker;

static int take(void *context, const void *data, size_t len)
{
    taker *t = context;
    brz_buf_add(&t->text, data, len);
    return t->text.len > t->limit;
}

static void a_function_gets_all_bytes_in_their_order(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    taker t = {.limit = SIZE_MAX};
    brz_buf want = {0};
    char line[64];
    brz_file_sink *f = brz_file_sink_to(take, &t, "here", &p.ear.console);
    assert_string_equal(brz_file_sink_name(f), "here");
    assert_int_equal(brz_file_sink_sink(f)->columns, 0);
    for (int i = 0; i < 30000; i++) {
        snprintf(line, sizeof line, "line %d\n", i);
        brz_buf_add_text(&want, line);
        assert_int_equal(put(f, line), BRZ_OK);
    }
    assert_true(brz_file_sink_complete(f));
    assert_true(brz_file_sink_commit(f));
    brz_file_sink_destroy(f);
    assert_int_equal(t.text.len, want.len);
    assert_memory_equal(t.text.data, want.data, want.len);
    assert_string_equal(ear_heard(&p.ear), "");
    brz_buf_finish(&t.text);
    brz_buf_finish(&want);
    place_remove(&p);
}

static void a_failing_function_is_reported_once_and_not_called_again(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    taker t = {.limit = 100};
    static char large[600000];
    brz_file_sink *f = brz_file_sink_to(take, &t, "here", &p.ear.console);
    brz_sink *s = brz_file_sink_sink(f);
    assert_int_equal(s->write(s, large, sizeof large), BRZ_ERROR);
    assert_int_equal(s->write(s, large, sizeof large), BRZ_ERROR);
    assert_false(brz_file_sink_complete(f));
    assert_false(brz_file_sink_commit(f));
    brz_file_sink_destroy(f);
    assert_int_equal(t.text.len, sizeof large);
    assert_string_equal(ear_heard(&p.ear),
                        "brazier: error: here: the program's write function failed\n");
    brz_buf_finish(&t.text);
    place_remove(&p);
}

/* If a program starts without standard output, its descriptor may become that of a file. */
static void a_file_with_the_descriptor_of_standard_output_is_closed(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    close(STDOUT_FILENO);
    bool good = write_whole(&p, p.path, "text");
    bool closed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_true(good);
    assert_true(closed);
    assert_file(p.path, "text");
    place_remove(&p);
}

/* ---- program exit -------------------------------------------------------------------------- */

static void nothing_is_left_behind_when_the_program_ends(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        atexit(brz_temporaries_discard);
        brz_file_sink *f = brz_file_sink_open(p.path, &p.ear.console);
        put(f, "half of it");
        exit(f == NULL || folder_count(p.folder) > 1 ? 1 : 42);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_not_equal(WEXITSTATUS(status), 1);
    assert_int_equal(folder_count(p.folder), 0);
    place_remove(&p);
}

/* Returns whether the file system of a folder has files without names. */
static bool has_unnamed_files(const char *folder)
{
#ifdef O_TMPFILE
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
#else
    (void)folder;
    return false;
#endif
}

static void nothing_is_left_behind_when_the_program_is_killed(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    if (!has_unnamed_files(p.folder)) {
        place_remove(&p);
        skip();
    }
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        brz_file_sink *f = brz_file_sink_open(p.path, &p.ear.console);
        put(f, "all of it");
        brz_file_sink_complete(f);
        raise(SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(folder_count(p.folder), 0);
    place_remove(&p);
}

/* Opens a terminal with `columns` columns; *path is its name. Returns the controlling end. Skips
 * the test if there are no terminals, as in a bare chroot. */
static int open_terminal(unsigned short columns, const char **path)
{
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    if (fd < 0 && access("/dev/pts/ptmx", F_OK) != 0)
        skip();
    assert_true(fd >= 0);
    assert_int_equal(grantpt(fd), 0);
    assert_int_equal(unlockpt(fd), 0);
    *path = ptsname(fd);
    assert_int_equal(ioctl(fd, TIOCSWINSZ, &size), 0);
    return fd;
}

static uint32_t columns_of(place *p, const char *path)
{
    brz_file_sink *f = brz_file_sink_open(path, &p->ear.console);
    uint32_t columns = brz_file_sink_sink(f)->columns;
    brz_file_sink_destroy(f);
    return columns;
}

static void an_output_receives_the_width_of_the_terminal(void **state)
{
    (void)state;
    place p;
    const char *path;
    int fd = open_terminal(123, &path);
    place_make(&p);
    unsetenv("COLUMNS");
    assert_int_equal(columns_of(&p, path), 123);
    setenv("COLUMNS", "77", 1);
    assert_int_equal(columns_of(&p, path), 77);
    setenv("COLUMNS", "wide", 1);
    assert_int_equal(columns_of(&p, path), 123);
    unsetenv("COLUMNS");
    place_remove(&p);
    close(fd);
}

static void a_terminal_that_does_not_know_its_width_has_80_columns(void **state)
{
    (void)state;
    place p;
    const char *path;
    int fd = open_terminal(0, &path);
    place_make(&p);
    assert_int_equal(columns_of(&p, path), 80);
    place_remove(&p);
    close(fd);
}

static void a_file_is_no_terminal(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    setenv("COLUMNS", "77", 1);
    assert_int_equal(columns_of(&p, p.path), 0);
    unsetenv("COLUMNS");
    place_remove(&p);
}

/* ---- below a folder ------------------------------------------------------------------------ */

typedef struct confined {
    place place;
    brz_beneath folder;
} confined;

static void confined_make(confined *c)
{
    char real[PATH_MAX];
    place_make(&c->place);
    assert_non_null(realpath(c->place.folder, real));
    assert_true(brz_beneath_open(&c->folder, real));
}

static void confined_remove(confined *c)
{
    brz_beneath_close(&c->folder);
    place_remove(&c->place);
}

static brz_file_sink *open_below(confined *c, char *path)
{
    const brz_inside inside = {&c->folder, path};
    return brz_file_sink_open_inside(&inside, path, &c->place.ear.console);
}

static void a_file_below_a_folder_stays_in_it_though_the_folder_is_moved(void **state)
{
    (void)state;
    confined c;
    char name[] = "out.svg", moved[PATH_MAX];
    confined_make(&c);
    brz_file_sink *f = open_below(&c, name);
    assert_non_null(f);
    assert_int_equal(put(f, "text"), BRZ_OK);
    snprintf(moved, sizeof moved, "%s.moved", c.place.folder);
    assert_int_equal(rename(c.place.folder, moved), 0);
    assert_int_equal(mkdir(c.place.folder, 0700), 0);
    assert_true(brz_file_sink_complete(f));
    assert_true(brz_file_sink_commit(f));
    brz_file_sink_destroy(f);
    assert_int_not_equal(access(c.place.path, F_OK), 0);
    assert_int_equal(rmdir(c.place.folder), 0);
    assert_int_equal(rename(moved, c.place.folder), 0);
    assert_file(c.place.path, "text");
    confined_remove(&c);
}

static void what_must_not_be_replaced_below_a_folder_is_refused(void **state)
{
    (void)state;
    confined c;
    char link[] = "link", tool[] = "tool", none[] = "tool/x";
    confined_make(&c);
    char *path = path_in(c.place.folder, link), *program = path_in(c.place.folder, tool);
    assert_int_equal(symlink("elsewhere", path), 0);
    assert_true(write_whole(&c.place, program, "tool"));
    assert_int_equal(chmod(program, 0755), 0);
    assert_null(open_below(&c, link));
    assert_contains(ear_heard(&c.place.ear), "link: refused: it leads through a symbolic link");
    assert_null(open_below(&c, tool));
    assert_contains(ear_heard(&c.place.ear), "tool: refused: it is an executable file");
    assert_null(open_below(&c, none));
    assert_contains(ear_heard(&c.place.ear), "tool/x: cannot be created: Not a directory");
    free(path);
    free(program);
    confined_remove(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_its_name_once_it_is_committed),
        cmocka_unit_test(an_earlier_file_is_there_until_then),
        cmocka_unit_test(a_file_below_a_folder_stays_in_it_though_the_folder_is_moved),
        cmocka_unit_test(what_must_not_be_replaced_below_a_folder_is_refused),
        cmocka_unit_test(uncommitted_files_leave_no_trace),
        cmocka_unit_test(bytes_of_any_number_arrive_in_order),
        cmocka_unit_test(an_empty_output_is_an_empty_file),
        cmocka_unit_test(permissions_are_those_of_open_or_of_the_earlier_file),
        cmocka_unit_test(a_link_stays_and_what_it_points_to_is_written),
        cmocka_unit_test(a_name_without_a_folder_is_in_the_current_one),
        cmocka_unit_test(a_name_as_long_as_names_can_be_is_written),
        cmocka_unit_test(a_fifo_is_written_directly),
        cmocka_unit_test(two_sinks_do_not_disturb_each_other),
        cmocka_unit_test(a_full_disk_is_reported_once),
        cmocka_unit_test(a_small_output_notices_a_full_disk_at_its_end),
        cmocka_unit_test(when_the_disk_fills_up_the_earlier_file_stays),
        cmocka_unit_test(errors_of_opening_are_reported),
        cmocka_unit_test(a_file_that_may_not_be_written_is_not_replaced),
        cmocka_unit_test(a_removed_folder_is_reported_at_the_end),
        cmocka_unit_test(standard_output_is_written_and_stays_open),
        cmocka_unit_test(closed_standard_output_is_an_error),
        cmocka_unit_test(a_closed_pipe_is_reported),
        cmocka_unit_test(a_broken_pipe_raises_no_signal_and_swallows_none_of_the_programs),
        cmocka_unit_test(a_function_gets_all_bytes_in_their_order),
        cmocka_unit_test(a_failing_function_is_reported_once_and_not_called_again),
        cmocka_unit_test(a_file_with_the_descriptor_of_standard_output_is_closed),
        cmocka_unit_test(nothing_is_left_behind_when_the_program_ends),
        cmocka_unit_test(nothing_is_left_behind_when_the_program_is_killed),
        cmocka_unit_test(an_output_receives_the_width_of_the_terminal),
        cmocka_unit_test(a_terminal_that_does_not_know_its_width_has_80_columns),
        cmocka_unit_test(a_file_is_no_terminal),
    };
    return cmocka_run_group_tests_name("sink", tests, NULL, NULL);
}
