/* SPDX-License-Identifier: MIT */
/* Tests side effects on the process: the library has none, and two sessions do not affect each
 * other. */
#include "api.h"

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Does everything that might tempt a library to print a message. */
static void do_all_sorts_of_things(const char *folder)
{
    static const char *const formats[] = {"svg", "folded", "nonsense"};
    brazier_session *s;
    char *path = path_in(folder, "out.svg");
    const char *missing[] = {"/nowhere/plug-in.so"};
    const brazier_session_options o = {.struct_size = sizeof o,
                                       .verbosity = 2,
                                       .flags = BRAZIER_FIND_CONFIG,
                                       .plugin_files = missing,
                                       .n_plugin_files = 1};
    brazier_session_open(&o, &s);
    brazier_session_component(s, 0);
    brazier_guess_file(s, "/dev/null", NULL);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        text refusing = {.limit = 1};
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        brazier_pipeline_add_input_memory(p, "odd.folded", ODD_STACKS, strlen(ODD_STACKS));
        brazier_pipeline_add_input_memory(p, "x.folded", STACKS, strlen(STACKS));
        brazier_pipeline_add_output_file(p, NULL, i == 1 ? "/nowhere/x.svg" : path);
        brazier_pipeline_add_output_memory(p, formats[i], NULL);
        if (i == 0)
            brazier_pipeline_add_output_stream(p, "svg", NULL, text_write, &refusing);
        brazier_pipeline_set(p, "nothing", "x", NULL);
        brazier_pipeline_run(p);
        brazier_pipeline_destroy(p);
        p = brazier_pipeline_create(s, NULL);
        brazier_pipeline_add_input_memory(p, "odd.folded", ODD_STACKS, strlen(ODD_STACKS));
        brazier_pipeline_add_output_file(p, NULL, i == 1 ? "/nowhere/x.svg" : path);
        brazier_pipeline_run(p);
        brazier_pipeline_destroy(p);
    }
    assert_in_range(diagnostics(s), 5, 1000);
    brazier_session_close(s);
    const brazier_session_options bad = {.struct_size = sizeof bad, .config_text = "{"};
    assert_int_equal(brazier_session_open(&bad, &s), BRAZIER_MISUSED);
    brazier_session_close(s);
    free(path);
}

static void nothing_is_printed(void **state)
{
    (void)state;
    char *folder = folder_make(), *path = path_in(folder, "said");
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    int file = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
    fflush(NULL);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    do_all_sorts_of_things(folder);
    fflush(NULL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    close(file);
    text said = file_read(path);
    assert_string_equal(said.data, "");
    text_free(&said);
    free(path);
    folder_remove(folder);
}

/* State of the process that others could see. */
typedef struct surroundings {
    struct sigaction actions[32];
    sigset_t mask;
    mode_t umask;
    char cwd[4096];
    size_t descriptors;
    struct rlimit files;
} surroundings;

static void look_around(surroundings *s)
{
    memset(s, 0, sizeof *s);
    for (int sig = 1; sig < 32; sig++)
        sigaction(sig, NULL, &s->actions[sig]);
    pthread_sigmask(SIG_BLOCK, NULL, &s->mask);
    s->umask = umask(0);
    umask(s->umask);
    assert_non_null(getcwd(s->cwd, sizeof s->cwd));
    s->descriptors = folder_count("/proc/self/fd");
    getrlimit(RLIMIT_NOFILE, &s->files);
}

static void the_process_is_as_it_was(void **state)
{
    (void)state;
    surroundings before, after;
    char *folder = folder_make();
    on(SIGPIPE, SIG_DFL);
    look_around(&before);
    do_all_sorts_of_things(folder);
    look_around(&after);
    for (int sig = 1; sig < 32; sig++)
        assert_true(before.actions[sig].sa_handler == after.actions[sig].sa_handler);
    assert_memory_equal(&before.mask, &after.mask, sizeof before.mask);
    assert_int_equal(before.umask, after.umask);
    assert_string_equal(before.cwd, after.cwd);
    assert_int_equal(before.descriptors, after.descriptors);
    assert_int_equal(before.files.rlim_cur, after.files.rlim_cur);
    folder_remove(folder);
}

/* ---- signals ------------------------------------------------------------------------------- */

static pthread_t main_thread;
static volatile sig_atomic_t elsewhere, came;

static void on_signal(int sig)
{
    (void)sig;
    came++;
    elsewhere += !pthread_equal(pthread_self(), main_thread);
}

/* A read function that sends the process a signal with each piece. */
static int64_t signal_and_read(void *context, void *to, size_t size)
{
    kill(getpid(), SIGUSR1);
    return pieces_read(context, to, size);
}

static void signals_are_handled_on_the_programs_threads(void **state)
{
    (void)state;
    text input = many_stacks(40000);
    pieces in = {.data = input.data, .len = input.len, .largest = 40000};
    brazier_session *s = session_open();
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    pipeline_set(p, "jobs=3 range-size=50000");
    brazier_pipeline_add_input_stream(p, "x.folded", signal_and_read, &in);
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    main_thread = pthread_self();
    on(SIGUSR1, on_signal);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    on(SIGUSR1, SIG_DFL);
    assert_in_range(came, 1, 1000000);
    assert_int_equal(elsewhere, 0);
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
    text_free(&input);
}

/* ---- threads ------------------------------------------------------------------------------- */

typedef struct worker {
    pthread_t thread;
    const text *input, *folded, *svg;
    char *folder;
    size_t good;
    char why[200]; /* reason of a failure */
} worker;

/* Compares an output without asserts, since cmocka supports them in only one thread. */
static bool is_output(const brazier_pipeline *p, size_t output, const text *want)
{
    size_t size;
    const char *got = brazier_pipeline_output(p, output, &size);
    return got != NULL && size == want->len && memcmp(got, want->data, size) == 0;
}

static void *work(void *context)
{
    worker *w = context;
    for (int i = 0; i < 6; i++) {
        brazier_session *s;
        char *path = path_in(w->folder, "same.svg");
        pieces in = {
            .data = w->input->data, .len = w->input->len, .largest = 50000, .dice = (uint32_t)i};
        const brazier_session_options so = {.struct_size = sizeof so};
        bool good = brazier_session_open(&so, &s) == BRAZIER_OK;
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        brazier_pipeline_set(p, "jobs", "2", NULL);
        brazier_pipeline_set(p, "range-size", "200000", NULL);
        if (i % 2 == 0)
            brazier_pipeline_add_input_memory(p, "x", w->input->data, w->input->len);
        else
            brazier_pipeline_add_input_stream(p, "x", pieces_read, &in);
        size_t folded = brazier_pipeline_add_output_memory(p, "folded", NULL);
        size_t svg = brazier_pipeline_add_output_memory(p, "svg", NULL);
        brazier_pipeline_add_output_file(p, NULL, path);
        brazier_pipeline_add_transform(p, "drop", (const char *const[]){"no such frame"}, 1, NULL);
        good = good && brazier_pipeline_run(p) == BRAZIER_OK && is_output(p, folded, w->folded) &&
               is_output(p, svg, w->svg);
        w->good += good;
        if (!good && brazier_session_diagnostic(s, 0) != NULL)
            snprintf(w->why, sizeof w->why, "%s", brazier_session_diagnostic(s, 0)->message);
        brazier_pipeline_destroy(p);
        brazier_session_close(s);
        free(path);
    }
    return NULL;
}

static void sessions_in_several_threads_do_not_meet(void **state)
{
    (void)state;
    text input = many_stacks(30000);
    text folded = program(input.data, input.len, "collapse", "folded");
    text svg = program(input.data, input.len, "run", "-", "-t", "svg", "-o", "-");
    worker workers[4];
    char *folder = folder_make();
    for (size_t i = 0; i < COUNT_OF(workers); i++) {
        workers[i] = (worker){.input = &input, .folded = &folded, .svg = &svg, .folder = folder};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < COUNT_OF(workers); i++) {
        pthread_join(workers[i].thread, NULL);
        assert_string_equal(workers[i].why, "");
        assert_int_equal(workers[i].good, 6);
    }
    assert_int_equal(folder_count(folder), 1);
    folder_remove(folder);
    text_free(&input);
    text_free(&folded);
    text_free(&svg);
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Returns the peak memory use of the process, in kB. */
static size_t most_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss;
}

/* A source that returns the same bytes `rounds` times. */
typedef struct repeated {
    pieces in;
    size_t rounds;
} repeated;

static int64_t repeated_read(void *context, void *to, size_t size)
{
    repeated *r = context;
    if (r->in.at == r->in.len && r->rounds-- > 1)
        r->in.at = 0;
    return r->in.at == r->in.len ? 0 : pieces_read(&r->in, to, size);
}

static void a_long_stream_needs_no_more_memory_than_a_short_one(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* sanitizers keep freed memory */
#endif
    text input = many_stacks(20000);
    size_t before = 0;
    for (size_t rounds = 20; rounds <= 200; rounds += 180) { /* rounds of 0.7 MB each */
        repeated r = {.in = {.data = input.data, .len = input.len, .largest = 100000},
                      .rounds = rounds};
        brazier_session *s = session_open();
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        pipeline_set(p, "jobs=2");
        brazier_pipeline_add_input_stream(p, "long.folded", repeated_read, &r);
        brazier_pipeline_add_output_memory(p, "folded", NULL);
        before = most_memory();
        assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
        brazier_pipeline_destroy(p);
        brazier_session_close(s);
    }
    assert_in_range(most_memory() - before, 0, 16 << 10);
    text_free(&input);
}

/* ---- locale -------------------------------------------------------------------------------- */

/* Creates a locale with a decimal comma, if the system supports it. It has a small character set,
 * which is compiled in a quarter of the time of UTF-8. */
static bool make_locale(const char *path)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        for (int fd = 0; fd <= 2; fd++)
            dup2(nowhere, fd);
        execlp("localedef", "localedef", "-i", "de_DE", "-f", "ISO-8859-1", path, (char *)NULL);
        _exit(1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void assert_a_half_is(const char *want)
{
    char number[20];
    snprintf(number, sizeof number, "%.1f", 0.5);
    assert_string_equal(number, want);
}

static brazier_pipeline *run_with_fractions(brazier_session *s, const char *input,
                                            size_t outputs[4])
{
    static const char *const formats[] = {"svg", "html", "table", "term"};
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    pipeline_set(p, "jobs=3 range-size=20 palette=viridis");
    brazier_pipeline_add_input_file(p, input);
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        outputs[i] = brazier_pipeline_add_output_memory(p, formats[i], NULL);
    brazier_pipeline_set(p, "svg.minwidth", "0.25", NULL);
    assert_status(s, brazier_pipeline_check(p), BRAZIER_OK);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    return p;
}

static void numbers_have_a_point_whatever_the_programs_locale(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip(); /* the C library leaks memory of LOCPATH */
#endif
    char *folder = folder_make(), *path = path_in(folder, "x.folded");
    char *comma = path_in(folder, "de_DE.ISO-8859-1");
    size_t outputs[4], n;
    bool made = make_locale(comma);
    free(comma);
    if (!made) {
        free(path);
        folder_remove(folder);
        skip();
        return;
    }
    file_write(path, STACKS "main;draw 2.5\n", strlen(STACKS "main;draw 2.5\n"));
    brazier_session *s = session_open();
    brazier_pipeline *usual = run_with_fractions(s, path, outputs);
    setenv("LOCPATH", folder, 1);
    assert_non_null(setlocale(LC_ALL, "de_DE.ISO-8859-1"));
    assert_a_half_is("0,5");
    brazier_session *other = session_open(); /* loads plug-ins again */
    brazier_pipeline *p = run_with_fractions(other, path, outputs);
    for (size_t i = 0; i < COUNT_OF(outputs); i++) {
        const char *want = brazier_pipeline_output(usual, outputs[i], &n);
        assert_output(p, outputs[i], want, n);
    }
    assert_non_null(brazier_session_component(other, 0));
    assert_a_half_is("0,5"); /* the program's locale is restored */
    setlocale(LC_ALL, "C");
    brazier_pipeline_destroy(p);
    brazier_pipeline_destroy(usual);
    brazier_session_close(other);
    brazier_session_close(s);
    free(path);
    folder_remove(folder);
}

/* ---- requested services -------------------------------------------------------------------- */

/* Runs a function in a child. Returns the child's exit status, or the negative number of the signal
 * that ended it. */
static int end_of(void (*child_does)(const char *folder), const char *folder)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDERR_FILENO);
        child_does(folder);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Exits while a file is being written. */
static int leave(void *context, const void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    exit(7);
}

static void leave_while_writing(const char *folder)
{
    brazier_session *s = session_open();
    char *path = path_in(folder, "out.svg");
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    atexit(brazier_discard_unfinished);
    brazier_pipeline_add_input_memory(p, "x", STACKS, strlen(STACKS));
    brazier_pipeline_add_output_file(p, NULL, path);
    brazier_pipeline_add_output_stream(p, "svg", NULL, leave, NULL);
    brazier_pipeline_run(p);
}

static void unfinished_files_can_be_removed_when_the_program_ends(void **state)
{
    (void)state;
    char *folder = folder_make();
    assert_int_equal(end_of(leave_while_writing, folder), 7);
    assert_int_equal(folder_count(folder), 0);
    folder_remove(folder);
}

static void crash_with_handlers(const char *folder)
{
    surroundings before, after;
    (void)folder;
    look_around(&before);
    brazier_catch_crashes();
    look_around(&after);
    if (before.actions[SIGSEGV].sa_sigaction == after.actions[SIGSEGV].sa_sigaction)
        _exit(1);
    raise(SIGSEGV);
}

static void handlers_of_crashes_are_there_if_they_are_asked_for(void **state)
{
    (void)state;
    assert_int_equal(end_of(crash_with_handlers, NULL), -SIGSEGV);
}

static void last_words(size_t wanted)
{
    _exit(wanted > 0 ? 9 : 8);
}

/* Limits the process to `more` bytes of additional memory. */
static void limit_memory(rlim_t more)
{
    text pages = file_read("/proc/self/statm");
    rlim_t most = strtoul(pages.data, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) + more;
    text_free(&pages);
    if (setrlimit(RLIMIT_AS, &(struct rlimit){most, most}) != 0)
        _exit(1);
}

/* Needs more memory than the limit. */
static void want_too_much(void)
{
    text input = many_stacks(100000);
    brazier_session *s = session_open();
    pieces in = {.data = input.data, .len = input.len, .largest = 1 << 20, .endless = true};
    limit_memory((rlim_t)300 << 20);
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    pipeline_set(p, "from=folded jobs=1 order=time"); /* stores every sample */
    brazier_pipeline_add_input_stream(p, "x", pieces_read, &in);
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    brazier_pipeline_run(p);
}

static void run_out_of_memory(const char *folder)
{
    (void)folder;
    brazier_on_out_of_memory(last_words);
    want_too_much();
}

/* Runs out of memory with standard error redirected to a file. */
static void run_out_of_memory_with_handlers(const char *folder)
{
    char *path = path_in(folder, "said");
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    dup2(file, STDERR_FILENO);
    brazier_catch_crashes();
    want_too_much();
}

static void a_program_may_have_last_words_when_memory_is_exhausted(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* they need more addresses than that */
#endif
    assert_int_equal(end_of(run_out_of_memory, NULL), 9);
}

static void memory_that_runs_out_is_reported_by_the_handlers_of_crashes(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* they need more addresses than that */
#endif
    char *folder = folder_make(), *path = path_in(folder, "said");
    assert_int_equal(end_of(run_out_of_memory_with_handlers, folder), -SIGABRT);
    text said = file_read(path);
    assert_memory_equal(said.data, "brazier: error: out of memory (", 31);
    assert_null(strstr(said.data, "abort"));
    assert_null(strstr(said.data, "report to"));
    text_free(&said);
    free(path);
    folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_printed),
        cmocka_unit_test(the_process_is_as_it_was),
        cmocka_unit_test(signals_are_handled_on_the_programs_threads),
        cmocka_unit_test(sessions_in_several_threads_do_not_meet),
        cmocka_unit_test(a_long_stream_needs_no_more_memory_than_a_short_one),
        cmocka_unit_test(unfinished_files_can_be_removed_when_the_program_ends),
        cmocka_unit_test(handlers_of_crashes_are_there_if_they_are_asked_for),
        cmocka_unit_test(numbers_have_a_point_whatever_the_programs_locale),
        cmocka_unit_test(a_program_may_have_last_words_when_memory_is_exhausted),
        cmocka_unit_test(memory_that_runs_out_is_reported_by_the_handlers_of_crashes),
    };
    return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
