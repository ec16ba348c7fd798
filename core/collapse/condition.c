/* SPDX-License-Identifier: MIT */
/* Tests the beginning of an input for the conditions of a signature. */
#include "collapse/condition.h"

#include <brazier/color.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text/integer.h>
#include <brazier/text/pieces.h>

#include <string.h>

/* The number of lines at the start of an input that tests examine. */
#define LINES 40

/* A condition with its arguments, and what it is tested on. */
typedef struct condition {
    const brz_beginning *of;
    uint64_t number;
    brz_str text;
} condition;

/* ---- text ---------------------------------------------------------------------------------- */

/* Takes the first line of a text, without its line end. Returns false at the end of the text. */
static bool take_line(brz_str *text, brz_str *line)
{
    if (!brz_take_line(text, line))
        return false;
    line->len -= line->len > 0 && line->data[line->len - 1] == '\r';
    return true;
}

/* Returns whether one of the first lines passes a test with a text. */
static bool any_line(brz_str text, brz_str with, bool (*test)(brz_str, brz_str))
{
    brz_str line;
    for (size_t i = 0; i < LINES && take_line(&text, &line); i++)
        if (test(line, with))
            return true;
    return false;
}

static bool has_line(const condition *c)
{
    return any_line(c->of->text, c->text, brz_starts_with);
}

static bool has_text(const condition *c)
{
    return any_line(c->of->text, c->text, brz_str_has);
}

static bool has_title(const condition *c)
{
    brz_str text = c->of->text, line;
    return take_line(&text, &line) && brz_str_has(line, c->text);
}

static bool lacks(const condition *c)
{
    return !brz_str_has(c->of->text, c->text);
}

/* ---- JSON and XML -------------------------------------------------------------------------- */

static bool is_among(char c, const char *these)
{
    return c != '\0' && strchr(these, c) != NULL;
}

/* Returns true for an object, or an array of objects, arrays or texts. */
static bool is_json(const condition *c)
{
    brz_str text = c->of->text;
    char first[2] = {0};
    size_t n = 0;
    for (size_t i = 0; i < text.len && n < 2; i++)
        if (!is_among(text.data[i], " \t\r\n"))
            first[n++] = text.data[i];
    return (first[0] == '{' && is_among(first[1], "\"}")) ||
           (first[0] == '[' && is_among(first[1], "{[\"]"));
}

/* Returns whether the text is JSON and contains the key in quotes. */
static bool has_key(const condition *c)
{
    brz_str key = c->text;
    if (!is_json(c))
        return false;
    for (brz_str rest = c->of->text; rest.len > key.len + 2;) {
        const char *quote = memchr(rest.data, '"', rest.len - key.len - 1);
        if (quote == NULL)
            return false;
        if (memcmp(quote + 1, key.data, key.len) == 0 && quote[1 + key.len] == '"')
            return true;
        rest = brz_str_from(rest, (size_t)(quote + 1 - rest.data));
    }
    return false;
}

/* Recognises the root element, optionally after a declaration, comments and a document type. */
static bool has_root(const condition *c)
{
    brz_str text = c->of->text;
    while (text.len > 0) {
        if (text.data[0] == '<' && (text.len == 1 || !is_among(text.data[1], "?!")))
            return brz_starts_with(brz_str_from(text, 1), c->text);
        bool comment = brz_starts_with(text, BRZ_STR("<!--"));
        size_t n = 1;
        while (n < text.len && !(comment ? brz_ends_with(brz_str_of(text.data, n), BRZ_STR("-->"))
                                         : text.data[n] == '<'))
            n++;
        text = brz_str_from(text, n);
    }
    return false;
}

/* ---- tables and bytes ---------------------------------------------------------------------- */

/* Counts commas outside of quotes. */
static size_t count_commas(brz_str line)
{
    size_t n = 0;
    bool quoted = false;
    for (size_t i = 0; i < line.len; i++) {
        quoted ^= line.data[i] == '"';
        n += line.data[i] == ',' && !quoted;
    }
    return n;
}

static bool has_columns(const condition *c)
{
    brz_str text = c->of->text, line;
    return take_line(&text, &line) && count_commas(line) >= c->number;
}

/* Recognises a line of titles followed by rows with the same number of columns. */
static bool is_table(const condition *c)
{
    brz_str text = c->of->text, line;
    if (!take_line(&text, &line) || line.len == 0 || brz_is_digit(line.data[line.len - 1]))
        return false;
    size_t columns = count_commas(line), rows = 0;
    while (columns >= 2 && rows < LINES && take_line(&text, &line)) {
        if (text.len == 0 || line.len == 0) /* the last line may be cut off */
            continue;
        if (count_commas(line) < columns)
            return false;
        rows++;
    }
    return rows >= 2;
}

/* Limits for binary files: at least one control character in this many bytes, and at least this
 * many. */
#define TEXT_PER_CONTROL 32
#define LEAST_CONTROLS   32

bool brz_is_binary(brz_str bytes)
{
    size_t controls = 0;
    if (bytes.len == 0 || memchr(bytes.data, '\0', bytes.len) == NULL)
        return false;
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char c = (unsigned char)bytes.data[i];
        controls += c < ' ' && (c < '\a' || c > '\r') && c != '\033';
    }
    return controls >= LEAST_CONTROLS && controls >= bytes.len / TEXT_PER_CONTROL;
}

static bool has_binary(const condition *c)
{
    return brz_is_binary(c->of->bytes);
}

/* ---- conditions ---------------------------------------------------------------------------- */

/* Longest text of a condition. */
#define TEXT_MAX 64

/* The tests by their word, with the arguments that follow it. */
static const struct {
    const char *word;
    bool takes_number, takes_text;
    bool (*holds)(const condition *c);
} tests[] = {
    {"line ", false, true, has_line},       {"text ", false, true, has_text},
    {"title ", false, true, has_title},     {"lacks ", false, true, lacks},
    {"key ", false, true, has_key},         {"root ", false, true, has_root},
    {"columns ", true, false, has_columns}, {"json", false, false, is_json},
    {"binary", false, false, has_binary},   {"table", false, false, is_table},
};

/* Takes a character of a text in quotes, which may be an escape. */
static char take_character(brz_str *rest)
{
    char c = rest->data[0];
    size_t used = 1;
    if (brz_starts_with(*rest, BRZ_STR("\\x")) && rest->len > 3) {
        c = (char)(16 * brz_hex_value(rest->data[2]) + brz_hex_value(rest->data[3]));
        used = 4;
    } else if (c == '\\' && rest->len > 1) {
        c = (char)(rest->data[1] == 'n' ? '\n' : rest->data[1]);
        used = 2;
    }
    *rest = brz_str_from(*rest, used);
    return c;
}

/* Takes a text in quotes into `to`. */
static brz_str take_text(brz_str *rest, char to[TEXT_MAX])
{
    size_t n = 0;
    for (brz_str_take(rest, "\""); rest->len > 0 && rest->data[0] != '"' && n < TEXT_MAX; n++)
        to[n] = take_character(rest);
    brz_str_take(rest, "\"");
    return brz_str_of(to, n);
}

/* Takes a text in quotes and returns whether bytes begin with it. Stops at the first difference,
 * since no other condition matters then: most signatures differ in their first byte. */
static bool take_beginning(brz_str *rest, brz_str bytes)
{
    for (brz_str_take(rest, "\""); rest->len > 0 && rest->data[0] != '"';
         bytes = brz_str_from(bytes, 1))
        if (bytes.len == 0 || take_character(rest) != bytes.data[0])
            return false;
    brz_str_take(rest, "\"");
    brz_str_take(rest, " ");
    return true;
}

static bool take_at(brz_str *rest, const brz_beginning *of)
{
    uint64_t number = 0;
    if (brz_take_u64(rest, &number))
        brz_str_take(rest, " ");
    return of->bytes.len >= number && take_beginning(rest, brz_str_from(of->bytes, (size_t)number));
}

/* Takes the first condition and returns whether it holds. Other words never hold. */
static bool take_condition(brz_str *rest, const brz_beginning *of)
{
    char memory[TEXT_MAX];
    condition c = {.of = of};
    if (brz_str_take(rest, "at "))
        return take_at(rest, of);
    if (brz_str_take(rest, "starts "))
        return take_beginning(rest, of->text);
    for (size_t i = 0; i < BRZ_COUNT_OF(tests); i++) {
        if (rest->data[0] != tests[i].word[0] || !brz_str_take(rest, tests[i].word))
            continue;
        if (tests[i].takes_number && brz_take_u64(rest, &c.number))
            brz_str_take(rest, " ");
        if (tests[i].takes_text)
            c.text = take_text(rest, memory);
        brz_str_take(rest, " ");
        return tests[i].holds(&c);
    }
    return false;
}

bool brz_conditions_hold(brz_str conditions, const brz_beginning *of)
{
    while (conditions.len > 0)
        if (!take_condition(&conditions, of))
            return false;
    return true;
}
