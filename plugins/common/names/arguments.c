/* SPDX-License-Identifier: MIT */
/* Finds the arguments of a function in its name:
 *
 *     name      := part* arguments rest
 *     part      := text | brackets | "operator" sign
 *     arguments := "(" text ")"
 *     rest      := (" const" | " &" | …)* [" requires" constraint]
 *                  [" [clone .cold]" | " (.cold)" | " -> T" | "@plt"]
 *                | descriptor of Java's or Kotlin's result
 *
 * Round brackets with something else after them are a part of the name.
 */
#include "arguments.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>
#include <brazier/text/trim.h>

#include <string.h>

static bool is_word(char c)
{
    return c == '_' || brz_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Returns the first of `texts` with which `s` begins, or an empty text. */
static brz_str first_of(brz_str s, const char *const *texts)
{
    for (; *texts != NULL; texts++) {
        brz_str text = brz_str_of_text(*texts);
        if (brz_starts_with(s, text))
            return text;
    }
    return brz_str_of("", 0);
}

/* ---- operators ------------------------------------------------------------------------------ */

size_t name_operator_length(brz_str sign)
{
    static const char *const signs[] = {
        "<=>", "<<=", ">>=", "->*", "()", "[]", "->", "<<", ">>", "<=", ">=", "==",   "!=", "&&",
        "||",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "^=", "&=", "|=", "\"\"", NULL};
    size_t n = first_of(sign, signs).len;
    bool is_one = n == 0 && sign.len > 0 && strchr("<>-=!+*/%^&|~,", sign.data[0]) != NULL;
    return is_one && sign.data[0] != '\0' ? 1 : n;
}

/* Returns the end of "operator" and its sign at `at`, or `at`. */
static size_t operator_end(brz_str s, size_t at)
{
    static const brz_str word = {"operator", 8};
    size_t end = at + word.len;
    if (s.data[at] != 'o' || !brz_starts_with(brz_str_from(s, at), word))
        return at;
    if ((at > 0 && is_word(s.data[at - 1])) || (end < s.len && is_word(s.data[end])))
        return at;
    return end + name_operator_length(brz_str_from(s, end));
}

/* Returns whether the operator that ends at `end` converts to the type after it: its arguments are
 * always "()". */
static bool is_conversion(brz_str s, size_t end)
{
    static const char *const others[] = {" new", " delete", " co_await", NULL};
    brz_str type = brz_str_from(s, end);
    return s.data[end - 1] == 'r' && brz_starts_with(type, BRZ_STR(" ")) &&
           first_of(type, others).len == 0;
}

/* ---- what is around brackets ---------------------------------------------------------------- */

/* Returns the position after the round brackets that open at `at`, or the length if they do not
 * close. Brackets between quotes do not count. */
static size_t brackets_end(brz_str s, size_t at)
{
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = at; i < s.len; i++) {
        char c = s.data[i];
        quoted ^= c == '"';
        depth += c == '(' && !quoted;
        if (c == ')' && !quoted && --depth == 0)
            return i + 1;
    }
    return s.len;
}

/* Returns whether a text in brackets ends in ":12", with which places in the source end. */
static bool is_place(brz_str brackets)
{
    size_t end = brackets.len - 1, i = end;
    while (i > 0 && brz_is_digit(brackets.data[i - 1]))
        i--;
    return i < end && i > 1 && brackets.data[i - 1] == ':' && brackets.data[i - 2] != ':';
}

/* Returns whether a text ends with a whole word. */
static bool ends_with_word(brz_str s, brz_str word)
{
    return brz_ends_with(s, word) && (s.len == word.len || !is_word(s.data[s.len - word.len - 1]));
}

/* Returns whether brackets after this text are a part of the name: a type, a constraint, a receiver
 * of Go, the arguments of a template of D. */
static bool takes_brackets(brz_str before)
{
    before = brz_trim_end(before);
    if (before.len == 0 || brz_ends_with(before, BRZ_STR(".")))
        return true;
    if (brz_ends_with(before, BRZ_STR("!")))
        return !brz_ends_with(before, BRZ_STR("operator!"));
    return ends_with_word(before, BRZ_STR("decltype")) ||
           ends_with_word(before, BRZ_STR("typeof")) || brz_ends_with(before, BRZ_STR(" requires"));
}

/* Removes the qualifiers of a function. */
static brz_str without_qualifiers(brz_str s)
{
    static const char *const words[] = {" const",  " volatile", " restrict", " noexcept",
                                        " throws", " async",    " &&",       " &",
                                        "&&",      "&",         NULL};
    for (brz_str word; (word = first_of(s, words)).len > 0;) {
        brz_str rest = brz_str_from(s, word.len);
        if (rest.len > 0 && is_word(rest.data[0]))
            return s;
        s = rest;
    }
    return s;
}

/* Returns whether a text after arguments is a constraint, and not one of a function around the
 * named one: "f(int) requires (X<int>)::Local::g(char)". Stops at the next constraint, so that each
 * is read once. */
static bool is_constraint(brz_str rest)
{
    static const char *const inner[] = {" requires", ")::",        "::{", "::'",
                                        "::$_",      "::operator", NULL};
    if (!brz_str_take(&rest, " requires"))
        return false;
    brz_str_take(&rest, " requires"); /* in front of an expression: "requires requires {…}" */
    for (size_t i = 0; i < rest.len; i++)
        if (first_of(brz_str_from(rest, i), inner).len > 0)
            return false;
    return true;
}

/* Returns whether a text may follow the arguments of a function. */
static bool ends_function(brz_str rest)
{
    static const char *const ends[] = {" [", " (.", " ->", NULL};
    rest = without_qualifiers(rest);
    if (rest.len == 0 || brz_str_is(rest, "@plt") || first_of(rest, ends).len > 0 ||
        is_constraint(rest))
        return true;
    return memchr("VZBCSIJFDL[{", rest.data[0], 12) != NULL;
}

/* Returns whether the round brackets s[at, end) are the arguments. */
static bool are_arguments(brz_str s, size_t at, size_t end, bool converts)
{
    brz_str brackets = brz_str_of(s.data + at, end - at);
    if (brz_starts_with(brackets, BRZ_STR("(anonymous namespace)")))
        return false;
    if (converts && !brz_str_is(brackets, "()"))
        return false;
    return !takes_brackets(brz_str_of(s.data, at)) && !is_place(brackets) &&
           ends_function(brz_str_from(s, end));
}

/* Returns whether a name has no arguments, whatever it looks like: of a script's function, with its
 * kind in front, or of a closure of Swift, "closure #1 () -> () in main() -> ()". */
static bool is_without_arguments(brz_str name)
{
    static const char *const kinds[] = {
        "Eval:", "Function:", "JS:", "LazyCompile:", "RegExp:", "Script:", "py::", NULL};
    size_t kind = first_of(name, kinds).len;
    bool is_namespace = kind < name.len && name.data[kind] == ':';
    return (kind > 0 && !is_namespace) || (brz_str_find(name, BRZ_STR(" -> "), 0) != SIZE_MAX &&
                                           brz_str_find(name, BRZ_STR(" in "), 0) != SIZE_MAX);
}

/* ---- names ---------------------------------------------------------------------------------- */

size_t name_arguments(brz_str name)
{
    long depth = 0;
    bool converts = false;
    if (name.len == 0 || memchr(name.data, '(', name.len) == NULL || is_without_arguments(name))
        return name.len;
    for (size_t i = 0, end; i < name.len; i = end) {
        end = operator_end(name, i);
        if (end > i) {
            converts = is_conversion(name, end);
        } else if (brz_is_arrow(name, i)) {
            end = i + 2;
        } else if (name.data[i] == '(') {
            end = brackets_end(name, i);
            if (depth == 0 && are_arguments(name, i, end, converts))
                return i;
            converts &= !brz_starts_with(brz_str_from(name, end), BRZ_STR("::"));
            if (depth == 0 && end < name.len && memchr("@#", name.data[end], 2) != NULL)
                return name.len; /* Crystal: the type of the result ends the name */
        } else {
            end = i + 1;
            depth += brz_bracket(name.data[i]);
            depth = depth < 0 ? 0 : depth;
        }
    }
    return name.len;
}

brz_str name_without_arguments(brz_str name)
{
    size_t at = name_arguments(name);
    return at == name.len ? name : brz_trim_end(brz_str_of(name.data, at));
}
