/* SPDX-License-Identifier: MIT */
/* Collects the tables to which samples refer by position. */
#include "tables.h"

#include <brazier/text/buffer.h>

void tables_init(tables *t, const document *d)
{
    memset(t, 0, sizeof *t);
    t->document = d;
}

void table_add(table *t, brz_ctx *ctx, brz_str entry)
{
    t->items = brz_list_room(ctx, t->items, t->n, &t->cap, sizeof *t->items);
    t->items[t->n++] = entry;
}

bool tables_take(tables *t, const fields *f)
{
    if (f->member >= N_TABLES)
        return false;
    table_add(&t->of[f->member], t->document->ctx, f->text);
    return true;
}

void tables_collect(tables *t, const schema *s, brz_str message)
{
    fields f;
    fields_start(&f, t->document, s, message);
    while (fields_next(&f))
        tables_take(t, &f);
    fields_finish(&f, "otlp.table");
}

/* Returns whether a table has a position. */
static bool has(const tables *t, size_t which, int64_t position)
{
    return position >= 0 && (uint64_t)position < t->of[which].n;
}

bool tables_entry(const tables *t, size_t which, int64_t position, const void *at, const schema *s,
                  fields *f)
{
    if (has(t, which, position)) {
        fields_start(f, t->document, s, t->of[which].items[position]);
        return true;
    }
    BRZ_WARN(t->document->ctx, "otlp.index", at, 0,
             "the table has no entry at this position: what it says is unknown");
    return false;
}

brz_str tables_text(const tables *t, int64_t position, const void *at)
{
    if (has(t, TABLE_TEXTS, position))
        return t->of[TABLE_TEXTS].items[position];
    if (position != 0)
        BRZ_WARN(t->document->ctx, "otlp.text", at, 0, "no text has this number: left empty");
    return brz_str_of("", 0);
}

value_type tables_value_type(const tables *t, brz_str message)
{
    value_type type = {{"", 0}, {"", 0}, 0};
    fields f;
    fields_start(&f, t->document, &schema_type, message);
    while (fields_next(&f)) {
        if (f.member == TYPE_NAME) {
            type.index = f.number;
            type.name = tables_text(t, f.number, f.at);
        } else {
            type.unit = tables_text(t, f.number, f.at);
        }
    }
    fields_finish(&f, "otlp.type");
    return type;
}
