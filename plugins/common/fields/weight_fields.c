/* SPDX-License-Identifier: MIT */
/* Weighs samples by fields of their events. */
#include "weight_fields.h"

#include "payload.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text/buffer.h>
#include <brazier/text/integer.h>

#include <stdio.h>
#include <string.h>

/* Maximum number of fields of an option. */
#define FIELDS_MAX 16

/* ---- option ---------------------------------------------------------------------------------- */

/* Removes the next name from the front of an item of the option, "bytes_req,bytes_alloc". Returns
 * false at its end. */
static bool take_name(brz_str *item, brz_str *name)
{
    if (item->data == NULL)
        return false;
    size_t n = 0;
    while (n < item->len && item->data[n] != ',')
        n++;
    *name = brz_str_of(item->data, n);
    *item = n < item->len ? brz_str_from(*item, n + 1) : brz_str_of(NULL, 0);
    return true;
}

static bool is_name(brz_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!is_letter && (i == 0 || !brz_is_digit(c)))
            return false;
    }
    return name.len > 0;
}

void weight_fields_validate(const brz_strlist *option, brz_option_faults *faults)
{
    size_t n = 0;
    for (size_t i = 0; i < option->count; i++) {
        brz_str item = option->items[i], name;
        while (take_name(&item, &name)) {
            if (!is_name(name))
                faults->add(faults, "weight-field", i,
                            BRZ_STR("expected names of fields, such as bytes_req,bytes_alloc"));
            if (n++ == FIELDS_MAX)
                faults->add(faults, "weight-field", i, BRZ_STR("more than 16 fields"));
        }
    }
}

static bool has(const weight_fields *w, brz_str name)
{
    for (size_t i = 0; i < w->n; i++)
        if (brz_str_equal(w->items[i].name, name))
            return true;
    return false;
}

void weight_fields_init(weight_fields *w, brz_ctx *ctx, const brz_strlist *option)
{
    *w = (weight_fields){.n = 0};
    if (option->count == 0)
        return;
    w->items = ctx->host->alloc(ctx, FIELDS_MAX * sizeof *w->items, 0);
    for (size_t i = 0; i < option->count; i++) {
        brz_str item = option->items[i], name;
        while (take_name(&item, &name))
            if (w->n < FIELDS_MAX && !has(w, name))
                w->items[w->n++].name = name;
    }
}

/* ---- units ----------------------------------------------------------------------------------- */

/* Returns whether a word is a part of a name that '_' divides. */
static bool has_part(brz_str name, const char *word)
{
    brz_str wanted = brz_str_of_text(word);
    for (size_t at = 0; (at = brz_str_find(name, wanted, at)) != SIZE_MAX; at++) {
        size_t end = at + wanted.len;
        if ((at == 0 || name.data[at - 1] == '_') && (end == name.len || name.data[end] == '_'))
            return true;
    }
    return false;
}

/* Returns the unit of a field whose values do not name one: by its name, if that says it. */
static brz_str unit_of_name(brz_str name)
{
    static const struct {
        const char *word, *unit;
    } units[] = {{"bytes", "bytes"},
                 {"nbytes", "bytes"},
                 {"ns", "nanoseconds"},
                 {"us", "microseconds"},
                 {"ms", "milliseconds"}};
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++)
        if (has_part(name, units[i].word))
            return brz_str_of_text(units[i].unit);
    return BRZ_STR("count");
}

/* ---- samples --------------------------------------------------------------------------------- */

uint32_t *weight_fields_new_columns(const weight_fields *w, brz_ctx *ctx)
{
    uint32_t *columns = ctx->host->alloc(ctx, w->n * sizeof *columns, 0);
    for (size_t i = 0; i < w->n; i++)
        columns[i] = BRZ_NO_COLUMN;
    return columns;
}

void weight_fields_clear(weight_fields *w)
{
    for (size_t i = 0; i < w->n; i++)
        w->items[i].state = FIELD_ABSENT;
}

/* Takes a value, if it is that of a field whose value is not known yet. */
static void take_word(weight_fields *w, const payload_word *word)
{
    for (size_t i = 0; i < w->n; i++) {
        weight_field *f = &w->items[i];
        if (f->state != FIELD_ABSENT || !brz_str_equal(f->name, word->name))
            continue;
        f->state = word->is_number ? FIELD_IS_NUMBER : FIELD_IS_TEXT;
        f->value = word->value;
        f->unit = word->unit;
    }
}

void weight_fields_take_payload(weight_fields *w, brz_str payload, bool is_hex)
{
    payload_word word;
    weight_fields_clear(w);
    while (payload_next(&payload, is_hex, &word))
        take_word(w, &word);
}

void weight_fields_note(weight_fields *w)
{
    w->n_samples++;
    for (size_t i = 0; i < w->n; i++) {
        weight_field *f = &w->items[i];
        f->is_found |= f->state == FIELD_IS_NUMBER;
        f->n_absent += f->state == FIELD_ABSENT;
        f->n_texts += f->state == FIELD_IS_TEXT;
    }
}

/* Declares the column of a field: "kmem:kmalloc.bytes_alloc". The first field of the option is the
 * one that a run shows. */
static uint32_t declare(const weight_fields *w, brz_ctx *ctx, size_t i, brz_str event)
{
    const weight_field *f = &w->items[i];
    brz_text name = {0};
    brz_text_append(&name, ctx, event);
    brz_text_append(&name, ctx, event.len > 0 ? BRZ_STR(".") : BRZ_STR(""));
    brz_text_append(&name, ctx, f->name);
    return BRZ_DECLARE_COLUMN(ctx, .name = brz_text_str(&name),
                              .unit = f->unit.len > 0 ? f->unit : unit_of_name(f->name),
                              .flags = i == 0 ? BRZ_COLUMN_DEFAULT : 0);
}

uint32_t weight_fields_column(const weight_fields *w, brz_ctx *ctx, size_t i, brz_str event,
                              uint32_t *columns)
{
    if (w->items[i].state != FIELD_IS_NUMBER)
        return BRZ_NO_COLUMN;
    if (columns[i] == BRZ_NO_COLUMN)
        columns[i] = declare(w, ctx, i, event);
    return columns[i];
}

brz_rc weight_fields_count(weight_fields *w, brz_ctx *ctx, brz_stacks *stacks, brz_str event,
                           uint32_t *columns)
{
    brz_rc rc = BRZ_OK;
    weight_fields_note(w);
    for (size_t i = 0; i < w->n && rc == BRZ_OK; i++) {
        uint32_t column = weight_fields_column(w, ctx, i, event, columns);
        if (column != BRZ_NO_COLUMN)
            rc = brz_stacks_count(stacks, ctx, column, w->items[i].value);
    }
    return rc;
}

/* ---- reports --------------------------------------------------------------------------------- */

void weight_fields_merge(weight_fields *into, weight_fields *from)
{
    from->is_merged = true;
    into->n_samples += from->n_samples;
    for (size_t i = 0; i < into->n && i < from->n; i++) {
        into->items[i].is_found |= from->items[i].is_found;
        into->items[i].n_absent += from->items[i].n_absent;
        into->items[i].n_texts += from->items[i].n_texts;
    }
}

static void report_field(const weight_field *f, brz_ctx *ctx, const char *code)
{
    char text[160];
    int name = (int)(f->name.len < 64 ? f->name.len : 64);
    int n = snprintf(text, sizeof text,
                     "samples without the field '%.*s', which weigh 0 by it: {count}", name,
                     f->name.data);
    brz_report_count(ctx, BRZ_NOTE, code, f->n_absent, 0, brz_str_of(text, (size_t)n));
    n = snprintf(text, sizeof text,
                 "samples whose field '%.*s' is no number, which weigh 0 by it: {count}", name,
                 f->name.data);
    brz_report_count(ctx, BRZ_WARNING, code, f->n_texts, 0, brz_str_of(text, (size_t)n));
}

brz_rc weight_fields_report(const weight_fields *w, brz_ctx *ctx, const known_fields *known,
                            const char *code, const char *advice)
{
    if (w->is_merged || w->n_samples == 0)
        return BRZ_OK;
    for (size_t i = 0; i < w->n; i++)
        if (!w->items[i].is_found)
            return known_fields_report(known, ctx, code, w->items[i].name, advice);
    for (size_t i = 0; i < w->n; i++)
        report_field(&w->items[i], ctx, code);
    return BRZ_OK;
}
