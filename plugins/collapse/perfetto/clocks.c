/* SPDX-License-Identifier: MIT */
/* Converts times of the clocks of a trace. */
#include "clocks.h"

#include <brazier/text/buffer.h>

enum { SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY = 2 };
enum { CLOCK_ID = 1, CLOCK_TIME = 2, CLOCK_IS_DIFFERENCE = 3, CLOCK_UNIT = 4 };

#define UNIT_MOST 1000000000

typedef struct reading {
    uint32_t id;
    uint64_t time;
    uint32_t unit;
    bool is_difference;
} reading;

void clocks_init(clocks *c, brz_ctx *ctx)
{
    *c = (clocks){.ctx = ctx, .primary = CLOCK_BOOT};
    pair_map_init(&c->by_id, ctx);
}

/* Clocks that all sequences share are those of sequence 0. */
static uint32_t owner_of(uint32_t sequence, uint32_t clock)
{
    return clock >= CLOCKS_OF_SEQUENCE && clock < 2 * CLOCKS_OF_SEQUENCE ? sequence : 0;
}

static clock_state *find(const clocks *c, uint32_t sequence, uint32_t clock)
{
    uint32_t i = pair_map_find(&c->by_id, owner_of(sequence, clock), clock);
    return i == PAIR_MISS ? NULL : &c->items[i];
}

static clock_state *find_or_add(clocks *c, uint32_t sequence, uint32_t clock)
{
    clock_state *found = find(c, sequence, clock);
    if (found != NULL)
        return found;
    c->items = brz_list_room(c->ctx, c->items, c->n, &c->cap, sizeof *c->items);
    pair_map_put(&c->by_id, c->ctx, owner_of(sequence, clock), clock, (uint32_t)c->n);
    return &c->items[c->n++];
}

/* Multiplies a time by a unit; one that is out of range stays at the limit. */
static int64_t scaled(uint64_t time, uint32_t unit)
{
    uint64_t product;
    bool out = __builtin_mul_overflow(time, (uint64_t)unit, &product) || product > INT64_MAX;
    return out ? INT64_MAX : (int64_t)product;
}

static reading read_clock(brz_bytes b)
{
    reading r = {.unit = 1};
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == CLOCK_ID)
            r.id = (uint32_t)f.value;
        else if (f.number == CLOCK_TIME)
            r.time = f.value;
        else if (f.number == CLOCK_IS_DIFFERENCE)
            r.is_difference = f.value != 0;
        else if (f.number == CLOCK_UNIT && f.value > 0 && f.value <= UNIT_MOST)
            r.unit = (uint32_t)f.value;
    return r;
}

/* Takes the clock of a snapshot whose common clock reads `now`. */
static void take_clock(clocks *c, uint32_t sequence, const reading *r, int64_t now)
{
    int64_t time = scaled(r->time, r->unit);
    clock_state *s = find_or_add(c, sequence, r->id);
    s->unit = r->unit;
    s->is_difference = r->is_difference;
    s->last = time;
    if (__builtin_sub_overflow(time, now, &s->ahead))
        s->ahead = 0;
    if (r->id == CLOCK_OF_DATE && !c->has_date) {
        c->has_date = true;
        c->date = time;
        c->moment = now;
    }
}

/* Finds what the common clock reads at a snapshot. Without it, asks the others. */
static int64_t common_time(clocks *c, uint32_t sequence, brz_bytes b)
{
    brz_proto_field f;
    int64_t now = 0;
    bool is_known = false;
    while (brz_proto_next(&b, &f)) {
        if (f.number == SNAPSHOT_PRIMARY && f.type == BRZ_PROTO_VARINT)
            c->primary = (uint32_t)f.value;
        if (f.number != SNAPSHOT_CLOCK || f.type != BRZ_PROTO_BYTES)
            continue;
        reading r = read_clock(f.part);
        if (r.id == CLOCK_BOOT)
            return scaled(r.time, r.unit);
        if (is_known || r.id >= CLOCKS_OF_SEQUENCE)
            continue;
        now = clocks_convert(c, sequence, r.id, r.time);
        is_known = true;
    }
    return now;
}

void clocks_take(clocks *c, uint32_t sequence, brz_bytes b)
{
    int64_t now = common_time(c, sequence, b);
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == SNAPSHOT_CLOCK && f.type == BRZ_PROTO_BYTES) {
            reading r = read_clock(f.part);
            take_clock(c, sequence, &r, now);
        } else if (f.number == SNAPSHOT_PRIMARY && f.type == BRZ_PROTO_VARINT) {
            c->primary = (uint32_t)f.value;
        }
}

int64_t clocks_convert(clocks *c, uint32_t sequence, uint32_t clock, uint64_t time)
{
    clock_state *s = find(c, sequence, clock == 0 ? c->primary : clock);
    int64_t converted;
    if (s == NULL)
        return scaled(time, 1);
    converted = scaled(time, s->unit);
    if (s->is_difference && __builtin_add_overflow(s->last, converted, &converted))
        converted = s->last;
    if (s->is_difference)
        s->last = converted;
    return __builtin_sub_overflow(converted, s->ahead, &converted) ? 0 : converted;
}
