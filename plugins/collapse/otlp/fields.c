/* SPDX-License-Identifier: MIT */
/* Reads the members of a message, which is in Protocol Buffers or JSON. */
#include "fields.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>

#include <math.h>
#include <stdio.h>

#define NO_KEY UINT32_MAX

void fields_start(fields *f, const document *d, const schema *s, brz_str message)
{
    f->document = d;
    f->schema = s;
    f->damage = NULL;
    f->member = 0;
    f->key = NO_KEY;
    f->in_list = f->may_have_samples = false;
    f->bytes = brz_bytes_of(message.data, d->is_json ? 0 : message.len);
    f->packed = brz_bytes_of(message.data, 0);
    if (!d->is_json)
        return;
    cursor_start(&f->cursor, d->ctx, message);
    if (message.len > 0 && (!cursor_next(&f->cursor) || f->cursor.token.kind != BRZ_JSON_OBJECT))
        f->damage = message.data;
}

static bool fail(fields *f, const void *at)
{
    f->damage = at;
    return false;
}

/* Stores a real number as a number if it has no more than nine digits in front of the point. */
static void set_real(fields *f, double value)
{
    f->is_number = fabs(value) < 9e9;
    f->number = f->is_number ? llrint(value * 1e9) : 0;
    int n = snprintf(f->digits, sizeof f->digits, "%.17g", value);
    f->text = brz_str_of(f->digits, n > 0 ? (size_t)n : 0);
}

/* ---- Protocol Buffers ------------------------------------------------------------------------ */

bool fields_take_cut(const brz_bytes *b, const uint8_t *start, brz_proto_field *field)
{
    brz_bytes from = brz_bytes_of(start, (size_t)(b->end - start));
    uint64_t key = brz_bytes_varint(&from), len = brz_bytes_varint(&from);
    field->part = from;
    return from.error == NULL && (key & 7) == BRZ_PROTO_BYTES && len > brz_bytes_left(&from);
}

static const member *type_of(const fields *f)
{
    return &f->schema->members[f->member];
}

/* Finds the member with a number, which is often the same or the next one. Returns false if no
 * member has it. */
static bool find_number(fields *f, uint32_t number)
{
    layout l = f->document->layout;
    for (size_t i = 0; i < f->schema->n; i++) {
        if (type_of(f)->numbers[l] == number && number != 0)
            return true;
        f->member = f->member + 1 < f->schema->n ? f->member + 1 : 0;
    }
    return false;
}

/* Returns the type of the elements of a packed list. */
static uint32_t packed_type(const fields *f)
{
    bool fixed = type_of(f)->type == MEMBER_TIME && f->document->layout >= LAYOUT_STACKS;
    return fixed ? BRZ_PROTO_FIXED64 : BRZ_PROTO_VARINT;
}

/* Takes the next number of the list that is open. */
static bool take_number(fields *f)
{
    f->at = (const char *)f->packed.at;
    if (brz_bytes_left(&f->packed) == 0)
        return false;
    if (f->packed_type == BRZ_PROTO_VARINT)
        f->number = (int64_t)brz_bytes_varint(&f->packed);
    else
        f->number = brz_bytes_i64(&f->packed);
    return f->packed.error == NULL;
}

/* Takes the value of a field. Returns false if the field has none of its type, or an empty list. */
static bool take_value(fields *f, const brz_proto_field *field)
{
    member_type t = type_of(f)->type;
    bool bytes = field->type == BRZ_PROTO_BYTES;
    f->at = (const char *)field->part.at;
    f->text = brz_proto_text(field);
    if (t == MEMBER_MESSAGE || t == MEMBER_TEXT)
        return bytes;
    if (t == MEMBER_REAL) {
        double value;
        memcpy(&value, &field->value, sizeof value);
        set_real(f, value);
        return field->type == BRZ_PROTO_FIXED64;
    }
    f->number = (int64_t)field->value;
    if (!bytes)
        return true;
    f->packed = field->part;
    f->packed_type = packed_type(f);
    return take_number(f);
}

/* Remembers with which byte a text or message of the same member begins. */
static void set_key(fields *f, uint32_t number)
{
    member_type t = type_of(f)->type;
    bool is_part = t == MEMBER_MESSAGE || t == MEMBER_TEXT;
    f->key = is_part && number < 16 ? number << 3 | BRZ_PROTO_BYTES : NO_KEY;
}

static bool next_in_bytes(fields *f)
{
    brz_proto_field field;
    if (take_number(f))
        return true;
    brz_bytes_join(&f->bytes, &f->packed);
    while (fields_take(&f->bytes, &field)) {
        if (f->bytes.error != NULL)
            f->damage = (const char *)f->bytes.error_at;
        if (find_number(f, field.number) && take_value(f, &field)) {
            set_key(f, field.number);
            return true;
        }
        brz_bytes_join(&f->bytes, &f->packed);
    }
    return f->bytes.error == NULL ? false : fail(f, f->bytes.error_at);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Returns whether a key is a name in lower camel case, or the same name with underscores. */
static bool is_key(brz_str key, const char *name)
{
    size_t i = 0;
    for (; name != NULL && *name != '\0'; name++) {
        bool capital = *name >= 'A' && *name <= 'Z';
        if (capital && i + 1 < key.len && key.data[i] == '_' &&
            key.data[i + 1] == *name - 'A' + 'a')
            i += 2;
        else if (i < key.len && key.data[i] == *name)
            i++;
        else
            return false;
    }
    return name != NULL && i == key.len;
}

static bool find_key(fields *f, brz_str key)
{
    for (f->member = 0; f->member < f->schema->n; f->member++)
        if (is_key(key, type_of(f)->key) || is_key(key, type_of(f)->other))
            return true;
    return false;
}

/* Converts an integer, which may be a text, or a truth value if the member has one. */
static bool read_integer(fields *f, brz_json_kind kind)
{
    uint64_t large;
    f->number = kind == BRZ_JSON_TRUE;
    if (kind == BRZ_JSON_TRUE || kind == BRZ_JSON_FALSE)
        return type_of(f)->type == MEMBER_TRUTH;
    if (kind != BRZ_JSON_NUMBER && kind != BRZ_JSON_STRING)
        return false;
    if (brz_parse_i64(f->text, &f->number))
        return true;
    if (!brz_parse_u64(f->text, &large))
        return false;
    f->number = (int64_t)large;
    return true;
}

/* Takes a text, with its escapes decoded. */
static bool take_text(fields *f, const brz_json_token *t)
{
    brz_text decoded = {0};
    if (t->kind == BRZ_JSON_STRING && memchr(t->text.data, '\\', t->text.len) != NULL) {
        brz_json_decode(&decoded, f->document->ctx, t->text);
        f->text = brz_text_str(&decoded);
    }
    return t->kind == BRZ_JSON_STRING;
}

/* Makes an element of a list that is no message or text an empty one, since others are referred to
 * by their positions. Returns false for other values. */
static bool keep_position(fields *f)
{
    f->text = brz_str_of(f->at, 0);
    return f->in_list && (type_of(f)->type == MEMBER_MESSAGE || type_of(f)->type == MEMBER_TEXT);
}

/* Converts the value that has begun, and reads it as a whole. Returns false if it has another type;
 * for null, which stands for nothing, without damage. */
static bool take_json(fields *f)
{
    cursor *c = &f->cursor;
    brz_json_token t = c->token;
    bool good;
    t.text = f->text = cursor_skip(c);
    f->at = t.text.data;
    switch (type_of(f)->type) {
    case MEMBER_MESSAGE:
        good = t.kind == BRZ_JSON_OBJECT;
        break;
    case MEMBER_TEXT:
        good = take_text(f, &t);
        break;
    case MEMBER_REAL:
        f->is_number = brz_parse_scaled(t.text, 9, &f->number);
        good = t.kind == BRZ_JSON_NUMBER || t.kind == BRZ_JSON_STRING;
        break;
    default:
        good = read_integer(f, t.kind);
    }
    if (!good && (t.kind != BRZ_JSON_NULL || f->in_list))
        fail(f, f->at);
    return good || keep_position(f);
}

/* Reports the value of an unknown key if samples are in it: they have values or times. */
static void report_unknown(const fields *f, brz_str value)
{
    if (f->may_have_samples &&
        (brz_str_has(value, BRZ_STR("\"values\"")) || brz_str_has(value, BRZ_STR("\"timestamps"))))
        brz_report_lost(f->document->ctx, "otlp.key", value.data, value.len,
                        BRZ_STR("samples under an unknown key: left out"));
}

/* Moves to the next value: of the list that is open, or of a known key. */
static bool next_in_list(fields *f)
{
    f->in_list = f->in_list && cursor_element(&f->cursor);
    return f->in_list;
}

static bool next_in_json(fields *f)
{
    brz_str key;
    for (;;) {
        if (next_in_list(f)) {
            if (take_json(f))
                return true;
        } else if (!cursor_member(&f->cursor, &key)) {
            break;
        } else if (!find_key(f, key)) {
            report_unknown(f, cursor_skip(&f->cursor));
        } else if (f->cursor.token.kind == BRZ_JSON_ARRAY) {
            f->in_list = true;
        } else if (take_json(f)) {
            return true;
        }
    }
    if (f->cursor.cut || f->cursor.failed)
        return fail(f, f->cursor.at);
    return false;
}

bool fields_next_other(fields *f)
{
    if (!f->document->is_json)
        return next_in_bytes(f);
    return next_in_json(f);
}

void fields_skip_equal(fields *f)
{
    if (!f->document->is_json)
        quick_skip(&f->bytes, type_of(f)->numbers[f->document->layout], &f->document->samples);
}

void fields_finish(const fields *f, const char *code)
{
    if (f->damage != NULL)
        BRZ_WARN(f->document->ctx, code, f->damage, 0,
                 "a value that cannot be read: what it says is missing");
}
