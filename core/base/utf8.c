/* SPDX-License-Identifier: MIT */
/* Validates, repairs and encodes UTF-8. */
#include "base/utf8.h"

#include <string.h>

static bool is_tail(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/* Returns whether a second byte may follow the first: excludes overlong forms, surrogates and
 * values beyond U+10FFFF (Unicode, table 3-7). */
static bool second_fits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xe0:
        return second >= 0xa0 && second <= 0xbf;
    case 0xed:
        return second >= 0x80 && second <= 0x9f;
    case 0xf0:
        return second >= 0x90 && second <= 0xbf;
    case 0xf4:
        return second >= 0x80 && second <= 0x8f;
    default:
        return is_tail(second);
    }
}

/* Returns the length of the sequence at the beginning; *whole says whether it is a complete
 * character. */
static size_t sequence(const unsigned char *p, size_t n, bool *whole)
{
    size_t want = p[0] < 0x80                    ? 1
                  : p[0] >= 0xc2 && p[0] <= 0xdf ? 2
                  : p[0] >= 0xe0 && p[0] <= 0xef ? 3
                  : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4
                                                 : 0;
    *whole = want == 1;
    if (want < 2)
        return 1;
    size_t have = 1;
    while (have < want && have < n && (have == 1 ? second_fits(p[0], p[1]) : is_tail(p[have])))
        have++;
    *whole = have == want;
    return have;
}

size_t brz_utf8_length(const char *p, size_t n)
{
    bool whole;
    size_t len = sequence((const unsigned char *)p, n, &whole);
    return whole ? len : 0;
}

bool brz_utf8_valid(brz_str s)
{
    for (size_t i = 0; i < s.len;) {
        uint64_t eight;
        if (s.len - i >= 8) {
            memcpy(&eight, s.data + i, 8);
            if ((eight & UINT64_C(0x8080808080808080)) == 0) {
                i += 8;
                continue;
            }
        }
        size_t n = brz_utf8_length(s.data + i, s.len - i);
        if (n == 0)
            return false;
        i += n;
    }
    return true;
}

void brz_utf8_repair(brz_buf *b, brz_str s)
{
    for (size_t i = 0; i < s.len;) {
        bool whole;
        size_t n = sequence((const unsigned char *)s.data + i, s.len - i, &whole);
        if (whole)
            brz_buf_add(b, s.data + i, n);
        else
            brz_buf_add(b, "\xef\xbf\xbd", 3);
        i += n;
    }
}

size_t brz_utf8_encode(uint32_t code, char out[4])
{
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        code = 0xfffd;
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(lead[n] | code);
    return n;
}
