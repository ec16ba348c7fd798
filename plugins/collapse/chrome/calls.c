/* SPDX-License-Identifier: MIT */
/* Counts the self time of the events of threads. */
#include "trace.h"

static void report(const nesting *n, brz_ctx *ctx)
{
    brz_report_count(ctx, BRZ_WARNING, "chrome-trace.unmatched", n->unmatched, 0,
                     BRZ_STR("ends of events that have not begun are left out ({count})"));
    brz_report_count(ctx, BRZ_WARNING, "chrome-trace.unclosed", n->endless, 0,
                     BRZ_STR("events without an end last until their thread ends ({count})"));
    brz_report_count(
        ctx, BRZ_WARNING, "chrome-trace.overlap", n->overlapping, 0,
        BRZ_STR("events that end before an event within them last until that one ends ({count})"));
}

static const column *column_of(const trace *t, const track *of)
{
    if (t->own)
        return &t->columns[of->column];
    return t->calls.weight == UINT32_MAX ? &t->time : &t->calls;
}

static brz_rc count_track(trace *t, brz_ctx *ctx, nesting *n, uint32_t index)
{
    const track *from = &t->tracks[index];
    bool stated = from->origin != NULL && from->origin[ORIGIN_TIMED].kind == BRZ_JSON_TRUE;
    const column *c = column_of(t, from);
    nested_track how = {.column = c->weight, .divisor = 1, .tag = trace_tag(t, ctx, index)};
    how.timed = (!t->own || stated) && t->decimals == NANOSECONDS;
    for (uint32_t d = t->decimals; d > c->decimals; d--)
        how.divisor *= 10;
    return nesting_count(n, index, &how);
}

brz_rc calls_count(trace *t, brz_ctx *ctx, bool async)
{
    nesting n = {t->events, t->n_events, t->n_names, t->n_tracks, &t->tree.stacks, .unmatched = 0};
    brz_rc rc = BRZ_OK;
    nesting_sort(&n, ctx);
    for (uint32_t i = 0; i < t->n_tracks && rc == BRZ_OK; i++)
        if (async || !t->tracks[i].async)
            rc = count_track(t, ctx, &n, i);
    report(&n, ctx);
    return rc;
}
