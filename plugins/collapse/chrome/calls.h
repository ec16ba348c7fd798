/* Counts the self time of events: without that of the events within them. */
#ifndef CHROME_CALLS_H
#define CHROME_CALLS_H

#include "trace.h"

/* Counts the events of each thread in its column; those of asynchronous operations only if `async`
 * is set. Reports what does not nest. */
brz_rc calls_count(trace *t, brz_ctx *ctx, bool async);

#endif
