/* SPDX-License-Identifier: MIT */
/* Reads values of Ruby's Marshal format. */
#include "marshal.h"

#include <brazier/symbol.h>

/* ---- numbers and texts ----------------------------------------------------------------------- */

/* Takes a number: a small one is in the first byte, of others that has the number of bytes. */
static int64_t take_number(brz_bytes *b)
{
    int8_t c = brz_bytes_i8(b);
    if (c == 0)
        return 0;
    if (c > 4 || c < -4)
        return c > 0 ? c - 5 : c + 5;
    uint32_t n = (uint32_t)(c > 0 ? c : -c);
    uint64_t value = brz_bytes_uint(b, n);
    return c > 0 ? (int64_t)value : (int64_t)value - (INT64_C(1) << (8 * n));
}

/* Takes a number of parts that follow. There may be fewer: their reader notices the end. */
static uint64_t take_length(brz_bytes *b)
{
    int64_t n = take_number(b);
    if (n < 0)
        brz_bytes_fail(b, "a negative length");
    return n < 0 ? 0 : (uint64_t)n;
}

static brz_str take_text(brz_bytes *b)
{
    return brz_bytes_text(b, take_length(b));
}

/* Takes a large integer. Those beyond 64 bits become the nearest one that has them. */
static int64_t take_large(brz_bytes *b)
{
    bool is_negative = brz_bytes_u8(b) == '-';
    uint64_t n = brz_bytes_count(b, take_length(b) * 2, 1), value = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t byte = brz_bytes_u8(b);
        if (i < 8)
            value |= byte << (8 * i);
        else if (byte != 0)
            value = UINT64_MAX;
    }
    if (value > INT64_MAX)
        value = INT64_MAX;
    return is_negative ? -(int64_t)value : (int64_t)value;
}

/* ---- passing values -------------------------------------------------------------------------- */

static void add_object(marshal *m, size_t offset)
{
    m->objects =
        brz_list_room(m->ctx, m->objects, m->n_objects, &m->objects_cap, sizeof *m->objects);
    m->objects[m->n_objects++] = offset;
}

static void add_symbol(marshal *m, brz_str text)
{
    m->symbols =
        brz_list_room(m->ctx, m->symbols, m->n_symbols, &m->symbols_cap, sizeof *m->symbols);
    m->symbols[m->n_symbols++] = text;
}

/* Passes the front of a value, and adds it to the lists of `m`, unless that is NULL. Returns the
 * number of values that follow as its parts. */
static uint64_t pass_front(marshal *m, brz_bytes *b)
{
    size_t offset = brz_bytes_offset(b);
    uint8_t type = brz_bytes_u8(b);
    bool has_attributes = type == 'I';
    if (has_attributes) {
        offset++;
        type = brz_bytes_u8(b);
    }
    if (has_attributes && type != '"' && type != ':')
        type = 'I'; /* which is refused below */
    if (m != NULL && type != 0 && strchr("lf\"[{}", type) != NULL)
        add_object(m, offset);
    brz_str text;
    switch (type) {
    case '0':
    case 'T':
    case 'F':
        return 0;
    case 'i':
    case ';':
    case '@':
        take_number(b);
        return 0;
    case 'l':
        take_large(b);
        return 0;
    case ':':
    case '"':
    case 'f':
        text = take_text(b);
        if (type == ':' && m != NULL)
            add_symbol(m, text);
        return has_attributes ? take_length(b) * 2 : 0;
    case '[':
        return take_length(b);
    case '{':
        return take_length(b) * 2;
    case '}':
        return take_length(b) * 2 + 1;
    default:
        brz_bytes_fail_at(b, b->start + offset, "not a value as dumps of stackprof have them");
        return 0;
    }
}

/* Passes a value with all its parts. */
static void pass_value(marshal *m, brz_bytes *b)
{
    uint64_t left = 1;
    while (left > 0 && b->error == NULL)
        left += pass_front(m, b) - 1;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns the bytes of the input from an offset. */
static brz_bytes bytes_at(const marshal *m, size_t offset)
{
    brz_bytes b = brz_bytes_of(m->bytes.start, (size_t)(m->bytes.end - m->bytes.start));
    b.at += offset;
    return b;
}

/* Follows a link: moves to its object. Returns false if no object has its number. */
static bool follow(const marshal *m, brz_bytes *b)
{
    int64_t index = take_number(b);
    if (index < 0 || (uint64_t)index >= m->n_objects)
        return false;
    *b = bytes_at(m, m->objects[index]);
    return true;
}

/* Takes the type of a value, or of the one that a link names, without attributes. */
static uint8_t take_type(const marshal *m, brz_bytes *b)
{
    uint8_t type = brz_bytes_u8(b);
    if (type == '@' && follow(m, b))
        type = brz_bytes_u8(b);
    return type == 'I' ? brz_bytes_u8(b) : type;
}

static void set_symbol(const marshal *m, marshal_value *v, int64_t index)
{
    if (index < 0 || (uint64_t)index >= m->n_symbols)
        return;
    v->kind = MARSHAL_TEXT;
    v->text = m->symbols[index];
}

marshal_value marshal_value_at(const marshal *m, size_t offset)
{
    brz_bytes b = bytes_at(m, offset);
    marshal_value v = {.kind = MARSHAL_OTHER, .at = offset};
    switch (take_type(m, &b)) {
    case 'i':
        v.kind = MARSHAL_INTEGER;
        v.integer = take_number(&b);
        break;
    case 'l':
        v.kind = MARSHAL_INTEGER;
        v.integer = take_large(&b);
        break;
    case '"':
    case ':':
        v.kind = MARSHAL_TEXT;
        v.text = take_text(&b);
        break;
    case ';':
        set_symbol(m, &v, take_number(&b));
        break;
    default:
        break;
    }
    if (b.error != NULL)
        v.kind = MARSHAL_OTHER;
    return v;
}

bool marshal_open(const marshal *m, size_t offset, char bracket, marshal_list *list)
{
    *list = (marshal_list){.m = m, .bytes = bytes_at(m, offset)};
    char type = (char)take_type(m, &list->bytes);
    if (type != bracket && !(type == '}' && bracket == '{'))
        return false;
    int64_t n = take_number(&list->bytes);
    list->left = n < 0 ? 0 : (uint64_t)n * (bracket == '{' ? 2 : 1);
    return list->bytes.error == NULL;
}

bool marshal_next(marshal_list *list, marshal_value *v)
{
    if (list->left == 0 || brz_bytes_left(&list->bytes) == 0)
        return false;
    list->left--;
    *v = marshal_value_at(list->m, brz_bytes_offset(&list->bytes));
    pass_value(NULL, &list->bytes);
    return list->bytes.error == NULL;
}

void marshal_start(marshal *m, brz_ctx *ctx, const void *data, size_t len, const char *const *keys,
                   size_t n, size_t *values)
{
    *m = (marshal){.ctx = ctx, .bytes = brz_bytes_of(data, len)};
    brz_bytes *b = &m->bytes;
    memset(values, 0, n * sizeof *values);
    brz_bytes_skip(b, 2);
    uint64_t left = pass_front(m, b);
    for (; left > 1 && b->error == NULL; left -= 2) {
        size_t key_at = brz_bytes_offset(b);
        pass_value(m, b);
        marshal_value key = marshal_value_at(m, key_at);
        for (size_t i = 0; i < n && b->error == NULL; i++)
            if (brz_str_is(key.text, keys[i]))
                values[i] = brz_bytes_offset(b);
        pass_value(m, b);
    }
}
