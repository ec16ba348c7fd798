/* SPDX-License-Identifier: MIT */
/** @file
 * A pull parser for JSON (RFC 8259) that arrives in pieces, such as the chunks of a collapser.
 *
 * brz_json_next() returns one token at a time and checks the grammar. For an incomplete token, it
 * returns BRZ_JSON_MORE, and the caller passes the same bytes again, followed by more. The parser
 * builds no tree and does not recurse: its memory is one bit per open bracket, regardless of the
 * length of the text.
 *
 * A lenient parser also accepts what programs write in place of JSON, such as NaN, and counts it.
 */
#ifndef BRAZIER_JSON_H
#define BRAZIER_JSON_H

#include <brazier/text/buffer.h>
#include <brazier/text/cpu.h>
#include <brazier/text/find.h>

#include <string.h>

/** The maximum nesting depth; deeper texts are an error. */
#define BRZ_JSON_MAX_DEPTH 100000u

/** Kinds of tokens. Commas and colons are not tokens. */
typedef enum brz_json_kind {
    BRZ_JSON_MORE,         /**< the next token is incomplete: more bytes are needed */
    BRZ_JSON_END,          /**< the text is complete */
    BRZ_JSON_ERROR,        /**< the text is not JSON: see brz_json.error */
    BRZ_JSON_OBJECT,       /**< { */
    BRZ_JSON_OBJECT_CLOSE, /**< } */
    BRZ_JSON_ARRAY,        /**< [ */
    BRZ_JSON_ARRAY_CLOSE,  /**< ] */
    BRZ_JSON_KEY,          /**< the name of a member */
    BRZ_JSON_STRING,       /**< a string that is a value */
    BRZ_JSON_NUMBER,       /**< a number */
    BRZ_JSON_TRUE,         /**< true */
    BRZ_JSON_FALSE,        /**< false */
    BRZ_JSON_NULL,         /**< null */
} brz_json_kind;

/** A token. */
typedef struct brz_json_token {
    brz_json_kind kind; /**< kind of the token */
    /** As written; for a key or string, the part between the quotes with its escapes; for an
     * error, its position. */
    brz_str text;
} brz_json_token;

/** The tokens that the grammar allows next. */
typedef enum brz_json_state {
    BRZ_JSON_WANT_VALUE,       /**< a value */
    BRZ_JSON_WANT_FIRST_VALUE, /**< a value, or the end of an empty array */
    BRZ_JSON_WANT_FIRST_KEY,   /**< a key, or the end of an empty object */
    BRZ_JSON_WANT_KEY,         /**< a key */
    BRZ_JSON_WANT_COLON,       /**< a colon */
    BRZ_JSON_WANT_COMMA,       /**< a comma, or the end of the object or array */
    BRZ_JSON_DONE,             /**< nothing, unless `several` is set */
    BRZ_JSON_FAILED,           /**< nothing: the text is not JSON */
} brz_json_state;

/** Deviations from the grammar that a lenient parser accepts. */
typedef enum brz_json_deviation {
    /** NaN and infinities, such as "NaN", "-Infinity", "inf" or "1.#INF": tokens of the kind
     * BRZ_JSON_NUMBER */
    BRZ_JSON_NOT_FINITE,
    BRZ_JSON_NOTATION,     /**< numbers such as "+1", ".5", "5." and "007" */
    BRZ_JSON_CONTROL,      /**< strings with control characters, such as line ends */
    BRZ_JSON_ESCAPE,       /**< strings with unknown escape sequences, as in "C:\Users" */
    BRZ_JSON_TRAILING,     /**< commas after the last member or element */
    BRZ_JSON_COMMENT,      /**< comments: from two slashes to the end of the line, or as in C */
    BRZ_JSON_N_DEVIATIONS, /**< number of the kinds above */
} brz_json_deviation;

/** The deviations of one kind in a text. */
typedef struct brz_json_count {
    uint64_t n;        /**< number of values, strings, commas or comments that deviate */
    const char *first; /**< position of the first one, in the bytes given to brz_json_next() */
} brz_json_count;

/** A parser. A zeroed parser is ready for one JSON text. */
typedef struct brz_json {
    brz_json_state state; /**< what the grammar allows next */
    bool several;         /**< accept any number of texts, one after another */
    const char *error;    /**< reason why the text is not JSON; NULL: no error so far */
    size_t depth;         /**< number of open brackets */
    uint8_t *more;        /**< a bit per open bracket, set for an object, if `first` is too small */
    size_t more_cap;      /**< size of `more` in bytes */
    uint8_t first[8];     /**< the same bits for up to 64 open brackets */
    bool lenient;         /**< accept the deviations of brz_json_deviation */
    brz_json_count deviations[BRZ_JSON_N_DEVIATIONS]; /**< those so far, by kind */
} brz_json;

/** Prepares a parser for another text. Keeps `several`, `lenient`, the counts and the memory. */
static inline void brz_json_reset(brz_json *j)
{
    j->state = BRZ_JSON_WANT_VALUE;
    j->error = NULL;
    j->depth = 0;
}

/* ---- strings ------------------------------------------------------------------------------- */

/** Returns the value of four hexadecimal digits at `p`, or -1 if there are fewer before `end`. */
static inline int32_t brz_json_hex4(const char *p, const char *end)
{
    int32_t value = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = p[i], lower = (char)(c | 0x20);
        if (c >= '0' && c <= '9')
            value = value * 16 + (c - '0');
        else if (lower >= 'a' && lower <= 'f')
            value = value * 16 + (lower - 'a' + 10);
        else
            return -1;
    }
    return value;
}

/** Encodes a code point as UTF-8 at `to`. Returns the number of bytes, at most 4. */
static inline size_t brz_json_put_utf8(uint32_t code, char to[4])
{
    static const uint8_t leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3f));
    to[0] = (char)(leads[n] | code);
    return n;
}

/** Decodes "\\uXXXX", whose digits start at *p, or a surrogate pair, and advances *p. A surrogate
 * without its other half becomes U+FFFD. No sequence is decoded to more bytes than it has. */
static inline uint32_t brz_json_take_unicode(const char **p, const char *end)
{
    int32_t high = brz_json_hex4(*p, end);
    *p += 4;
    if (high < 0xd800 || high > 0xdfff)
        return (uint32_t)high;
    int32_t low =
        end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u' ? brz_json_hex4(*p + 2, end) : -1;
    if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
        return 0xfffd;
    *p += 6;
    return 0x10000u + (((uint32_t)high - 0xd800u) << 10) + ((uint32_t)low - 0xdc00u);
}

/** Decodes the next character, or byte, of a string at *p, which must be before `end`, and advances
 * *p. Stores its bytes in `to` and returns their number. The backslash of an unknown escape
 * sequence stands for itself. */
static inline size_t brz_json_take_character(const char **p, const char *end, char to[4])
{
    static const char from[] = "bfnrt\"\\/'", meaning[] = "\b\f\n\r\t\"\\/'";
    char c = *(*p)++;
    if (c == '\\' && *p < end) {
        if (**p == 'u' && brz_json_hex4(*p + 1, end) >= 0) {
            ++*p;
            return brz_json_put_utf8(brz_json_take_unicode(p, end), to);
        }
        const char *known = (const char *)memchr(from, **p, sizeof from - 1);
        if (known != NULL) {
            c = meaning[known - from];
            ++*p;
        }
    }
    to[0] = c;
    return 1;
}

/** Appends the decoded text of a key or string. */
static inline void brz_json_decode(brz_text *to, brz_ctx *ctx, brz_str text)
{
    const char *p = text.data, *end = text.data + text.len;
    brz_text_room(to, ctx, text.len); /* decoded text is never longer */
    while (p < end) {
        const char *slash = (const char *)memchr(p, '\\', (size_t)(end - p));
        size_t n = (size_t)((slash == NULL ? end : slash) - p);
        memcpy(to->data + to->len, p, n);
        to->len += n;
        p += n;
        char bytes[4];
        if (p < end) {
            n = brz_json_take_character(&p, end, bytes);
            memcpy(to->data + to->len, bytes, n);
            to->len += n;
        }
    }
}

/** Returns whether the decoded text of a key or string equals `wanted`. */
static inline bool brz_json_text_is(brz_str text, brz_str wanted)
{
    const char *p = text.data, *end = text.data + text.len;
    if (text.len < wanted.len)
        return false;
    if (wanted.len > 0 && *p != *wanted.data && *p != '\\')
        return false;
    if (text.len == wanted.len && (wanted.len == 0 || memcmp(p, wanted.data, wanted.len) == 0))
        return true;
    size_t at = 0;
    while (p < end) {
        char bytes[4];
        size_t n = brz_json_take_character(&p, end, bytes);
        if (n > wanted.len - at || memcmp(wanted.data + at, bytes, n) != 0)
            return false;
        at += n;
    }
    return at == wanted.len;
}

/* ---- tokens -------------------------------------------------------------------------------- */

/** Returns a token of `n` bytes at `at`. */
static inline brz_json_token brz_json_token_of(brz_json_kind kind, const char *at, size_t n)
{
    brz_json_token t;
    t.kind = kind;
    t.text = brz_str_of(at, n);
    return t;
}

/** Ends parsing with an error. */
static inline brz_json_token brz_json_fail(brz_json *j, const char *at, const char *end,
                                           const char *why)
{
    j->error = why;
    j->state = BRZ_JSON_FAILED;
    return brz_json_token_of(BRZ_JSON_ERROR, at, at < end ? 1 : 0);
}

/** Counts a deviation at `at`. */
static inline void brz_json_deviate(brz_json *j, brz_json_deviation kind, const char *at)
{
    if (j->deviations[kind].n++ == 0)
        j->deviations[kind].first = at;
}

/** Returns the first byte at or after `p` that ends the plain part of a string (a quote, a
 * backslash or a control character), or `end`. */
static inline const char *brz_json_plain_end(const char *p, const char *end)
{
#if BRZ_HAVE_SSE2
    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i stop = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v);
        stop = _mm_or_si128(stop, _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
        stop = _mm_or_si128(stop, _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
        int found = _mm_movemask_epi8(stop);
        if (found != 0)
            return p + __builtin_ctz((unsigned)found);
    }
#endif
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
        p++;
    return p;
}

/** Returns the end of the escape sequence at `p`, a backslash. Returns NULL if it is incomplete, or
 * `p` if it is invalid. */
static inline const char *brz_json_escape_end(const char *p, const char *end)
{
    if (end - p < 2)
        return NULL;
    if (p[1] != 'u')
        return memchr("\"\\/bfnrt", p[1], 8) != NULL ? p + 2 : p;
    for (int i = 2; i < 6; i++) {
        if (p + i == end)
            return NULL;
        char c = p[i], lower = (char)(c | 0x20);
        if (!((c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'f')))
            return p;
    }
    return p + 6;
}

/** Ends a string at its closing quote. */
static inline brz_json_token brz_json_end_string(brz_json_kind kind, const char **at,
                                                 const char *quote)
{
    const char *start = *at + 1;
    *at = quote + 1;
    return brz_json_token_of(kind, start, (size_t)(quote - start));
}

/** Reads the string whose opening quote is at *at, and whose plain beginning ends at `p`. */
static inline brz_json_token brz_json_take_odd_string(brz_json *j, brz_json_kind kind,
                                                      const char **at, const char *p,
                                                      const char *end, bool last)
{
    const char *control = NULL, *escape = NULL;
    for (; p == end || *p != '"'; p = brz_json_plain_end(p, end)) {
        bool is_control = p < end && *p != '\\';
        if (is_control && !j->lenient)
            return brz_json_fail(j, p, end, "a control character in a string");
        const char *next = is_control ? p + 1 : p < end ? brz_json_escape_end(p, end) : NULL;
        if (next == NULL && !last)
            return brz_json_token_of(BRZ_JSON_MORE, *at, 0);
        if (next == NULL)
            return brz_json_fail(j, *at, end, "a string without end");
        if (next == p && !j->lenient)
            return brz_json_fail(j, p, end, "an unknown escape sequence in a string");
        if (is_control && control == NULL)
            control = p;
        if (next == p && escape == NULL)
            escape = p;
        p = next + (next == p); /* an unknown sequence: only its backslash */
    }
    if (control != NULL)
        brz_json_deviate(j, BRZ_JSON_CONTROL, control);
    if (escape != NULL)
        brz_json_deviate(j, BRZ_JSON_ESCAPE, escape);
    return brz_json_end_string(kind, at, p);
}

/** Reads the string whose opening quote is at *at. */
static inline brz_json_token brz_json_take_string(brz_json *j, brz_json_kind kind, const char **at,
                                                  const char *end, bool last)
{
    const char *p = brz_json_plain_end(*at + 1, end);
    if (p < end && *p == '"')
        return brz_json_end_string(kind, at, p);
    return brz_json_take_odd_string(j, kind, at, p, end, last);
}

/** Returns whether a byte may be part of a number or a word. */
static inline bool brz_json_is_wordy(char c)
{
    char lower = (char)(c | 0x20);
    return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || c == '-' || c == '+' ||
           c == '.';
}

/** Returns the end of the digits at p. */
static inline const char *brz_json_digits_end(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/** Returns whether the rest of a number is an exponent, or empty. */
static inline bool brz_json_is_exponent(const char *p, const char *end)
{
    if (p == end)
        return true;
    if (*p != 'e' && *p != 'E')
        return false;
    p++;
    p += p < end && (*p == '+' || *p == '-');
    const char *digits = p;
    p = brz_json_digits_end(p, end);
    return p > digits && p == end;
}

/** Returns whether the whole text is a number. */
static inline bool brz_json_is_number(brz_str s)
{
    const char *p = s.data, *end = s.data + s.len;
    p += p < end && *p == '-';
    const char *digits = p;
    p = brz_json_digits_end(p, end);
    if (p == digits || (*digits == '0' && p - digits > 1))
        return false;
    if (p < end && *p == '.') {
        digits = ++p;
        p = brz_json_digits_end(p, end);
        if (p == digits)
            return false;
    }
    return brz_json_is_exponent(p, end);
}

/** Reads a number that is followed by a comma or a closing bracket. Returns its end, or NULL for
 * everything else. */
static inline const char *brz_json_number_end(const char *p, const char *end)
{
    p += *p == '-';
    const char *digits = p;
    while (p < end && (unsigned char)(*p - '0') < 10)
        p++;
    if (p == digits || (*digits == '0' && p - digits > 1))
        return NULL;
    if (p < end && *p == '.') {
        digits = ++p;
        while (p < end && (unsigned char)(*p - '0') < 10)
            p++;
        if (p == digits)
            return NULL;
    }
    return p < end && (*p == ',' || *p == ']' || *p == '}') ? p : NULL;
}

/** Returns whether a text equals a word of lower-case letters, in any case. */
static inline bool brz_json_word_is(brz_str text, const char *word)
{
    size_t i = 0;
    for (; i < text.len && word[i] != '\0'; i++)
        if ((text.data[i] | 0x20) != word[i])
            return false;
    return i == text.len && word[i] == '\0';
}

/** Returns whether a text states NaN or an infinity, as programs in Python, C and C++ print them.
 */
static inline bool brz_json_is_not_finite(brz_str s)
{
    static const char *const words[] = {"nan",       "inf",     "infinity",    "nan(ind)",
                                        "nan(snan)", "1.#inf",  "1.#infinity", "1.#ind",
                                        "1.#nan",    "1.#qnan", "1.#snan"};
    bool sign = s.len > 0 && (*s.data == '-' || *s.data == '+');
    brz_str word = brz_str_of(s.data + sign, s.len - sign);
    for (size_t i = 0; i < BRZ_COUNT_OF(words); i++)
        if (brz_json_word_is(word, words[i]))
            return true;
    return false;
}

/** Returns whether a text is a number in a notation that JSON does not have: with a plus sign, with
 * zeros in front, or without digits on one side of the point. */
static inline bool brz_json_is_notation(brz_str s)
{
    const char *p = s.data, *end = s.data + s.len;
    p += p < end && (*p == '-' || *p == '+');
    const char *digits = p;
    p = brz_json_digits_end(p, end);
    size_t n = (size_t)(p - digits);
    if (p < end && *p == '.') {
        digits = ++p;
        p = brz_json_digits_end(p, end);
        n += (size_t)(p - digits);
    }
    return n > 0 && brz_json_is_exponent(p, end);
}

/** Reads a number in a form that only a lenient parser accepts. */
static inline brz_json_token brz_json_take_odd_number(brz_json *j, const char **at, const char *end,
                                                      bool last)
{
    const char *p = *at;
    while (p < end && (brz_json_is_wordy(*p) || *p == '#' || *p == '(' || *p == ')'))
        p++;
    if (p == end && !last)
        return brz_json_token_of(BRZ_JSON_MORE, *at, 0);
    brz_json_token t = brz_json_token_of(BRZ_JSON_NUMBER, *at, (size_t)(p - *at));
    bool notation = brz_json_is_notation(t.text);
    if (!notation && !brz_json_is_not_finite(t.text))
        return brz_json_fail(j, *at, end, "expected a value");
    brz_json_deviate(j, notation ? BRZ_JSON_NOTATION : BRZ_JSON_NOT_FINITE, *at);
    *at = p;
    return t;
}

/** Reads a number, true, false or null. */
static inline brz_json_token brz_json_take_word(brz_json *j, const char **at, const char *end,
                                                bool last)
{
    const char *p = *at;
    while (p < end && brz_json_is_wordy(*p))
        p++;
    if (p == end && !last)
        return brz_json_token_of(BRZ_JSON_MORE, *at, 0);
    brz_json_token t = brz_json_token_of(BRZ_JSON_NUMBER, *at, (size_t)(p - *at));
    if (t.text.len == 4 && memcmp(t.text.data, "true", 4) == 0)
        t.kind = BRZ_JSON_TRUE;
    else if (t.text.len == 5 && memcmp(t.text.data, "false", 5) == 0)
        t.kind = BRZ_JSON_FALSE;
    else if (t.text.len == 4 && memcmp(t.text.data, "null", 4) == 0)
        t.kind = BRZ_JSON_NULL;
    else if (!brz_json_is_number(t.text))
        return j->lenient ? brz_json_take_odd_number(j, at, end, last)
                          : brz_json_fail(j, *at, end, "expected a value");
    *at = p;
    return t;
}

/* ---- brackets ------------------------------------------------------------------------------ */

/** Returns whether the innermost open bracket is that of an object. */
static inline bool brz_json_in_object(const brz_json *j)
{
    const uint8_t *bits = j->more != NULL ? j->more : j->first;
    size_t i = j->depth - 1;
    return j->depth > 0 && (bits[i / 8] >> (i % 8) & 1) != 0;
}

/** Makes room for one more open bracket; `ctx` may be NULL up to 64. */
static inline bool brz_json_room(brz_json *j, brz_ctx *ctx)
{
    size_t cap = j->more != NULL ? j->more_cap : sizeof j->first;
    if (j->depth < 8 * cap && j->depth < BRZ_JSON_MAX_DEPTH)
        return true;
    if (ctx == NULL || j->depth >= BRZ_JSON_MAX_DEPTH)
        return false;
    uint8_t *more = (uint8_t *)ctx->host->alloc(ctx, 4 * cap, 1);
    memcpy(more, j->more != NULL ? j->more : j->first, cap);
    j->more = more;
    j->more_cap = 4 * cap;
    return true;
}

/** Reads an opening bracket. */
static inline brz_json_token brz_json_open(brz_json *j, brz_ctx *ctx, const char **at,
                                           const char *end)
{
    bool object = **at == '{';
    if (!brz_json_room(j, ctx))
        return brz_json_fail(j, *at, end, "nested too deeply");
    uint8_t *bits = j->more != NULL ? j->more : j->first;
    uint8_t bit = (uint8_t)(1u << (j->depth % 8));
    uint8_t *byte = &bits[j->depth / 8];
    *byte = (uint8_t)(object ? *byte | bit : *byte & ~bit);
    j->depth++;
    j->state = object ? BRZ_JSON_WANT_FIRST_KEY : BRZ_JSON_WANT_FIRST_VALUE;
    return brz_json_token_of(object ? BRZ_JSON_OBJECT : BRZ_JSON_ARRAY, (*at)++, 1);
}

/** Sets the state after a value. */
static inline void brz_json_end_value(brz_json *j)
{
    j->state = j->depth > 0 ? BRZ_JSON_WANT_COMMA : BRZ_JSON_DONE;
}

/** Reads a closing bracket. */
static inline brz_json_token brz_json_close(brz_json *j, const char **at, const char *end)
{
    bool object = **at == '}';
    if (j->depth == 0 || brz_json_in_object(j) != object)
        return brz_json_fail(j, *at, end, "a closing bracket that does not match");
    j->depth--;
    brz_json_end_value(j);
    return brz_json_token_of(object ? BRZ_JSON_OBJECT_CLOSE : BRZ_JSON_ARRAY_CLOSE, (*at)++, 1);
}

/** Returns whether the closing bracket at `at` follows a comma, which a lenient parser accepts, and
 * counts that. */
static inline bool brz_json_is_trailing(brz_json *j, const char *at)
{
    bool object = *at == '}';
    bool follows = object ? j->state == BRZ_JSON_WANT_KEY
                          : *at == ']' && j->state == BRZ_JSON_WANT_VALUE && j->depth > 0 &&
                                !brz_json_in_object(j);
    if (!follows || !j->lenient)
        return false;
    brz_json_deviate(j, BRZ_JSON_TRAILING, at);
    return true;
}

/* ---- the parser ---------------------------------------------------------------------------- */

/** Reads a value, or its opening bracket. */
static inline brz_json_token brz_json_take_value(brz_json *j, brz_ctx *ctx, const char **at,
                                                 const char *end, bool last)
{
    const char *start = *at, *number = brz_json_number_end(start, end);
    if (number != NULL) {
        *at = number;
        brz_json_end_value(j);
        return brz_json_token_of(BRZ_JSON_NUMBER, start, (size_t)(number - start));
    }
    if (*start == '{' || *start == '[')
        return brz_json_open(j, ctx, at, end);
    if (*start == ']' && (j->state == BRZ_JSON_WANT_FIRST_VALUE || brz_json_is_trailing(j, start)))
        return brz_json_close(j, at, end);
    brz_json_token t = *start == '"' ? brz_json_take_string(j, BRZ_JSON_STRING, at, end, last)
                                     : brz_json_take_word(j, at, end, last);
    if (t.kind > BRZ_JSON_ERROR)
        brz_json_end_value(j);
    return t;
}

/** Reads a key, or the end of an empty object. */
static inline brz_json_token brz_json_take_key(brz_json *j, const char **at, const char *end,
                                               bool last)
{
    if (**at == '}' && (j->state == BRZ_JSON_WANT_FIRST_KEY || brz_json_is_trailing(j, *at)))
        return brz_json_close(j, at, end);
    if (**at != '"')
        return brz_json_fail(j, *at, end, "expected a key");
    brz_json_token t = brz_json_take_string(j, BRZ_JSON_KEY, at, end, last);
    if (t.kind == BRZ_JSON_KEY)
        j->state = BRZ_JSON_WANT_COLON;
    return t;
}

/** Returns the token for the end of the bytes: the end of the text only if it is complete. */
static inline brz_json_token brz_json_at_end(brz_json *j, const char *end, bool last)
{
    if (!last)
        return brz_json_token_of(BRZ_JSON_MORE, end, 0);
    if (j->depth == 0 &&
        (j->state == BRZ_JSON_DONE || (j->several && j->state == BRZ_JSON_WANT_VALUE)))
        return brz_json_token_of(BRZ_JSON_END, end, 0);
    return brz_json_fail(j, end, end, "the text ends too early");
}

/** Returns the end of the blanks at p. */
static inline const char *brz_json_blank_end(const char *p, const char *end)
{
    while (p < end && (unsigned char)*p <= ' ' &&
           (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

/** Returns the end of the comment that begins with the slash at `p`. Returns NULL if the comment is
 * incomplete, or `p` if the slash begins no comment. */
static inline const char *brz_json_comment_end(const char *p, const char *end, bool last)
{
    if (end - p < 2)
        return last ? p : NULL;
    if (p[1] == '/') {
        const char *newline = (const char *)memchr(p, '\n', (size_t)(end - p));
        return newline != NULL ? newline : last ? end : NULL;
    }
    if (p[1] != '*')
        return p;
    for (const char *q = p + 2; end - q >= 2; q++) {
        q = (const char *)memchr(q, '*', (size_t)(end - q - 1));
        if (q == NULL)
            break;
        if (q[1] == '/')
            return q + 2;
    }
    return last ? p : NULL;
}

/** Skips the comments at *at, and the blanks after them. Returns false if the last one is
 * incomplete. */
static inline bool brz_json_skip_comments(brz_json *j, const char **at, const char *end, bool last)
{
    while (*at < end && **at == '/' && j->lenient) {
        const char *after = brz_json_comment_end(*at, end, last);
        if (after == NULL)
            return false;
        if (after == *at)
            break;
        brz_json_deviate(j, BRZ_JSON_COMMENT, *at);
        *at = brz_json_blank_end(after, end);
    }
    return true;
}

/** Reads a comma or colon, or the blanks before it, and the blanks after it. Returns false if the
 * grammar wants something else at *at, which is not `end`. */
static inline bool brz_json_take_separator(brz_json *j, const char **at, const char *end)
{
    if (j->state == BRZ_JSON_WANT_COMMA && **at == ',')
        j->state = brz_json_in_object(j) ? BRZ_JSON_WANT_KEY : BRZ_JSON_WANT_VALUE;
    else if (j->state == BRZ_JSON_WANT_COLON && **at == ':')
        j->state = BRZ_JSON_WANT_VALUE;
    else
        return false;
    *at = brz_json_blank_end(*at + 1, end);
    return true;
}

/** Returns the token at *at, which is not `end`, if the grammar does not want a value or key. */
static inline brz_json_token brz_json_take_other(brz_json *j, const char **at, const char *end)
{
    if (j->state == BRZ_JSON_FAILED)
        return brz_json_token_of(BRZ_JSON_ERROR, *at, 0);
    if (j->state == BRZ_JSON_WANT_COLON)
        return brz_json_fail(j, *at, end, "expected a colon");
    if (j->state == BRZ_JSON_DONE)
        return brz_json_fail(j, *at, end, "more text after the value");
    if (**at == '}' || **at == ']')
        return brz_json_close(j, at, end);
    return brz_json_fail(j, *at, end, "expected a comma");
}

/** Returns the next token of [*at, end) and sets *at to its end, or to the start of an incomplete
 * token (BRZ_JSON_MORE). `last` means that the text ends at `end`. `ctx` provides memory for more
 * than 64 open brackets; if it is NULL, such a text is an error. After BRZ_JSON_ERROR, every call
 * returns that until brz_json_reset(). */
static inline brz_json_token brz_json_next(brz_json *j, brz_ctx *ctx, const char **at,
                                           const char *end, bool last)
{
    *at = brz_json_blank_end(*at, end);
    if (!brz_json_skip_comments(j, at, end, last))
        return brz_json_token_of(BRZ_JSON_MORE, *at, 0);
    if (*at < end && j->state == BRZ_JSON_DONE && j->several)
        brz_json_reset(j);
    if (*at < end && brz_json_take_separator(j, at, end) &&
        !brz_json_skip_comments(j, at, end, last))
        return brz_json_token_of(BRZ_JSON_MORE, *at, 0);
    if (*at == end)
        return j->state == BRZ_JSON_FAILED ? brz_json_token_of(BRZ_JSON_ERROR, *at, 0)
                                           : brz_json_at_end(j, end, last);
    if (j->state <= BRZ_JSON_WANT_FIRST_VALUE)
        return brz_json_take_value(j, ctx, at, end, last);
    if (j->state <= BRZ_JSON_WANT_KEY)
        return brz_json_take_key(j, at, end, last);
    return brz_json_take_other(j, at, end);
}

/** Reads a comma and a number if they are next in an array, as they are in its middle; faster than
 * brz_json_next(). Returns false, and reads nothing, if something else is next. */
static inline bool brz_json_next_number(brz_json *j, const char **at, const char *end,
                                        brz_json_token *token)
{
    if (end - *at < 2 || **at != ',' || j->state != BRZ_JSON_WANT_COMMA || brz_json_in_object(j))
        return false;
    const char *start = *at + 1, *number = brz_json_number_end(start, end);
    if (number == NULL)
        return false;
    *token = brz_json_token_of(BRZ_JSON_NUMBER, start, (size_t)(number - start));
    *at = number;
    return true;
}

/** Reads tokens until no more than `depth` brackets are open. Returns the closing bracket, or the
 * token that brz_json_next() returns instead: BRZ_JSON_MORE, BRZ_JSON_END or BRZ_JSON_ERROR. */
static inline brz_json_token brz_json_skip(brz_json *j, brz_ctx *ctx, const char **at,
                                           const char *end, bool last, size_t depth)
{
    brz_json_token token;
    do {
        while (brz_json_next_number(j, at, end, &token))
            continue;
        token = brz_json_next(j, ctx, at, end, last);
    } while (token.kind > BRZ_JSON_ERROR && j->depth > depth);
    return token;
}

#endif
