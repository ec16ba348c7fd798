/* SPDX-License-Identifier: MIT */
/* Describes the process state that a plug-in could change. */
#include "process_state.h"

#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* ---- descriptors --------------------------------------------------------------------------- */

void check_process_state_descriptors(brz_buf *to)
{
    char what[PATH_MAX], own[16] = "";
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *e;
    if (dir != NULL)
        snprintf(own, sizeof own, "%d", dirfd(dir));
    while (dir != NULL && (e = readdir(dir)) != NULL) {
        ssize_t n = readlinkat(dirfd(dir), e->d_name, what, sizeof what - 1);
        if (n > 0 && strcmp(e->d_name, own) != 0)
            brz_buf_printf(to, "%s is %.*s\n", e->d_name, (int)n, what);
    }
    if (dir != NULL)
        closedir(dir);
}

/* ---- threads ------------------------------------------------------------------------------- */

static size_t count_threads(void)
{
    DIR *dir = opendir("/proc/self/task");
    size_t n = 0;
    struct dirent *e;
    while (dir != NULL && (e = readdir(dir)) != NULL)
        n += e->d_name[0] != '.';
    if (dir != NULL)
        closedir(dir);
    return n;
}

void check_process_state_threads(brz_buf *to)
{
    siginfo_t info;
    bool children = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    brz_buf_printf(to, "threads: %zu\nchild processes: %s\n", count_threads(),
                   children ? "some" : "none");
}

/* ---- the process --------------------------------------------------------------------------- */

static void add_signals(brz_buf *to)
{
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int sig = 1; sig < NSIG; sig++) {
        struct sigaction action;
        if (sigaction(sig, NULL, &action) != 0)
            continue;
        uintptr_t handler = 0;
        memcpy(&handler, &action.sa_handler, sizeof handler);
        brz_buf_printf(to, "signal %d: handler %s%jx, flags %#x%s\n", sig,
                       handler > 1 ? "at 0x" : "", (uintmax_t)handler, (unsigned)action.sa_flags,
                       sigismember(&blocked, sig) == 1 ? ", blocked" : "");
    }
}

/* Returns the rounding mode, determined by the results of some sums. The functions of <fenv.h>
 * would add a library to every start of the program. */
static const char *rounding(void)
{
    volatile double one = 1, little = DBL_EPSILON / 8;
    bool up = one + little > one, down = -one - little < -one, to_zero = one - little < one;
    return up ? "upwards" : down ? "downwards" : to_zero ? "towards zero" : "to nearest";
}

static void add_rounding(brz_buf *to)
{
    brz_buf_printf(to, "rounding: %s\n", rounding());
#if defined(__SSE2__)
    brz_buf_printf(to, "floating-point traps: %#x\n", ~_mm_getcsr() & _MM_MASK_MASK);
#endif
    volatile double tiny = 4.9406564584124654e-324; /* becomes 0 if the mode flush-to-zero is set */
    brz_buf_printf(to, "denormal numbers: %s\n", tiny * 1.0 > 0 ? "kept" : "flushed to zero");
}

void check_process_state_process(brz_buf *to)
{
    char folder[PATH_MAX];
    mode_t mask = umask(0);
    umask(mask);
    brz_buf_printf(to, "locale: %s\n", setlocale(LC_ALL, NULL));
    brz_buf_printf(to, "working directory: %s\n",
                   getcwd(folder, sizeof folder) != NULL ? folder : strerror(errno));
    brz_buf_printf(to, "umask: %03o\n", (unsigned)mask);
    add_rounding(to);
    for (char **e = environ; e != NULL && *e != NULL; e++)
        brz_buf_printf(to, "environment: %s\n", *e);
    add_signals(to);
}
