/* SPDX-License-Identifier: MIT */
/* Reads the rows of `go tool pprof -top`, which have no callers:
 *
 *     top   := total remark* titles row*
 *     total := "Showing nodes accounting for " amount ", " percent " of " amount " total"
 *     row   := amount percent percent amount percent function ["(inline)"]
 *
 * The first amount is that of the function itself.
 */
#include "../../common/table/decimal.h"
#include "reader.h"

bool go_is_top_title(brz_str line)
{
    static const char *const titles[] = {"flat", "flat%", "sum%", "cum", "cum%"};
    brz_str rest = line;
    for (size_t i = 0; i < BRZ_COUNT_OF(titles); i++) {
        dump_take_blanks(&rest);
        if (!brz_str_take(&rest, titles[i]))
            return false;
    }
    return brz_trim(rest).len == 0;
}

/* Takes an amount and the blanks after it. Returns its unit, or NULL. */
static const go_unit *take_amount(brz_str *s, int64_t *value)
{
    decimal d;
    size_t n = 0;
    brz_str rest = *s;
    bool negative = brz_str_take(&rest, "-");
    if (rest.len == 0 || !brz_is_digit(*rest.data) || !decimal_take(&rest, false, &d))
        return NULL;
    while (n < rest.len && !brz_is_blank(rest.data[n]) && rest.data[n] != ',')
        n++;
    const go_unit *u = go_find_unit(brz_str_of(rest.data, n));
    if (u == NULL || (u->name[0] == '\0' && d.decimals != 0) ||
        __builtin_mul_overflow(d.digits, u->factor, &d.digits) || !decimal_scale(&d, 0, value))
        return NULL;
    *value = negative ? -*value : *value;
    *s = brz_str_from(rest, n);
    dump_take_blanks(s);
    return u;
}

/* Takes "94.62%" and the blanks after it. */
static bool take_percent(brz_str *s)
{
    size_t n = 0;
    while (n < s->len && (brz_is_digit(s->data[n]) || s->data[n] == '.' || s->data[n] == '-'))
        n++;
    if (n == 0 || n == s->len || s->data[n] != '%')
        return false;
    *s = brz_str_from(*s, n + 1);
    dump_take_blanks(s);
    return true;
}

void go_read_top_total(go *g, brz_str line)
{
    size_t at = brz_str_find(line, BRZ_STR("% of "), 0);
    brz_str rest = at == SIZE_MAX ? brz_str_of("", 0) : brz_str_from(line, at + 5);
    int64_t total;
    if (take_amount(&rest, &total) != NULL)
        g->top_total = total;
}

/* Takes the two shares after the amount, which show that it is one. */
static bool take_shares(brz_str *s)
{
    return take_percent(s) && take_percent(s);
}

/* Returns whether the columns after the shares are there, and removes them. */
static bool take_columns(brz_str *s)
{
    int64_t total;
    return take_amount(s, &total) != NULL && take_percent(s) && s->len > 0;
}

static brz_rc count_row(go *g, const go_unit *u, brz_str name, int64_t value)
{
    brz_rc rc = BRZ_OK;
    g->top_sum += value;
    if (value == 0 && u->name[0] == '\0')
        return BRZ_OK; /* a zero has no unit */
    go_declare(g, u);
    brz_path_cut(g->dump.stacks.path, 0);
    dump_push(&g->dump, name, 0, go_describe);
    if (value != 0)
        rc = dump_count(&g->dump, g->columns[0], value);
    brz_path_cut(g->dump.stacks.path, 0);
    return rc;
}

/* Reports a row without an amount. If the text states the total, its weight is known at the end. */
static void report_row(const go *g, brz_str line)
{
    brz_str why = BRZ_STR("not a row of -top: left out");
    if (g->top_total > 0)
        brz_report(g->dump.ctx, BRZ_WARNING, "go.row", line.data, line.len, why);
    else
        brz_report_lost(g->dump.ctx, "go.row", line.data, line.len, why);
}

/* Returns whether a line between the total and the rows says nothing of a function. */
static bool is_remark(brz_str line)
{
    return go_is_top_title(line) || brz_starts_with(line, BRZ_STR("Dropped ")) ||
           brz_starts_with(line, BRZ_STR("Showing "));
}

/* Reports a text of callers and callees, which begins like that of -top. */
static brz_rc reject_graph(go *g, brz_str line)
{
    brz_report(g->dump.ctx, BRZ_FATAL, "go.graph", line.data, line.len,
               BRZ_STR("text of -tree or -peek, which has no whole stacks: use -traces"));
    return BRZ_ERROR;
}

brz_rc go_read_top(go *g, brz_str line)
{
    brz_str rest = brz_trim(line);
    int64_t value;
    if (rest.len == 0 || is_remark(line))
        return BRZ_OK;
    if (brz_str_find(line, BRZ_STR("calls% + context"), 0) != SIZE_MAX)
        return reject_graph(g, line);
    const go_unit *u = take_amount(&rest, &value);
    bool has_amount = u != NULL && take_shares(&rest);
    if (has_amount && take_columns(&rest))
        return count_row(g, u, rest, value);
    if (has_amount) {
        g->top_sum += value;
        dump_left_out(&g->dump, "go.row", line, BRZ_STR("not a row of -top: left out"), value);
    } else {
        report_row(g, line);
    }
    return BRZ_OK;
}

void go_end_top(go *g)
{
    int64_t missing = g->top_total - g->top_sum;
    brz_report(g->dump.ctx, BRZ_NOTE, "go.flat", NULL, 0,
               BRZ_STR("-top has no callers: each function is a stack of its own"));
    /* Amounts are rounded to two decimals. */
    if (missing > g->top_total / 100)
        brz_report_lost_weight(g->dump.ctx, "go.top", NULL, 0,
                               BRZ_STR("functions that -top does not show are missing"), missing);
    g->top_total = g->top_sum = 0;
}
