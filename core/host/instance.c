/* SPDX-License-Identifier: MIT */
/* Implements calls of instances and the reports about them. */
#include "host/instance.h"

#include "plugin/calls.h"

#include <stdlib.h>
#include <string.h>

/* ---- reports ------------------------------------------------------------------------------- */

/* Number of bytes of a long line that are shown before the position. */
#define BEFORE 60

/* Determines line, column and text of a position in the current chunk. */
static void locate(const brz_instance *i, const uint8_t *at, brz_notice *r)
{
    const uint8_t *start = at, *end = i->chunk + i->chunk_len;
    while (start > i->chunk && start[-1] != '\n')
        start--;
    const uint8_t *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop == NULL ? end : stop;
    r->column = (uint64_t)(at - start) + 1;
    if (i->chunk_line > 0) {
        r->column += start == i->chunk ? i->chunk_column : 0;
        r->line = i->chunk_line;
        for (const uint8_t *p = i->chunk; p < start; p++)
            r->line += *p == '\n';
    }
    size_t caret = (size_t)(at - start);
    brz_str line = brz_str_of((const char *)start, (size_t)(stop - start));
    brz_notice_show_line(r, line, caret > BEFORE ? caret - BEFORE : 0, caret);
}

static void add_report(brz_instance *i, brz_notice *r, const uint8_t *at)
{
    bool inside = at != NULL && at >= i->chunk && at <= i->chunk + i->chunk_len;
    if (inside && i->chunk != NULL) {
        r->offset = i->chunk_offset + (uint64_t)(at - i->chunk);
        if (i->is_binary)
            r->byte = i->chunk_byte + (uint64_t)(at - i->chunk) + 1;
        else if (!brz_notices_is_full(&i->reports, r->code))
            locate(i, at, r);
    }
    brz_notices_add(&i->reports, r);
}

/* Names the component and the input of a report. Returns whether it waits for the end of the input
 * or, of a transform, of all stacks. */
static bool is_collected(const brz_instance *i, brz_notice *r)
{
    r->component = i->loaded->component;
    r->offset = BRZ_NO_OFFSET;
    if (i->input != NULL)
        r->input = brz_str_of_text(i->input);
    bool is_transform = i->loaded->component->kind == BRZ_TRANSFORM;
    return is_transform || (i->input != NULL && !i->closing);
}

void brz_instance_add_report(brz_instance *i, brz_notice *r, const uint8_t *at)
{
    if (is_collected(i, r))
        add_report(i, r, at);
    else
        brz_say_notice(i->run->console, r);
}

void brz_instance_add_earlier_report(brz_instance *i, brz_notice *r, uint64_t offset)
{
    bool is_kept = is_collected(i, r);
    if (i->is_binary && offset <= i->chunk_byte + i->chunk_len) {
        r->offset = i->chunk_offset - i->chunk_byte + offset;
        r->byte = offset + 1;
    }
    if (is_kept)
        brz_notices_add(&i->reports, r);
    else
        brz_say_notice(i->run->console, r);
}

void brz_instance_report(brz_instance *i, int32_t severity, const char *code, const uint8_t *at,
                         size_t len, const char *msg)
{
    brz_notice r = {.severity = severity, .code = code, .len = len, .count = 1};
    r.msg = brz_str_of_text(msg);
    brz_instance_add_report(i, &r, at);
}

void brz_instance_report_lost(brz_instance *i, const char *code, const uint8_t *at, const char *msg)
{
    brz_notice r = {.severity = BRZ_WARNING, .code = code, .count = 1, .left_out.records = 1};
    r.msg = brz_str_of_text(msg);
    brz_instance_add_report(i, &r, at);
}

/* ---- calls --------------------------------------------------------------------------------- */

void brz_instance_enter(brz_instance *i, const char *phase, const char *input, uint64_t offset,
                        size_t len)
{
    brz_call_enter(i->loaded, phase, input, offset, len);
    brz_call_give(&i->ctx);
}

void brz_instance_leave(brz_instance *i)
{
    brz_parallel_wait(i->parallel); /* it may use what the call was given */
    const char *accusation = brz_call_leave();
    if (accusation != NULL)
        brz_instance_report(i, BRZ_FATAL, "host.contract", NULL, 0, accusation);
}

/* ---- collapsing ---------------------------------------------------------------------------- */

void brz_instance_collect(brz_instance *i, const char *input, uint32_t ctx_flags)
{
    const brz_collapser *c = i->loaded->vtable;
    i->input = input;
    i->input_desc.struct_size = sizeof i->input_desc;
    i->input_desc.name = brz_str_of_text(input);
    i->ctx.input = &i->input_desc;
    i->ctx.flags = ctx_flags;
    i->profile->samples.which = ctx_flags & BRZ_CTX_WANTS_ORDER  ? BRZ_SAMPLES_SINGLE
                                : ctx_flags & BRZ_CTX_WANTS_TAGS ? BRZ_SAMPLES_SUMMED
                                                                 : BRZ_SAMPLES_NONE;
    i->is_binary = c != NULL && (c->flags & (BRZ_RAW | BRZ_BINARY)) != 0;
}

bool brz_instance_has_emitted(const brz_instance *i)
{
    const brz_profile *p = i->profile;
    return p->n_frames > 0 || p->n_stacks > 0 || p->n_weights > 0 || p->tags.n > 0 ||
           i->trace != NULL;
}

void brz_instance_finish_trace(brz_instance *i)
{
    if (i->trace != NULL)
        brz_trace_finish(i->trace);
}
