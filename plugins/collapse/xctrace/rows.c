/* SPDX-License-Identifier: MIT */
/* Counts rows: each row is a sample, with a weight, of its backtrace below the requested roots. */
#include "reader.h"

#include <brazier/symbol.h>

bool label_is_wanted(const xctrace *x, uint32_t label)
{
    const xctrace_options *o = x->options;
    const bool wanted[LABELS] = {o->process || o->frameless, o->thread, o->core, o->state};
    return wanted[label];
}

void row_begin(xctrace *x)
{
    x->row = (table_row){.backtrace = NO_VALUE, .amount = NO_VALUE};
    for (size_t i = 0; i < LABELS; i++)
        x->row.labels[i] = NO_VALUE;
}

/* Stores the value of an element in a row; the first backtrace counts. */
void row_give(table_row *r, element_kind kind, uint32_t value)
{
    if (kind == ELEMENT_BACKTRACE && r->backtrace == NO_VALUE) {
        r->backtrace = value;
    } else if (kind == ELEMENT_WEIGHT || kind == ELEMENT_CYCLES) {
        r->amount = value;
        r->amount_kind = kind;
    } else if (kind >= ELEMENT_PROCESS && kind <= ELEMENT_STATE) {
        r->labels[kind - ELEMENT_PROCESS] = value;
    }
}

/* A table without a name is always wanted; by default, the first one with a backtrace is. */
bool is_wanted_table(const xctrace *x)
{
    return x->schema.len == 0 || x->any_schema ||
           brz_str_equal(brz_text_str(&x->wanted_schema), brz_text_str(&x->schema));
}

void rows_choose_table(xctrace *x)
{
    if (x->schema.len == 0 || !x->any_schema)
        return;
    x->wanted_schema.len = 0;
    brz_text_append(&x->wanted_schema, x->ctx, brz_text_str(&x->schema));
    x->any_schema = false;
}

/* Returns whether the row is counted. Chooses the first table with a backtrace if none is chosen.
 */
static bool is_counted(xctrace *x)
{
    if (x->row.backtrace != NO_VALUE && x->row.backtrace != 0)
        rows_choose_table(x);
    return is_wanted_table(x);
}

/* Builds the stack, from the leaf to the roots. */
static void make_stack(xctrace *x, const pool_entry *e)
{
    brz_path *path = x->stacks.path;
    const xctrace_options *o = x->options;
    const bool shown[LABELS] = {o->process || (e->n == 0 && o->frameless), o->thread, o->core,
                                o->state};
    brz_path_cut(path, 0);
    for (size_t i = 0; i < e->n; i++)
        brz_path_push(path, x->ctx, x->pool.frames[e->start + i]);
    for (size_t i = LABELS; i-- > 0;)
        if (shown[i] && x->row.labels[i] != NO_VALUE)
            brz_path_push(path, x->ctx, x->row.labels[i]);
    if (path->n == 0)
        brz_path_push(path, x->ctx, x->ctx->host->intern(x->ctx, "[unknown]", 9));
}

static uint32_t column_of(xctrace *x, element_kind kind)
{
    uint32_t *column = &x->columns[kind == ELEMENT_CYCLES];
    brz_column_desc d = {.struct_size = sizeof d};
    d.name = kind == ELEMENT_CYCLES ? BRZ_STR("cycles") : BRZ_STR("time");
    d.unit = kind == ELEMENT_CYCLES ? BRZ_STR("cycles") : BRZ_STR("nanoseconds");
    if (*column == NO_VALUE)
        *column = x->ctx->host->column(x->ctx, &d);
    return *column;
}

static brz_rc count_stack(xctrace *x, const pool_entry *e, uint32_t weight, int64_t value)
{
    make_stack(x, e);
    return brz_stacks_count(&x->stacks, x->ctx, weight, value);
}

static brz_rc count(xctrace *x, pool_entry *e, uint32_t weight, int64_t value)
{
    if (x->by_row || e->n == 0)
        return count_stack(x, e, weight, value);
    brz_stacks_sum(&x->stacks, &e->sums[weight], value);
    return BRZ_OK;
}

static brz_rc count_row(xctrace *x, pool_entry *e)
{
    brz_rc rc = count(x, e, 0, 1);
    if (rc != BRZ_OK || x->row.amount == NO_VALUE)
        return rc;
    int64_t amount = x->amounts[x->row.amount];
    uint32_t column = column_of(x, x->row.amount_kind);
    return amount == 0 ? BRZ_OK : count(x, e, column, amount);
}

void row_end(xctrace *x)
{
    if (x->row.bad)
        return;
    if (!is_counted(x)) {
        x->n_other_rows += x->row.backtrace != NO_VALUE && x->row.backtrace != 0;
        return;
    }
    uint32_t backtrace = x->row.backtrace == NO_VALUE ? 0 : x->row.backtrace;
    if (backtrace == 0 && !x->options->frameless) {
        x->n_frameless++;
        return;
    }
    x->rc = count_row(x, &x->pool.entries[backtrace]);
    if (x->rc != BRZ_OK && x->here.data == NULL)
        XML_StopParser(x->parser, XML_FALSE);
}

brz_rc rows_finish(xctrace *x)
{
    brz_rc rc = BRZ_OK;
    row_begin(x); /* without labels */
    for (size_t i = 0; i < x->pool.n; i++)
        for (uint32_t w = 0; w < 3 && rc == BRZ_OK; w++)
            if (x->pool.entries[i].sums[w] != 0)
                rc = count_stack(x, &x->pool.entries[i], w, x->pool.entries[i].sums[w]);
    return rc;
}
