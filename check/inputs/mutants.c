/* SPDX-License-Identifier: MIT */
/* Generates corrupted variants of an input. */
#include "mutants.h"

#include <string.h>

static void add(brz_buf *to, const uint8_t *data, size_t n)
{
    brz_buf_add(to, (const char *)data, n);
}

/* ---- bytes --------------------------------------------------------------------------------- */

/* Returns a random byte, often one that has a meaning in some format. */
static char odd_byte(uint64_t *random)
{
    static const char some[] = "\n\r\t ;:,.()[]{}<>\"'\\/=+-_#@0129azAZ\0\x7f\x80\xff";
    size_t i = check_random_below(random, 2 * sizeof some);
    if (i < sizeof some - 1)
        return some[i];
    return (char)(check_random(random) & 0xff);
}

void check_mutate_bytes(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to, brz_buf *how)
{
    size_t changes = 1 + check_random_below(random, 8);
    add(to, data, n);
    for (size_t i = 0; i < changes && to->len > 0; i++) {
        size_t at = check_random_below(random, to->len);
        size_t kind = check_random_below(random, 4);
        if (kind == 0) { /* remove */
            memmove(to->data + at, to->data + at + 1, to->len - at - 1);
            to->len--;
        } else if (kind == 1) { /* insert */
            brz_buf_add_char(to, ' ');
            memmove(to->data + at + 1, to->data + at, to->len - at - 1);
            to->data[at] = odd_byte(random);
        } else {
            to->data[at] = odd_byte(random);
        }
    }
    brz_buf_printf(how, "with %zu bytes changed", changes);
}

void check_mutate_nuls(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to, brz_buf *how)
{
    size_t changes = 1 + check_random_below(random, 4);
    add(to, data, n);
    for (size_t i = 0; i < changes && n > 0; i++)
        to->data[check_random_below(random, n)] = '\0';
    brz_buf_printf(how, "with %zu NULs", changes);
}

void check_mutate_utf8(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to, brz_buf *how)
{
    static const char *const odd[] = {
        "\x80",     "\xff",         "\xc0\xaf",        "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xe2\x82", "\xef\xbf\xbe", "\xf0\x9f\x92\xa9"};
    size_t at = 0;
    for (int i = 0; i < 3; i++) {
        size_t more = check_random_below(random, n - at + 1);
        const char *bytes = odd[check_random_below(random, BRZ_COUNT_OF(odd))];
        add(to, data + at, more);
        brz_buf_add_text(to, bytes);
        at += more;
    }
    add(to, data + at, n - at);
    brz_buf_add_text(how, "with invalid UTF-8");
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Finds the beginning and end of the line that contains an offset. */
static size_t line_start(const uint8_t *data, size_t at)
{
    while (at > 0 && data[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const uint8_t *data, size_t n, size_t at)
{
    const uint8_t *newline = memchr(data + at, '\n', n - at);
    return newline == NULL ? n : (size_t)(newline + 1 - data);
}

void check_mutate_lines(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to, brz_buf *how)
{
    static const char *const words[] = {"with a line left out", "with a line doubled",
                                        "with a line moved to the front",
                                        "with a line moved to the end"};
    size_t kind = check_random_below(random, 4), at = check_random_below(random, n);
    size_t start = n > 0 ? line_start(data, at) : 0, end = n > 0 ? line_end(data, n, at) : 0;
    if (kind == 2)
        add(to, data + start, end - start);
    add(to, data, start);
    for (size_t i = 0; kind == 1 && i < 2; i++)
        add(to, data + start, end - start);
    add(to, data + end, n - end);
    if (kind == 3)
        add(to, data + start, end - start);
    brz_buf_add_text(how, words[kind]);
}

void check_mutate_line_ends(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to,
                            brz_buf *how)
{
    static const char *const ends[] = {"\r\n", "\r", "\n\r", "\n\n", "\r\r\n"};
    static const char *const words[] = {"CR LF", "CR", "LF CR", "two LF", "CR CR LF"};
    size_t kind = check_random_below(random, 5);
    bool all = check_random_below(random, 2) == 0;
    for (size_t i = 0; i < n; i++) {
        if (data[i] == '\n' && (all || check_random_below(random, 2) == 0))
            brz_buf_add_text(to, ends[kind]);
        else
            add(to, data + i, 1);
    }
    brz_buf_printf(how, "with lines that end in %s", words[kind]);
}
