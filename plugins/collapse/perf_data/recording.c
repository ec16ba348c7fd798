/* The state of a recording that is being read. */
#include "recording.h"

#include <stdio.h>

/* ---- messages ------------------------------------------------------------------------------- */

/* Returns a place in the input, or NULL. */
static const uint8_t *place_in(const recording *p, const uint8_t *at)
{
    return at >= p->data && at <= p->data + p->len ? at : NULL;
}

/* Returns the file beside the input that has a place, or NULL. */
static const stream *stream_of(const recording *p, const uint8_t *at)
{
    for (size_t i = 1; at != NULL && i < p->n_streams; i++)
        if (at >= p->streams[i].data && at <= p->streams[i].data + p->streams[i].len)
            return &p->streams[i];
    return NULL;
}

/* Puts a place in a file beside the input in front of a text. */
static brz_str with_place(recording *p, const uint8_t *at, brz_str text)
{
    char place[64];
    const stream *s = stream_of(p, at);
    if (s == NULL)
        return text;
    int n = snprintf(place, sizeof place, "data.%u: byte 0x%llx: ", s->number,
                     (unsigned long long)(at - s->data));
    p->message.len = 0;
    brz_text_append(&p->message, p->ctx, brz_str_of(place, (size_t)n));
    brz_text_append(&p->message, p->ctx, text);
    return brz_text_str(&p->message);
}

void recording_warn(recording *p, const char *code, const uint8_t *at, brz_str text)
{
    brz_report(p->ctx, BRZ_WARNING, code, place_in(p, at), 0, with_place(p, at, text));
}

void recording_lost(recording *p, const char *code, const uint8_t *at, brz_str text)
{
    brz_report_lost(p->ctx, code, place_in(p, at), 0, with_place(p, at, text));
}
