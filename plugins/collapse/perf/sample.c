/* SPDX-License-Identifier: MIT */
/* Reads a sample line by line: collects frames leaf first, as perf prints them, and pushes them
 * from the root when the sample ends. */
#include "reader.h"

#include <string.h>

/* Continues line by line after an event line that was read on the fast path. */
void sample_continue(perf *p)
{
    p->body.n = 0;
    p->stop = false;
    p->last_n = SIZE_MAX;
}

void sample_begin(perf *p, brz_ctx *ctx, const event_line *event)
{
    sample_continue(p);
    event_begin(p, ctx, event);
}

/* Begins a sample whose event line is missing. */
void sample_begin_orphan(perf *p, brz_ctx *ctx)
{
    event_line e;
    event_line_guess(BRZ_STR("[unknown]"), &e);
    sample_begin(p, ctx, &e);
}

static void add_value(perf *p, brz_ctx *ctx, uint32_t value)
{
    size_t n;
    bool stops;
    const brz_frame *frames = symbol_frames(p, &value, &n, &stops);
    while (n > 0)
        brz_frame_list_push(&p->body, ctx, frames[--n]);
    p->stop |= stops;
}

void sample_frame(perf *p, brz_ctx *ctx, const frame_line *line)
{
    p->has_second = false;
    if (p->state != COUNTING || p->stop)
        return;
    uint32_t value = symbol_value(p, ctx, line, symbol_module(p, ctx, line->module));
    p->has_second = value == TWO_LINES;
    if (p->has_second)
        return;
    p->last = *line;
    p->last_n = p->body.n;
    add_value(p, ctx, value);
}

/* Replaces the frames of the last stack line, now that its source is known. */
void sample_source(perf *p, brz_ctx *ctx, brz_str text, brz_str file, uint32_t number)
{
    if (p->state != COUNTING || file.len == 0 || p->last_n >= p->body.n)
        return;
    brz_frame leaf = p->body.ids[p->last_n];
    p->last.file = file;
    p->last.number = number;
    p->body.n = p->last_n;
    p->last_n = SIZE_MAX;
    add_value(p, ctx, symbol_value_with_source(p, ctx, &p->last, text, leaf));
}

/* Counts the sample in the column of its event. */
static brz_rc count(perf *p, brz_ctx *ctx)
{
    if (p->uncounted)
        return BRZ_OK;
    if (p->body.n == 0 && !p->options->frameless) {
        if (p->last_switch.type != SWITCHED && p->last_switch.type != WOKE)
            event_leave_out_frameless(p);
        return BRZ_OK;
    }
    brz_path *path = p->stacks.path = &p->stacks.own;
    brz_path_cut(path, 0);
    if (!p->stop)
        brz_path_push(path, ctx, p->root);
    for (size_t i = p->body.n; i > 0; i--)
        brz_path_push(path, ctx, p->body.ids[i - 1]);
    return weight_fields_are_on(&p->fields)
               ? fields_count(p, ctx)
               : brz_stacks_count(&p->stacks, ctx, p->weight, p->period);
}

brz_rc sample_end(perf *p, brz_ctx *ctx)
{
    bool counting = p->state == COUNTING;
    p->state = OUTSIDE;
    p->lost = p->skips_bad = false;
    p->one_line = false;
    p->payload = false;
    if (!counting)
        return BRZ_OK;
    brz_rc rc = fast_path_count_pending(p, ctx); /* keeps the order of samples */
    if (rc == BRZ_OK)
        rc = count(p, ctx);
    return rc == BRZ_OK && p->off.is_on ? switches_end(p, ctx) : rc;
}
