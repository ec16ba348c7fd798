/* Records the current calls into plug-ins. */
#include "plugin/calls.h"

#include <errno.h>
#include <stdatomic.h>

/* Maximum nesting depth that is recorded. An output asks for colours, so a palette's call is nested
 * in an output's. Deeper calls are counted, but not recorded. */
#define MAX_CALLS 4

typedef struct calls {
    brz_call items[MAX_CALLS];
    volatile size_t n;
} calls;

/* The calls of this thread, for signal handlers. */
static _Thread_local calls own_calls;

/* The calls of visible threads. */
#define MAX_THREADS 1100
static _Atomic(calls *) threads[MAX_THREADS];

void brz_call_enter(const struct brz_loaded *plugin, const char *phase, const char *input,
                    uint64_t offset, size_t len)
{
    calls *c = &own_calls;
    if (c->n < MAX_CALLS)
        c->items[c->n] = (brz_call){plugin, phase, input, offset, len};
    c->n++;
    errno = 0; /* distinguishes an error of the plug-in from an earlier one */
}

void brz_call_leave(void)
{
    own_calls.n--;
}

void brz_call_excuse(void)
{
    own_calls.n = 0;
}

static const brz_call *innermost(const calls *c)
{
    size_t n = c->n < MAX_CALLS ? c->n : MAX_CALLS;
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
