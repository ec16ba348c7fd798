/* SPDX-License-Identifier: MIT */
/* Records the current calls into plug-ins. */
#include "plugin/calls.h"

#include <errno.h>
#include <stdatomic.h>

#include "plugin/format.h"

/* Maximum nesting depth that is recorded. An output asks for colours, so a palette's call is nested
 * in an output's. Deeper calls are counted, but not recorded. */
#define MAX_CALLS 4

typedef struct calls {
    brz_call items[MAX_CALLS];
    _Atomic(const void *) contexts[MAX_CALLS]; /* other threads look for one */
    _Atomic(const char *) accusations[MAX_CALLS];
    _Atomic size_t n; /* signal handlers on other threads read it, and then an item */
} calls;

/* The calls of this thread, for signal handlers. */
static _Thread_local calls own_calls;

/* The calls of visible threads. */
#define MAX_THREADS 1100
static _Atomic(calls *) threads[MAX_THREADS];

/* Returns the number of this thread's calls. */
static size_t depth_of(const calls *c)
{
    return atomic_load_explicit(&c->n, memory_order_relaxed);
}

/* Sets the number of this thread's calls, whose items are complete. */
static void set_depth(calls *c, size_t n)
{
    atomic_store_explicit(&c->n, n, memory_order_release);
}

void brz_call_enter(const struct brz_loaded *plugin, const char *phase, const char *input,
                    uint64_t offset, size_t len)
{
    calls *c = &own_calls;
    size_t n = depth_of(c);
    if (n < MAX_CALLS) {
        c->items[n] = (brz_call){brz_loaded_plain(plugin), phase, input, offset, len};
        atomic_store_explicit(&c->contexts[n], NULL, memory_order_relaxed);
    }
    set_depth(c, n + 1);
    errno = 0; /* distinguishes an error of the plug-in from an earlier one */
}

void brz_call_give(const void *context)
{
    calls *c = &own_calls;
    size_t n = depth_of(c);
    if (n > 0 && n <= MAX_CALLS)
        atomic_store_explicit(&c->contexts[n - 1], context, memory_order_relaxed);
}

const char *brz_call_leave(void)
{
    calls *c = &own_calls;
    size_t last = depth_of(c) - 1;
    set_depth(c, last);
    if (last >= MAX_CALLS)
        return NULL;
    atomic_store_explicit(&c->contexts[last], NULL, memory_order_relaxed);
    if (atomic_load_explicit(&c->accusations[last], memory_order_relaxed) == NULL)
        return NULL;
    return atomic_exchange(&c->accusations[last], NULL);
}

const void *brz_call_context(void)
{
    const calls *c = &own_calls;
    size_t n = depth_of(c);
    if (n == 0 || n > MAX_CALLS)
        return NULL;
    return atomic_load_explicit(&c->contexts[n - 1], memory_order_relaxed);
}

bool brz_call_was_given(const void *context)
{
    const calls *c = &own_calls;
    size_t depth = depth_of(c), n = depth < MAX_CALLS ? depth : MAX_CALLS;
    while (n > 0 && context != NULL)
        if (atomic_load_explicit(&c->contexts[--n], memory_order_relaxed) == context)
            return true;
    return false;
}

static bool accuse(calls *c, const void *context, const char *what)
{
    for (size_t i = 0; i < MAX_CALLS; i++)
        if (atomic_load(&c->contexts[i]) == context) {
            atomic_store(&c->accusations[i], what);
            return true;
        }
    return false;
}

bool brz_call_accuse(const void *context, const char *what)
{
    for (size_t i = 0; i < MAX_THREADS && context != NULL; i++) {
        calls *c = atomic_load(&threads[i]);
        if (c != NULL && accuse(c, context, what))
            return true;
    }
    return false;
}

void brz_call_excuse(void)
{
    set_depth(&own_calls, 0);
}

static const brz_call *innermost(const calls *c)
{
    size_t depth = atomic_load_explicit(&c->n, memory_order_acquire);
    size_t n = depth < MAX_CALLS ? depth : MAX_CALLS;
    return n > 0 ? &c->items[n - 1] : NULL;
}

const brz_call *brz_call_current(void)
{
    return innermost(&own_calls);
}

const brz_call *brz_call_any(void)
{
    const brz_call *found = NULL;
    for (size_t i = 0; i < MAX_THREADS && found == NULL; i++) {
        const calls *c = atomic_load(&threads[i]);
        found = c == NULL ? NULL : innermost(c);
    }
    return found;
}

size_t brz_calls_show(void)
{
    for (size_t i = 0; i < MAX_THREADS; i++) {
        calls *none = NULL;
        if (atomic_compare_exchange_strong(&threads[i], &none, &own_calls) || none == &own_calls)
            return i;
    }
    return MAX_THREADS;
}

void brz_calls_hide(void)
{
    for (size_t i = 0; i < MAX_THREADS; i++) {
        calls *own = &own_calls;
        if (atomic_compare_exchange_strong(&threads[i], &own, NULL))
            return;
    }
}

bool brz_calls_are_shown(void)
{
    for (size_t i = 0; i < MAX_THREADS; i++)
        if (atomic_load(&threads[i]) == &own_calls)
            return true;
    return false;
}
