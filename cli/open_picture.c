/* Shows a picture in the browser. */
#include "open_picture.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns true if the opener takes a path for an option, or for an address on the net. */
static bool is_misleading(const char *path)
{
    return path[0] == '-' || path[strcspn(path, ":/")] == ':';
}

/* Replaces the process by the opener, or ends it. */
static _Noreturn void execute(const char *path)
{
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
#ifndef __APPLE__
    execlp("xdg-open", "xdg-open", path, (char *)NULL);
#endif
    execlp("open", "open", path, (char *)NULL);
    static const char problem[] = "brazier: warning: the picture is not shown: xdg-open is not "
                                  "installed, or not in $PATH\n";
    ssize_t n = write(STDERR_FILENO, problem, sizeof problem - 1);
    _exit(n > 0 ? 0 : 1);
}

void cli_open_picture(const char *path, brz_console *console)
{
    brz_buf given = {0};
    brz_buf_printf(&given, "%s%s", is_misleading(path) ? "./" : "", path);
    pid_t pid = fork();
    if (pid == 0) { /* its child has no parent to wait for it */
        if (fork() == 0)
            execute(brz_buf_text(&given));
        _exit(0);
    }
    if (pid > 0)
        waitpid(pid, NULL, 0);
    else
        brz_say(console, BRZ_WARNING, "%s cannot be opened: %s", path, strerror(errno));
    brz_buf_finish(&given);
}
