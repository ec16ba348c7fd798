/* SPDX-License-Identifier: MIT */
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

/* Records the context that the innermost call passes to the plug-in. A call has none before. */
void brz_call_give(const void *context);

/* Ends the call. Returns the breach that brz_call_accuse() recorded for it, or NULL. */
const char *brz_call_leave(void);

/* Forgets the recorded calls of this thread: the host ends the process for its own reasons. */
void brz_call_excuse(void);

/* Returns the innermost call of this thread, or NULL. */
const brz_call *brz_call_current(void);

/* Returns the context of the innermost call of this thread, or NULL. */
const void *brz_call_context(void);

/* Returns true if a call that this thread is in has the context. Calls may be nested: an output
 * asks a palette, which may call the host for the output. */
bool brz_call_was_given(const void *context);

/* Records a breach by a plug-in's own thread for the call of another thread that has the context.
 * `what` must live as long as the program. Returns false if no visible call has that context, which
 * may be any address. */
bool brz_call_accuse(const void *context, const char *what);

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
