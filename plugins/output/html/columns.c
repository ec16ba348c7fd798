/* SPDX-License-Identifier: MIT */
/* Encodes columns of numbers as text: a digit for each number below LAST_DIGITS, two for most
 * others.
 *
 * The 90 digits are the printable characters of ASCII that neither JSON nor HTML escapes. The first
 * LAST_DIGITS of them end a number; the other 32 hold five bits of it, lowest first.
 */
#include "document.h"

#define LAST_DIGITS 58

static const char digits[] = " !#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`"
                             "abcdefghijklmnopqrstuvwxyz{|}~";

_Static_assert(sizeof digits == LAST_DIGITS + 32 + 1, "number of digits");

void html_open_column(brz_writer *w)
{
    brz_put_char(w, '"');
}

void html_put_number(brz_writer *w, uint64_t v)
{
    char *to = brz_writer_room(w, 16);
    size_t n = 0;
    for (; v >= LAST_DIGITS; v >>= 5)
        to[n++] = digits[LAST_DIGITS + (v & 31)];
    to[n++] = digits[v];
    w->used += n;
}

uint64_t html_number_size(uint64_t v)
{
    uint64_t n = 1;
    for (; v >= LAST_DIGITS; v >>= 5)
        n++;
    return n;
}

void html_close_column(brz_writer *w)
{
    brz_put_char(w, '"');
}
