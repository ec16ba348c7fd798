/* Says whose fault a crash is: which plug-in was doing what to which input.
 *
 * A few stores per call into a plug-in; the handler does the rest.
 */
#ifndef BRZ_CRASH_H
#define BRZ_CRASH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct brz_loaded;

/* What this thread is doing from now on, for a message should it crash. All of it stays valid until
 * brz_crash_leave. A call may lie within another one. Of a plug-in that is being loaded no more
 * than the path need be known. */
void brz_crash_enter(const struct brz_loaded *plugin, const char *phase, const char *input,
                     uint64_t offset, size_t len);
void brz_crash_leave(void); /* it does what it did before that */

/* Reports on stderr which plug-in some thread is in, if any, since the process was asked to end and
 * does not. For a signal handler. */
void brz_crash_report_hang(void);

/* Reports that the call that this thread is in has taken so many seconds of processor time, and
 * ends the process with status 1. Returns if the thread is in no plug-in. For a signal handler. */
void brz_crash_blame_time(unsigned seconds);

/* Takes all blame from the plug-ins that this thread is in: the host ends the process for a reason
 * of its own. */
void brz_crash_excuse(void);

/* Installs the handlers for the process: on SIGSEGV and its like, a message, `clean_up` (which is
 * called in a signal handler; NULL: nothing), and then the signal's default. exit() within a call
 * becomes a failure. */
void brz_crash_install(void (*clean_up)(void));

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
