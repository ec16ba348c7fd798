/* Reads the events of a file of measureme.
 *
 *     version 9: kind:u64 id:u64 thread:u32 first:u32 second:u32 high:u32
 *     version 8: kind:u32 id:u32 thread:u32 first:u32 second:u32 high:u32
 *
 * Values have 48 bits: the upper half of `high` belongs to the first one, the lower half to the
 * second one. The second value is the end of an interval, or one of two marks. Intervals are
 * written when they end, so callees precede their callers.
 */
#ifndef COLLAPSE_MEASUREME_EVENTS_H
#define COLLAPSE_MEASUREME_EVENTS_H

#include "streams.h"

typedef enum event_form { EVENT_INTERVAL, EVENT_INSTANT, EVENT_INTEGER } event_form;

typedef struct event {
    uint64_t kind, id; /* of texts */
    uint32_t thread;
    event_form form;
    int64_t first, second; /* begin and end; the moment; the number */
    const uint8_t *at;     /* in the file */
} event;

/* Returns the number of complete events; reports an incomplete one at the end. */
uint64_t events_count(streams *s, brz_ctx *ctx);

/* Reads an event by its number. */
event events_at(streams *s, uint64_t number);

#endif
