/* SPDX-License-Identifier: MIT */
/* Parses the header of a call tree, which determines the meaning of its rows. */
#include "metrics.h"

#include <brazier/symbol.h>

#include <string.h>

/* ---- the header ------------------------------------------------------------------------------ */

bool plan_is_header(brz_str line, char *delimiter)
{
    csv_row row;
    line = brz_trim(line);
    size_t at = line.len > 0 && line.data[0] == '"' ? 1 : 0;
    at += strlen("Level") + at;
    if (at >= line.len || strchr(",;\t", line.data[at]) == NULL)
        return false;
    *delimiter = line.data[at];
    csv_split(line, *delimiter, 2, &row);
    return brz_str_is(csv_cell(&row, LEVEL_COLUMN), "Level") &&
           brz_str_is(csv_cell(&row, NAME_COLUMN), "Function Name");
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Returns whether the values of a column can be added up, unlike averages and extremes. */
static bool adds_up(brz_str name)
{
    return !brz_starts_with(name, BRZ_STR("Avg ")) && !brz_starts_with(name, BRZ_STR("Min ")) &&
           !brz_starts_with(name, BRZ_STR("Max "));
}

static vsprof_unit unit_of(brz_str name)
{
    if (brz_ends_with(name, BRZ_STR("%")))
        return UNIT_PERCENT;
    if (brz_str_has(name, BRZ_STR("Time")))
        return UNIT_TIME;
    if (brz_str_has(name, BRZ_STR("Bytes")))
        return UNIT_BYTES;
    return brz_str_has(name, BRZ_STR("Samples")) ? UNIT_SAMPLES : UNIT_COUNT;
}

/* Returns a copy of the name without the word. */
static brz_str without(brz_ctx *ctx, brz_str name, brz_str word)
{
    char *copy = ctx->host->alloc(ctx, name.len + 1, 0);
    size_t at = brz_str_find(name, word, 0), end = at == SIZE_MAX ? 0 : at + word.len;
    at = at == SIZE_MAX ? 0 : at;
    memcpy(copy, name.data, at);
    memcpy(copy + at, name.data + end, name.len - end);
    return brz_str_of(copy, name.len - (end - at));
}

static vsprof_metric *metric_named(vsprof_plan *plan, brz_str name)
{
    for (size_t i = 0; i < plan->n_metrics; i++)
        if (brz_str_equal(plan->metrics[i].name, name))
            return &plan->metrics[i];
    plan->metrics[plan->n_metrics].name = name;
    return &plan->metrics[plan->n_metrics++];
}

/* Adds one of a pair of inclusive and exclusive columns. Integers come from the inclusive column,
 * which is complete even if rows below were not exported. Other numbers are rounded, and
 * differences between inclusive values would consist of rounding errors. */
static void add_pair(vsprof_plan *plan, brz_ctx *ctx, brz_str name, size_t k)
{
    bool inclusive = brz_str_has(name, BRZ_STR("Inclusive "));
    vsprof_unit unit = unit_of(name);
    bool rounded = unit == UNIT_PERCENT || unit == UNIT_TIME;
    brz_str word = inclusive ? BRZ_STR("Inclusive ") : BRZ_STR("Exclusive ");
    vsprof_metric *m = metric_named(plan, without(ctx, name, word));
    if (m->column != 0 && inclusive == rounded)
        return;
    m->column = k;
    m->unit = unit;
    m->sort = inclusive ? SORT_TOTAL : SORT_SELF;
}

static void add_column(vsprof_plan *plan, brz_ctx *ctx, brz_str name, size_t k)
{
    if (brz_str_is(name, "Module Name")) {
        plan->module = k;
    } else if (brz_str_is(name, "Number of Calls")) {
        vsprof_metric *m = metric_named(plan, BRZ_STR("Number of Calls"));
        *m = (vsprof_metric){m->name, k, SORT_CALLS, UNIT_COUNT};
    } else if (adds_up(name) && (brz_str_has(name, BRZ_STR("Inclusive ")) ||
                                 brz_str_has(name, BRZ_STR("Exclusive ")))) {
        add_pair(plan, ctx, name, k);
    } else {
        return;
    }
    plan->n_cells = k + 1;
}

uint32_t metric_decimals(const vsprof_metric *m)
{
    return m->unit == UNIT_PERCENT ? 3 : m->unit == UNIT_TIME ? 6 : 0;
}

size_t plan_find(vsprof_plan *plan, brz_ctx *ctx, brz_str text)
{
    csv_row header = {.n = 0};
    size_t at = 0;
    while (at < text.len && !plan->found) {
        const char *newline = memchr(text.data + at, '\n', text.len - at);
        if (newline == NULL)
            return 0;
        brz_str line = brz_str_of(text.data + at, (size_t)(newline - text.data) - at);
        at += line.len + 1;
        plan->found = plan_is_header(line, &plan->delimiter);
        if (plan->found)
            csv_split(brz_trim(line), plan->delimiter, CSV_CELLS, &header);
    }
    plan->columns = csv_columns_of(&header);
    plan->module = NO_COLUMN;
    plan->n_cells = NAME_COLUMN + 1;
    for (size_t k = NAME_COLUMN + 1; plan->found && k < header.n; k++)
        add_column(plan, ctx, csv_bare(header.cells[k]), k);
    return at;
}
