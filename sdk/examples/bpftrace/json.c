/* Parses the output of `bpftrace -f json`, one object per line:
 *
 *     {"type": "map", "data": {"@name": {"key": 5, …}}}
 *     {"type": "printf", "data": "text"}
 *
 * A map with all its entries is on a single line of unlimited length: it is parsed entry by entry,
 * and only the current entry needs to be in memory. The output of printf and print is concatenated
 * and parsed as text.
 */
#include "bpftrace.h"

#include <brazier/symbol.h>

/* Result of looking for a token; MORE: depends on bytes that have not arrived yet. */
typedef enum found { NO, YES, MORE } found;

/* A position in a line. The take_… functions advance it only if they find what they look for. */
typedef struct cursor {
    const char *p, *end;
} cursor;

/* ---- JSON ------------------------------------------------------------------------------------ */

static found skip_blanks(cursor *c)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\r'))
        c->p++;
    return c->p < c->end ? YES : MORE;
}

static found take_char(cursor *c, char wanted)
{
    if (skip_blanks(c) == MORE)
        return MORE;
    if (*c->p != wanted)
        return NO;
    c->p++;
    return YES;
}

/* Parses a string; its text is still escaped. */
static found take_string(cursor *c, brz_str *s)
{
    found f = take_char(c, '"');
    if (f != YES)
        return f;
    const char *start = c->p, *p = start;
    while ((p = memchr(p, '"', (size_t)(c->end - p))) != NULL) {
        const char *back = p;
        while (back > start && back[-1] == '\\')
            back--;
        if ((p - back) % 2 == 0)
            break;
        p++;
    }
    const char *stop = p == NULL ? c->end : p;
    if (memchr(start, '\n', (size_t)(stop - start)) != NULL)
        return NO;
    if (p == NULL)
        return MORE;
    *s = brz_str_of(start, (size_t)(p - start));
    c->p = p + 1;
    return YES;
}

/* Parses an object or array with all its contents. */
static found take_nested(cursor *c, brz_str *s)
{
    const char *start = c->p;
    size_t depth = 0;
    brz_str text;
    do {
        if (c->p == c->end)
            return MORE;
        char ch = *c->p;
        if (ch == '\n')
            return NO;
        if (ch == '"') {
            found f = take_string(c, &text);
            if (f != YES)
                return f;
            continue;
        }
        depth += ch == '{' || ch == '[';
        depth -= ch == '}' || ch == ']';
        c->p++;
    } while (depth > 0);
    *s = brz_str_of(start, (size_t)(c->p - start));
    return YES;
}

/* Parses a value of any type and returns its raw text. */
static found take_value(cursor *c, brz_str *s)
{
    if (skip_blanks(c) == MORE)
        return MORE;
    const char *start = c->p;
    if (*c->p == '{' || *c->p == '[')
        return take_nested(c, s);
    if (*c->p == '"') {
        found f = take_string(c, s);
        *s = brz_str_of(start, (size_t)(c->p - start));
        return f;
    }
    while (c->p < c->end && strchr(",}] \t\r\n", *c->p) == NULL)
        c->p++;
    *s = brz_str_of(start, (size_t)(c->p - start));
    return c->p == c->end ? MORE : YES;
}

static uint32_t hex4(const char *p)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        v = v * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return v;
}

static bool is_hex4(brz_str s, size_t at)
{
    return s.len - at >= 4 && brz_all_hex(s.data + at, 4);
}

static char *put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (char)c;
        return out;
    }
    if (c >= 0x10000) {
        *out++ = (char)(0xf0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3f));
    } else if (c >= 0x800) {
        *out++ = (char)(0xe0 | c >> 12);
    } else {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3f));
        return out;
    }
    *out++ = (char)(0x80 | (c >> 6 & 0x3f));
    *out++ = (char)(0x80 | (c & 0x3f));
    return out;
}

/* Decodes the character of "\uXXXX", whose first digit is s.data[*i], or that of a surrogate
 * pair. */
static uint32_t take_unicode(brz_str s, size_t *i)
{
    uint32_t c = hex4(s.data + *i), low;
    *i += 4;
    if (c < 0xd800 || c > 0xdfff)
        return c;
    bool pair = c < 0xdc00 && s.len - *i >= 6 && s.data[*i] == '\\' && s.data[*i + 1] == 'u' &&
                is_hex4(s, *i + 2);
    if (!pair || (low = hex4(s.data + *i + 2)) < 0xdc00 || low > 0xdfff)
        return 0xfffd;
    *i += 6;
    return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

static char unescaped(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    default:
        return c; /* '"', '\\', '/' */
    }
}

/* Appends the decoded text of a string, which is not longer than the escaped text. */
static void decode(brz_text *b, brz_ctx *ctx, brz_str s)
{
    brz_text_room(b, ctx, s.len);
    char *out = b->data + b->len;
    for (size_t i = 0; i < s.len;) {
        const char *slash = memchr(s.data + i, '\\', s.len - i);
        size_t n = slash == NULL ? s.len - i : (size_t)(slash - s.data) - i;
        memcpy(out, s.data + i, n);
        out += n;
        i += n + 1;
        if (slash == NULL || i >= s.len)
            break;
        char c = s.data[i++];
        if (c == 'u' && is_hex4(s, i))
            out = put_utf8(out, take_unicode(s, &i));
        else
            *out++ = unescaped(c);
    }
    b->len = (size_t)(out - b->data);
}

/* ---- entries of a map ------------------------------------------------------------------------ */

/* Returns the member "total" of a statistics object, or the value unchanged. */
static brz_str total_of(brz_str value)
{
    brz_str key, number;
    cursor c = {value.data + 1, value.data + value.len};
    if (value.len == 0 || value.data[0] != '{')
        return value;
    while (take_string(&c, &key) == YES && take_char(&c, ':') == YES &&
           take_value(&c, &number) == YES) {
        if (brz_str_equal(key, BRZ_STR("total")))
            return number;
        if (take_char(&c, ',') != YES)
            break;
    }
    return value;
}

static void take_key(bpftrace *b, brz_ctx *ctx, brz_str key)
{
    b->decoded.len = 0;
    decode(&b->decoded, ctx, key);
    brz_str text = brz_text_str(&b->decoded), line;
    bool items = true; /* the line contains items, not a frame */
    sample_begin(b);
    while (brz_take_piece(&text, '\n', &line)) {
        if (items)
            key_items(b, ctx, line, false);
        else
            sample_frame(b, ctx, line);
        items = text.len > 0 && text.data[0] == ',';
        if (items)
            text = brz_str_of(text.data + 1, text.len - 1);
    }
}

/* Parses an entry, or the end of the map. */
static found take_entry(bpftrace *b, brz_ctx *ctx, cursor *c, brz_rc *rc)
{
    brz_str key, value;
    cursor at = *c;
    found f = take_char(&at, ',');
    if (f != MORE)
        f = take_char(&at, '}');
    if (f == YES) {
        b->json = IN_REST;
        *c = at;
    }
    if (f != NO)
        return f;
    f = take_string(&at, &key);
    if (f == YES)
        f = take_char(&at, ':');
    if (f == YES)
        f = take_value(&at, &value);
    if (f != YES)
        return f;
    take_key(b, ctx, key);
    *rc = value_take(b, ctx, total_of(value));
    *c = at;
    return YES;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Parses the front of a line up to its data: {"type": "…", "data": */
static found take_type(cursor *c, brz_str *type)
{
    brz_str word;
    found f = take_char(c, '{');
    if (f == YES)
        f = take_string(c, &word);
    if (f == YES && !brz_str_equal(word, BRZ_STR("type")))
        return NO;
    if (f == YES)
        f = take_char(c, ':');
    if (f == YES)
        f = take_string(c, type);
    if (f == YES)
        f = take_char(c, ',');
    if (f == YES)
        f = take_string(c, &word);
    if (f == YES && !brz_str_equal(word, BRZ_STR("data")))
        return NO;
    return f == YES ? take_char(c, ':') : f;
}

/* Returns whether [p, end) begins like a line of this format. */
bool json_line_is(const char *p, const char *end)
{
    brz_str type;
    cursor c = {p, end};
    return take_type(&c, &type) == YES;
}

static bool has_entries(brz_str type)
{
    return brz_str_equal(type, BRZ_STR("map")) || brz_str_equal(type, BRZ_STR("stats"));
}

/* Returns whether [p, end) begins like a line with a map, which starts a new record. */
bool json_line_is_map(const char *p, const char *end)
{
    brz_str type;
    cursor c = {p, end};
    return take_type(&c, &type) == YES && has_entries(type);
}

static brz_rc end_text(bpftrace *b, brz_ctx *ctx)
{
    brz_rc rc = b->partial.len > 0 ? text_line(b, ctx, brz_text_str(&b->partial)) : BRZ_OK;
    b->partial.len = 0;
    return rc == BRZ_OK ? text_end(b, ctx) : rc;
}

/* Parses a map's name, up to its first entry. Skips a map without keys. */
static found begin_map(bpftrace *b, brz_ctx *ctx, cursor *c, brz_rc *rc)
{
    brz_str name;
    found f = take_char(c, '{');
    if (f == YES)
        f = take_string(c, &name);
    if (f == YES)
        f = take_char(c, ':');
    if (f == YES)
        f = take_char(c, '{');
    if (f == MORE)
        return MORE;
    *rc = end_text(b, ctx);
    b->json = IN_REST;
    if (f != YES || name.len == 0)
        return YES;
    b->map.len = 0;
    brz_text_append(&b->map, ctx, brz_str_of(name.data + 1, name.len - 1));
    b->json = IN_ENTRIES;
    return YES;
}

/* Parses the complete lines that printf or print wrote. */
static brz_rc take_text(bpftrace *b, brz_ctx *ctx, brz_str escaped)
{
    brz_rc rc = BRZ_OK;
    decode(&b->partial, ctx, escaped);
    brz_str text = brz_text_str(&b->partial), line;
    while (rc == BRZ_OK && brz_cut_first(text, '\n', &line, &text))
        rc = text_line(b, ctx, line);
    if (text.len > 0)
        memmove(b->partial.data, text.data, text.len);
    b->partial.len = text.len;
    return rc;
}

static bool is_text(brz_str type)
{
    return brz_str_equal(type, BRZ_STR("printf")) || brz_str_equal(type, BRZ_STR("value"));
}

static bool is_histogram(brz_str type)
{
    return brz_str_equal(type, BRZ_STR("hist")) || brz_str_equal(type, BRZ_STR("lhist")) ||
           brz_str_equal(type, BRZ_STR("tseries"));
}

static found take_line(bpftrace *b, brz_ctx *ctx, cursor *c, brz_rc *rc)
{
    brz_str type, value;
    cursor at = *c;
    found f = take_type(&at, &type);
    if (f == YES && has_entries(type)) {
        f = begin_map(b, ctx, &at, rc);
    } else if (f == YES && is_text(type)) {
        f = take_value(&at, &value);
        if (f == YES && value.data[0] == '"')
            *rc = take_text(b, ctx, brz_str_of(value.data + 1, value.len - 2));
        b->json = IN_REST;
    } else if (f != MORE) {
        b->n_other_values += f == YES && is_histogram(type);
        b->json = IN_REST;
    }
    if (f == MORE) {
        b->json = AT_LINE;
        return MORE;
    }
    *c = at;
    return YES;
}

static found skip_rest(bpftrace *b, cursor *c)
{
    const char *newline = memchr(c->p, '\n', (size_t)(c->end - c->p));
    c->p = newline == NULL ? c->end : newline + 1;
    if (newline != NULL)
        b->json = AT_LINE;
    return newline == NULL ? MORE : YES;
}

static found take_next(bpftrace *b, brz_ctx *ctx, cursor *c, brz_rc *rc)
{
    if (b->json == IN_REST)
        return skip_rest(b, c);
    if (b->json == IN_ENTRIES)
        return take_entry(b, ctx, c, rc);
    if (*c->p == '\n' || *c->p == '\r') {
        c->p++;
        return YES;
    }
    return take_line(b, ctx, c, rc);
}

const char *json_take(bpftrace *b, brz_ctx *ctx, const char *p, const char *end, bool last,
                      brz_rc *rc)
{
    cursor c = {p, end};
    found f = YES;
    *rc = BRZ_OK;
    while (c.p < end && *rc == BRZ_OK && f != MORE) {
        bool in_entries = b->json == IN_ENTRIES;
        f = take_next(b, ctx, &c, rc);
        if (f == NO) { /* not JSON: the rest of the line is lost */
            if (in_entries)
                report(b, ctx, "bpftrace.json",
                       BRZ_STR("not in bpftrace's JSON format: the rest of a line is left out"));
            b->json = IN_REST;
        }
    }
    if (!last || *rc != BRZ_OK)
        return c.p;
    if (b->json == IN_ENTRIES || c.p < end)
        report(b, ctx, "bpftrace.cut-off", BRZ_STR("a line is cut off: its end is left out"));
    b->json = AT_LINE;
    *rc = end_text(b, ctx);
    return end;
}
