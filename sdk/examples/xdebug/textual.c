/* SPDX-License-Identifier: MIT */
/* Parses format 0, for people:
 *
 *     entry  := time memory [delta] indent "-> " name "(" arguments ") " file ":" line
 *     return := time memory [delta] indent " >=> " value
 *     assign := indent "=> " …
 *     end    := time memory
 *
 * The indentation of an entry is one space plus two per level, that of a return one more. A call
 * ends when a call of the same level begins, unless the trace contains return values.
 */
#include "numbers.h"
#include "trace.h"

#include <brazier/symbol.h>

/* Removes a word and the spaces before it from the front; stores the number of spaces in
 * `blanks`. */
static brz_str take_word(brz_str *s, size_t *blanks)
{
    size_t i = 0, n;
    while (i < s->len && s->data[i] == ' ')
        i++;
    for (n = i; n < s->len && s->data[n] != ' ';)
        n++;
    brz_str word = brz_str_of(s->data + i, n - i);
    *s = brz_str_from(*s, n);
    *blanks = i;
    return word;
}

/* Recognises a time, which has four decimals: "0.0002". */
static bool is_time(brz_str word)
{
    return word.len > 5 && (word.data[word.len - 5] == '.' || word.data[word.len - 5] == ',');
}

static bool is_delta(brz_str word)
{
    uint64_t number;
    return word.len > 1 && (word.data[0] == '+' || word.data[0] == '-') &&
           parse_number(brz_str_from(word, 1), &number);
}

/* Returns the length of the name before the arguments. The name of a closure contains the path of a
 * file, which may contain any character. */
static size_t name_length(brz_str s)
{
    size_t i = 0;
    while (i < s.len && s.data[i] != '(') {
        if (brz_starts_with(brz_str_from(s, i), BRZ_STR("{closure:"))) {
            const char *end = memchr(s.data + i, '}', s.len - i);
            if (end != NULL)
                i = (size_t)(end - s.data);
        }
        i++;
    }
    return i;
}

static bool is_include(brz_str name)
{
    return brz_str_is(name, "include") || brz_str_is(name, "include_once") ||
           brz_str_is(name, "require") || brz_str_is(name, "require_once");
}

/* Returns the end of the arguments: the last ") ", which precedes the call site. */
static size_t arguments_end(brz_str call)
{
    for (size_t i = call.len; i-- > 1;)
        if (call.data[i] == ' ' && call.data[i - 1] == ')')
            return i - 1;
    return call.len;
}

static size_t digits_at(brz_str s)
{
    size_t n = 0;
    while (n < s.len && s.data[n] >= '0' && s.data[n] <= '9')
        n++;
    return n;
}

static void take_callsite(brz_str place, entry *e)
{
    uint64_t line;
    const char *colon = brz_rfind(place, ':');
    if (colon == NULL)
        return;
    brz_str rest = brz_str_from(place, (size_t)(colon + 1 - place.data));
    brz_str number = brz_str_of(rest.data, digits_at(rest));
    if (!parse_number(number, &line))
        return;
    e->joined = brz_str_from(rest, number.len);
    e->line = number;
    e->file = brz_str_of(place.data, (size_t)(colon - place.data));
}

/* Removes the last word and the spaces after it from the end. */
static brz_str take_last_word(brz_str *s)
{
    while (s->len > 0 && s->data[s->len - 1] == ' ')
        s->len--;
    size_t n = s->len;
    while (n > 0 && s->data[n - 1] != ' ')
        n--;
    brz_str word = brz_str_from(*s, n);
    s->len = n;
    return word;
}

/* Returns whether a text ends with the time and the memory of an entry. Removes these and the
 * spaces before them. */
static bool take_readings(brz_str *s)
{
    uint64_t number;
    brz_str rest = *s, word = take_last_word(&rest);
    if (is_delta(word))
        word = take_last_word(&rest);
    if (parse_number(word, &number))
        word = take_last_word(&rest);
    if (!is_time(word))
        return false;
    while (rest.len > 0 && rest.data[rest.len - 1] == ' ')
        rest.len--;
    *s = rest;
    return true;
}

/* Removes another entry from the end of a call, which has lost its line end. Returns an empty text
 * without one. */
static brz_str take_joined(brz_str *call)
{
    static const brz_str arrow = {" -> ", 4};
    size_t at = 0;
    while ((at = brz_str_find(*call, arrow, at)) != SIZE_MAX) {
        brz_str first = brz_str_of(call->data, at++);
        if (!take_readings(&first))
            continue;
        brz_str second = brz_str_from(*call, first.len);
        *call = first;
        return second;
    }
    return brz_str_of(NULL, 0);
}

static enum line_says take_call(brz_str call, entry *e)
{
    brz_str joined = take_joined(&call);
    size_t n = name_length(call), end = arguments_end(call);
    if (n == 0 || n == call.len)
        return SAYS_ODD;
    e->name = brz_str_of(call.data, n);
    e->key = e->name;
    if (end + 2 < call.len)
        take_callsite(brz_str_from(call, end + 2), e);
    if (joined.len > 0)
        e->joined = joined;
    if (end > n && is_include(e->name)) {
        e->included = brz_str_of(call.data + n + 1, end - n - 1);
        e->key = brz_str_of(call.data, end);
    }
    return SAYS_ENTRY;
}

static enum line_says take_event(brz_str rest, brz_str word, size_t blanks, entry *e)
{
    bool is_return = brz_str_is(word, ">=>");
    size_t indent = is_return ? 2 : 1;
    if (blanks < indent || (blanks - indent) % 2 != 0 || (blanks - indent) / 2 > UINT32_MAX)
        return SAYS_ODD;
    e->level = (uint32_t)((blanks - indent) / 2);
    e->number = NO_NUMBER;
    if (is_return)
        return SAYS_EXIT;
    if (!brz_str_is(word, "->") || rest.len == 0)
        return SAYS_ODD;
    return take_call(brz_trim_start(rest), e);
}

enum line_says textual_line(brz_str line, entry *e)
{
    size_t blanks;
    brz_str word = take_word(&line, &blanks);
    if (brz_str_is(word, "=>"))
        return SAYS_NOTHING;
    if (!is_time(word) || !parse_seconds(word, &e->time))
        return SAYS_ODD;
    word = take_word(&line, &blanks);
    if (parse_bytes(word, &e->memory)) { /* otherwise memory was not measured */
        word = take_word(&line, &blanks);
        if (is_delta(word))
            word = take_word(&line, &blanks);
    }
    return word.len == 0 ? SAYS_END : take_event(line, word, blanks, e);
}
