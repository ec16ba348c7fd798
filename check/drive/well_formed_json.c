/* Checks whether text is well-formed JSON (RFC 8259).
 *
 * Open brackets are kept on a stack of bits instead of using recursion.
 */
#include "well_formed.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

typedef struct walker {
    brz_str text;
    size_t at;
    const char *what;
    brz_buf open; /* '{' and '[' */
} walker;

static bool fail(walker *w, const char *what)
{
    if (w->what == NULL)
        w->what = what;
    return false;
}

static int peek(walker *w)
{
    return w->at < w->text.len ? (unsigned char)w->text.data[w->at] : -1;
}

static void skip_blanks(walker *w)
{
    while (w->at < w->text.len && memchr(" \t\r\n", w->text.data[w->at], 4) != NULL)
        w->at++;
}

static bool take_word(walker *w, const char *word)
{
    size_t n = strlen(word);
    if (w->text.len - w->at < n || memcmp(w->text.data + w->at, word, n) != 0)
        return fail(w, "a value is missing");
    w->at += n;
    return true;
}

static bool is_hex(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Checks the characters after a backslash. */
static bool take_escape(walker *w)
{
    int c = peek(w);
    if (c < 0 || memchr("\"\\/bfnrtu", c, 9) == NULL)
        return fail(w, "no such escape in a string");
    w->at++;
    for (int i = 0; c == 'u' && i < 4; i++, w->at++)
        if (!is_hex(peek(w)))
            return fail(w, "\\u without four digits");
    return true;
}

static bool take_string(walker *w)
{
    if (peek(w) != '"')
        return fail(w, "a string is missing");
    for (w->at++; peek(w) >= 0;) {
        int c = peek(w);
        size_t n = brz_utf8_length(w->text.data + w->at, w->text.len - w->at);
        if (c < 0x20)
            return fail(w, "a control character in a string");
        if (n == 0)
            return fail(w, "malformed UTF-8 in a string");
        w->at += n;
        if (c == '"')
            return true;
        if (c == '\\' && !take_escape(w))
            return false;
    }
    return fail(w, "a string does not end");
}

static bool take_digits(walker *w)
{
    size_t from = w->at;
    while (peek(w) >= '0' && peek(w) <= '9')
        w->at++;
    return w->at > from || fail(w, "digits are missing in a number");
}

/* Checks number := "-"? ("0" | digits) ("." digits)? (("e"|"E") ("+"|"-")? digits)? */
static bool take_number(walker *w)
{
    w->at += peek(w) == '-';
    bool zero = peek(w) == '0';
    size_t from = w->at;
    if (!take_digits(w))
        return false;
    if (zero && w->at > from + 1)
        return fail(w, "a number with a zero in front");
    if (peek(w) == '.') {
        w->at++;
        if (!take_digits(w))
            return false;
    }
    if (peek(w) == 'e' || peek(w) == 'E') {
        w->at++;
        w->at += peek(w) == '+' || peek(w) == '-';
        return take_digits(w);
    }
    return true;
}

static bool take_scalar(walker *w)
{
    switch (peek(w)) {
    case '"':
        return take_string(w);
    case 't':
        return take_word(w, "true");
    case 'f':
        return take_word(w, "false");
    case 'n':
        return take_word(w, "null");
    case -1:
        return fail(w, "a value is missing");
    default:
        return take_number(w);
    }
}

/* Checks a member's name and colon. */
static bool take_key(walker *w)
{
    skip_blanks(w);
    if (!take_string(w))
        return false;
    skip_blanks(w);
    if (peek(w) != ':')
        return fail(w, "':' is missing behind a name");
    w->at++;
    return true;
}

static char innermost(const walker *w)
{
    return w->open.data[w->open.len - 1];
}

/* Enters brackets until it finds a scalar or an empty container. */
static bool take_value(walker *w)
{
    for (;;) {
        skip_blanks(w);
        int c = peek(w);
        if (c != '{' && c != '[')
            return take_scalar(w);
        w->at++;
        skip_blanks(w);
        if (peek(w) == c + 2) { /* the matching '}' or ']' */
            w->at++;
            return true;
        }
        brz_buf_add_char(&w->open, (char)c);
        if (c == '{' && !take_key(w))
            return false;
    }
}

/* Continues after a value: closes the brackets that end here. Returns false if all are closed, or
 * if there is a flaw. */
static bool go_on(walker *w)
{
    while (w->open.len > 0) {
        char open = innermost(w);
        skip_blanks(w);
        int c = peek(w);
        if (c != ',' && c != open + 2)
            return fail(w, "',' or a closing bracket is missing");
        w->at++;
        if (c == ',')
            return open == '[' || take_key(w);
        w->open.len--;
    }
    return false;
}

check_flaw check_well_formed_json(brz_str text)
{
    walker w = {.text = text};
    while (take_value(&w) && go_on(&w))
        continue;
    skip_blanks(&w);
    if (w.what == NULL && w.at < text.len)
        w.what = "there is more behind the value";
    brz_buf_finish(&w.open);
    return (check_flaw){w.at, w.what};
}

check_flaw check_well_formed_utf8(brz_str text)
{
    if (brz_utf8_valid(text))
        return (check_flaw){text.len, NULL};
    for (size_t at = 0, n; at < text.len; at += n)
        if ((n = brz_utf8_length(text.data + at, text.len - at)) == 0)
            return (check_flaw){at, "malformed UTF-8"};
    return (check_flaw){text.len, NULL};
}
