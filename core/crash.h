/* Says whose fault a crash is: which plug-in was doing what to which input.
 *
 * Two stores per call into a plug-in; the handler does the rest.
 */
#ifndef BRZ_CRASH_H
#define BRZ_CRASH_H

#include <stddef.h>
#include <stdint.h>

struct brz_loaded;

/* What this thread is doing from now on, for a message should it crash. The texts stay valid until
 * brz_crash_leave. */
void brz_crash_enter(const struct brz_loaded *plugin, const char *phase, const char *input,
                     uint64_t offset, size_t len);
void brz_crash_leave(void);

/* Installs the handlers for the process: on SIGSEGV and its like, a message and then the signal's
 * default. */
void brz_crash_install(void);

#endif
