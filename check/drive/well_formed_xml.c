/* Checks whether text is well-formed XML 1.0.
 *
 *     document := declaration? misc* doctype? misc* element misc*
 *     element  := "<" name attribute* ("/>" | ">" content "</" name ">")
 *     misc     := comment | instruction | blank
 *
 * A DOCTYPE is skipped; only the five predefined entities are known. A stack holds the names of
 * open elements instead of recursion.
 */
#include "well_formed.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

typedef struct walker {
    brz_str text;
    size_t at;
    const char *what;
    brz_str *open;
    size_t n_open, cap;
} walker;

static bool fail(walker *w, const char *what)
{
    if (w->what == NULL)
        w->what = what;
    return false;
}

static int peek(const walker *w)
{
    return w->at < w->text.len ? (unsigned char)w->text.data[w->at] : -1;
}

static bool sees(const walker *w, const char *word)
{
    size_t n = strlen(word);
    return w->text.len - w->at >= n && memcmp(w->text.data + w->at, word, n) == 0;
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool skip_blanks(walker *w)
{
    size_t from = w->at;
    while (is_blank(peek(w)))
        w->at++;
    return w->at > from;
}

/* ---- characters ---------------------------------------------------------------------------- */

/* Checks a character: U+FFFE, U+FFFF and control characters are not allowed in XML. */
static bool take_character(walker *w)
{
    const char *p = w->text.data + w->at;
    size_t n = brz_utf8_length(p, w->text.len - w->at);
    if (n == 0)
        return fail(w, "malformed UTF-8");
    if ((unsigned char)*p < 0x20 && !is_blank(*p))
        return fail(w, "a control character");
    if (n == 3 && (unsigned char)p[0] == 0xef && (unsigned char)p[1] == 0xbf &&
        (unsigned char)p[2] >= 0xbe)
        return fail(w, "a character that XML cannot hold");
    w->at += n;
    return true;
}

static bool take_until(walker *w, const char *end, const char *what)
{
    while (!sees(w, end))
        if (w->at >= w->text.len)
            return fail(w, what);
        else if (!take_character(w))
            return false;
    w->at += strlen(end);
    return true;
}

static bool is_name_start(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || c >= 0x80;
}

static bool is_name(int c)
{
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static bool take_name(walker *w, brz_str *name)
{
    size_t from = w->at;
    if (!is_name_start(peek(w)))
        return fail(w, "a name is missing");
    while (is_name(peek(w)))
        if (!take_character(w))
            return false;
    *name = brz_str_of(w->text.data + from, w->at - from);
    return true;
}

/* Checks "&amp;", "&#10;" or "&#x0a;". */
static bool take_reference(walker *w)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", NULL};
    for (size_t i = 0; known[i] != NULL; i++)
        if (sees(w, known[i])) {
            w->at += strlen(known[i]);
            return true;
        }
    if (!sees(w, "&#"))
        return fail(w, "'&' that begins no entity");
    w->at += 2;
    bool hex = peek(w) == 'x';
    w->at += hex;
    size_t from = w->at;
    unsigned long code = 0;
    for (int c; (c = peek(w)) >= 0 && w->at < from + 8; w->at++) {
        int digit = c >= '0' && c <= '9'          ? c - '0'
                    : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : hex && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                  : -1;
        if (digit < 0)
            break;
        code = code * (hex ? 16 : 10) + (unsigned)digit;
    }
    bool legal = code == 9 || code == 10 || code == 13 || (code >= 0x20 && code < 0xd800) ||
                 (code >= 0xe000 && code < 0xfffe) || (code >= 0x10000 && code < 0x110000);
    if (w->at == from || peek(w) != ';' || !legal)
        return fail(w, "a reference to no character");
    w->at++;
    return true;
}

/* ---- tags ---------------------------------------------------------------------------------- */

static bool take_attribute_value(walker *w)
{
    int quote = peek(w);
    if (quote != '"' && quote != '\'')
        return fail(w, "a value without quotes");
    for (w->at++; peek(w) != quote;) {
        int c = peek(w);
        if (c < 0)
            return fail(w, "a value does not end");
        if (c == '<')
            return fail(w, "'<' in a value");
        if (c == '&' ? !take_reference(w) : !take_character(w))
            return false;
    }
    w->at++;
    return true;
}

#define MOST_ATTRIBUTES 64

/* Checks the part of a tag after the element's name, up to its ">"; sets *empty for "/>". */
static bool take_attributes(walker *w, bool *empty)
{
    brz_str names[MOST_ATTRIBUTES];
    size_t n = 0;
    for (;;) {
        bool blank = skip_blanks(w);
        *empty = sees(w, "/>");
        if (*empty || peek(w) == '>') {
            w->at += *empty ? 2 : 1;
            return true;
        }
        if (!blank || n == MOST_ATTRIBUTES)
            return fail(w, "a tag does not end");
        if (!take_name(w, &names[n]))
            return false;
        for (size_t i = 0; i < n; i++)
            if (names[i].len == names[n].len &&
                memcmp(names[i].data, names[n].data, names[n].len) == 0)
                return fail(w, "an attribute is there twice");
        n++;
        skip_blanks(w);
        if (peek(w) != '=')
            return fail(w, "'=' is missing after an attribute");
        w->at++;
        skip_blanks(w);
        if (!take_attribute_value(w))
            return false;
    }
}

static bool take_start_tag(walker *w)
{
    brz_str name;
    bool empty;
    w->at++;
    if (!take_name(w, &name) || !take_attributes(w, &empty))
        return false;
    if (empty)
        return true;
    w->open = brz_grow(w->open, w->n_open, &w->cap, sizeof *w->open);
    w->open[w->n_open++] = name;
    return true;
}

static bool take_end_tag(walker *w)
{
    brz_str name;
    w->at += 2;
    if (!take_name(w, &name))
        return false;
    skip_blanks(w);
    if (peek(w) != '>')
        return fail(w, "an end tag does not end");
    const brz_str *open = w->n_open > 0 ? &w->open[w->n_open - 1] : NULL;
    if (open == NULL || open->len != name.len || memcmp(open->data, name.data, name.len) != 0)
        return fail(w, "an end tag of another element");
    w->n_open--;
    w->at++;
    return true;
}

/* ---- document ------------------------------------------------------------------------------ */

static bool take_comment(walker *w)
{
    w->at += 4;
    if (!take_until(w, "--", "a comment does not end"))
        return false;
    if (peek(w) != '>')
        return fail(w, "'--' in a comment");
    w->at++;
    return true;
}

/* Checks a tag, comment, instruction or CDATA section. */
static bool take_markup(walker *w)
{
    if (sees(w, "<!--"))
        return take_comment(w);
    if (sees(w, "<![CDATA["))
        return w->n_open > 0 ? take_until(w, "]]>", "a CDATA section does not end")
                             : fail(w, "text outside of the root element");
    if (sees(w, "<?"))
        return take_until(w, "?>", "an instruction does not end");
    return sees(w, "</") ? take_end_tag(w) : take_start_tag(w);
}

/* Checks the content between two tags. */
static bool take_content(walker *w)
{
    int c = peek(w);
    if (c == '<')
        return take_markup(w);
    if (c == '&')
        return take_reference(w);
    if (sees(w, "]]>"))
        return fail(w, "']]>' in text");
    return take_character(w);
}

/* Checks the part before or after the root element. */
static bool take_misc(walker *w)
{
    for (skip_blanks(w); sees(w, "<!--") || sees(w, "<?"); skip_blanks(w))
        if (!take_markup(w))
            return false;
    return true;
}

static bool take_doctype(walker *w)
{
    if (!sees(w, "<!DOCTYPE"))
        return true;
    return take_until(w, ">", "the DOCTYPE does not end") && take_misc(w);
}

static bool take_document(walker *w)
{
    if (!take_misc(w) || !take_doctype(w))
        return false;
    if (peek(w) != '<')
        return fail(w, "there is no root element");
    if (!take_start_tag(w))
        return false;
    while (w->n_open > 0)
        if (w->at >= w->text.len)
            return fail(w, "an element is not closed");
        else if (!take_content(w))
            return false;
    return take_misc(w);
}

check_flaw check_well_formed_xml(brz_str text)
{
    walker w = {.text = text};
    if (take_document(&w) && w.at < text.len)
        w.what = "there is more after the root element";
    free(w.open);
    return (check_flaw){w.at, w.what};
}
