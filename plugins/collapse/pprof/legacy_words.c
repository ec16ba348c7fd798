/* Takes words from the front of texts. */
#include "legacy_words.h"

#include <brazier/symbol.h>
#include <brazier/text.h>

static void skip(brz_str *s, size_t n)
{
    *s = brz_str_of(s->data + n, s->len - n);
}

bool legacy_take(brz_str *text, const char *expected)
{
    brz_str s = brz_trim_start(*text), e = brz_str_of(expected, strlen(expected));
    if (!brz_starts_with(s, e))
        return false;
    skip(&s, e.len);
    *text = s;
    return true;
}

bool legacy_take_decimal(brz_str *text, uint64_t *number)
{
    brz_str s = brz_trim_start(*text);
    size_t n = 0;
    while (n < s.len && s.data[n] >= '0' && s.data[n] <= '9')
        n++;
    if (!brz_parse_u64(brz_str_of(s.data, n), number) || *number > INT64_MAX)
        return false;
    skip(&s, n);
    *text = s;
    return true;
}

bool legacy_take_hex(brz_str *text, uint64_t *number)
{
    brz_str s = brz_trim_start(*text);
    size_t n = 0;
    for (*number = 0; n < s.len && brz_is_hex(s.data[n]); n++) {
        char c = s.data[n];
        if (*number >> 60 != 0)
            return false;
        *number = *number << 4 | (uint64_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    if (n == 0)
        return false;
    skip(&s, n);
    *text = s;
    return true;
}
