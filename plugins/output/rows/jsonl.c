/* SPDX-License-Identifier: MIT */
/* Writes tables as lines of JSON: an object per row, without the columns that it lacks. */
#include "rows.h"

#include "../common/label_sets.h"

static brz_str frame(const rows *r, brz_str name)
{
    (void)r;
    return name;
}

static void header(rows *r, const brz_str *names, size_t n)
{
    (void)r;
    (void)names;
    (void)n;
}

static void begin(rows *r)
{
    r->first = true;
}

static void put_key(rows *r, brz_str name)
{
    brz_put_char(&r->w, r->first ? '{' : ',');
    r->first = false;
    brz_put_json(&r->w, name);
    brz_put_char(&r->w, ':');
}

static void stack(rows *r, brz_str name, const brz_stack_info *s)
{
    put_key(r, name);
    brz_put_char(&r->w, '[');
    for (uint32_t i = 0; i < s->n; i++) {
        if (i > 0)
            brz_put_char(&r->w, ',');
        brz_put_json(&r->w, r->frames[s->frames[i]]);
    }
    brz_put_char(&r->w, ']');
}

static void text(rows *r, brz_str name, brz_str value)
{
    if (value.len == 0)
        return;
    put_key(r, name);
    brz_put_json(&r->w, value);
}

static void number(rows *r, brz_str name, int64_t value, uint32_t decimals)
{
    put_key(r, name);
    brz_put_scaled(&r->w, value, decimals);
}

static void absent(rows *r, brz_str name)
{
    (void)r;
    (void)name;
}

static void labels(rows *r, brz_str name, uint32_t tag)
{
    put_key(r, name);
    label_set_put(&r->w, brz_tag_at(r->tree, tag));
}

static void end(rows *r)
{
    BRZ_PUT(&r->w, "}\n");
}

const row_format rows_jsonl = {frame, header, begin, stack, text, number, absent, labels, end};
