/* The calls into plug-ins that are going on, thread by thread.
 *
 * Signal handlers look here for the plug-in to blame, and the host's services for the context that
 * a plug-in was given. Entering costs a few stores.
 */
#ifndef BRZ_CALLS_H
#define BRZ_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct brz_loaded;

typedef struct brz_call {
    const struct brz_loaded *plugin;
    const char *phase, *input; /* input NULL: the call is about none */
    uint64_t offset;           /* the bytes of the input that the call is shown */
    size_t len;
} brz_call;

/* Notes the call that this thread is about to make. All of it stays valid until brz_call_leave. A
 * call may lie within another one. While a plug-in is being loaded, only its path need be known. */
void brz_call_enter(const struct brz_loaded *plugin, const char *phase, const char *input,
                    uint64_t offset, size_t len);
void brz_call_leave(void);

/* Forgets this thread's calls: the host ends the process for a reason of its own. */
void brz_call_excuse(void);

/* Returns the innermost call of this thread, or NULL. */
const brz_call *brz_call_current(void);

/* Returns a call that some thread is in, or NULL. Only threads that are shown are looked at. */
const brz_call *brz_call_any(void);

/* Lets other threads look at this thread's calls until they are hidden. Returns a number that is
 * less than that of threads that are shown at the same time. */
size_t brz_calls_show(void);
void brz_calls_hide(void);

/* True if this thread's calls are shown. */
bool brz_calls_are_shown(void);

#endif
