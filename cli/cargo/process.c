/* SPDX-License-Identifier: MIT */
/* Runs other programs. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "child.h"

#ifdef __APPLE__
extern char **environ;
#endif

/* ---- words ---------------------------------------------------------------------------------- */

void command_add(command_words *c, const char *word)
{
    c->list = brz_grow(c->list, c->n + 1, &c->cap, sizeof *c->list);
    c->list[c->n++] = word;
    c->list[c->n] = NULL;
}

void command_add_option(command_words *c, const char *option, const char *value)
{
    if (value == NULL)
        return;
    command_add(c, option);
    command_add(c, value);
}

void command_add_text(command_words *c, char *text)
{
    char *rest = text, *word;
    while ((word = strsep(&rest, " \t\n")) != NULL)
        if (*word != '\0')
            command_add(c, word);
}

void command_say(const command_words *c, brz_console *console)
{
    brz_buf b = {0};
    for (size_t i = 0; i < c->n; i++)
        brz_buf_printf(&b, "%s%s", i > 0 ? " " : "", c->list[i]);
    brz_say(console, BRZ_NOTE, "running %s", brz_buf_text(&b));
    brz_buf_finish(&b);
}

void command_finish(command_words *c)
{
    free(c->list);
}

/* ---- processes ------------------------------------------------------------------------------ */

/* Makes the command react to signals in the usual way, whatever this process does. */
static void set_signals(posix_spawnattr_t *attributes)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGQUIT);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    posix_spawnattr_setsigdefault(attributes, &signals);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF);
}

static int spawn(const command_words *c, int in, int out, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    set_signals(&attributes);
    if (in >= 0)
        posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (out >= 0)
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    int error = posix_spawnp(process, c->list[0], &actions, &attributes,
                             (char **)(uintptr_t)c->list, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static void close_given(int fd)
{
    if (fd >= 0)
        close(fd);
}

int command_start(const command_words *c, int in, int out, brz_console *console)
{
    pid_t process = -1;
    int error = spawn(c, in, out, &process);
    close_given(in);
    close_given(out);
    if (error == 0)
        return process;
    if (error == ENOENT)
        brz_say(console, BRZ_FATAL, "%s is not installed, or not in $PATH", c->list[0]);
    else
        brz_say(console, BRZ_FATAL, "%s cannot be run: %s", c->list[0], strerror(error));
    return -1;
}

int command_run(const command_words *c, brz_console *console)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    int process = command_start(c, -1, -1, console);
    int status = process < 0 ? -1 : cli_child_wait(process);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    return status;
}

/* Appends what a process writes, up to the end. */
static void read_output(int process, int fd, brz_buf *to)
{
    char piece[1 << 14];
    bool was_passed_on = false;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    for (ssize_t n = 1; n > 0 || (n < 0 && errno == EINTR);) {
        cli_child_pass_on(process, &was_passed_on);
        if (poll(&p, 1, CLI_CHILD_LOOK_MS) <= 0)
            continue;
        n = read(fd, piece, sizeof piece);
        brz_buf_add(to, piece, n > 0 ? (size_t)n : 0);
    }
}

int command_capture(const command_words *c, brz_buf *output, brz_console *console)
{
    int ends[2];
    if (pipe(ends) != 0) {
        brz_say(console, BRZ_FATAL, "no pipe: %s", strerror(errno));
        return -1;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int process = command_start(c, -1, ends[1], console);
    if (process >= 0)
        read_output(process, ends[0], output);
    close(ends[0]);
    return process < 0 ? -1 : cli_child_wait(process);
}
