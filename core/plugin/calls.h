/* Records the current calls into plug-ins, for each thread.
 *
 * Signal handlers find the plug-in to blame here, and the host's services find the context of a
 * call. Each call costs a few stores.
 */
#ifndef BRZ_CALLS_H
#define BRZ_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct brz_loaded;

typedef struct brz_call {
    const struct brz_loaded *plugin;
    const char *phase, *input; /* input NULL: the call does not concern an input */
    uint64_t offset;           /* range of the input's bytes that the call receives */
    size_t len;
} brz_call;

/* Records the call that this thread is about to make. All arguments must stay valid until
 * brz_call_leave(). Calls may be nested. For a plug-in that is being loaded, only its path need be
 * set. */
void brz_call_enter(const struct brz_loaded *plugin, const char *phase, const char *input,
                    uint64_t offset, size_t len);
void brz_call_leave(void);

/* Forgets the recorded calls of this thread: the host ends the process for its own reasons. */
void brz_call_excuse(void);

/* Returns the innermost call of this thread, or NULL. */
const brz_call *brz_call_current(void);

/* Returns a call that some thread is in, or NULL. Considers only threads that called
 * brz_calls_show(). */
const brz_call *brz_call_any(void);

/* Makes the calls of this thread visible to other threads until brz_calls_hide(). Returns a number
 * that is unique among visible threads, the lowest one available. */
size_t brz_calls_show(void);
void brz_calls_hide(void);

/* Returns whether the calls of this thread are visible. */
bool brz_calls_are_shown(void);

#endif
