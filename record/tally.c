/* SPDX-License-Identifier: MIT */
/* Counts records of a ring. */
#include "record/tally.h"

static void add_sample(brz_tally *t, uint64_t time)
{
    t->samples++;
    if (t->first == 0 || time < t->first)
        t->first = time;
    if (time > t->last)
        t->last = time;
}

void brz_tally_add(brz_tally *t, const brz_ring *r, size_t time_at)
{
    struct perf_event_header h;
    uint64_t value;
    for (uint64_t at = 0; r->head - r->tail - at >= sizeof h; at += h.size) {
        brz_ring_copy(r, at, &h, sizeof h);
        if (h.size < sizeof h || h.size > r->head - r->tail - at)
            return;
        if (h.type == PERF_RECORD_SAMPLE && h.size >= time_at + sizeof value) {
            brz_ring_copy(r, at + time_at, &value, sizeof value);
            add_sample(t, value);
        } else if (h.type == PERF_RECORD_LOST && h.size >= 24) {
            brz_ring_copy(r, at + 16, &value, sizeof value);
            t->lost += value;
        } else if (h.type == PERF_RECORD_LOST_SAMPLES && h.size >= 16) {
            brz_ring_copy(r, at + 8, &value, sizeof value);
            t->lost_before += value;
        }
        t->throttled += h.type == PERF_RECORD_THROTTLE;
    }
}

uint64_t brz_tally_lost(const brz_tally *t)
{
    return t->lost > t->lost_before ? t->lost : t->lost_before;
}
