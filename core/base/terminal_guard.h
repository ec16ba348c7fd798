/* SPDX-License-Identifier: MIT */
/* Gives a terminal back when the program ends in the middle of its work, as after a crash or
 * without memory: its modes and its screen are the user's again before a message is written. */
#ifndef BRZ_TERMINAL_GUARD_H
#define BRZ_TERMINAL_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

typedef struct brz_terminal_guard {
    atomic_bool is_taken; /* the terminal is changed, and the other members are complete */
    pid_t owner;          /* process that changed it; forked ones must not */
    int keys;             /* descriptor of the terminal */
    struct termios modes; /* from before the change */
    char sequence[200];   /* restores the screen; written to standard output */
    size_t len;           /* of the sequence */
} brz_terminal_guard;

/* Sets the guard of the process, which must stay in memory. */
void brz_terminal_guard_set(brz_terminal_guard *g);

/* Gives the terminal back if it is taken. Safe in a signal handler. */
void brz_terminal_give_back(void);

#endif
