/* SPDX-License-Identifier: MIT */
/* Names tracepoints by the descriptions in a recording, and finds fields of their payloads.
 *
 *     tracing := 17 08 44 "tracing" version:text big-endian:u8 long-size:u8 page-size:u32
 *                "header_page" size:u64 text "header_event" size:u64 text
 *                n:u32 (size:u64 format){n} n:u32 (system:text n:u32 (size:u64 format){n}){n} ...
 *     format  := "name: " name LF "ID: " number LF ...
 */
#include "tracing.h"

#include <brazier/digits.h>
#include <brazier/symbol.h>

static bool needs_name(const event *v)
{
    return v->type == TYPE_TRACEPOINT && v->name.len == 0;
}

/* Returns whether the descriptions are needed: for names, or for fields. */
static bool are_needed(const recording *p)
{
    for (size_t i = 0; i < p->events.n; i++)
        if (needs_name(&p->events.items[i]))
            return true;
    return weight_fields_are_on(&p->fields);
}

/* Returns the rest of the line after a key, or an empty text. */
static brz_str value_of(brz_str format, const char *key)
{
    brz_str wanted = brz_str_of_text(key);
    size_t at = brz_str_find(format, wanted, 0);
    if (at == SIZE_MAX)
        return brz_str_of("", 0);
    at += wanted.len;
    const char *end = memchr(format.data + at, '\n', format.len - at);
    return brz_str_of(format.data + at,
                      end == NULL ? format.len - at : (size_t)(end - format.data) - at);
}

static uint64_t number_of(brz_str digits)
{
    uint64_t n = 0;
    for (size_t i = 0; i < digits.len && digits.data[i] >= '0' && digits.data[i] <= '9'; i++)
        n = 10 * n + (uint64_t)(digits.data[i] - '0');
    return n;
}

/* Notes where a field lies in the payload of an event, if samples are weighed by it. */
static void take_field(recording *p, event *v, const described_field *f)
{
    bool is_number = !f->is_array && (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
    if (!is_number || f->offset > UINT16_MAX)
        return;
    if (!brz_starts_with(f->name, BRZ_STR("common_")))
        known_fields_add(&p->known_fields, p->ctx, v->name, f->name);
    for (size_t i = 0; i < p->fields.n; i++)
        if (brz_str_equal(p->fields.items[i].name, f->name))
            v->fields[i] = (event_field){(uint32_t)f->offset, (uint32_t)f->size, f->is_signed};
}

/* Finds the fields of an event by which samples are weighed. */
static void take_fields(recording *p, event *v, brz_str format)
{
    described_field field;
    v->fields = p->ctx->host->alloc(p->ctx, p->fields.n * sizeof *v->fields, 0);
    while (format.len > 0)
        if (tracepoints_field(tracepoints_line(&format), &field))
            take_field(p, v, &field);
}

/* Names the events that a format describes. */
static void take_format(recording *p, brz_str system, brz_str format)
{
    brz_str id = value_of(format, "ID: "), name = value_of(format, "name: ");
    brz_text *t = &p->frames.scratch;
    if (id.len == 0 || name.len == 0)
        return;
    t->len = 0;
    brz_text_append(t, p->ctx, system);
    brz_text_append(t, p->ctx, BRZ_STR(":"));
    brz_text_append(t, p->ctx, name);
    for (size_t i = 0; i < p->events.n; i++) {
        event *v = &p->events.items[i];
        if (v->type != TYPE_TRACEPOINT || v->config != number_of(id))
            continue;
        events_name(&p->events, p->ctx, (uint32_t)i, brz_text_str(t));
        if (weight_fields_are_on(&p->fields) && v->fields == NULL)
            take_fields(p, v, format);
    }
}

/* Takes a text with its size in front. */
static brz_str take_sized(brz_bytes *b)
{
    return brz_bytes_text(b, brz_bytes_u64(b));
}

static void take_head(brz_bytes *b)
{
    brz_bytes_skip(b, 10);
    brz_bytes_text_to_zero(b);
    b->order = brz_bytes_u8(b) ? BRZ_BIG_ENDIAN : BRZ_LITTLE_ENDIAN;
    brz_bytes_skip(b, 1 + 4);
    for (int i = 0; i < 2; i++) {
        brz_bytes_text_to_zero(b);
        take_sized(b);
    }
}

static void take_system(recording *p, brz_bytes *b)
{
    brz_str system = brz_bytes_text_to_zero(b);
    uint32_t n = brz_bytes_u32(b);
    for (uint32_t i = 0; i < n && b->error == NULL; i++)
        take_format(p, system, take_sized(b));
}

void tracing_describe_events(recording *p)
{
    brz_bytes b = p->tracing;
    if (!are_needed(p) || brz_bytes_left(&b) == 0)
        return;
    take_head(&b);
    uint32_t n = brz_bytes_u32(&b);
    for (uint32_t i = 0; i < n && b.error == NULL; i++)
        take_sized(&b);
    n = brz_bytes_u32(&b);
    for (uint32_t i = 0; i < n && b.error == NULL; i++)
        take_system(p, &b);
    if (b.error != NULL)
        recording_warn(p, "perf-data.feature", b.error_at,
                       BRZ_STR("the descriptions of tracepoints are damaged"));
}
