/* SPDX-License-Identifier: MIT */
/* Reads the tags of XML and HTML. */
#include "markup.h"

#include <brazier/json.h>
#include <brazier/symbol.h>

void markup_start(markup *m, brz_str text)
{
    *m = (markup){.rest = text};
}

/* ---- tags ------------------------------------------------------------------------------------ */

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool is_name(char c)
{
    return is_letter(c) || brz_is_digit(c) || c == '_' || c == '-' || c == '.' || c == ':';
}

/* Returns the length of the name at the beginning of a text. */
static size_t name_length(brz_str s)
{
    size_t n = 0;
    while (n < s.len && is_name(s.data[n]))
        n++;
    return n;
}

/* Takes bytes off the front of a text. */
static brz_str take(brz_str *s, size_t n)
{
    brz_str taken = brz_str_of(s->data, n);
    *s = brz_str_of(s->data + n, s->len - n);
    return taken;
}

/* Returns the number of bytes up to the end of `end`, or of the text if it lacks that. */
static size_t length_to(brz_str s, brz_str end)
{
    size_t at = brz_str_find(s, end, 0);
    return at == SIZE_MAX ? s.len : at + end.len;
}

/* Returns whether a tag, a comment or a declaration begins at `at`, where a "<" is. */
static bool begins_tag(brz_str s, size_t at)
{
    if (at + 1 >= s.len)
        return false;
    char c = s.data[at + 1];
    return is_letter(c) || c == '!' || c == '?' ||
           (c == '/' && at + 2 < s.len && is_letter(s.data[at + 2]));
}

/* Returns the length of a tag. A ">" within quotes does not end it, unless the quotes are not
 * closed in their line or it is followed by another tag: then a quote is missing. A tag that breaks
 * off ends where another one begins. */
static size_t tag_length(brz_str s)
{
    char quote = '\0';
    size_t first = SIZE_MAX; /* the first ">" since the quote that is open */
    for (size_t i = 1; i < s.len; i++) {
        char c = s.data[i];
        if (quote != '\0' && c == '\n') {
            if (first != SIZE_MAX)
                return first + 1;
            quote = '\0';
        } else if (quote != '\0') {
            if (c == '>' && i + 1 < s.len && s.data[i + 1] == '<')
                return i + 1;
            if (c == '>' && first == SIZE_MAX)
                first = i;
            if (c == quote)
                quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
            first = SIZE_MAX;
        } else if (c == '>') {
            return i + 1;
        } else if (c == '<') {
            return i;
        }
    }
    return first != SIZE_MAX && quote != '\0' ? first + 1 : s.len;
}

static brz_str without_prefix(brz_str name)
{
    brz_str prefix, rest = name;
    brz_cut_first(name, ':', &prefix, &rest);
    return rest;
}

static void read_tag(markup *m)
{
    m->text = take(&m->rest, tag_length(m->rest));
    bool closes = m->text.data[1] == '/';
    brz_str s = brz_str_of(m->text.data + 1 + closes, m->text.len - 1 - closes);
    size_t n = name_length(s);
    m->kind = closes ? MARKUP_CLOSE : MARKUP_OPEN;
    m->name = without_prefix(take(&s, n));
    if (brz_ends_with(s, BRZ_STR(">")))
        s.len--;
    m->is_empty = !closes && brz_ends_with(s, BRZ_STR("/"));
    m->attributes = s;
}

/* Reads the content of a script or a style sheet, which is no markup. */
static void read_raw(markup *m, const char *end)
{
    size_t at = brz_str_find(m->rest, brz_str_of_text(end), 0);
    m->kind = MARKUP_TEXT;
    m->text = take(&m->rest, at == SIZE_MAX ? m->rest.len : at);
}

static void read_text(markup *m)
{
    size_t n = 0;
    do {
        const char *at =
            n < m->rest.len ? memchr(m->rest.data + n + 1, '<', m->rest.len - n - 1) : NULL;
        n = at == NULL ? m->rest.len : (size_t)(at - m->rest.data);
    } while (n < m->rest.len && !begins_tag(m->rest, n));
    m->kind = MARKUP_TEXT;
    m->text = take(&m->rest, n);
}

/* Skips a comment or a declaration. Returns false if something else begins here. */
static bool skip_declaration(markup *m)
{
    if (brz_starts_with(m->rest, BRZ_STR("<!--")))
        take(&m->rest, length_to(m->rest, BRZ_STR("-->")));
    else if (brz_starts_with(m->rest, BRZ_STR("<?")))
        take(&m->rest, length_to(m->rest, BRZ_STR("?>")));
    else if (brz_starts_with(m->rest, BRZ_STR("<!")))
        take(&m->rest, tag_length(m->rest));
    else
        return false;
    return true;
}

bool markup_next(markup *m)
{
    if (markup_is(m, MARKUP_OPEN, "script") && !m->is_empty)
        return read_raw(m, "</script"), true;
    if (markup_is(m, MARKUP_OPEN, "style") && !m->is_empty)
        return read_raw(m, "</style"), true;
    while (m->rest.len > 0) {
        if (brz_starts_with(m->rest, BRZ_STR("<![CDATA["))) {
            read_raw(m, "]]>");
            return true;
        }
        if (m->rest.data[0] != '<' || !begins_tag(m->rest, 0))
            return read_text(m), true;
        if (!skip_declaration(m))
            return read_tag(m), true;
    }
    m->kind = MARKUP_END;
    return false;
}

bool markup_is(const markup *m, markup_kind kind, const char *name)
{
    return m->kind == kind && brz_str_is(m->name, name);
}

/* ---- contents -------------------------------------------------------------------------------- */

/* Returns whether a tag with one of the names begins at a text. */
static bool is_tag_of(brz_str s, const char *const *names, size_t n)
{
    size_t skipped = s.len > 1 && s.data[1] == '/' ? 2 : 1;
    brz_str name = brz_str_of(s.data + skipped, s.len - skipped);
    name.len = name_length(name);
    return brz_str_index(without_prefix(name), names, n) < n;
}

brz_str markup_content(markup *m, const char *const *names, size_t n)
{
    brz_str own = m->name;
    for (size_t at = 0; !m->is_empty; at++) {
        const char *found =
            at < m->rest.len ? memchr(m->rest.data + at, '<', m->rest.len - at) : NULL;
        if (found == NULL)
            return take(&m->rest, m->rest.len);
        at = (size_t)(found - m->rest.data);
        brz_str tag = brz_str_of(found, m->rest.len - at);
        bool closes = tag.len > own.len + 1 && tag.data[1] == '/' &&
                      brz_starts_with(brz_str_of(tag.data + 2, tag.len - 2), own);
        if (closes || is_tag_of(tag, names, n))
            return take(&m->rest, at);
    }
    return brz_str_of(m->rest.data, 0);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static void skip_blanks(brz_str *s)
{
    while (s->len > 0 && brz_is_blank(s->data[0]))
        take(s, 1);
}

/* Takes the value of an attribute, in quotes or not. */
static brz_str take_value(brz_str *s)
{
    size_t n = 0;
    brz_str value;
    skip_blanks(s);
    if (s->len > 0 && (s->data[0] == '"' || s->data[0] == '\'')) {
        char quote = take(s, 1).data[0];
        const char *end = s->len > 0 ? memchr(s->data, quote, s->len) : NULL;
        value = take(s, end == NULL ? s->len : (size_t)(end - s->data));
        take(s, end == NULL ? 0 : 1);
        return value;
    }
    while (n < s->len && !brz_is_blank(s->data[n]))
        n++;
    return take(s, n);
}

/* Takes an attribute. Returns false at the end of the tag. */
static bool take_attribute(brz_str *s, brz_str *key, brz_str *value)
{
    while (s->len > 0 && !is_name(s->data[0]))
        take(s, 1);
    *key = take(s, name_length(*s));
    *value = brz_str_of(NULL, 0);
    skip_blanks(s);
    if (s->len > 0 && s->data[0] == '=') {
        take(s, 1);
        *value = take_value(s);
    }
    return key->len > 0;
}

void markup_attributes(const markup *m, const char *const *keys, size_t n, brz_str *values)
{
    brz_str s = m->attributes, key, value;
    for (size_t i = 0; i < n; i++)
        values[i] = brz_str_of(NULL, 0);
    while (take_attribute(&s, &key, &value)) {
        size_t i = brz_str_index(key, keys, n);
        if (i < n && values[i].data == NULL)
            values[i] = value;
    }
}

/* ---- entities -------------------------------------------------------------------------------- */

/* Parses the number of a character, which follows "&#". Returns false for an invalid one. */
static bool parse_code(brz_str s, uint32_t *code)
{
    bool hex = s.len > 1 && (s.data[0] | 0x20) == 'x';
    *code = 0;
    for (size_t i = hex; i < s.len; i++) {
        char c = s.data[i];
        if (*code > 0x10ffff || !(hex ? brz_is_hex(c) : brz_is_digit(c)))
            return false;
        uint32_t digit = brz_is_digit(c) ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a' + 10);
        *code = *code * (hex ? 16 : 10) + digit;
    }
    return s.len > hex && *code > 0 && *code <= 0x10ffff && *code >> 11 != 0xd800 >> 11;
}

/* Finds the character that an entity, without "&" and ";", stands for. */
static bool find_entity(brz_str s, uint32_t *code)
{
    static const struct {
        const char *name;
        uint32_t code;
    } known[] = {{"lt", '<'},   {"gt", '>'},    {"amp", '&'},
                 {"quot", '"'}, {"apos", '\''}, {"nbsp", 0xa0}};
    if (s.len > 1 && s.data[0] == '#')
        return parse_code(brz_str_of(s.data + 1, s.len - 1), code);
    for (size_t i = 0; i < BRZ_COUNT_OF(known); i++)
        if (brz_str_is(s, known[i].name)) {
            *code = known[i].code;
            return true;
        }
    return false;
}

#define LONGEST_ENTITY 12

/* Appends the character of the entity at the beginning of a text, or the text's first byte if that
 * begins no known entity. Returns the number of bytes read. */
static size_t decode_entity(brz_text *to, brz_ctx *ctx, brz_str s, bool *well_formed)
{
    char bytes[4];
    uint32_t code;
    size_t window = s.len < LONGEST_ENTITY ? s.len : LONGEST_ENTITY;
    const char *end = memchr(s.data, ';', window);
    size_t n = end == NULL ? 0 : (size_t)(end - s.data);
    if (n < 2 || !find_entity(brz_str_of(s.data + 1, n - 1), &code)) {
        brz_text_append(to, ctx, brz_str_of(s.data, 1));
        *well_formed = false;
        return 1;
    }
    brz_text_append(to, ctx, brz_str_of(bytes, brz_json_put_utf8(code, bytes)));
    return n + 1;
}

/* Returns whether a text has a character that XML does not allow in texts. */
static bool has_odd_character(brz_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (c == '<' || (c < ' ' && c != '\t' && c != '\n' && c != '\r'))
            return true;
    }
    return false;
}

bool markup_decode(brz_text *to, brz_ctx *ctx, brz_str s)
{
    bool well_formed = !has_odd_character(s);
    while (s.len > 0) {
        const char *at = memchr(s.data, '&', s.len);
        size_t n = at == NULL ? s.len : (size_t)(at - s.data);
        brz_text_append(to, ctx, take(&s, n));
        if (s.len > 0)
            take(&s, decode_entity(to, ctx, s, &well_formed));
    }
    return well_formed;
}

brz_str markup_root(brz_str document)
{
    markup m;
    if (brz_starts_with(document, BRZ_STR("\xef\xbb\xbf")))
        take(&document, 3);
    markup_start(&m, document);
    while (markup_next(&m) && m.kind == MARKUP_TEXT)
        if (brz_trim(m.text).len > 0)
            return brz_str_of(NULL, 0);
    bool is_tag = m.kind == MARKUP_OPEN &&
                  (m.attributes.len == 0 || m.is_empty || brz_is_blank(m.attributes.data[0]) ||
                   m.attributes.data[0] == '\n' || m.attributes.data[0] == '\r');
    return is_tag ? m.name : brz_str_of(NULL, 0);
}
