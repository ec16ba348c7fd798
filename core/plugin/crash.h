/* SPDX-License-Identifier: MIT */
/* Reports which plug-in was doing what with which input when the process crashed. Calls into
 * plug-ins are recorded by calls.h. */
#ifndef BRZ_CRASH_H
#define BRZ_CRASH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/calls.h"

/* Prints which plug-in a thread is in, if any, for a process that did not end when it was asked to.
 * Safe in a signal handler. */
void brz_crash_report_hang(void);

/* Reports that the current call of this thread has taken `milliseconds` of processor time, and ends
 * the process with status 1. Returns if the thread is not in a plug-in. Safe in a signal handler.
 */
void brz_crash_blame_time(unsigned milliseconds);

/* Installs signal handlers for the process. On SIGSEGV and similar signals, they print a message,
 * call `clean_up` (in the handler; NULL: nothing), and run the signal's default action. exit()
 * within a call becomes a failure. */
void brz_crash_install(void (*clean_up)(void));

/* Declares that the process has no threads except the calling one, those of brz_thread_start(), and
 * threads that plug-ins started. A crash or an exit on one of the latter is therefore attributed to
 * a plug-in. A forked process must call it again. */
void brz_crash_claim_process(void);

/* Handles _exit(), which runs no exit handlers: if a plug-in calls it, reports that and ends the
 * process as failed. Returns if the host calls it. */
void brz_crash_blame_exit(void);

/* Reports an error of a plug-in that the run cannot survive, such as "called the host ...", and
 * ends the process as failed. Returns if no plug-in can be responsible, or if the process belongs
 * to another program (neither brz_crash_claim_process() nor brz_crash_divert() was called). */
void brz_crash_blame(const char *what);

/* Prepare a thread for calling plug-ins; pass the result of `begin` to `end`. Gives the handler its
 * own stack, without which a stack overflow would end the process without a message. */
void *brz_crash_thread_begin(void);
void brz_crash_thread_end(void *stack);

/* The report of a child process in memory that it shares with its parent. The parent does not trust
 * the contents. */
typedef struct brz_crash_note {
    /* Set by the parent before it sends SIGABRT to a child that does not end. */
    atomic_bool hangs;
    uint32_t len;
    uint32_t advice_len;
    bool is_reported; /* there is a message; after a hang, only if a plug-in is responsible */
    char text[1024];  /* what happened in which plug-in and where */
    char advice[512]; /* advice and the address for bug reports */
} brz_crash_note;

/* Redirects messages of a child process to the note; any end of the process leaves a message there,
 * except brz_crash_end(). */
void brz_crash_divert(brz_crash_note *note);
_Noreturn void brz_crash_end(void);

/* The exit status of brz_crash_end(); the sandbox refuses others if it can (see sandbox.h). */
#define BRZ_CRASH_END_STATUS 97

/* Reports, on stderr or in the note, that memory is exhausted and what this thread was doing, and
 * ends the process like abort(). Returns if neither brz_crash_install() nor brz_crash_divert() was
 * called. */
void brz_crash_out_of_memory(size_t wanted);

/* Reports on stderr why the process does not wait for a run any longer, and which call some thread
 * is in, cleans up, and ends the process with status 1. Returns if brz_crash_install() was not
 * called. */
void brz_crash_give_up(const char *why);

#endif
