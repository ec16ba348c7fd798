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
    atomic_bool is_taken; /* the other members are complete, and the terminal is changed */
    pid_t owner;          /* forked processes must not change the terminal */
    int keys;             /* descriptor of the terminal */
    struct termios modes; /* those to set again */
    char sequence[200];   /* what is written to standard output */
    size_t len;           /* of the sequence */
} brz_terminal_guard;

/* Sets the guard of the process, which must stay in memory. */
void brz_terminal_guard_set(brz_terminal_guard *g);

/* Gives the terminal back if it is taken. Safe in a signal handler. */
void brz_terminal_give_back(void);

#endif
