/* SPDX-License-Identifier: MIT */
/* Reads Python's marshal format. */
#include "marshal.h"

#define LISTED 0x80u

/* Bits of a digit of large integers. */
#define DIGIT_BITS 15

void marshal_start(marshal *m, brz_ctx *ctx, const void *data, size_t len)
{
    *m = (marshal){.ctx = ctx, .bytes = brz_bytes_of(data, len)};
}

static void add_to_list(marshal *m, marshal_list *list, size_t offset)
{
    if (m->ctx == NULL || m->repeats)
        return;
    list->items = brz_list_room(m->ctx, list->items, list->n, &list->cap, sizeof *list->items);
    list->items[list->n++] = offset;
}

/* Returns the type of the next value, or 0. */
static uint8_t next_type(const marshal *m)
{
    return brz_bytes_left(&m->bytes) > 0 ? (uint8_t)(*m->bytes.at & ~LISTED) : 0;
}

/* Takes the type of a value. */
static uint8_t take_type(marshal *m)
{
    size_t offset = brz_bytes_offset(&m->bytes);
    uint8_t type = brz_bytes_u8(&m->bytes);
    if ((type & LISTED) != 0)
        add_to_list(m, &m->values, offset);
    else if (type == 't')
        add_to_list(m, &m->texts, offset);
    return (uint8_t)(type & ~LISTED);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Takes a large integer: a number of digits, negative with the sign, and the digits. */
static int64_t take_long(brz_bytes *b)
{
    int32_t sign = brz_bytes_i32(b);
    uint32_t n = sign < 0 ? 0 - (uint32_t)sign : (uint32_t)sign;
    uint64_t value = 0;
    if (n > 63 / DIGIT_BITS)
        brz_bytes_fail(b, "an integer that is too large");
    for (uint32_t i = 0; i < n && b->error == NULL; i++)
        value |= (uint64_t)brz_bytes_u16(b) << (i * DIGIT_BITS);
    return sign < 0 ? -(int64_t)value : (int64_t)value;
}

static void set_integer(marshal_value *v, int64_t integer)
{
    *v = (marshal_value){.kind = MARSHAL_INTEGER, .integer = integer, .number = (double)integer};
}

static void set_text(marshal *m, marshal_value *v, uint64_t length)
{
    *v = (marshal_value){.kind = MARSHAL_TEXT, .text = brz_bytes_text(&m->bytes, length)};
}

static void take_contents(marshal *m, uint8_t type, marshal_value *v)
{
    brz_bytes *b = &m->bytes;
    switch (type) {
    case 'i':
        set_integer(v, brz_bytes_i32(b));
        break;
    case 'I':
        set_integer(v, brz_bytes_i64(b));
        break;
    case 'l':
        set_integer(v, take_long(b));
        break;
    case 'g':
        *v = (marshal_value){.kind = MARSHAL_FLOAT, .number = brz_bytes_f64(b)};
        break;
    case 'z':
    case 'Z':
        set_text(m, v, brz_bytes_u8(b));
        break;
    case 'a':
    case 'A':
    case 's':
    case 't':
    case 'u':
        set_text(m, v, brz_bytes_u32(b));
        break;
    default:
        brz_bytes_fail_at(b, b->error == NULL ? b->at - 1 : b->at, "a value of an unexpected type");
    }
}

/* ---- references ------------------------------------------------------------------------------ */

/* Takes a reference and moves to the value. Returns the offset after the reference. */
static size_t follow(marshal *m)
{
    bool is_text = next_type(m) == 'R';
    const marshal_list *list = is_text ? &m->texts : &m->values;
    brz_bytes_skip(&m->bytes, 1);
    uint32_t index = brz_bytes_u32(&m->bytes);
    size_t after = brz_bytes_offset(&m->bytes);
    if (m->bytes.error == NULL && index >= list->n)
        brz_bytes_fail(&m->bytes, "a reference to no value");
    else if (m->bytes.error == NULL)
        brz_bytes_seek(&m->bytes, list->items[index]);
    return after;
}

static bool is_reference(const marshal *m)
{
    return next_type(m) == 'r' || next_type(m) == 'R';
}

bool marshal_is_integer(const marshal *m)
{
    marshal referred = *m;
    if (is_reference(m))
        follow(&referred);
    uint8_t type = next_type(&referred);
    return type == 'i' || type == 'I' || type == 'l';
}

bool marshal_take(marshal *m, marshal_value *v)
{
    bool repeated = m->repeats, refers = is_reference(m);
    size_t after = refers ? follow(m) : 0;
    m->repeats |= refers;
    take_contents(m, take_type(m), v);
    m->repeats = repeated;
    if (refers)
        brz_bytes_seek(&m->bytes, after);
    return m->bytes.error == NULL;
}

/* ---- tuples and dictionaries ----------------------------------------------------------------- */

bool marshal_open_tuple(marshal *m, uint32_t n)
{
    uint8_t type = take_type(m);
    brz_bytes *b = &m->bytes;
    if (b->error == NULL && type != ')' && type != '(')
        brz_bytes_fail_at(b, b->at - 1, "a value of an unexpected type");
    uint32_t length = type == ')' ? brz_bytes_u8(b) : brz_bytes_u32(b);
    if (b->error == NULL && length != n)
        brz_bytes_fail(b, "a tuple of an unexpected length");
    return b->error == NULL;
}

bool marshal_take_tuple(marshal *m, marshal_value *values, uint32_t n)
{
    bool refers = is_reference(m);
    size_t after = refers ? follow(m) : 0;
    m->repeats = refers;
    if (marshal_open_tuple(m, n))
        for (uint32_t i = 0; i < n && marshal_take(m, &values[i]); i++)
            ;
    m->repeats = false;
    if (refers)
        brz_bytes_seek(&m->bytes, after);
    return m->bytes.error == NULL;
}

bool marshal_open_dictionary(marshal *m)
{
    uint8_t type = take_type(m);
    if (m->bytes.error == NULL && type != '{')
        brz_bytes_fail_at(&m->bytes, m->bytes.at - 1, "a value of an unexpected type");
    return m->bytes.error == NULL;
}

bool marshal_has_key(marshal *m)
{
    if (next_type(m) == '0') {
        brz_bytes_skip(&m->bytes, 1);
        return false;
    }
    if (m->bytes.error == NULL && brz_bytes_left(&m->bytes) == 0)
        brz_bytes_cut(&m->bytes);
    return m->bytes.error == NULL;
}
