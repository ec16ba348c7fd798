/* SPDX-License-Identifier: MIT */
/* Writes messages of Protocol Buffers. */
#include "message.h"

#include <string.h>

/* Maximum number of bytes of a varint. */
#define VARINT_MAX 10

enum { TYPE_VARINT = 0, TYPE_BYTES = 2 };

/* Makes room for `n` more bytes. Returns the end of the message. */
static char *room(message *m, size_t n)
{
    if (n > m->cap - m->len) {
        m->cap = 2 * m->cap + n + 64;
        char *moved = m->ctx->host->alloc(m->ctx, m->cap, 1);
        if (m->len > 0)
            memcpy(moved, m->data, m->len);
        m->data = moved;
    }
    return m->data + m->len;
}

static size_t varint_length(uint64_t value)
{
    size_t n = 1;
    for (; value >= 0x80; value >>= 7)
        n++;
    return n;
}

/* Stores a varint, for which there is room. Returns its end. */
static char *store_varint(char *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (char)(value | 0x80);
    *to++ = (char)value;
    return to;
}

/* Adds the key of a field and a number. */
static void add(message *m, uint32_t field, uint32_t type, uint64_t value)
{
    char *to = store_varint(room(m, 2 * VARINT_MAX), UINT64_C(8) * field + type);
    m->len = (size_t)(store_varint(to, value) - m->data);
}

void message_number(message *m, uint32_t field, uint64_t value)
{
    if (value != 0)
        add(m, field, TYPE_VARINT, value);
}

void message_numbers(message *m, uint32_t field, const uint64_t *values, size_t n)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += varint_length(values[i]);
    if (n == 0)
        return;
    add(m, field, TYPE_BYTES, size);
    char *to = room(m, size);
    for (size_t i = 0; i < n; i++)
        to = store_varint(to, values[i]);
    m->len += size;
}

void message_bytes(message *m, uint32_t field, brz_str bytes)
{
    add(m, field, TYPE_BYTES, bytes.len);
    if (bytes.len > 0)
        memcpy(room(m, bytes.len), bytes.data, bytes.len);
    m->len += bytes.len;
}

void message_part(message *m, uint32_t field, message *part)
{
    message_bytes(m, field, brz_str_of(part->data, part->len));
    part->len = 0;
}
