/* SPDX-License-Identifier: MIT */
/* Converts a row of a VTune report to a frame and numbers. */
#include "reader.h"

#include <string.h>

void frames_init(vtune *v, brz_ctx *ctx)
{
    brz_frame_cache_init(&v->frames, ctx);
    brz_frame_cache_init(&v->where, ctx);
    brz_frame_cache_init(&v->idle, ctx);
    v->places_cap = 64;
    v->places = ctx->host->alloc(ctx, v->places_cap * sizeof *v->places, 0);
    v->n_places = 1;
    v->scratch_cap = 1024;
    v->scratch = ctx->host->alloc(ctx, v->scratch_cap, 0);
}

/* ---- places ---------------------------------------------------------------------------------- */

static brz_str copy_bare(brz_ctx *ctx, brz_str bare)
{
    char *copy = ctx->host->alloc(ctx, bare.len + 1, 0);
    return brz_str_of(copy, csv_unescape(bare, copy));
}

static uint32_t add_place(vtune *v, brz_ctx *ctx, vtune_place place)
{
    if (v->n_places == v->places_cap)
        v->places =
            brz_stacks_double(ctx, v->places, v->n_places, &v->places_cap, sizeof *v->places);
    v->places[v->n_places] = place;
    return (uint32_t)v->n_places++;
}

/* Returns the place that adds a module or a file to an outer place. */
static uint32_t place_in(vtune *v, brz_ctx *ctx, uint32_t outer, brz_str text, bool is_file)
{
    if (text.len == 0)
        return outer;
    brz_frame_key key = brz_frame_key_of(&v->where, text.data, text.len, 2 * outer + is_file);
    uint32_t id = brz_frame_cache_find(&v->where, &key);
    if (id != BRZ_CACHE_MISS)
        return id;
    vtune_place place = v->places[outer];
    if (is_file)
        place.file = copy_bare(ctx, text);
    else
        place.module = copy_bare(ctx, text);
    id = add_place(v, ctx, place);
    brz_frame_cache_put(&v->where, ctx, &key, id);
    return id;
}

static uint32_t row_place(vtune *v, brz_ctx *ctx, const csv_row *row)
{
    uint32_t place = 0;
    if (v->plan->module != NO_COLUMN)
        place = place_in(v, ctx, place, csv_cell(row, v->plan->module), false);
    if (v->plan->file != NO_COLUMN)
        place = place_in(v, ctx, place, csv_cell(row, v->plan->file), true);
    return place;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Returns "function(module)", with room for `needed` bytes in the scratch. */
static brz_str name_with_module_after(vtune *v, brz_str module, brz_str name)
{
    size_t n = csv_unescape(name, v->scratch);
    v->scratch[n++] = '(';
    if (module.len > 0)
        memcpy(v->scratch + n, module.data, module.len);
    n += module.len;
    v->scratch[n++] = ')';
    return brz_str_of(v->scratch, n);
}

/* Returns "module`function", or just "function". */
static brz_str full_name(vtune *v, brz_ctx *ctx, brz_str module, brz_str name)
{
    size_t n = 0, needed = module.len + name.len + 2;
    if (v->scratch_cap < needed) {
        v->scratch_cap = 2 * needed;
        v->scratch = ctx->host->alloc(ctx, v->scratch_cap, 0);
    }
    if (v->options->modules_after)
        return name_with_module_after(v, module, name);
    if (module.len > 0 && !v->options->no_modules) {
        memcpy(v->scratch, module.data, module.len);
        n = module.len;
        v->scratch[n++] = '`';
    }
    return brz_str_of(v->scratch, n + csv_unescape(name, v->scratch + n));
}

brz_frame row_frame(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str name)
{
    uint32_t place = row_place(v, ctx, row);
    brz_frame_key key = brz_frame_key_of(&v->frames, name.data, name.len, place);
    uint32_t id = brz_frame_cache_find(&v->frames, &key);
    if (id != BRZ_CACHE_MISS)
        return id;
    const vtune_place *where = &v->places[place];
    brz_frame_desc d = {.struct_size = sizeof d, .module = where->module, .file = where->file};
    d.name = full_name(v, ctx, where->module, name);
    id = ctx->host->frame(ctx, &d);
    brz_frame_cache_put(&v->frames, ctx, &key, id);
    return id;
}

brz_frame unknown_frame(vtune *v, brz_ctx *ctx)
{
    static const char name[] = "[unknown]";
    if (!v->has_unknown)
        v->unknown = ctx->host->intern(ctx, name, sizeof name - 1);
    v->has_unknown = true;
    return v->unknown;
}

/* ---- numbers --------------------------------------------------------------------------------- */

#define MILLISECOND INT64_C(1000000)

static int64_t rounded(int64_t value)
{
    return (value / MILLISECOND + (value % MILLISECOND >= MILLISECOND / 2)) * MILLISECOND;
}

row_metrics row_values(const vtune *v, const csv_row *row, brz_str line, int64_t *values,
                       int64_t *last)
{
    row_metrics found = {.good = true, .weight = UNKNOWN_WEIGHT};
    if (v->row_is_torn) {
        memset(values, 0, v->plan->n_metrics * sizeof *values);
        return (row_metrics){.torn = true, .bad = line, .weight = UNKNOWN_WEIGHT};
    }
    for (size_t i = 0; i < v->plan->n_metrics; i++) {
        const vtune_metric *m = &v->plan->metrics[i];
        brz_str cell = csv_cell(row, m->column);
        int64_t *one = last == NULL ? NULL : &last[i];
        if (csv_is_padded(row, m->column) || !metric_parse(v->plan, m, cell, &values[i], one)) {
            memset(values, 0, v->plan->n_metrics * sizeof *values);
            found.good = false;
            found.bad = cell.len > 0 ? cell : brz_str_of(line.data, 0);
            return found;
        }
        if (m->unit == UNIT_TIME && v->options->round)
            values[i] = rounded(values[i]);
        if (i == 0)
            found.weight = values[0];
    }
    return found;
}

/* ---- reports --------------------------------------------------------------------------------- */

void report_lost(brz_ctx *ctx, const char *code, brz_str at, brz_str msg, int64_t weight)
{
    if (weight == UNKNOWN_WEIGHT)
        brz_report_lost(ctx, code, at.data, at.len, msg);
    else
        brz_report_lost_weight(ctx, code, at.data, at.len, msg, weight);
}

void report_bad_value(brz_ctx *ctx, const row_metrics *m, int64_t weight)
{
    if (m->torn)
        report_lost(ctx, "vtune.cells", m->bad,
                    BRZ_STR("another number of cells than of columns: the row counts nothing"),
                    weight);
    else
        report_lost(ctx, "vtune.value", m->bad,
                    BRZ_STR("not a number that can be counted: the row counts nothing"), weight);
}
