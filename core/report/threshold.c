/* SPDX-License-Identifier: MIT */
/* Parses thresholds, and measures the functions that they name. */
#include "report/threshold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggest.h"
#include "base/text.h"
#include "profile/compare.h"

/* ---- parsing ------------------------------------------------------------------------------- */

static const char *const measures[] = {[BRZ_MEASURE_TOTAL] = "total", [BRZ_MEASURE_SELF] = "self"};

/* Appends an error about a threshold. Returns false. */
static bool fail(const brz_threshold *t, brz_buf *error, const char *what)
{
    brz_buf_printf(error, "'%.*s': %s", (int)t->text.len, t->text.data, what);
    return false;
}

static brz_str trim(brz_str s)
{
    while (s.len > 0 && s.data[0] == ' ')
        s = brz_str_of(s.data + 1, s.len - 1);
    while (s.len > 0 && s.data[s.len - 1] == ' ')
        s.len--;
    return s;
}

static bool parse_measure(brz_threshold *t, brz_str name, brz_buf *error)
{
    brz_suggestion near = {.typed = name};
    for (unsigned i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        if (brz_str_is(name, measures[i])) {
            t->measure = (brz_measure)i;
            return true;
        }
        brz_suggestion_offer(&near, measures[i]);
    }
    fail(t, error, "expected total(REGEX) or self(REGEX)");
    brz_suggestion_add(&near, error);
    return false;
}

static bool parse_pattern(brz_threshold *t, brz_str expression, brz_buf *error)
{
    brz_buf reason = {0};
    t->pattern = brz_pattern_create(expression, &reason);
    if (t->pattern == NULL)
        fail(t, error, brz_buf_text(&reason));
    brz_buf_finish(&reason);
    return t->pattern != NULL;
}

static bool parse_comparison(brz_threshold *t, brz_str *s, brz_buf *error)
{
    t->below = brz_str_take(s, "<");
    if (!t->below && !brz_str_take(s, ">"))
        return fail(t, error, "expected >, >=, < or <= after the ')'");
    t->or_equal = brz_str_take(s, "=");
    return true;
}

/* Parses digits with at most one point. */
static bool parse_number(brz_str *s, double *number)
{
    char text[32];
    size_t n = 0, points = 0, digits = 0;
    for (; n < s->len && n < sizeof text - 1; n++) {
        bool is_digit = s->data[n] >= '0' && s->data[n] <= '9';
        if (!is_digit && s->data[n] != '.')
            break;
        digits += is_digit;
        points += !is_digit;
        text[n] = s->data[n];
    }
    text[n] = '\0';
    *number = strtod(text, NULL);
    *s = brz_str_of(s->data + n, s->len - n);
    return digits > 0 && points <= 1;
}

static bool parse_amount(brz_threshold *t, brz_str s, brz_buf *error)
{
    bool is_negative = brz_str_take(&s, "-"), has_sign = is_negative || brz_str_take(&s, "+");
    if (!parse_number(&s, &t->limit))
        return fail(t, error, "expected an amount, such as +5%, 10%, +2pp or 100");
    if (is_negative)
        t->limit = -t->limit;
    t->quantity = has_sign ? BRZ_QUANTITY_CHANGE : BRZ_QUANTITY_WEIGHT;
    if (brz_str_take(&s, "%"))
        t->quantity = has_sign ? BRZ_QUANTITY_GROWTH : BRZ_QUANTITY_SHARE;
    else if (brz_str_take(&s, "pp"))
        t->quantity = BRZ_QUANTITY_POINTS;
    if (s.len > 0)
        return fail(t, error, "an amount ends with its number, with % or with pp");
    return t->quantity != BRZ_QUANTITY_POINTS || has_sign ||
           fail(t, error, "percentage points are a change, such as +2pp; for a share: 2%");
}

/* Returns the offset of the last ')', which ends the expression: an amount contains none. */
static size_t find_end(brz_str s)
{
    size_t n = s.len;
    while (n > 0 && s.data[n - 1] != ')')
        n--;
    return n > 0 ? n - 1 : s.len;
}

static bool parse(brz_threshold *t, brz_buf *error)
{
    const char *open = memchr(t->text.data, '(', t->text.len);
    size_t begin = open == NULL ? t->text.len : (size_t)(open - t->text.data);
    size_t end = find_end(t->text);
    if (!parse_measure(t, trim(brz_str_of(t->text.data, begin)), error))
        return false;
    if (begin == t->text.len || end == t->text.len || end <= begin + 1)
        return fail(t, error,
                    "expected a regular expression in parentheses, such as total(^parse)");
    brz_str rest = trim(brz_str_of(t->text.data + end + 1, t->text.len - end - 1));
    if (!parse_comparison(t, &rest, error) || !parse_amount(t, trim(rest), error))
        return false;
    return parse_pattern(t, brz_str_of(t->text.data + begin + 1, end - begin - 1), error);
}

bool brz_thresholds_parse(brz_thresholds *t, brz_str text, brz_buf *error)
{
    for (;;) {
        const char *end = memchr(text.data, '\n', text.len);
        size_t n = end == NULL ? text.len : (size_t)(end - text.data);
        t->items = brz_grow(t->items, t->n, &t->cap, sizeof *t->items);
        brz_threshold *item = &t->items[t->n++];
        *item = (brz_threshold){.text = trim(brz_str_of(text.data, n))};
        if (!parse(item, error))
            return false;
        if (end == NULL)
            return true;
        text = brz_str_of(text.data + n + 1, text.len - n - 1);
    }
}

void brz_thresholds_finish(brz_thresholds *t)
{
    for (size_t i = 0; i < t->n; i++)
        brz_pattern_destroy(t->items[i].pattern);
    free(t->items);
    *t = (brz_thresholds){0};
}

/* ---- measuring ----------------------------------------------------------------------------- */

/* Finds the frames whose names match: matches[frame]. */
static bool match_frames(const brz_threshold *t, const brz_profile *p, bool *matches,
                         brz_measured *m, brz_buf *error)
{
    for (size_t f = 0; f < p->n_frames; f++) {
        brz_str name = brz_strings_at(&p->strings, p->frames[f].name);
        brz_match match = brz_pattern_search(t->pattern, name, error);
        if (match == BRZ_MATCH_FAILED)
            return false;
        matches[f] = match == BRZ_MATCH_FOUND;
        m->n_frames += matches[f];
    }
    return true;
}

static bool counts(const brz_threshold *t, const brz_profile_stack *s, const bool *matches)
{
    if (t->measure == BRZ_MEASURE_SELF)
        return s->n > 0 && matches[s->frames[s->leaf_first ? 0 : s->n - 1]];
    for (uint32_t i = 0; i < s->n; i++)
        if (matches[s->frames[i]])
            return true;
    return false;
}

static void sum_stacks(const brz_threshold *t, const brz_profile *p, const bool *matches,
                       const uint32_t *columns, int64_t (*sums)[2])
{
    for (uint32_t s = 0; s < p->n_stacks; s++) {
        bool is_counted = counts(t, &p->stacks[s], matches);
        for (size_t side = 0; side < 2; side++) {
            int64_t value = brz_profile_value(p, s, columns[side]), size = brz_size_of(value);
            bool clamped = false;
            sums[side][0] = brz_add_saturated(sums[side][0], is_counted ? value : 0, &clamped);
            sums[side][1] = brz_add_saturated(sums[side][1], size, &clamped);
        }
    }
}

bool brz_threshold_measure(const brz_threshold *t, const brz_profile *p, uint32_t before,
                           uint32_t after, brz_measured *m, brz_buf *error)
{
    int64_t sums[2][2] = {{0, 0}, {0, 0}};
    bool *matches = brz_calloc(p->n_frames + 1, sizeof *matches);
    *m = (brz_measured){0};
    bool good = match_frames(t, p, matches, m, error);
    if (good)
        sum_stacks(t, p, matches, (const uint32_t[]){before, after}, sums);
    m->decimals = p->weights[before].decimals;
    m->before = sums[0][0];
    m->before_total = sums[0][1];
    m->after = sums[1][0];
    m->after_total = sums[1][1];
    free(matches);
    return good;
}

/* ---- comparing ----------------------------------------------------------------------------- */

double brz_percentage(double amount, double whole)
{
    if (whole > 0 || whole < 0)
        return 100 * amount / whole; /* a single rounding: a limit of 5% is met exactly */
    return amount > 0 ? INFINITY : amount < 0 ? -INFINITY : 0;
}

double brz_growth(const brz_measured *m)
{
    double before = (double)m->before;
    return brz_percentage((double)m->after - before, before < 0 ? -before : before);
}

/* Returns the difference of the shares in percentage points. */
static double points(const brz_measured *m)
{
    double before = (double)m->before, after = (double)m->after;
    double before_total = (double)m->before_total, after_total = (double)m->after_total;
    if (m->before_total == 0 || m->after_total == 0)
        return brz_percentage(after, after_total) - brz_percentage(before, before_total);
    return brz_percentage(after * before_total - before * after_total, before_total * after_total);
}

/* Returns the number by which a value is divided to get units. Without pow(), the program starts
 * without the library of mathematics. */
static double values_per_unit(const brz_measured *m)
{
    double n = 1;
    for (uint32_t i = 0; i < m->decimals; i++)
        n *= 10;
    return n;
}

static double quantity(const brz_threshold *t, const brz_measured *m)
{
    double before = (double)m->before, after = (double)m->after;
    switch (t->quantity) {
    case BRZ_QUANTITY_WEIGHT:
        return after / values_per_unit(m);
    case BRZ_QUANTITY_SHARE:
        return brz_percentage(after, (double)m->after_total);
    case BRZ_QUANTITY_CHANGE:
        return (after - before) / values_per_unit(m);
    case BRZ_QUANTITY_GROWTH:
        return brz_growth(m);
    default:
        return points(m);
    }
}

bool brz_threshold_is_exceeded(const brz_threshold *t, const brz_measured *m)
{
    double q = t->below ? -quantity(t, m) : quantity(t, m);
    double limit = t->below ? -t->limit : t->limit;
    return t->or_equal ? q >= limit : q > limit;
}
