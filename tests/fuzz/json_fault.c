/* SPDX-License-Identifier: MIT */
/* A strict check of JSON (RFC 8259): one value, nothing after it, well-formed UTF-8. */
#include "base/utf8.h"
#include "fuzz.h"
#include "output.h"

#include <string.h>

#define MOST_DEPTH 4096

typedef struct reader {
    const char *at, *end;
    char open[MOST_DEPTH]; /* brackets that are open */
    size_t depth;
} reader;

static void skip_blanks(reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at) != NULL && *r->at != '\0')
        r->at++;
}

static bool take(reader *r, char c)
{
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static size_t take_digits(reader *r)
{
    size_t n = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; n++)
        r->at++;
    return n;
}

static bool take_number(reader *r)
{
    take(r, '-');
    if (!take(r, '0') && take_digits(r) == 0)
        return false;
    if (take(r, '.') && take_digits(r) == 0)
        return false;
    if (!take(r, 'e') && !take(r, 'E'))
        return true;
    if (!take(r, '+'))
        take(r, '-');
    return take_digits(r) > 0;
}

static bool take_escape(reader *r)
{
    static const char hex[] = "0123456789abcdefABCDEF";
    if (r->at == r->end || *r->at == '\0')
        return false;
    char c = *r->at++;
    if (c != 'u')
        return strchr("\"\\/bfnrt", c) != NULL;
    for (int i = 0; i < 4; i++)
        if (r->at == r->end || *r->at == '\0' || strchr(hex, *r->at++) == NULL)
            return false;
    return true;
}

static bool take_string(reader *r)
{
    if (!take(r, '"'))
        return false;
    while (r->at < r->end && *r->at != '"') {
        if ((unsigned char)*r->at < 0x20)
            return false;
        if (*r->at++ == '\\' && !take_escape(r))
            return false;
    }
    return take(r, '"');
}

static bool take_word(reader *r, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
        return false;
    r->at += n;
    return true;
}

static bool take_key(reader *r)
{
    skip_blanks(r);
    if (!take_string(r))
        return false;
    skip_blanks(r);
    return take(r, ':');
}

static bool take_scalar(reader *r)
{
    if (r->at == r->end)
        return false;
    switch (*r->at) {
    case '"':
        return take_string(r);
    case 't':
        return take_word(r, "true");
    case 'f':
        return take_word(r, "false");
    case 'n':
        return take_word(r, "null");
    default:
        return take_number(r);
    }
}

/* Takes the opening bracket of a list or map that is not empty; an empty one is taken as a whole.
 * Sets *went_in if a value is next. */
static bool take_opening(reader *r, bool *went_in)
{
    char open = *r->at++;
    skip_blanks(r);
    *went_in = !take(r, open == '{' ? '}' : ']');
    if (!*went_in)
        return true;
    if (r->depth == MOST_DEPTH)
        return false;
    r->open[r->depth++] = open;
    return open == '[' || take_key(r);
}

/* Takes what follows a value: closing brackets, or a comma and what is in front of the next value.
 */
static bool take_after_value(reader *r)
{
    for (;;) {
        skip_blanks(r);
        if (r->depth == 0)
            return true;
        char open = r->open[r->depth - 1];
        if (take(r, ','))
            return open == '[' || take_key(r);
        if (!take(r, open == '{' ? '}' : ']'))
            return false;
        r->depth--;
    }
}

static bool take_value(reader *r)
{
    for (bool went_in = true; went_in;) {
        skip_blanks(r);
        if (r->at == r->end)
            return false;
        went_in = false;
        if (*r->at != '{' && *r->at != '[')
            return take_scalar(r);
        if (!take_opening(r, &went_in))
            return false;
    }
    return true;
}

const char *fuzz_json_fault(brz_str text)
{
    static reader r;
    r = (reader){.at = text.data, .end = text.data + text.len};
    if (!brz_utf8_valid(text))
        return text.data;
    do
        if (!take_value(&r) || !take_after_value(&r))
            return r.at;
    while (r.depth > 0);
    return r.at == r.end ? NULL : r.at;
}
