/* Says whose fault a crash is: which plug-in was doing what to which input.
 *
 * A few stores per call into a plug-in; the handler does the rest.
 */
#ifndef BRZ_CRASH_H
#define BRZ_CRASH_H

#include <stddef.h>
#include <stdint.h>

struct brz_loaded;

/* What this thread is doing from now on, for a message should it crash. All of it stays valid until
 * brz_crash_leave. A call may lie within another one. Of a plug-in that is being loaded no more
 * than the path need be known. */
void brz_crash_enter(const struct brz_loaded *plugin, const char *phase, const char *input,
                     uint64_t offset, size_t len);
void brz_crash_leave(void);

/* Installs the handlers for the process: on SIGSEGV and its like, a message, `clean_up` (which is
 * called in a signal handler; NULL: nothing), and then the signal's default. exit() within a call
 * becomes a failure. */
void brz_crash_install(void (*clean_up)(void));

/* For each thread that calls plug-ins: without a stack of its own for the handler, a stack overflow
 * would end the process without a word. */
void *brz_crash_thread_begin(void);
void brz_crash_thread_end(void *stack);

#endif
