/* SPDX-License-Identifier: MIT */
/* Records with the rights of root: a second process, started through sudo, opens the events.
 *
 * Its standard output is the file of the recording, its standard input a socket: it reports that
 * the events are open, its state, the kernel's symbols, and at the end the result. It ends
 * when the other side closes the socket. The command itself is a child of the user's process and
 * runs as that user.
 */
#ifndef BRZ_RECORD_REMOTE_H
#define BRZ_RECORD_REMOTE_H

#include "base/diag.h"
#include "record/request.h"
#include "record/result.h"

/* ---- the user's side ------------------------------------------------------------------------- */

typedef struct brz_remote {
    int fd;                   /* socket; -1: none */
    pid_t pid;                /* of sudo; 0: none */
    bool ended;               /* the other side has closed the socket */
    int kallsyms;             /* file with the kernel's symbols, for the caller; 0: none */
    brz_record_result result; /* the last state; complete after brz_remote_end() */
} brz_remote;

/* Starts the recorder for a request and waits until its events are open. It records the process
 * `waiting` from its exec on, if that is not 0, or else the processes of the request. Returns false
 * if it ends before, which it has explained, or after reporting an error. */
bool brz_remote_start(brz_remote *m, const brz_record_request *r, pid_t waiting, int file,
                      brz_console *console);

/* Takes the state that has arrived, without waiting. */
void brz_remote_receive(brz_remote *m);

/* Ends the recorder and waits for its result. */
void brz_remote_end(brz_remote *m);

/* ---- root's side ----------------------------------------------------------------------------- */

/* Reports that the events are open, or the kernel's symbols, the state, or the result. */
void brz_control_send_ready(void);
void brz_control_send_symbols(void);
void brz_control_send_state(const brz_record_state *state);
void brz_control_send_result(const brz_record_result *result);

/* Returns whether the other side has closed the socket. */
bool brz_control_is_closed(void);

#endif
