/* SPDX-License-Identifier: MIT */
/* Shows a picture in the browser. */
#include "open_picture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit status of a child without an opener. */
#define NO_OPENER 127

/* Returns true if the opener takes a path for an option, or for an address on the net. */
static bool is_misleading(const char *path)
{
    return path[0] == '-' || path[strcspn(path, ":/")] == ':';
}

/* Writes a warning without the console, which the main process has. */
static void warn(const char *why)
{
    char text[512];
    int n = snprintf(text, sizeof text, "brazier: warning: the picture is not shown: %s\n", why);
    if (n > 0 && write(STDERR_FILENO, text, (size_t)n) < 0)
        return; /* nobody reads it */
}

/* Replaces the process by the opener, whose own words about a missing browser are hidden. */
static _Noreturn void execute(const char *path)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
#ifndef __APPLE__
    execlp("xdg-open", "xdg-open", path, (char *)NULL);
#endif
    execlp("open", "open", path, (char *)NULL);
    _exit(NO_OPENER);
}

/* Executes the opener, and reports its failure. It may run as long as the browser. */
static void open_and_wait(const char *path)
{
    int status;
    pid_t pid = fork();
    if (pid == 0)
        execute(path);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
        WEXITSTATUS(status) == 0)
        return;
    warn(WEXITSTATUS(status) == NO_OPENER
             ? "xdg-open is not installed, or not in $PATH"
             : "xdg-open finds no browser; open the file in one, or set $BROWSER");
}

void cli_open_picture(const char *path, brz_console *console)
{
    brz_buf given = {0};
    brz_buf_printf(&given, "%s%s", is_misleading(path) ? "./" : "", path);
    pid_t pid = fork();
    if (pid == 0) { /* its child has no parent to wait for it */
        if (fork() == 0)
            open_and_wait(brz_buf_text(&given));
        _exit(0);
    }
    if (pid > 0)
        waitpid(pid, NULL, 0);
    else
        brz_say(console, BRZ_WARNING, "%s cannot be opened: %s", path, strerror(errno));
    brz_buf_finish(&given);
}
