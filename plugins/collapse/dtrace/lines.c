/* SPDX-License-Identifier: MIT */
/* Recognises the lines of DTrace's output. */
#include "lines.h"

#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/integer.h>
#include <brazier/text/pieces.h>
#include <brazier/text/trim.h>

bool line_is_count(brz_str line, int64_t *value)
{
    size_t i = line.len > 1 && line.data[0] == '-' ? 1 : 0;
    bool negative = i == 1;
    int64_t v = 0;
    if (i == line.len)
        return false;
    for (; i < line.len; i++) {
        int digit = line.data[i] - '0';
        if (!brz_is_digit(line.data[i]))
            return false;
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, negative ? -digit : digit, &v))
            v = negative ? INT64_MIN : INT64_MAX;
    }
    *value = v;
    return true;
}

/* Returns whether a line is digits, after `from` bytes. */
static bool is_count_from(brz_str line, size_t from)
{
    int64_t value;
    return line.len > from && line_is_count(brz_str_of(line.data + from, line.len - from), &value);
}

bool line_is_damaged_count(brz_str line)
{
    size_t sign = line.len > 1 && line.data[0] == '-', digits = 1;
    if (line.len <= sign || brz_starts_with(line, BRZ_STR("0x")))
        return false;
    if (brz_is_digit(line.data[sign])) {
        size_t module = brz_str_find(line, BRZ_STR("`"), 0);
        size_t blanks = brz_str_find(line, BRZ_STR("  "), 0);
        return module == SIZE_MAX || blanks < module; /* a module may begin with a digit */
    }
    while (digits < line.len && brz_is_blank(line.data[digits]))
        digits++;
    return digits > 1 && is_count_from(line, digits);
}

bool line_is_digits_after_byte(brz_str line)
{
    return line.data[0] != '-' && !brz_is_digit(line.data[0]) && is_count_from(line, 1);
}

bool line_is_frame(brz_str line)
{
    if (line.len > 2 && line.data[0] == '0' && line.data[1] == 'x')
        return brz_all_hex(line.data + 2, line.len - 2);
    return line.len > 0 && memchr(line.data, '`', line.len) != NULL;
}

brz_str line_module(brz_str line)
{
    const char *end = memchr(line.data, '`', line.len);
    return brz_str_of(line.data, end == NULL ? 2 : (size_t)(end - line.data));
}

/* Removes the first word from the line and returns it. */
static brz_str take_word(brz_str *line)
{
    size_t n = 0;
    while (n < line->len && !brz_is_blank(line->data[n]))
        n++;
    brz_str word = brz_str_of(line->data, n);
    *line = brz_trim_start(brz_str_of(line->data + n, line->len - n));
    return word;
}

bool line_is_header(brz_str line)
{
    int64_t number;
    brz_str first = take_word(&line), second = take_word(&line);
    if (brz_str_equal(first, BRZ_STR("CPU")) && brz_str_equal(second, BRZ_STR("ID")))
        return true;
    brz_str third = take_word(&line);
    return line.len == 0 && line_is_count(first, &number) && line_is_count(second, &number) &&
           third.len > 0 && memchr(third.data, ':', third.len) != NULL &&
           third.data[third.len - 1] != ')';
}

bool line_is_message(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("dtrace: "));
}

bool line_is_distribution(brz_str line)
{
    if (brz_starts_with(line, BRZ_STR("value ")) && brz_ends_with(line, BRZ_STR(" count")))
        return true;
    return brz_str_find(line, BRZ_STR("- Distribution -"), 0) != SIZE_MAX;
}

/* Removes the signs of the first and the last row, "< 0" and ">= 100". */
static brz_str without_sign(brz_str value)
{
    if (!brz_str_take(&value, ">= "))
        brz_str_take(&value, "< ");
    return value;
}

bool line_is_row(brz_str line)
{
    brz_str value, bar;
    int64_t number;
    size_t n = 0;
    if (!brz_cut_first(line, '|', &value, &bar) ||
        !line_is_count(brz_trim(without_sign(value)), &number))
        return false;
    while (n < bar.len && (bar.data[n] == '@' || bar.data[n] == ' '))
        n++;
    return n > 0 && line_is_count(brz_str_from(bar, n), &number);
}

bool line_take_count(brz_str *line, int64_t *value)
{
    size_t n = line->len;
    while (n > 0 && brz_is_digit(line->data[n - 1]))
        n--;
    if (n < 2 || line->data[n - 1] != ' ' || line->data[n - 2] != ' ')
        return false;
    if (!line_is_count(brz_str_of(line->data + n, line->len - n), value))
        return false;
    *line = brz_trim_end(brz_str_of(line->data, n));
    return true;
}
