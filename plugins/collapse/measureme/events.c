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

/* Loads an id of a text. */
static uint64_t load_id(const uint8_t *p, uint32_t size)
{
    return size == 8 ? brz_load_u64(p, BRZ_LITTLE_ENDIAN) : brz_load_u32(p, BRZ_LITTLE_ENDIAN);
}

static uint64_t load_u32(const uint8_t *p)
{
    return brz_load_u32(p, BRZ_LITTLE_ENDIAN);
}

event events_at(streams *s, uint64_t number)
{
    uint8_t copy[32];
    uint32_t size = event_size(s), id_size = size == 24 ? 4 : 8;
    uint64_t address = STREAM_HEADER_SIZE + number * size;
    size_t there;
    event e = {.at = stream_piece(&s->of[STREAM_EVENTS], address, &there)};
    const uint8_t *p =
        there >= size ? e.at : stream_bytes(&s->of[STREAM_EVENTS], address, size, copy);
    e.kind = load_id(p, id_size);
    e.id = load_id(p + id_size, id_size);
    p += (size_t)2 * id_size;
    e.thread = (uint32_t)load_u32(p);
    uint64_t high = load_u32(p + 12);
    uint64_t first = load_u32(p + 4) | (high & UINT64_C(0xffff0000)) << 16;
    uint64_t second = load_u32(p + 8) | (high & UINT64_C(0xffff)) << 32;
    e.form = form_of(second);
    e.first = (int64_t)first;
    e.second = (int64_t)second;
    return e;
}
