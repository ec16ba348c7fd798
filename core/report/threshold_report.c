/* SPDX-License-Identifier: MIT */
/* Reports on the thresholds of a comparison. */
#include "report/threshold_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/saturated.h"

#define COLUMNS 5

/* A threshold with its result. */
typedef struct result {
    const brz_threshold *threshold;
    brz_measured measured;
    bool is_exceeded;
    bool is_unmatched; /* that is why it is exceeded */
} result;

/* ---- numbers ------------------------------------------------------------------------------- */

static void add_weight(brz_buf *b, int64_t value, int64_t total, uint32_t decimals)
{
    brz_buf_add_scaled(b, value, decimals);
    brz_buf_printf(b, " (%.2f%%)", brz_percentage((double)value, (double)total));
}

static void add_change(brz_buf *b, const brz_measured *m)
{
    double growth = brz_growth(m);
    brz_buf_add_text(b, m->after >= m->before ? "+" : "");
    brz_buf_add_scaled(b, brz_subtract_saturated(m->after, m->before), m->decimals);
    if (isinf(growth))
        brz_buf_add_text(b, " (new)");
    else
        brz_buf_printf(b, " (%+.2f%%)", growth);
}

/* ---- a table ------------------------------------------------------------------------------- */

static void add_cell(brz_buf *b, const result *r, size_t column)
{
    static const char *const headings[COLUMNS] = {"RESULT", "THRESHOLD", "BEFORE", "AFTER",
                                                  "CHANGE"};
    if (r == NULL) {
        brz_buf_add_text(b, headings[column]);
        return;
    }
    const brz_measured *m = &r->measured;
    if (column == 0)
        brz_buf_add_text(b, r->is_unmatched ? "unmatched" : r->is_exceeded ? "exceeded" : "kept");
    else if (column == 1)
        brz_add_printable(b, r->threshold->text);
    else if (column == 2)
        add_weight(b, m->before, m->before_total, m->decimals);
    else if (column == 3)
        add_weight(b, m->after, m->after_total, m->decimals);
    else
        add_change(b, m);
}

/* Returns the length of the longest cell of a column. */
static size_t column_width(const result *results, size_t n, size_t column)
{
    size_t width = 0;
    for (size_t i = 0; i <= n; i++) {
        brz_buf cell = {0};
        add_cell(&cell, i == n ? NULL : &results[i], column);
        if (cell.len > width)
            width = cell.len;
        brz_buf_finish(&cell);
    }
    return width;
}

/* Appends a line of the table; NULL stands for its headings. */
static void add_row(brz_buf *b, const result *r, const size_t *widths)
{
    brz_buf_add_text(b, "\n ");
    for (size_t c = 0; c < COLUMNS; c++) {
        size_t start = b->len + 1;
        brz_buf_add_char(b, ' ');
        add_cell(b, r, c);
        for (size_t n = b->len - start; n <= widths[c] && c + 1 < COLUMNS; n++)
            brz_buf_add_char(b, ' ');
    }
}

static void add_table(brz_buf *b, const result *results, size_t n)
{
    size_t widths[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        widths[c] = column_width(results, n, c);
    add_row(b, NULL, widths);
    for (size_t i = 0; i < n; i++)
        add_row(b, &results[i], widths);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void add_json_member(brz_buf *b, const char *name, int64_t value, uint32_t decimals)
{
    brz_buf_printf(b, ",\"%s\":", name);
    brz_buf_add_scaled(b, value, decimals);
}

static void add_json(brz_buf *b, const result *results, size_t n, brz_str unit)
{
    brz_buf_add_text(b, "\n{\"unit\":");
    brz_json_string(b, unit);
    brz_buf_add_text(b, ",\"thresholds\":[");
    for (size_t i = 0; i < n; i++) {
        const brz_measured *m = &results[i].measured;
        brz_buf_add_text(b, i > 0 ? ",{\"threshold\":" : "{\"threshold\":");
        brz_json_string(b, results[i].threshold->text);
        brz_buf_printf(b, ",\"exceeded\":%s", results[i].is_exceeded ? "true" : "false");
        add_json_member(b, "before", m->before, m->decimals);
        add_json_member(b, "after", m->after, m->decimals);
        add_json_member(b, "before_total", m->before_total, m->decimals);
        add_json_member(b, "after_total", m->after_total, m->decimals);
        brz_buf_printf(b, ",\"matched\":%s}", m->n_frames > 0 ? "true" : "false");
    }
    brz_buf_add_text(b, "]}");
}

/* ---- reporting ----------------------------------------------------------------------------- */

/* Warns about an expression that no function matches: a renamed one would escape its threshold. */
static void warn_unmatched(const brz_threshold_report *r, const result *one)
{
    if (one->measured.n_frames == 0)
        brz_say_code(r->console, BRZ_WARNING, BRZ_SAYS_THRESHOLD,
                     "no function of the two profiles matches the threshold '%.*s'%s",
                     (int)one->threshold->text.len, one->threshold->text.data,
                     r->fails_unmatched ? "" : " (--fail-unmatched makes that a failure)");
}

static void report(const brz_threshold_report *r, const result *results, size_t n, size_t exceeded)
{
    const brz_profile *p = r->profile;
    brz_str unit = brz_strings_at(&p->strings, p->weights[r->after].unit);
    brz_buf b = {0};
    for (size_t i = 0; i < n; i++)
        warn_unmatched(r, &results[i]);
    brz_buf_printf(&b, "thresholds: %zu of %zu %s exceeded", exceeded, n,
                   exceeded == 1 ? "is" : "are");
    if (!r->as_json && unit.len > 0) {
        brz_buf_add_text(&b, ", in ");
        brz_add_printable(&b, unit);
    }
    if (r->as_json)
        add_json(&b, results, n, unit);
    else
        add_table(&b, results, n);
    brz_say_lines(r->console, exceeded > 0 ? BRZ_FATAL : BRZ_NOTE, BRZ_SAYS_THRESHOLD,
                  brz_buf_str(&b));
    brz_buf_finish(&b);
}

bool brz_thresholds_check(const brz_thresholds *t, const brz_threshold_report *r, bool *exceeded)
{
    result *results = brz_calloc(t->n, sizeof *results);
    brz_buf error = {0};
    size_t n_exceeded = 0;
    bool good = true;
    for (size_t i = 0; i < t->n && good; i++) {
        result *one = &results[i];
        one->threshold = &t->items[i];
        good = brz_threshold_measure(one->threshold, r->profile, r->before, r->after,
                                     &one->measured, &error);
        one->is_unmatched = good && r->fails_unmatched && one->measured.n_frames == 0;
        one->is_exceeded = one->is_unmatched ||
                           (good && brz_threshold_is_exceeded(one->threshold, &one->measured));
        n_exceeded += one->is_exceeded;
    }
    if (good)
        report(r, results, t->n, n_exceeded);
    else
        brz_say_code(r->console, BRZ_FATAL, BRZ_SAYS_PATTERN, "%s", brz_buf_text(&error));
    *exceeded = n_exceeded > 0;
    brz_buf_finish(&error);
    free(results);
    return good;
}
