/* SPDX-License-Identifier: MIT */
/* Demangles symbols of D.
 *
 *     mangled   := "_D" name [suffix] ("Z" | type)
 *     name      := symbol (suffix? symbol)*
 *     suffix    := ["M" modifier*] signature                 of the function around the next symbol
 *     symbol    := length letter* | "__T" symbol argument* "Z" | "Q" distance
 *     signature := convention attribute* parameter* ("X" | "Y" | "Z")
 *
 * Only the name is printed; types and arguments of templates are skipped. What "Q" refers to is
 * printed if it is a symbol, and never followed in a type: the work is linear. Types contain types
 * and names; what is left to skip is on a stack of tasks, so that there is no recursion.
 */
#include "d_name.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>

#include <string.h>

/* Maximum number of tasks. Names that need more stay mangled. */
#define TASKS_MAX 256

typedef enum task_kind { TYPE, PARAMETERS, ARGUMENTS, NAME, VALUE, VALUES, SYMBOL } task_kind;

typedef struct task {
    task_kind kind;
    uint64_t n; /* number of values, of an element or of a list */
} task;

typedef struct reader {
    const char *start, *at, *end;
    task tasks[TASKS_MAX];
    size_t n;
    bool is_template; /* the last symbol is one */
    bool failed;
} reader;

bool brz_d_may_be_mangled(brz_str name)
{
    return name.len > 3 && name.data[0] == '_' && name.data[1] == 'D' && name.data[2] >= '1' &&
           name.data[2] <= '9';
}

/* ---- characters ------------------------------------------------------------------------------ */

static char peek(const reader *r)
{
    return r->at < r->end ? *r->at : '\0';
}

static char peek_second(const reader *r)
{
    return r->end - r->at > 1 ? r->at[1] : '\0';
}

static bool is_any(char c, const char *of)
{
    return c != '\0' && strchr(of, c) != NULL;
}

static char next(reader *r)
{
    if (r->at < r->end)
        return *r->at++;
    r->failed = true;
    return '\0';
}

static void push(reader *r, task_kind kind, uint64_t n)
{
    if (r->n == TASKS_MAX)
        r->failed = true;
    else
        r->tasks[r->n++] = (task){kind, n};
}

/* Takes a decimal number. One that is too large is UINT32_MAX. */
static uint64_t take_number(reader *r)
{
    uint64_t n = 0;
    r->failed |= !brz_is_digit(peek(r));
    for (; brz_is_digit(peek(r)); r->at++)
        n = n < UINT32_MAX / 10 ? n * 10 + (uint64_t)(*r->at - '0') : UINT32_MAX;
    return n;
}

/* Takes "Q" and a distance, of which the last digit is a small letter. Returns the place to which
 * it leads back, or NULL. */
static const char *take_reference(reader *r)
{
    const char *from = r->at;
    uint64_t distance = 0;
    char c;
    r->at++;
    do {
        c = next(r);
        distance = distance * 26 + (uint64_t)(c >= 'a' ? c - 'a' : c - 'A');
    } while (c >= 'A' && c <= 'Z' && distance < UINT32_MAX);
    if (c < 'a' || c > 'z' || distance == 0 || distance > (uint64_t)(from - r->start))
        r->failed = true;
    return r->failed ? NULL : from - distance;
}

/* ---- symbols --------------------------------------------------------------------------------- */

static bool has_template(const char *at, const char *end)
{
    return end - at > 3 && at[0] == '_' && at[1] == '_' && (at[2] == 'T' || at[2] == 'U');
}

/* Returns whether a symbol begins. A reference to anything else is one to a type. */
static bool is_symbol(const reader *r)
{
    if (peek(r) != 'Q')
        return brz_is_digit(peek(r)) || has_template(r->at, r->end);
    reader copy = {.start = r->start, .at = r->at, .end = r->end};
    const char *to = take_reference(&copy);
    return to != NULL && brz_is_digit(*to);
}

/* Takes a length and as many letters. Returns the name in it; that of a template, which has its
 * arguments in the older form, is the name in front of them. */
static brz_str take_letters(reader *r)
{
    uint64_t n = take_number(r);
    if (r->failed || n > (uint64_t)(r->end - r->at)) {
        r->failed = true;
        return brz_str_of("", 0);
    }
    brz_str letters = brz_str_of(r->at, (size_t)n);
    r->at += n;
    if (!has_template(letters.data, r->at))
        return letters;
    r->is_template = true;
    reader inner = {.start = letters.data, .at = letters.data + 3, .end = r->at};
    n = take_number(&inner);
    bool fits = !inner.failed && n <= (uint64_t)(inner.end - inner.at);
    return fits ? brz_str_of(inner.at, (size_t)n) : letters;
}

/* Takes a symbol, and leaves the arguments of a template to a task. Returns its name. */
static brz_str take_symbol(reader *r)
{
    r->is_template = has_template(r->at, r->end);
    if (r->is_template) {
        r->at += 3;
        push(r, ARGUMENTS, 0);
    }
    if (peek(r) != 'Q')
        return take_letters(r);
    const char *to = take_reference(r);
    reader there = {.start = r->start, .at = to, .end = r->end};
    brz_str name = to != NULL ? take_letters(&there) : brz_str_of("", 0);
    r->failed |= there.failed;
    return name;
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_convention(char c)
{
    return is_any(c, "FUWRY");
}

static bool is_modifier(const reader *r)
{
    return is_any(peek(r), "xyO") || (peek(r) == 'N' && peek_second(r) == 'g');
}

/* Takes what precedes the parameters of a function. */
static void begin_signature(reader *r)
{
    r->at++;
    while (peek(r) == 'N' && is_any(peek_second(r), "abcdefijlm"))
        r->at += 2;
    push(r, PARAMETERS, 0);
}

/* Returns whether the signature of a function follows, possibly of a method, and moves to its
 * convention. */
static bool find_signature(reader *r)
{
    reader copy = {.start = r->start, .at = r->at, .end = r->end};
    if (peek(&copy) == 'M') {
        copy.at++;
        while (is_modifier(&copy))
            copy.at += *copy.at == 'N' ? 2 : 1;
    }
    if (!is_convention(peek(&copy)))
        return false;
    r->at = copy.at;
    return true;
}

static void skip_special_type(reader *r)
{
    char c = next(r);
    if (c == 'g' || c == 'h')
        push(r, TYPE, 0);
    else if (c != 'n')
        r->failed = true;
}

static void skip_array(reader *r, char c)
{
    push(r, TYPE, 0);
    if (c == 'G')
        take_number(r);
    if (c == 'H')
        push(r, TYPE, 0);
}

static void skip_type(reader *r)
{
    if (is_convention(peek(r))) {
        push(r, TYPE, 0);
        begin_signature(r);
        return;
    }
    if (peek(r) == 'Q') {
        take_reference(r);
        return;
    }
    char c = next(r);
    if (c == 'N')
        skip_special_type(r);
    else if (is_any(c, "AGHPxyOD"))
        skip_array(r, c);
    else if (is_any(c, "ICSET"))
        push(r, NAME, 0);
    else if (c == 'B')
        push(r, PARAMETERS, 0);
    else if (c == 'z')
        next(r);
    else if (c < 'a' || c > 'w')
        r->failed = true;
}

static void skip_parameters(reader *r)
{
    if (is_any(peek(r), "XYZ")) {
        r->at++;
        return;
    }
    while (is_any(peek(r), "MIJKL") || (peek(r) == 'N' && peek_second(r) == 'k'))
        r->at += *r->at == 'N' ? 2 : 1;
    push(r, PARAMETERS, 0);
    push(r, TYPE, 0);
}

/* ---- arguments of templates ------------------------------------------------------------------ */

static void skip_value_argument(reader *r)
{
    push(r, VALUE, peek(r) == 'H' ? 2 : 1); /* elements of a map have two */
    push(r, TYPE, 0);
}

static void skip_arguments(reader *r)
{
    char c = next(r);
    if (c == 'Z' || r->failed)
        return;
    push(r, ARGUMENTS, 0);
    if (c == 'H')
        c = next(r);
    if (c == 'T')
        push(r, TYPE, 0);
    else if (c == 'V')
        skip_value_argument(r);
    else if (c == 'S')
        push(r, SYMBOL, 0);
    else if (c == 'X')
        take_letters(r);
    else
        r->failed = true;
}

/* Skips a number in hexadecimal digits, or the two of a complex one. */
static void skip_hexadecimal(reader *r, bool is_complex)
{
    static const char digits[] = "0123456789ABCDEFPNI";
    while (is_any(peek(r), digits))
        r->at++;
    if (is_complex)
        r->failed |= next(r) != 'c';
    while (is_any(peek(r), digits))
        r->at++;
}

static void skip_text(reader *r)
{
    uint64_t n = 2 * take_number(r);
    if (next(r) != '_' || n > (uint64_t)(r->end - r->at))
        r->failed = true;
    else
        r->at += n;
}

/* Skips a value; an element of a list has `each` ones. */
static void skip_value(reader *r, uint64_t each)
{
    char c = brz_is_digit(peek(r)) ? 'i' : next(r);
    if (c == 'i' || c == 'N')
        take_number(r);
    else if (c == 'e' || c == 'c')
        skip_hexadecimal(r, c == 'c');
    else if (is_any(c, "awd"))
        skip_text(r);
    else if (c == 'A' || c == 'S')
        push(r, VALUES, take_number(r) * (c == 'A' ? each : 1));
    else if (c == 'f')
        push(r, SYMBOL, 0);
    else if (c != 'n')
        r->failed = true;
}

static void skip_values(reader *r, uint64_t n)
{
    if (n == 0)
        return;
    push(r, VALUES, n - 1);
    push(r, VALUE, 1);
}

/* Skips a symbol that is an argument: a name, or a mangled one with its type. */
static void skip_symbol(reader *r)
{
    if (r->end - r->at > 2 && r->at[0] == '_' && r->at[1] == 'D') {
        r->at += 2;
        push(r, TYPE, 0);
    }
    push(r, NAME, 0);
}

/* Skips a part of a name. */
static void skip_name(reader *r)
{
    if (is_symbol(r)) {
        push(r, NAME, 0);
        take_symbol(r);
    } else if (find_signature(r)) {
        push(r, NAME, 0);
        begin_signature(r);
    }
}

static void skip_task(reader *r, task t)
{
    switch (t.kind) {
    case TYPE:
        skip_type(r);
        break;
    case PARAMETERS:
        skip_parameters(r);
        break;
    case ARGUMENTS:
        skip_arguments(r);
        break;
    case NAME:
        skip_name(r);
        break;
    case VALUE:
        skip_value(r, t.n);
        break;
    case VALUES:
        skip_values(r, t.n);
        break;
    case SYMBOL:
        skip_symbol(r);
        break;
    }
}

static void skip_tasks(reader *r)
{
    while (r->n > 0 && !r->failed)
        skip_task(r, r->tasks[--r->n]);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns how a name is written in D. */
static brz_str written(brz_str name)
{
    if (brz_str_is(name, "__ctor"))
        return BRZ_STR("this");
    return brz_str_is(name, "__dtor") ? BRZ_STR("~this") : name;
}

/* Returns whether a name stands for a scope of a function that has no name. */
static bool is_scope(brz_str name)
{
    bool is_numbered = name.len > 3 && memcmp(name.data, "__S", 3) == 0;
    for (size_t i = 3; is_numbered && i < name.len; i++)
        is_numbered = brz_is_digit(name.data[i]);
    return is_numbered || name.len == 0;
}

/* Appends a part of the path. A template and its member of the same name are one part. */
static size_t append(reader *r, char *to, size_t n, brz_str name)
{
    brz_str text = written(name);
    r->failed |= text.len >= BRZ_D_NAME_MAX - n;
    if (is_scope(name) || r->failed)
        return n;
    if (n > 0)
        to[n++] = '.';
    memcpy(to + n, text.data, text.len);
    return n + text.len;
}

/* Takes the signature of a function, and the type that it returns unless another symbol follows,
 * which is within the function. */
static void take_signature(reader *r)
{
    begin_signature(r);
    skip_tasks(r);
    if (!r->failed && !is_symbol(r))
        push(r, TYPE, 0);
}

/* Takes the symbols of the name. */
static size_t take_path(reader *r, char *to)
{
    brz_str template = {0};
    size_t n = 0;
    while (!r->failed && r->n == 0 && is_symbol(r)) {
        brz_str name = take_symbol(r);
        if (template.len == 0 || !brz_str_equal(template, name))
            n = append(r, to, n, name);
        template = r->is_template ? name : brz_str_of(NULL, 0);
        skip_tasks(r);
        if (!r->failed && !is_symbol(r) && find_signature(r))
            take_signature(r);
    }
    return n;
}

/* Takes the name, and what follows it. */
static size_t take_name(reader *r, char *to)
{
    size_t n = take_path(r, to);
    if (r->n == 0 && peek(r) == 'Z')
        r->at++;
    else if (r->n == 0)
        push(r, TYPE, 0);
    skip_tasks(r);
    return r->failed || r->at != r->end ? 0 : n;
}

size_t brz_d_demangled(brz_str name, char *to)
{
    const char *suffix = memchr(name.data, '.', name.len), *end = name.data + name.len;
    reader r = {.start = name.data, .at = name.data + 2, .end = suffix != NULL ? suffix : end};
    size_t n = take_name(&r, to), rest = (size_t)(end - r.end);
    if (n == 0)
        return 0;
    memcpy(to + n, r.end, rest);
    return n + rest;
}
