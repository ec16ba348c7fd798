/* SPDX-License-Identifier: MIT */
/* Reads attributes of functions from a file: links, titles, classes.
 *
 * A line is a function's name as in folded text, followed by fields "attribute=value", each after a
 * tab; the value may be in double quotes. href turns the function's frames into links, title
 * replaces their titles; g_extra and a_extra are lists of further attributes, separated by spaces.
 * An attribute that could run a script or break the document is left out with a warning.
 */
#include <brazier/symbol.h>
#include <brazier/xml.h>

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "picture.h"

#define MOST 64 /* maximum number of attributes of a function */

typedef struct attribute {
    brz_str name, value;
} attribute;

struct svg_attributes {
    brz_str function, title;
    bool has_title, is_link;
    size_t n;
    attribute list[MOST];
};

/* ---- accepted attributes ------------------------------------------------------------------- */

static void warn(svg_picture *p, const char *code, const char *what, brz_str name, brz_str function)
{
    char text[400];
    int n = snprintf(text, sizeof text, "nameattr: %s: '%.*s' of '%.*s'", what,
                     (int)(name.len < 100 ? name.len : 100), name.data,
                     (int)(function.len < 100 ? function.len : 100), function.data);
    brz_output_report(p->ctx, BRZ_WARNING, code, brz_str_of(text, n > 0 ? (size_t)n : 0));
}

static bool is_any(brz_str s, const char *const *words)
{
    for (; *words != NULL; words++)
        if (s.len == strlen(*words) && strncasecmp(s.data, *words, s.len) == 0)
            return true;
    return false;
}

static bool is_name_character(char c, bool first)
{
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return letter || (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
}

/* Returns whether `s` is a name without a prefix; the prefix xlink: is allowed, since the document
 * declares it. */
static bool is_name(brz_str s)
{
    size_t at = s.len > 6 && memcmp(s.data, "xlink:", 6) == 0 ? 6 : 0;
    for (size_t i = at; i < s.len; i++)
        if (!is_name_character(s.data[i], i == at))
            return false;
    return s.len > at;
}

/* Returns whether a link refers to the same document or site, or has a scheme that cannot run
 * code. */
static bool is_harmless_link(brz_str s)
{
    static const char *const schemes[] = {"http", "https", "mailto", "ftp", "file", NULL};
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.data[i] < ' ')
            return false;
    const char *colon = s.len > 0 ? memchr(s.data, ':', s.len) : NULL;
    size_t before = colon == NULL ? s.len : (size_t)(colon - s.data);
    for (size_t i = 0; i < before; i++)
        if (s.data[i] == '/' || s.data[i] == '?' || s.data[i] == '#')
            return true;
    return colon == NULL || is_any(brz_str_of(s.data, before), schemes);
}

static bool is_hostile(brz_str name, brz_str value)
{
    static const char *const links[] = {"href", "xlink:href", "src", NULL};
    static const char *const others[] = {"xmlns", "fg", NULL};
    static const char *const style[] = {"style", NULL};
    if (name.len >= 2 && strncasecmp(name.data, "on", 2) == 0)
        return true;
    if (is_any(name, style) && value.len > 0 &&
        (memchr(value.data, '(', value.len) != NULL || memchr(value.data, '\\', value.len) != NULL))
        return true; /* could fetch a resource */
    return is_any(name, others) || (is_any(name, links) && !is_harmless_link(value));
}

/* Sets an attribute. If a name occurs twice, the last value counts. */
static void set(svg_picture *p, svg_attributes *a, brz_str name, brz_str value)
{
    size_t i = 0;
    if (!is_name(name) || is_hostile(name, value)) {
        warn(p, "svg.nameattr-refused", "left out, as it could run a script or is no attribute",
             name, a->function);
        return;
    }
    while (i < a->n && !brz_str_equal(a->list[i].name, name))
        i++;
    if (i < a->n)
        warn(p, "svg.nameattr-twice", "given twice", name, a->function);
    if (i < MOST)
        a->list[i] = (attribute){name, value};
    else
        warn(p, "svg.nameattr-many", "left out, the function has too many", name, a->function);
    a->n += i == a->n && i < MOST;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Removes the text up to and including the first `end` from the front of `s` and returns it without
 * `end`. */
static brz_str take(brz_str *s, char end)
{
    const char *at = s->len > 0 ? memchr(s->data, end, s->len) : NULL;
    size_t n = at == NULL ? s->len : (size_t)(at - s->data);
    brz_str front = brz_str_of(s->data, n);
    n += at != NULL;
    *s = brz_str_of(s->data + n, s->len - n);
    return front;
}

static brz_str unquoted(brz_str s)
{
    bool quoted = s.len >= 2 && s.data[0] == '"' && s.data[s.len - 1] == '"';
    return quoted ? brz_str_of(s.data + 1, s.len - 2) : s;
}

/* Parses a list of attributes: name=value name="a value". */
static void take_list(svg_picture *p, svg_attributes *a, brz_str list)
{
    while (list.len > 0) {
        if (list.data[0] == ' ') {
            take(&list, ' ');
            continue;
        }
        brz_str name = take(&list, '='), value;
        if (list.len > 0 && list.data[0] == '"') {
            take(&list, '"');
            value = take(&list, '"');
        } else {
            value = take(&list, ' ');
        }
        set(p, a, name, value);
    }
}

static void take_field(svg_picture *p, svg_attributes *a, brz_str field)
{
    static const char *const plain[] = {"id", "class", "target", NULL};
    static const char *const lists[] = {"g_extra", "a_extra", NULL};
    brz_str value = field, name = take(&value, '=');
    value = unquoted(value);
    if (name.len == field.len) {
        warn(p, "svg.nameattr-unknown", "no such attribute", name, a->function);
    } else if (brz_str_equal(name, BRZ_STR("title"))) {
        a->title = value;
        a->has_title = true;
    } else if (brz_str_equal(name, BRZ_STR("href"))) {
        size_t before = a->n;
        set(p, a, BRZ_STR("xlink:href"), value);
        a->is_link = a->is_link || a->n > before;
    } else if (is_any(name, plain)) {
        set(p, a, name, value);
    } else if (is_any(name, lists)) {
        take_list(p, a, value);
    } else {
        warn(p, "svg.nameattr-unknown", "no such attribute", name, a->function);
    }
}

static bool has(const svg_attributes *a, brz_str name)
{
    for (size_t i = 0; i < a->n; i++)
        if (brz_str_equal(a->list[i].name, name))
            return true;
    return false;
}

static void take_line(svg_picture *p, svg_attributes *a, brz_str line)
{
    a->function = take(&line, '\t');
    while (line.len > 0) {
        brz_str field = take(&line, '\t');
        if (field.len > 0)
            take_field(p, a, field);
    }
    if (a->is_link && !has(a, BRZ_STR("target")))
        set(p, a, BRZ_STR("target"), BRZ_STR("_top"));
}

/* Reads a whole file into memory that lives as long as the picture. Returns NULL data if the file
 * cannot be read. */
static brz_str read_all(svg_picture *p, FILE *in)
{
    size_t len = 0, cap = 1 << 16, n;
    char *text = p->ctx->host->alloc(p->ctx, cap, 0);
    while ((n = fread(text + len, 1, cap - len, in)) > 0) {
        len += n;
        if (len < cap)
            continue;
        char *more = p->ctx->host->alloc(p->ctx, 2 * cap, 0);
        memcpy(more, text, len);
        text = more;
        cap *= 2;
    }
    return ferror(in) ? brz_str_of(NULL, 0) : brz_str_of(text, len);
}

static int by_function(const void *a, const void *b)
{
    const svg_attributes *const *x = a, *const *y = b;
    return brz_str_compare((*x)->function, (*y)->function);
}

static void take_lines(svg_picture *p, brz_str text)
{
    size_t cap = 1;
    for (size_t i = 0; i < text.len; i++)
        cap += text.data[i] == '\n';
    p->attributes = p->ctx->host->alloc(p->ctx, cap * sizeof *p->attributes, 0);
    while (text.len > 0) {
        brz_str line = take(&text, '\n');
        if (line.len > 0 && line.data[line.len - 1] == '\r')
            line.len--;
        if (line.len == 0)
            continue;
        svg_attributes *a = p->ctx->host->alloc(p->ctx, sizeof *a, 0);
        take_line(p, a, line);
        p->attributes[p->n_attributes++] = a;
    }
    qsort(p->attributes, p->n_attributes, sizeof *p->attributes, by_function);
}

bool svg_read_attributes(svg_picture *p)
{
    brz_str path = p->options->nameattr, text = {0};
    if (path.len == 0)
        return true;
    const char *name = brz_output_keep(p->ctx, path).data;
    FILE *in = fopen(name, "re");
    if (in != NULL) {
        text = read_all(p, in);
        fclose(in);
    }
    if (text.data == NULL) {
        char message[300];
        int n = snprintf(message, sizeof message, "nameattr: cannot read '%.200s'", name);
        brz_output_report(p->ctx, BRZ_FATAL, "svg.nameattr",
                          brz_str_of(message, n > 0 ? (size_t)n : 0));
        return false;
    }
    take_lines(p, text);
    return true;
}

/* ---- frames -------------------------------------------------------------------------------- */

const svg_attributes *svg_attributes_of(const svg_picture *p, brz_str function)
{
    svg_attributes key = {.function = function};
    const svg_attributes *wanted = &key, *const * found;
    if (p->n_attributes == 0)
        return NULL;
    found = bsearch(&wanted, p->attributes, p->n_attributes, sizeof *p->attributes, by_function);
    return found == NULL ? NULL : *found;
}

bool svg_is_link(const svg_attributes *a)
{
    return a != NULL && a->is_link;
}

/* Opens a frame's element. The name goes into an attribute if the title was replaced, since the
 * script cannot read it from the title. */
void svg_put_group(svg_picture *p, const svg_attributes *a, brz_str name)
{
    brz_put_text(&p->w, a->is_link ? "<a" : "<g");
    for (size_t i = 0; i < a->n; i++) {
        brz_put_char(&p->w, ' ');
        brz_put_str(&p->w, a->list[i].name);
        BRZ_PUT(&p->w, "=\"");
        brz_put_xml(&p->w, a->list[i].value);
        brz_put_char(&p->w, '"');
    }
    BRZ_PUT(&p->w, " fg:name=\"");
    brz_put_str(&p->w, name);
    BRZ_PUT(&p->w, "\"");
    if (a->has_title)
        BRZ_PUT(&p->w, " fg:titled=\"1\"");
    BRZ_PUT(&p->w, "><title>");
}

bool svg_put_own_title(svg_picture *p, const svg_attributes *a)
{
    if (!a->has_title)
        return false;
    brz_put_xml(&p->w, a->title);
    BRZ_PUT(&p->w, "</title>");
    return true;
}
