/* SPDX-License-Identifier: MIT */
/* Reads records by their types. */
#include "objects.h"

#include <brazier/symbol.h>

/* Maximum depth of nested records. */
#define MAX_DEPTH 16

/* Counts a field that is read. The limit bounds the work for fields that take no bytes. */
static bool step(chunk *c, brz_bytes *b)
{
    if (c->steps == 0)
        brz_bytes_fail(b, "the records have implausibly many fields");
    else
        c->steps--;
    return b->error == NULL;
}

/* ---- skipping ------------------------------------------------------------------------------ */

static void skip_basic(chunk *c, basic kind, brz_bytes *b)
{
    switch (kind) {
    case BASIC_BOOLEAN:
    case BASIC_BYTE:
        brz_bytes_skip(b, 1);
        break;
    case BASIC_CHAR:
    case BASIC_SHORT:
        reader_int(&c->reader, b, SHORT_SIZE);
        break;
    case BASIC_INT:
        reader_int(&c->reader, b, INT_SIZE);
        break;
    case BASIC_LONG:
        reader_int(&c->reader, b, LONG_SIZE);
        break;
    case BASIC_FLOAT:
        brz_bytes_skip(b, 4);
        break;
    case BASIC_DOUBLE:
        brz_bytes_skip(b, 8);
        break;
    default:
        reader_skip_text(&c->reader, b);
    }
}

static void skip_field(chunk *c, const field *f, brz_bytes *b, uint32_t depth);

static void skip_type(chunk *c, uint32_t index, brz_bytes *b, uint32_t depth)
{
    if (index == NO_TYPE || depth == MAX_DEPTH) {
        brz_bytes_fail(b, index == NO_TYPE ? "a field of a type that the metadata lacks"
                                           : "records are nested too deep");
        return;
    }
    const record_type *t = &c->types.items[index];
    if (t->basic != BASIC_NONE) {
        skip_basic(c, (basic)t->basic, b);
        return;
    }
    for (uint32_t i = 0; i < t->n_fields && b->error == NULL; i++)
        skip_field(c, &c->types.fields[t->first_field + i], b, depth + 1);
}

static void skip_one(chunk *c, const field *f, brz_bytes *b, uint32_t depth)
{
    if (!step(c, b))
        return;
    if (f->is_pooled)
        reader_int(&c->reader, b, LONG_SIZE);
    else
        skip_type(c, f->type, b, depth);
}

static void skip_field(chunk *c, const field *f, brz_bytes *b, uint32_t depth)
{
    uint64_t n = f->is_array ? reader_int(&c->reader, b, INT_SIZE) : 1;
    for (uint64_t i = 0; i < n && b->error == NULL; i++)
        skip_one(c, f, b, depth);
}

void object_skip(chunk *c, uint32_t type, brz_bytes *b)
{
    if (step(c, b))
        skip_type(c, type, b, 0);
}

/* ---- values -------------------------------------------------------------------------------- */

static void set_real(field_value *v, double real)
{
    v->real = real;
    if (real > 0 && real < 9e18)
        v->number = (uint64_t)(real + 0.5);
}

static void set_integer(field_value *v, uint64_t number)
{
    v->number = number;
    v->real = (double)(int64_t)number;
}

static void read_basic(chunk *c, field_value *v, basic kind, brz_bytes *b)
{
    switch (kind) {
    case BASIC_BOOLEAN:
        set_integer(v, brz_bytes_u8(b));
        break;
    case BASIC_BYTE:
        set_integer(v, (uint64_t)brz_bytes_i8(b));
        break;
    case BASIC_CHAR:
        set_integer(v, reader_int(&c->reader, b, SHORT_SIZE) & 0xffff);
        break;
    case BASIC_SHORT:
        set_integer(v, (uint64_t)(int16_t)reader_int(&c->reader, b, SHORT_SIZE));
        break;
    case BASIC_INT:
        set_integer(v, (uint64_t)(int32_t)reader_int(&c->reader, b, INT_SIZE));
        break;
    case BASIC_LONG:
        set_integer(v, reader_int(&c->reader, b, LONG_SIZE));
        break;
    case BASIC_FLOAT:
        set_real(v, (double)brz_bytes_f32(b));
        break;
    case BASIC_DOUBLE:
        set_real(v, brz_bytes_f64(b));
        break;
    default:
        v->text = reader_take_text(&c->reader, b);
    }
}

static void read_value(chunk *c, field_value *v, const field *f, brz_bytes *b)
{
    memset(v, 0, sizeof *v);
    v->field = f;
    v->at = b->at;
    if (!step(c, b))
        return;
    if (f->is_array)
        skip_field(c, f, b, 1);
    else if (f->is_pooled)
        set_integer(v, reader_int(&c->reader, b, LONG_SIZE));
    else if (f->type == NO_TYPE || c->types.items[f->type].basic == BASIC_NONE)
        skip_type(c, f->type, b, 1);
    else
        read_basic(c, v, (basic)c->types.items[f->type].basic, b);
}

/* Returns whether a field without a role can become a label: a constant, a text, or an id. */
static bool is_extra(const chunk *c, const field *f)
{
    if (f->is_array || f->type == NO_TYPE)
        return false;
    basic kind = (basic)c->types.items[f->type].basic;
    if (f->is_pooled || kind == BASIC_STRING)
        return true;
    return (kind == BASIC_INT || kind == BASIC_LONG) && brz_ends_with(f->name, BRZ_STR("Id"));
}

void object_read(chunk *c, object *o, uint32_t type, brz_bytes *b)
{
    const record_type *t = &c->types.items[type];
    o->has = 0;
    o->n_extras = 0;
    for (uint32_t i = 0; i < t->n_fields && b->error == NULL; i++) {
        const field *f = &c->types.fields[t->first_field + i];
        bool extra =
            o->keeps_extras && f->role == ROLE_NONE && o->n_extras < MAX_EXTRAS && is_extra(c, f);
        if (extra) {
            read_value(c, &o->extras[o->n_extras++], f, b);
        } else if (f->role != ROLE_NONE) {
            read_value(c, &o->of[f->role], f, b);
            o->has |= UINT32_C(1) << f->role;
        } else {
            skip_field(c, f, b, 1);
        }
    }
}
