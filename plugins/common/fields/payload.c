/* SPDX-License-Identifier: MIT */
/* Reads the fields of an event that Linux prints as text. */
#include "payload.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>

/* ---- characters ------------------------------------------------------------------------------ */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_of_name(char c)
{
    return is_letter(c) || brz_is_digit(c);
}

static bool is_gap(char c)
{
    return c == ' ' || c == '\t';
}

/* Returns whether a character ends a value. */
static bool is_end(char c)
{
    return is_gap(c) || c == ',' || c == ')' || c == ']' || c == '}' || c == ';';
}

/* Returns whether a name may begin after a character. */
static bool is_before_name(char c)
{
    return is_gap(c) || c == ',' || c == '(' || c == '[' || c == '{' || c == ';';
}

static bool is_within_word(char c)
{
    return !is_before_name(c);
}

static void skip(brz_str *s, bool (*is)(char))
{
    size_t n = 0;
    while (n < s->len && is(s->data[n]))
        n++;
    *s = brz_str_from(*s, n);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Removes digits from the front. Returns false if it begins with another character. */
static bool take_digits(brz_str *s, bool is_hex, uint64_t *value)
{
    size_t n = 0;
    uint64_t base = is_hex ? 16 : 10;
    *value = 0;
    for (; n < s->len && (is_hex ? brz_is_hex(s->data[n]) : brz_is_digit(s->data[n])); n++) {
        char c = s->data[n];
        uint64_t digit = (uint64_t)(brz_is_digit(c) ? c - '0' : (c | 32) - 'a' + 10);
        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, digit, value))
            *value = UINT64_MAX;
    }
    *s = brz_str_from(*s, n);
    return n > 0;
}

/* Removes a unit from the front and returns its name, or an empty text. */
static brz_str take_unit(brz_str *s)
{
    static const struct {
        const char *text, *name;
    } units[] = {{"B", "bytes"},
                 {"ns", "nanoseconds"},
                 {"us", "microseconds"},
                 {"ms", "milliseconds"},
                 {" [ns]", "nanoseconds"}};
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++) {
        brz_str rest = *s;
        if (brz_str_take(&rest, units[i].text) && (rest.len == 0 || is_end(rest.data[0]))) {
            *s = rest;
            return brz_str_of_text(units[i].name);
        }
    }
    return brz_str_of(s->data, 0);
}

/* Removes a number from the front. Returns false, and removes nothing, if the value is no number.
 */
static bool take_number(brz_str *s, bool is_hex, payload_word *out)
{
    brz_str rest = *s;
    uint64_t value;
    bool is_negative = brz_str_take(&rest, "-");
    is_hex |= brz_str_take(&rest, "0x");
    if (!take_digits(&rest, is_hex, &value))
        return false;
    out->unit = take_unit(&rest);
    if (rest.len > 0 && !is_end(rest.data[0]))
        return false;
    out->value = value > INT64_MAX ? INT64_MAX : (int64_t)value;
    out->value = is_negative ? -out->value : out->value;
    *s = rest;
    return true;
}

static bool is_of_text(char c)
{
    return !is_gap(c) && c != ',';
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Removes the text between a name and its value from the front. Returns false if the name is a word
 * alone. `*is_sure`: a value of any kind follows. */
static bool take_divider(brz_str *s, bool *is_sure)
{
    *is_sure = brz_str_take(s, "=");
    if (*is_sure || s->len == 0)
        return *is_sure;
    bool has_colon = brz_str_take(s, ":");
    bool has_gap = s->len > 0 && is_gap(s->data[0]);
    skip(s, is_gap);
    *is_sure = has_colon && has_gap;
    return has_colon || has_gap;
}

/* Reads the field whose name is at the front of a text, after which `rest` begins. */
static bool take_field(brz_str text, brz_str *rest, bool is_hex, payload_word *out)
{
    bool is_sure;
    *rest = text;
    skip(rest, is_of_name);
    out->name = brz_str_of(text.data, text.len - rest->len);
    brz_str value = *rest;
    if (!take_divider(&value, &is_sure))
        return false;
    out->unit = brz_str_of(value.data, 0);
    out->is_number = take_number(&value, is_hex, out);
    if (!out->is_number && !is_sure)
        return false;
    if (!out->is_number)
        skip(&value, is_of_text);
    *rest = value;
    return true;
}

bool payload_next(brz_str *rest, bool is_hex, payload_word *out)
{
    while (rest->len > 0) {
        skip(rest, is_before_name);
        if (rest->len > 0 && is_letter(rest->data[0]) && take_field(*rest, rest, is_hex, out))
            return true;
        skip(rest, is_within_word);
    }
    return false;
}
