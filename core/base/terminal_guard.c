/* SPDX-License-Identifier: MIT */
/* Gives a terminal back when the program ends in the middle of its work. */
#include "base/terminal_guard.h"

#include <unistd.h>

/* One per process, since it serves the end of the process. */
static _Atomic(brz_terminal_guard *) guard;

void brz_terminal_guard_set(brz_terminal_guard *g)
{
    atomic_store(&guard, g);
}

/* Returns whether another job has the terminal: it is stopped, or was moved to the background. A
 * change of the modes would stop this one. */
static bool is_in_background(int terminal)
{
    pid_t job = tcgetpgrp(terminal);
    return job >= 0 && job != getpgrp();
}

void brz_terminal_give_back(void)
{
    brz_terminal_guard *g = atomic_load(&guard);
    if (g == NULL || !atomic_load(&g->is_taken) || g->owner != getpid() ||
        is_in_background(g->keys))
        return;
    atomic_store(&g->is_taken, false);
    ssize_t ignored = write(STDOUT_FILENO, g->sequence, g->len);
    (void)ignored;
    tcsetattr(g->keys, TCSADRAIN, &g->modes);
}
