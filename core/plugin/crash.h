/* Says whose fault a crash is: which plug-in was doing what to which input. Calls into plug-ins are
 * noted beforehand (calls.h). */
#ifndef BRZ_CRASH_H
#define BRZ_CRASH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/calls.h"

/* Reports on stderr which plug-in some thread is in, if any, since the process was asked to end and
 * does not. For a signal handler. */
void brz_crash_report_hang(void);

/* Reports that the call that this thread is in has taken so many seconds of processor time, and
 * ends the process with status 1. Returns if the thread is in no plug-in. For a signal handler. */
void brz_crash_blame_time(unsigned seconds);

/* Installs the handlers for the process: on SIGSEGV and its like, a message, `clean_up` (which is
 * called in a signal handler; NULL: nothing), and then the signal's default. exit() within a call
 * becomes a failure. */
void brz_crash_install(void (*clean_up)(void));

/* Declares that the process has no threads but those of brz_thread_start, the one that calls this,
 * and threads that plug-ins started: a crash or an end on one of the latter is a plug-in's doing. A
 * forked process calls it again. */
void brz_crash_claim_process(void);

/* For _exit(), which runs no handlers: if a plug-in calls it, reports that and ends the process as
 * a failed one. Returns if the host calls it. */
void brz_crash_blame_exit(void);

/* Reports what a plug-in does wrong that the run cannot survive, such as "called the host ...", and
 * ends the process as a failed one. Returns if no plug-in can be to blame, or if the process is not
 * the host's to end (neither brz_crash_claim_process nor brz_crash_divert was called). */
void brz_crash_blame(const char *what);

/* For each thread that calls plug-ins, which hands what `begin` gave to `end`: without a stack of
 * its own for the handler, a stack overflow would end the process without a word. */
void *brz_crash_thread_begin(void);
void brz_crash_thread_end(void *stack);

/* What a child process leaves behind in memory that it shares with its parent, who trusts nothing
 * in it. */
typedef struct brz_crash_note {
    /* Set by the parent before it sends SIGABRT: tell what is being done, for it does not end. */
    atomic_bool hangs;
    uint32_t len;
    uint32_t advice_len;
    bool told;        /* there is a message; of what hangs, only if it is a plug-in */
    char text[1024];  /* what happened, to whom, where */
    char advice[512]; /* where its bugs go */
} brz_crash_note;

/* In a child process: from now on messages go there, and any end of the process leaves one. An end
 * by brz_crash_end is none. */
void brz_crash_divert(brz_crash_note *note);
_Noreturn void brz_crash_end(void);

/* The status of a process that ended so; the system refuses others if it can (see sandbox.h). */
#define BRZ_CRASH_END_STATUS 97

/* Reports, on stderr or in the note, that memory ran out and what this thread was doing, and ends
 * the process as abort() does. Returns if neither brz_crash_install nor brz_crash_divert was
 * called.
 */
void brz_crash_out_of_memory(size_t wanted);

/* Reports on stderr why the process does not wait for a run any longer, and which call some thread
 * is in, cleans up, and ends the process with status 1. Returns if brz_crash_install was not
 * called.
 */
void brz_crash_give_up(const char *why);

#endif
