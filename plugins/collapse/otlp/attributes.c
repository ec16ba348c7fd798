/* SPDX-License-Identifier: MIT */
/* Makes labels of attributes. */
#include "attributes.h"

/* Returns a copy of a text that is not part of the input. */
static brz_str copied(const tables *t, brz_str text)
{
    return brz_text_keep(t->document->ctx, text);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void set_number(brz_label *l, int64_t number, uint32_t decimals)
{
    l->flags = BRZ_LABEL_NUMBER;
    l->number = number;
    l->decimals = decimals;
}

/* Joins the elements of a list, which are texts or numbers, with commas. */
static bool read_list(const tables *t, brz_str message, brz_label *l)
{
    brz_ctx *ctx = t->document->ctx;
    brz_text joined = {0};
    fields f, value;
    fields_start(&f, t->document, &schema_list, message);
    while (fields_next(&f)) {
        fields_start(&value, t->document, &schema_value, f.text);
        if (!fields_next(&value) || value.member == VALUE_LIST || value.member == VALUE_OTHER ||
            value.member == VALUE_BYTES)
            return false;
        if (joined.len > 0)
            brz_text_append(&joined, ctx, BRZ_STR(","));
        char digits[BRZ_NUMBER_ROOM];
        if (value.member == VALUE_TEXT || value.member == VALUE_REAL)
            brz_text_append(&joined, ctx, value.text);
        else if (value.member == VALUE_TEXT_INDEX)
            brz_text_append(&joined, ctx, tables_text(t, value.number, value.at));
        else
            brz_text_append(
                &joined, ctx,
                brz_str_of(digits, (size_t)(brz_format_i64(digits, value.number) - digits)));
    }
    l->text = brz_text_str(&joined);
    return f.damage == NULL;
}

/* Reads an AnyValue. Returns false if a label cannot have it. */
static bool read_value(const tables *t, brz_str message, brz_label *l)
{
    fields f;
    fields_start(&f, t->document, &schema_value, message);
    if (!fields_next(&f))
        return f.damage == NULL; /* an empty value */
    switch (f.member) {
    case VALUE_TEXT:
        l->text = f.text;
        return true;
    case VALUE_TEXT_INDEX:
        l->text = tables_text(t, f.number, f.at);
        return true;
    case VALUE_TRUTH:
        l->text = f.number != 0 ? BRZ_STR("true") : BRZ_STR("false");
        return true;
    case VALUE_INTEGER:
        set_number(l, f.number, 0);
        return true;
    case VALUE_REAL:
        if (f.is_number)
            set_number(l, f.number, 9);
        else
            l->text = copied(t, f.text);
        return true;
    case VALUE_LIST:
        return read_list(t, f.text, l);
    default:
        return false;
    }
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Reads the members of an attribute. Returns false if it is damaged or has no fitting value. */
static bool read_members(const tables *t, fields *f, brz_label *label)
{
    bool good = true;
    while (fields_next(f)) {
        if (f->member == ATTRIBUTE_KEY)
            label->key = f->text;
        else if (f->member == ATTRIBUTE_KEY_INDEX)
            label->key = tables_text(t, f->number, f->at);
        else if (f->member == ATTRIBUTE_VALUE)
            good = read_value(t, f->text, label);
        else
            label->unit = tables_text(t, f->number, f->at);
    }
    return good && f->damage == NULL;
}

bool attribute_read(const tables *t, const schema *s, brz_str message, brz_label *label)
{
    fields f;
    memset(label, 0, sizeof *label);
    label->key = label->text = label->unit = brz_str_of("", 0);
    fields_start(&f, t->document, s, message);
    bool good = read_members(t, &f, label);
    if (!(label->flags & BRZ_LABEL_NUMBER))
        label->unit.len = 0;
    if (!good)
        BRZ_WARN(t->document->ctx, "otlp.attribute", message.data, 0,
                 "an attribute that is damaged, or of bytes or nested values: left out");
    return good && label->key.len > 0;
}

void attributes_init(attributes *a, const tables *t)
{
    brz_ctx *ctx = t->document->ctx;
    size_t n = t->of[TABLE_ATTRIBUTES].n + 1;
    a->tables = t;
    a->labels = ctx->host->alloc(ctx, n * sizeof *a->labels, 0);
    a->is_read = ctx->host->alloc(ctx, n, 1);
}

const brz_label *attributes_find(attributes *a, int64_t position, const void *at)
{
    const table *of = &a->tables->of[TABLE_ATTRIBUTES];
    if (position < 0 || (uint64_t)position >= of->n) {
        if (position != 0)
            BRZ_WARN(a->tables->document->ctx, "otlp.attribute-index", at, 0,
                     "no attribute has this number: left out");
        return NULL;
    }
    brz_label *label = &a->labels[position];
    if (!a->is_read[position]) {
        a->is_read[position] = 1;
        if (!attribute_read(a->tables, &schema_attribute, of->items[position], label))
            label->key.len = 0;
    }
    return label->key.len > 0 ? label : NULL;
}
