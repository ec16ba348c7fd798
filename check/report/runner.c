/* SPDX-License-Identifier: MIT */
/* Runs each test in a child process, which may crash, hang or exit at any time. */
#include "runner.h"

#include "base/clock.h"
#include "base/sanitized.h"
#include "plugin/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The parent's view of a child. */
typedef struct child {
    pid_t pid;
    int from;   /* descriptor of its messages */
    int output; /* descriptor of its standard output and standard error */
    brz_buf in;
    double began;
} child;

/* ---- child --------------------------------------------------------------------------------- */

/* Memory limit: no plug-in needs more, and one that allocates without end must not exhaust the
 * machine's memory. */
#define MOST_MEMORY ((rlim_t)4 << 30)

static void limit_resources(void)
{
    struct rlimit core = {0, 0}, memory = {MOST_MEMORY, MOST_MEMORY};
    setrlimit(RLIMIT_CORE, &core);
#if !BRZ_SANITIZED
    setrlimit(RLIMIT_AS, &memory);
#else
    (void)memory;
#endif
}

_Noreturn static void be_child(const check_runner *r, const check_test *test, int to, int output)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#ifdef PR_SET_THP_DISABLE
    prctl(PR_SET_THP_DISABLE, 1, 0, 0,
          0); /* to clear a large page takes longer than a short input */
#endif
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close(null);
    close(output);
    limit_resources();
    brz_crash_claim_process();
    check_crash_record_watch_crashes(r->crash_record);
    check_run_test(test, r->subject, &r->settings, r->crash_record, to);
    _exit(0);
}

static bool start(const check_runner *r, const check_test *test, child *c)
{
    int ends[2];
    check_crash_record_clear(r->crash_record);
    check_unrisk(&r->settings, test); /* of an earlier check */
    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *c = (child){.from = ends[0],
                 .output = memfd_create("output", MFD_CLOEXEC),
                 .began = brz_clock_seconds(CLOCK_MONOTONIC)};
    c->pid = fork();
    if (c->pid == 0) {
        close(ends[0]);
        be_child(r, test, ends[1], c->output);
    }
    close(ends[1]);
    return c->pid > 0;
}

/* ---- waiting ------------------------------------------------------------------------------- */

/* Interval of checks whether the child is still alive: processes that it started may keep the pipe
 * open. */
#define LOOK_EVERY 100 /* milliseconds */

static bool read_more(child *c)
{
    ssize_t n = read(c->from, brz_buf_room(&c->in, 4096), 4096);
    if (n > 0)
        c->in.len += (size_t)n;
    return n > 0;
}

static bool has_ended(const child *c)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

static bool is_stopped(const check_runner *r)
{
    return atomic_load(r->stop);
}

/* Number of processes that may share a processor with a test. One that gets less waits for
 * something else. */
#define SHARES 8

/* Returns whether a test takes longer than its limit. Looks at its processor time, which does not
 * depend on what else the machine does, unless it waits. */
static bool is_out_of_time(const child *c, double limit)
{
    clockid_t processor;
    double took = brz_clock_seconds(CLOCK_MONOTONIC) - c->began;
    if (took <= limit || clock_getcpuclockid(c->pid, &processor) != 0)
        return took > limit;
    double worked = brz_clock_seconds(processor);
    return worked > limit || worked * SHARES < took;
}

/* Reads the child's messages until it is done, gone, or out of time. */
static void listen_to(child *c, check_runner *r, check_result *result)
{
    while (!result->over && !result->hung && !is_stopped(r)) {
        struct pollfd p = {.fd = c->from, .events = POLLIN};
        bool ended = has_ended(c);
        int ready = poll(&p, 1, ended ? 0 : LOOK_EVERY);
        bool more = ready > 0 && read_more(c);
        check_receive(&c->in, result, r->subject);
        if ((ready > 0 && !more) || (ended && !more))
            return;
        result->hung = is_out_of_time(c, r->time_limit);
    }
}

/* ---- end of a child ------------------------------------------------------------------------ */

/* Reads the first line of standard error, in which the crash handler names the plug-in. */
static void read_output(const child *c, brz_buf *to)
{
    char text[1024];
    ssize_t n = pread(c->output, text, sizeof text, 0);
    const char *at = n > 0 ? memmem(text, (size_t)n, "brazier: error: ", 16) : NULL;
    if (at == NULL)
        return;
    at += 16;
    size_t left = (size_t)(text + n - at);
    const char *end = memchr(at, '\n', left);
    brz_buf_add(to, at, end == NULL ? left : (size_t)(end - at));
}

/* Adds the file with the generated input that the test was using, if there is one. */
static void add_kept(const check_runner *r, const check_result *result, brz_buf *what)
{
    brz_buf path = {0};
    if (r->settings.keep == NULL)
        return;
    check_add_risk_path(&r->settings, result->test, &path);
    if (access(brz_buf_text(&path), R_OK) == 0)
        brz_buf_printf(what, "; the input is in %s", brz_buf_text(&path));
    brz_buf_finish(&path);
}

static void describe_end(const child *c, const check_runner *r, const check_result *result,
                         int status, brz_buf *what)
{
    brz_buf said = {0};
    read_output(c, &said);
    if (result->hung)
        brz_buf_printf(what, "it does not end within %g seconds", r->time_limit);
    else if (said.len > 0)
        brz_buf_add_str(what, brz_buf_str(&said));
    else if (WIFSIGNALED(status))
        brz_buf_printf(what, "the process was ended: %s", strsignal(WTERMSIG(status)));
    else
        brz_buf_printf(what, "the process was ended with status %d", WEXITSTATUS(status));
    if (r->crash_record->doing[0] != '\0')
        brz_buf_printf(what, ", while %s", r->crash_record->doing);
    add_kept(r, result, what);
    brz_buf_finish(&said);
}

/* Reports how the process of a lost test ended. */
static void tell_end(const child *c, const check_runner *r, check_result *result, int status)
{
    brz_buf what = {0}, seen = {0};
    unsigned clause = check_crash_record_explain(r->crash_record, &seen);
    if (clause == 0)
        clause = result->test->clause;
    describe_end(c, r, result, status, &what);
    check_result_fail(result, clause, brz_buf_str(&what), brz_buf_str(&seen));
    brz_buf_finish(&what);
    brz_buf_finish(&seen);
}

static int end(child *c)
{
    int status = 0;
    kill(-c->pid, SIGKILL);
    kill(c->pid, SIGKILL);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close(c->from);
    return status;
}

check_result check_run_apart(check_runner *r, const check_test *test)
{
    check_result result = {.test = test};
    child c;
    if (!start(r, test, &c)) {
        brz_str why = brz_str_of_text(strerror(errno));
        check_result_fail(&result, 0, BRZ_STR("no child process"), why);
        return result;
    }
    listen_to(&c, r, &result);
    bool ended = has_ended(&c);
    int status = end(&c);
    if (!result.over && is_stopped(r)) {
        result.status = CHECK_SKIPPED;
        brz_buf_add_text(&result.detail, "interrupted");
    } else if (!result.over) {
        tell_end(&c, r, &result, ended ? status : 0);
    }
    result.seconds = brz_clock_seconds(CLOCK_MONOTONIC) - c.began;
    close(c.output);
    brz_buf_finish(&c.in);
    return result;
}

check_result check_run_here(check_runner *r, const check_test *test)
{
    check_result result = {.test = test};
    brz_buf in = {0};
    double began = brz_clock_seconds(CLOCK_MONOTONIC);
    int file = memfd_create("result", MFD_CLOEXEC);
    check_run_test(test, r->subject, &r->settings, r->crash_record, file);
    lseek(file, 0, SEEK_SET);
    brz_buf_read(&in, file, SIZE_MAX);
    check_receive(&in, &result, r->subject);
    result.seconds = brz_clock_seconds(CLOCK_MONOTONIC) - began;
    close(file);
    brz_buf_finish(&in);
    return result;
}
