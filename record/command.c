/* SPDX-License-Identifier: MIT */
/* Starts and ends the recorded command. */
#include "record/command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/write_all.h"

/* Status of a command that cannot be executed, as in shells. */
#define NOT_EXECUTED 127

static void close_pair(const int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

/* Names the child as its command will be named: the first samples may precede the record with the
 * name. */
static void take_name(const char *program)
{
    prctl(PR_SET_NAME, basename(program));
}

/* Puts a descriptor in the place of a terminal. */
static void replace_terminal(int descriptor, int by)
{
    if (by > 0 && isatty(descriptor))
        dup2(by, descriptor);
}

static void replace_terminals(brz_command_streams s)
{
    replace_terminal(STDIN_FILENO, s.input);
    replace_terminal(STDOUT_FILENO, s.output);
    replace_terminal(STDERR_FILENO, s.output);
}

/* Executes the command in the child, once a byte arrives at the gate. A child whose parent was
 * killed gets the signal that ends most programs. */
static _Noreturn void run_child(char **words, int gate, int report, const sigset_t *mask,
                                pid_t parent)
{
    char go;
    ssize_t n;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(NOT_EXECUTED);
    take_name(words[0]);
    do
        n = read(gate, &go, 1);
    while (n < 0 && errno == EINTR);
    if (n != 1)
        _exit(NOT_EXECUTED);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(words[0], words);
    int error = errno;
    n = write(report, &error, sizeof error);
    _exit(n > 0 ? NOT_EXECUTED : NOT_EXECUTED - 1);
}

bool brz_command_create(brz_command *c, char **words, const sigset_t *mask,
                        brz_command_streams streams)
{
    int gate[2], report[2];
    *c = (brz_command){.gate = -1, .report = -1};
    if (pipe2(gate, O_CLOEXEC) != 0)
        return false;
    if (pipe2(report, O_CLOEXEC) != 0) {
        close_pair(gate);
        return false;
    }
    pid_t parent = getpid();
    c->pid = fork();
    if (c->pid == 0) {
        close(gate[1]);
        close(report[0]);
        replace_terminals(streams);
        run_child(words, gate[0], report[1], mask, parent);
    }
    close(gate[0]);
    close(report[1]);
    c->gate = gate[1];
    c->report = report[0];
    return c->pid > 0;
}

/* Returns errno of a failed exec, or 0 when the command runs. */
static int read_report(const brz_command *c)
{
    int error;
    ssize_t n;
    do
        n = read(c->report, &error, sizeof error);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof error ? error : 0;
}

int brz_command_start(brz_command *c)
{
    int error = brz_write_all(c->gate, "", 1) ? read_report(c) : ECHILD;
    close(c->gate);
    c->gate = -1;
    if (error != 0)
        brz_command_check(c, true);
    return error;
}

void brz_command_check(brz_command *c, bool wait)
{
    int status;
    pid_t pid;
    if (c->pid <= 0 || c->ended)
        return;
    do
        pid = waitpid(c->pid, &status, wait ? 0 : WNOHANG);
    while (pid < 0 && errno == EINTR);
    if (pid == 0)
        return;
    c->ended = true;
    c->signal = pid > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    c->status = pid < 0               ? NOT_EXECUTED
                : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                      : WEXITSTATUS(status);
}

void brz_command_signal(const brz_command *c, int sig)
{
    if (c->pid > 0 && !c->ended)
        kill(c->pid, sig);
}

void brz_command_finish(brz_command *c)
{
    if (c->gate >= 0)
        close(c->gate);
    if (c->report >= 0)
        close(c->report);
    if (c->gate >= 0)
        brz_command_check(c, true);
    c->gate = c->report = -1;
}
