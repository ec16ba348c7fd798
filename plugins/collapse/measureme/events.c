/* Reads the events of a file of measureme. */
#include "events.h"

#include <brazier/binary.h>

#define MARK_INSTANT UINT64_C(0xffffffffffff)
#define MARK_INTEGER UINT64_C(0xfffffffffffe)

static uint32_t event_size(const streams *s)
{
    return s->version == 8 ? 24 : 32;
}

uint64_t events_count(streams *s, brz_ctx *ctx)
{
    uint64_t len = s->of[STREAM_EVENTS].len;
    if (len < STREAM_HEADER_SIZE)
        return 0;
    len -= STREAM_HEADER_SIZE;
    if (len % event_size(s) != 0)
        brz_report_lost(ctx, "measureme.event", NULL, 0,
                        BRZ_STR("the events end within one, which is left out"));
    return len / event_size(s);
}

static event_form form_of(uint64_t second)
{
    if (second == MARK_INSTANT)
        return EVENT_INSTANT;
    return second == MARK_INTEGER ? EVENT_INTEGER : EVENT_INTERVAL;
}

event events_at(streams *s, uint64_t number)
{
    uint8_t copy[32];
    uint32_t size = event_size(s), id_size = size == 24 ? 4 : 8;
    uint64_t address = STREAM_HEADER_SIZE + number * size;
    size_t there;
    event e = {.at = stream_piece(&s->of[STREAM_EVENTS], address, &there)};
    brz_bytes b = brz_bytes_of(stream_bytes(&s->of[STREAM_EVENTS], address, size, copy), size);
    e.kind = brz_bytes_uint(&b, id_size);
    e.id = brz_bytes_uint(&b, id_size);
    e.thread = brz_bytes_u32(&b);
    uint64_t first = brz_bytes_u32(&b), second = brz_bytes_u32(&b), high = brz_bytes_u32(&b);
    first |= (high & UINT64_C(0xffff0000)) << 16;
    second |= (high & UINT64_C(0xffff)) << 32;
    e.form = form_of(second);
    e.first = (int64_t)first;
    e.second = (int64_t)second;
    return e;
}
