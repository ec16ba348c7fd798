/* SPDX-License-Identifier: MIT */
/* Fast path for rows in the form that xctrace writes: reads them without expat, which would take
 * several times as long.
 *
 *     row   := "<row>" (tag | text)* "</row>"
 *     tag   := "<" name (blank+ name '="' value '"')* ["/"] ">" | "</" name ">"
 *
 * Rows consist of printable ASCII and newlines, without "&" and comments: only of syntax that every
 * XML parser interprets alike. A row is parsed completely before it has any effect, so that expat
 * can take over rows in other forms. expat does not see the rows read here and stays at the end of
 * the last row that it read.
 */
#include "reader.h"

#include <brazier/symbol.h>

void fast_path_init(xctrace *x)
{
    x->tokens_cap = 256;
    x->tokens = x->ctx->host->alloc(x->ctx, x->tokens_cap * sizeof *x->tokens, 0);
}

/* ---- parsing --------------------------------------------------------------------------------- */

/* State of parsing a row. */
typedef struct cursor {
    const char *p, *end;
    brz_str open[DEPTH_MAX]; /* names of open elements */
    element_kind kinds[DEPTH_MAX];
    size_t depth, depth_max;
} cursor;

/* Recognises printable ASCII and newlines without "&". */
static bool is_plain(const uint8_t *p, size_t n)
{
    uint8_t odd = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t c = p[i];
        odd |= (uint8_t)((uint8_t)(c == '&') | (uint8_t)(c >= 0x7f) |
                         (uint8_t)((uint8_t)(c < 0x20) & (uint8_t)(c != '\n')));
    }
    return odd == 0;
}

static bool is_name_byte(char c, bool first)
{
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || c == '_' || (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
}

static bool take_name(cursor *c, brz_str *name)
{
    const char *start = c->p;
    while (c->p < c->end && is_name_byte(*c->p, c->p == start))
        c->p++;
    *name = brz_str_of(start, (size_t)(c->p - start));
    return name->len > 0;
}

static bool take_byte(cursor *c, char byte)
{
    if (c->p == c->end || *c->p != byte)
        return false;
    c->p++;
    return true;
}

static bool take_blanks(cursor *c)
{
    const char *start = c->p;
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\n'))
        c->p++;
    return c->p > start;
}

/* Parses an attribute's value up to the closing quote. */
static bool take_value(cursor *c, brz_str *value)
{
    const char *start = c->p;
    while (c->p < c->end && *c->p != '"') {
        if (*c->p == '<' || *c->p == '\n')
            return false;
        c->p++;
    }
    *value = brz_str_of(start, (size_t)(c->p - start));
    return take_byte(c, '"');
}

/* Parses an attribute; rejects duplicates. */
static bool take_attribute(cursor *c, row_token *t, bool matters)
{
    brz_str name, value;
    if (!take_name(c, &name) || !take_byte(c, '=') || !take_byte(c, '"') || !take_value(c, &value))
        return false;
    brz_str *to = matters ? element_attribute(&t->a, name) : NULL;
    if (to == NULL)
        return true;
    if (to->data != NULL)
        return false;
    *to = value;
    return true;
}

/* Returns whether the innermost open element is a backtrace. */
static bool in_backtrace(const cursor *c)
{
    return c->depth > 0 && c->kinds[c->depth - 1] == ELEMENT_BACKTRACE;
}

/* Parses the beginning of an element. Returns false for one in a backtrace that is not known, which
 * may be a damaged frame. */
static bool take_start(const xctrace *x, cursor *c, row_token *t)
{
    brz_str name;
    if (!take_name(c, &name))
        return false;
    t->kind = element_kind_of(name);
    t->type = TOKEN_START;
    if (t->kind == ELEMENT_OTHER && in_backtrace(c))
        return false;
    bool matters = element_matters(x, t->kind);
    if (matters)
        memset(&t->a, 0, sizeof t->a);
    while (take_blanks(c) && c->p < c->end && *c->p != '>' && *c->p != '/')
        if (!take_attribute(c, t, matters))
            return false;
    if (take_byte(c, '/')) {
        t->type = TOKEN_EMPTY;
        return take_byte(c, '>');
    }
    if (c->depth == c->depth_max)
        return false;
    c->open[c->depth] = name;
    c->kinds[c->depth++] = t->kind;
    return take_byte(c, '>');
}

static bool take_end(cursor *c, row_token *t)
{
    brz_str name;
    t->type = TOKEN_END;
    if (!take_name(c, &name) || c->depth == 0 || !brz_str_equal(name, c->open[c->depth - 1]))
        return false;
    t->kind = c->kinds[--c->depth];
    return take_byte(c, '>');
}

static bool take_tag(const xctrace *x, cursor *c, row_token *t)
{
    const char *start = c->p++;
    bool good = take_byte(c, '/') ? take_end(c, t) : take_start(x, c, t);
    t->text = brz_str_of(start, (size_t)(c->p - start));
    return good;
}

/* Parses text up to the next tag. Returns false if it contains a ">", or stands among frames. */
static bool take_text(cursor *c, row_token *t)
{
    const char *start = c->p;
    if (c->depth == 0)
        return false;
    while (c->p < c->end && *c->p != '<')
        if (*c->p++ == '>')
            return false;
    t->type = TOKEN_TEXT;
    t->text = brz_str_of(start, (size_t)(c->p - start));
    t->kind = c->kinds[c->depth - 1];
    return t->kind != ELEMENT_BACKTRACE || brz_trim(t->text).len == 0;
}

/* Returns whether a token has an effect. */
static bool is_of_use(const xctrace *x, const row_token *t)
{
    if (t->type == TOKEN_TEXT)
        return element_has_text(t->kind);
    return t->type != TOKEN_EMPTY || t->kind == ELEMENT_ROW || element_matters(x, t->kind);
}

static row_token *next_token(xctrace *x)
{
    if (x->n_tokens == x->tokens_cap)
        x->tokens =
            brz_stacks_double(x->ctx, x->tokens, x->n_tokens, &x->tokens_cap, sizeof *x->tokens);
    return &x->tokens[x->n_tokens];
}

/* Parses a row that extends to the end of the piece. */
static bool take_row(xctrace *x, cursor *c)
{
    x->n_tokens = 0;
    do {
        row_token *t = next_token(x);
        if (c->p == c->end)
            return false;
        if (*c->p == '<' ? !take_tag(x, c, t) : !take_text(c, t))
            return false;
        x->n_tokens += is_of_use(x, t);
    } while (c->depth > 0);
    return c->p == c->end && x->tokens[0].kind == ELEMENT_ROW;
}

/* ---- execution ------------------------------------------------------------------------------- */

static void deliver(xctrace *x, const row_token *t)
{
    x->here = t->text;
    if (t->type == TOKEN_TEXT)
        element_text(x, t->text);
    if (t->type == TOKEN_START || t->type == TOKEN_EMPTY)
        element_start(x, t->kind, &t->a);
    if (t->type == TOKEN_END || t->type == TOKEN_EMPTY)
        element_end(x);
}

bool is_among_rows(const xctrace *x)
{
    return x->depth == 2 && x->open[1].kind == ELEMENT_NODE;
}

bool fast_path_row(xctrace *x, const uint8_t *at, const uint8_t *end)
{
    cursor c;
    while (at < end && (*at == '\n' || *at == ' '))
        at++;
    if (!is_among_rows(x) || end - at < 11 || memcmp(at, "<row>", 5) != 0 ||
        !is_plain(at, (size_t)(end - at)))
        return false;
    c.p = (const char *)at;
    c.end = (const char *)end;
    c.depth = 0;
    c.depth_max = DEPTH_MAX - x->depth;
    if (!take_row(x, &c))
        return false;
    for (size_t i = 0; i < x->n_tokens && x->rc == BRZ_OK; i++)
        deliver(x, &x->tokens[i]);
    x->here = brz_str_of(NULL, 0);
    row_templates_learn(x, brz_str_of((const char *)at, (size_t)(end - at)));
    return true;
}
