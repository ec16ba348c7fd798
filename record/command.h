/* SPDX-License-Identifier: MIT */
/* The recorded command: a child process that waits until the recording is on. */
#ifndef BRZ_RECORD_COMMAND_H
#define BRZ_RECORD_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct brz_command {
    pid_t pid;  /* 0: none */
    int gate;   /* a byte written here starts the command */
    int report; /* errno of a failed exec can be read here */
    int status; /* exit status, or 128 + signal; valid once it has ended */
    int signal; /* that ended it; 0: none */
    bool ended;
} brz_command;

/* Descriptors that the command gets in place of terminals; 0: none. */
typedef struct brz_command_streams {
    int input, output;
} brz_command_streams;

/* Creates the child, which gets the signal mask. It ends if this process does before the command is
 * started. Returns false with the reason in errno. */
bool brz_command_create(brz_command *c, char **words, const sigset_t *mask,
                        brz_command_streams streams);

/* Starts the command. Returns 0, or errno if it cannot be executed; the child has then ended. */
int brz_command_start(brz_command *c);

/* Notes whether the command has ended; waits for it if `wait` is set. */
void brz_command_check(brz_command *c, bool wait);

/* Sends a signal, unless the command has ended. */
void brz_command_signal(const brz_command *c, int sig);

/* Closes the descriptors. A command that was not started ends. */
void brz_command_finish(brz_command *c);

#endif
