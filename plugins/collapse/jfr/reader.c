/* SPDX-License-Identifier: MIT */
/* Reads the integers and texts of a chunk. */
#include "reader.h"

#include "../../common/budget.h"

#include <brazier/json.h>

/* Encodings of texts. */
enum { TEXT_NULL, TEXT_EMPTY, TEXT_CONSTANT, TEXT_UTF8, TEXT_CHARS, TEXT_LATIN1 };

static void append_code(reader *r, uint32_t code)
{
    char utf8[4];
    brz_text_append(&r->texts, r->ctx, brz_str_of(utf8, brz_json_put_utf8(code, utf8)));
}

static brz_str text_from(const reader *r, size_t start)
{
    size_t n = r->texts.len - start;
    return n == 0 ? brz_str_of("", 0) : brz_str_of(r->texts.data + start, n);
}

static bool is_ascii(brz_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.data[i] >= 0x80)
            return false;
    return true;
}

static brz_str convert_latin1(reader *r, brz_str s)
{
    size_t start = r->texts.len;
    if (is_ascii(s))
        return s;
    for (size_t i = 0; i < s.len; i++)
        append_code(r, (unsigned char)s.data[i]);
    return text_from(r, start);
}

/* Takes `n` characters of UTF-16. Surrogates that are not pairs become U+FFFD. */
static brz_str take_chars(reader *r, brz_bytes *b, uint64_t n)
{
    size_t start = r->texts.len;
    uint32_t high = 0;
    for (uint64_t i = 0; i < n && b->error == NULL; i++) {
        uint32_t c = (uint32_t)reader_int(r, b, SHORT_SIZE) & 0xffff;
        bool is_low = c >= 0xdc00 && c < 0xe000;
        if (high != 0 && is_low)
            append_code(r, 0x10000 + ((high & 0x3ff) << 10) + (c & 0x3ff));
        else if (high != 0)
            append_code(r, 0xfffd);
        bool pair = high != 0 && is_low;
        high = c >= 0xd800 && c < 0xdc00 ? c : 0;
        if (high == 0 && !pair)
            append_code(r, is_low ? 0xfffd : c);
    }
    if (high != 0)
        append_code(r, 0xfffd);
    return text_from(r, start);
}

reader_text reader_take_text(reader *r, brz_bytes *b)
{
    reader_text t = {{"", 0}, 0, false};
    uint8_t encoding = brz_bytes_u8(b);
    switch (encoding) {
    case TEXT_NULL:
    case TEXT_EMPTY:
        break;
    case TEXT_CONSTANT:
        t.id = reader_int(r, b, LONG_SIZE);
        t.is_id = true;
        break;
    case TEXT_UTF8:
        t.text = brz_bytes_text(b, reader_int(r, b, INT_SIZE));
        break;
    case TEXT_LATIN1:
        t.text = convert_latin1(r, brz_bytes_text(b, reader_int(r, b, INT_SIZE)));
        break;
    case TEXT_CHARS:
        t.text = take_chars(r, b, brz_bytes_count(b, reader_int(r, b, INT_SIZE), 1));
        break;
    default:
        brz_bytes_fail(b, "a text in an unknown encoding");
    }
    return t;
}

void reader_skip_text(reader *r, brz_bytes *b)
{
    uint8_t encoding = brz_bytes_u8(b);
    if (encoding == TEXT_NULL || encoding == TEXT_EMPTY)
        return;
    if (encoding > TEXT_LATIN1) {
        brz_bytes_fail(b, "a text in an unknown encoding");
        return;
    }
    uint64_t n = reader_int(r, b, encoding == TEXT_CONSTANT ? LONG_SIZE : INT_SIZE);
    if (encoding == TEXT_UTF8 || encoding == TEXT_LATIN1)
        brz_bytes_skip(b, n);
    if (encoding == TEXT_CHARS && !reader_spend(r, brz_bytes_count(b, n, 1)))
        return;
    for (uint64_t i = 0; encoding == TEXT_CHARS && i < n && b->error == NULL; i++)
        reader_int(r, b, SHORT_SIZE);
}

bool reader_spend(reader *r, uint64_t amount)
{
    if (budget_take(&r->budget, amount))
        return true;
    if (r->is_spent)
        return false;
    r->is_spent = true;
    brz_report(r->ctx, BRZ_FATAL, "jfr.size", NULL, 0,
               BRZ_STR("the stacks and labels are implausibly large for an input of this size"));
    return false;
}
