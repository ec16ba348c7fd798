/* Encodes columns of numbers: small numbers take one byte, and base64 turns the bytes into text. */
#include "html.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(html_column *c, uint32_t bits, size_t n)
{
    char *to = brz_writer_room(c->w, 4);
    memset(to, '=', 4);
    for (size_t i = 0; i < n; i++)
        to[i] = digits[bits >> (18 - 6 * i) & 63];
    c->w->used += 4;
}

static void put_byte(html_column *c, uint32_t byte)
{
    c->bits = c->bits << 8 | byte;
    if (++c->n_bytes < 3)
        return;
    put_group(c, c->bits, 4);
    c->bits = c->n_bytes = 0;
}

void html_open_column(html_column *c, brz_writer *w)
{
    *c = (html_column){.w = w};
    brz_put_char(w, '"');
}

void html_put_number(html_column *c, uint64_t v)
{
    for (; v > 127; v >>= 7)
        put_byte(c, (uint32_t)(v & 127) | 128);
    put_byte(c, (uint32_t)v);
}

void html_close_column(html_column *c)
{
    if (c->n_bytes > 0)
        put_group(c, c->bits << (24 - 8 * c->n_bytes), c->n_bytes + 1);
    brz_put_char(c->w, '"');
}
