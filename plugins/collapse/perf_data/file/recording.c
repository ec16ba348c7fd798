/* SPDX-License-Identifier: MIT */
/* The state of a recording that is being read. */
#include "recording.h"

#include <stdio.h>

/* ---- messages ------------------------------------------------------------------------------- */

/* Returns a place in the input, or NULL. */
static const uint8_t *place_in(const recording *p, const uint8_t *at)
{
    bool is_there = at != NULL && at >= p->data && at <= p->data + p->len;
    return is_there ? at : NULL;
}

/* Returns the file beside the input that has a place, or NULL. */
static const stream *stream_of(const recording *p, const uint8_t *at)
{
    for (size_t i = 1; at != NULL && i < p->n_streams; i++)
        if (at >= p->streams[i].data && at <= p->streams[i].data + p->streams[i].len)
            return &p->streams[i];
    return NULL;
}

/* Puts the place in a file next to the input in front of a text. */
static brz_str with_place(recording *p, const uint8_t *at, brz_str text)
{
    char place[64];
    const stream *s = stream_of(p, at);
    if (at == NULL || s == NULL)
        return text;
    int n = snprintf(place, sizeof place, "data.%u: byte 0x%llx: ", s->number,
                     (unsigned long long)(at - s->data));
    p->message.len = 0;
    brz_text_append(&p->message, p->ctx, brz_str_of(place, (size_t)n));
    brz_text_append(&p->message, p->ctx, text);
    return brz_text_str(&p->message);
}

/* Reports a problem at a place: an address, or 1 + the offset of one in an earlier chunk. */
static void report(recording *p, const char *code, const uint8_t *at, uint64_t earlier,
                   uint64_t lost, brz_str text)
{
    brz_diag d = brz_diag_of(BRZ_WARNING, code, place_in(p, at), 0, with_place(p, at, text));
    d.byte_number = earlier;
    d.records = lost;
    p->ctx->host->diag(p->ctx, &d);
}

/* Returns 1 + the offset of a record in an earlier chunk to which `at` belongs, or 0. */
static uint64_t earlier_of(const recording *p, const uint8_t *at)
{
    bool is_past = p->is_streamed && p->delivered != NULL && at != NULL && place_in(p, at) == NULL;
    return is_past ? 1 + p->delivered->offset : 0;
}

void recording_warn(recording *p, const char *code, const uint8_t *at, brz_str text)
{
    report(p, code, at, earlier_of(p, at), 0, text);
}

void recording_lost(recording *p, const char *code, const uint8_t *at, brz_str text)
{
    report(p, code, at, earlier_of(p, at), 1, text);
}

void recording_lost_at(recording *p, const char *code, record_place place, brz_str text)
{
    if (!p->is_streamed)
        report(p, code, place.at, 0, 1, text);
    else if (place.offset >= p->offset)
        report(p, code, p->data + (place.offset - p->offset), 0, 1, text);
    else
        report(p, code, NULL, 1 + place.offset, 1, text);
}
