/* SPDX-License-Identifier: MIT */
/* Parses the tables of system calls that `perf trace -s` prints. */
#include "summary.h"

#include <brazier/symbol.h>
#include <brazier/text.h>

#include "../../common/table/decimal.h"

/* Removes the thread, "(123)", from the end of a name. */
static void take_thread(summary_heading *h)
{
    brz_str name, thread;
    uint64_t number;
    if (!brz_cut_last(h->process, '(', &name, &thread) || !brz_take_u64(&thread, &number) ||
        number > INT64_MAX || !brz_str_is(thread, ")"))
        return;
    h->process = brz_trim_end(name);
    h->thread = (int64_t)number;
    h->has_thread = true;
}

/* Finds ", N events" and stores what is in front of it. The name may contain commas. */
static bool cut_events(brz_str line, brz_str *name)
{
    for (size_t at = 0; (at = brz_str_find(line, BRZ_STR(" events"), at)) != SIZE_MAX; at++) {
        brz_str rest = brz_str_from(line, at + 7);
        size_t i = at;
        while (i > 0 && brz_is_digit(line.data[i - 1]))
            i--;
        *name = brz_str_of(line.data, i);
        if (i < at && (rest.len == 0 || *rest.data == ',') && brz_ends_with(*name, BRZ_STR(", ")))
            return true;
    }
    return false;
}

bool summary_parse_heading(brz_str line, summary_heading *h)
{
    *h = (summary_heading){0};
    if (!cut_events(brz_trim(line), &h->process))
        return false;
    h->process.len -= 2;
    take_thread(h);
    if (!h->has_thread && brz_str_is(h->process, "total"))
        h->process.len = 0;
    return true;
}

/* Removes a word and the blanks around it. */
static brz_str take_word(brz_str *s)
{
    *s = brz_trim_start(*s);
    size_t n = 0;
    while (n < s->len && !brz_is_blank(s->data[n]))
        n++;
    brz_str word = brz_str_of(s->data, n);
    *s = brz_trim(brz_str_from(*s, n));
    return word;
}

/* Parses a number with so many decimals and nothing after it. */
static bool parse_decimal(brz_str word, int32_t decimals, decimal *d)
{
    return decimal_take(&word, false, d) && d->decimals == decimals && word.len == 0;
}

/* Removes the count of errors, which old versions of perf do not print: it has no decimals. */
static bool take_errors(brz_str *s, summary_row *r)
{
    brz_str rest = *s, word = take_word(&rest);
    r->has_errors = brz_parse_i64(word, &r->errors);
    if (r->has_errors)
        *s = rest;
    return r->errors >= 0 && r->errors <= r->calls;
}

bool summary_parse_row(brz_str line, summary_row *r)
{
    *r = (summary_row){0};
    decimal total, other;
    r->name = take_word(&line);
    if (r->name.len == 0 || brz_is_digit(*r->name.data) ||
        !brz_parse_i64(take_word(&line), &r->calls) || r->calls < 0 || !take_errors(&line, r) ||
        !parse_decimal(take_word(&line), 3, &total) || !decimal_scale(&total, 6, &r->time))
        return false;
    for (size_t i = 0; i < 3; i++) /* minimum, average, maximum */
        if (!parse_decimal(take_word(&line), 3, &other))
            return false;
    brz_str deviation = take_word(&line);
    if (!brz_ends_with(deviation, BRZ_STR("%")) || line.len > 0)
        return false;
    deviation.len--;
    return parse_decimal(deviation, 2, &other);
}

bool summary_is_title(brz_str line)
{
    line = brz_trim(line);
    return (brz_starts_with(line, BRZ_STR("syscall ")) &&
            brz_ends_with(line, BRZ_STR(" stddev"))) ||
           (brz_starts_with(line, BRZ_STR("(msec) ")) && brz_ends_with(line, BRZ_STR(" (%)"))) ||
           (brz_starts_with(line, BRZ_STR("----")) && brz_ends_with(line, BRZ_STR(" ------")));
}

bool summary_is_error(brz_str line)
{
    brz_str name, number;
    int64_t n;
    return brz_starts_with(line, BRZ_STR("\t")) &&
           brz_cut_first(brz_trim(line), ':', &name, &number) &&
           brz_parse_i64(brz_trim(number), &n);
}
