/* SPDX-License-Identifier: MIT */
/* Records with the rights of root. */
#include "record/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/scratch.h"
#include "base/write_all.h"

enum { MESSAGE_READY = 1, MESSAGE_STATE, MESSAGE_SYMBOLS, MESSAGE_RESULT };

/* A message: this header, then `size` bytes. */
typedef struct message {
    uint32_t type, size;
} message;

/* Largest list of the kernel's symbols. */
#define SYMBOLS_MAX (UINT32_C(256) << 20)

static bool send_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool receive_all(int fd, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        ssize_t n = recv(fd, at, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* A command line under construction. */
typedef struct line {
    char **words;
    size_t n, cap;
} line;

static void add_word(line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_word(line *l, const char *format, ...)
{
    brz_buf b = {0};
    va_list args;
    va_start(args, format);
    brz_buf_vprintf(&b, format, args);
    va_end(args);
    l->words = brz_grow(l->words, l->n, &l->cap, sizeof *l->words);
    l->words[l->n++] = brz_memdup(brz_buf_text(&b), b.len);
    brz_buf_finish(&b);
}

static void finish_line(line *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->words[i]);
    free(l->words);
}

static void add_call_graph(line *l, const brz_record_request *r)
{
    static const char *const names[] = {"auto", "fp", "dwarf", "none"};
    if (r->call_graph == BRZ_CALL_GRAPH_DWARF && r->stack_size > 0)
        add_word(l, "--call-graph=dwarf,%u", r->stack_size);
    else
        add_word(l, "--call-graph=%s", names[r->call_graph]);
}

static void add_targets(line *l, const brz_record_request *r, pid_t waiting)
{
    for (size_t i = 0; i < r->n_processes; i++)
        add_word(l, "--pid=%d", r->processes[i]);
    for (size_t i = 0; i < r->n_threads; i++)
        add_word(l, "--tid=%d", r->threads[i]);
    if (r->all)
        add_word(l, "--all-cpus");
    if (r->cgroup != NULL)
        add_word(l, "--cgroup=%s", r->cgroup);
    add_word(l, "--recorder=%d", waiting);
}

static void add_options(line *l, const brz_record_request *r)
{
    static const char *const kernel[] = {"auto", "yes", "no"};
    if (r->frequency > 0)
        add_word(l, "--freq=%llu", (unsigned long long)r->frequency);
    if (r->period > 0)
        add_word(l, "--period=%llu", (unsigned long long)r->period);
    for (size_t i = 0; i < r->n_events; i++)
        add_word(l, "--event=%s", r->events[i]);
    if (r->delay > 0)
        add_word(l, "--delay=%lluns", (unsigned long long)r->delay);
    if (r->off_cpu)
        add_word(l, "--off-cpu");
    if (r->wakeup)
        add_word(l, "--wakeup");
    add_word(l, "--kernel=%s", kernel[r->kernel]);
    if (r->is_streamed)
        add_word(l, "--streamed");
    if (r->is_read_along)
        add_word(l, "--read-along");
    if (r->is_viewed)
        add_word(l, "--viewed");
}

/* Makes the command line: sudo, this program, and the request as options. */
static line make_line(const brz_record_request *r, pid_t waiting)
{
    line l = {0};
    char program[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    add_word(&l, "sudo");
    add_word(&l, "--");
    add_word(&l, "%s", program);
    add_word(&l, "record");
    add_word(&l, "--no-config");
    add_word(&l, "--no-plugins");
    add_call_graph(&l, r);
    add_targets(&l, r, waiting);
    add_options(&l, r);
    add_word(&l, "--");
    for (size_t i = 0; r->words != NULL && r->words[i] != NULL; i++)
        add_word(&l, "%s", r->words[i]);
    l.words = brz_grow(l.words, l.n, &l.cap, sizeof *l.words);
    l.words[l.n] = NULL;
    return l;
}

/* Exit status of a process that could not execute sudo. */
#define NOT_EXECUTED 127

static _Noreturn void run_sudo(char **words, int socket, int file)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (dup2(socket, STDIN_FILENO) >= 0 && dup2(file, STDOUT_FILENO) >= 0)
        execvp(words[0], words);
    static const char problem[] = "brazier: error: sudo cannot be executed: become root and "
                                  "record without --root\n";
    ssize_t ignored = write(STDERR_FILENO, problem, sizeof problem - 1);
    (void)ignored;
    _exit(NOT_EXECUTED);
}

/* Waits for the first message. Returns false if the recorder ends before. */
static bool wait_ready(brz_remote *m)
{
    message h;
    return receive_all(m->fd, &h, sizeof h) && h.type == MESSAGE_READY;
}

/* Reports how sudo ended, which may have been silent. A process that could not execute sudo has
 * reported that. */
static void say_end(brz_remote *m, brz_console *console)
{
    int status = 0;
    while (waitpid(m->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    m->pid = 0;
    if (WIFSIGNALED(status))
        brz_say(console, BRZ_NOTE, "nothing is recorded: sudo was ended by signal %d",
                WTERMSIG(status));
    else if (WEXITSTATUS(status) != NOT_EXECUTED)
        brz_say(console, BRZ_NOTE, "nothing is recorded: sudo ended with status %d",
                WEXITSTATUS(status));
}

bool brz_remote_start(brz_remote *m, const brz_record_request *r, pid_t waiting, int file,
                      brz_console *console)
{
    int pair[2];
    *m = (brz_remote){.fd = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        brz_say(console, BRZ_FATAL, "no socket can be created: %s", strerror(errno));
        return false;
    }
    line l = make_line(r, waiting);
    m->pid = fork();
    if (m->pid == 0)
        run_sudo(l.words, pair[1], file);
    else if (m->pid < 0)
        brz_say(console, BRZ_FATAL, "no process can be created: %s", strerror(errno));
    finish_line(&l);
    close(pair[1]);
    m->fd = pair[0];
    m->ended = m->pid < 0 || !wait_ready(m);
    if (m->ended && m->pid > 0)
        say_end(m, console);
    return !m->ended;
}

/* ---- receiving ------------------------------------------------------------------------------- */

/* Stores the kernel's symbols in a file. */
static bool take_symbols(brz_remote *m, uint32_t size)
{
    brz_buf error = {0};
    int fd = size > SYMBOLS_MAX ? -1 : brz_scratch_create(&error);
    char *text = fd < 0 ? NULL : brz_malloc(size);
    bool good = text != NULL && receive_all(m->fd, text, size);
    if (good && brz_write_all(fd, text, size))
        m->kallsyms = fd;
    else if (fd >= 0)
        close(fd);
    free(text);
    brz_buf_finish(&error);
    return good;
}

static bool take_result(brz_remote *m)
{
    bool good = receive_all(m->fd, &m->result, sizeof m->result);
    m->result.state.kallsyms = m->kallsyms;
    m->result.recorded &= good;
    return false; /* nothing follows */
}

static bool take_state(brz_remote *m)
{
    bool good = receive_all(m->fd, &m->result.state, sizeof m->result.state);
    m->result.state.kallsyms = m->kallsyms;
    return good;
}

/* Takes a message. Returns false after the last one. */
static bool take_message(brz_remote *m)
{
    message h;
    if (!receive_all(m->fd, &h, sizeof h))
        return false;
    if (h.type == MESSAGE_STATE && h.size == sizeof m->result.state)
        return take_state(m);
    if (h.type == MESSAGE_SYMBOLS)
        return take_symbols(m, h.size);
    return h.type == MESSAGE_RESULT && h.size == sizeof m->result && take_result(m);
}

void brz_remote_receive(brz_remote *m)
{
    struct pollfd p = {.fd = m->fd, .events = POLLIN};
    while (!m->ended && poll(&p, 1, 0) > 0)
        m->ended = !take_message(m);
}

void brz_remote_end(brz_remote *m)
{
    if (m->fd >= 0) {
        shutdown(m->fd, SHUT_WR);
        while (!m->ended)
            m->ended = !take_message(m);
        close(m->fd);
    }
    m->fd = -1;
    while (m->pid > 0 && waitpid(m->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    m->pid = 0;
}

/* ---- root's side ----------------------------------------------------------------------------- */

static void send_message(uint32_t type, const void *data, size_t size)
{
    const message h = {type, (uint32_t)size};
    if (send_all(STDIN_FILENO, &h, sizeof h))
        send_all(STDIN_FILENO, data, size);
}

void brz_control_send_ready(void)
{
    send_message(MESSAGE_READY, "", 0);
}

void brz_control_send_state(const brz_record_state *state)
{
    send_message(MESSAGE_STATE, state, sizeof *state);
}

void brz_control_send_result(const brz_record_result *result)
{
    send_message(MESSAGE_RESULT, result, sizeof *result);
}

void brz_control_send_symbols(void)
{
    brz_buf symbols = {0};
    if (brz_buf_read_file(&symbols, "/proc/kallsyms"))
        send_message(MESSAGE_SYMBOLS, symbols.data, symbols.len);
    brz_buf_finish(&symbols);
}

bool brz_control_is_closed(void)
{
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN | POLLRDHUP};
    return poll(&p, 1, 0) > 0 && (p.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}
