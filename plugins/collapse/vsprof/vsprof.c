/* SPDX-License-Identifier: MIT */
/* Collapses call trees that Visual Studio's profiler exports as CSV.
 *
 *     input  := line* header row*
 *     header := "Level" delimiter "Function Name" (delimiter cell)*
 *     row    := level delimiter function (delimiter cell)*
 *
 * Level 0 is the process, level 1 contains its root functions, and each further level is a call.
 * plan.c parses the header, numbers.c parses numbers. Each row depends on the rows before it, so
 * the input cannot be divided among threads.
 *
 * Numbers of calls do not form a tree: a function may call another one a thousand times. To make
 * them additive, `settle_calls` reduces the calls of each caller by those of its callees.
 */
#include "metrics.h"
#include "../../common/shipped.h"

#include <string.h>

typedef struct vsprof {
    const vsprof_plan *plan;
    brz_lines lines;
    brz_stacks stacks;
    level_tree tree;
    brz_frame_cache frames, modules;
    brz_str *module_names;
    size_t n_modules, modules_cap;
    char *scratch;
    size_t scratch_cap;
    brz_frame unknown;
    bool has_unknown;
    int64_t row_values[CSV_CELLS]; /* values of the current row, by metric */
    bool row_is_torn; /* the current row has another number of cells than the header has columns */
} vsprof;

/* ---- frames ---------------------------------------------------------------------------------- */

static brz_str unescaped(vsprof *v, brz_ctx *ctx, brz_str bare)
{
    if (v->scratch_cap < bare.len) {
        v->scratch_cap = 2 * bare.len;
        v->scratch = ctx->host->alloc(ctx, v->scratch_cap, 0);
    }
    return brz_str_of(v->scratch, csv_unescape(bare, v->scratch));
}

/* Returns the number of a module, from 1; 0 for an empty name. */
static uint32_t module_of(vsprof *v, brz_ctx *ctx, brz_str text)
{
    if (text.len == 0)
        return 0;
    brz_frame_key key = brz_frame_key_of(&v->modules, text.data, text.len, 0);
    uint32_t id = brz_frame_cache_find(&v->modules, &key);
    if (id != BRZ_CACHE_MISS)
        return id;
    if (v->n_modules == v->modules_cap)
        v->module_names = brz_stacks_double(ctx, v->module_names, v->n_modules, &v->modules_cap,
                                            sizeof *v->module_names);
    char *copy = ctx->host->alloc(ctx, text.len, 0);
    id = (uint32_t)v->n_modules++;
    v->module_names[id] = brz_str_of(copy, csv_unescape(text, copy));
    brz_frame_cache_put(&v->modules, ctx, &key, id);
    return id;
}

/* Returns the cache key of a row's frame: its name and the number of its module. */
static brz_frame_key row_key(vsprof *v, brz_ctx *ctx, const csv_row *row)
{
    brz_str name = csv_cell(row, NAME_COLUMN);
    brz_str text = v->plan->module == NO_COLUMN ? name : csv_cell(row, v->plan->module);
    uint32_t module = v->plan->module == NO_COLUMN ? 0 : module_of(v, ctx, text);
    if (name.len == 0)
        name.data = row->cells[0].data; /* data that may be read beyond its end */
    return brz_frame_key_of(&v->frames, name.data, name.len, module);
}

static brz_frame frame_of(vsprof *v, brz_ctx *ctx, const brz_frame_key *key)
{
    uint32_t id = brz_frame_cache_find(&v->frames, key);
    if (id != BRZ_CACHE_MISS)
        return id;
    brz_frame_desc d = {.struct_size = sizeof d, .module = v->module_names[key->context]};
    d.name = unescaped(v, ctx, key->text);
    id = ctx->host->frame(ctx, &d);
    brz_frame_cache_put(&v->frames, ctx, key, id);
    return id;
}

static brz_frame unknown_frame(vsprof *v, brz_ctx *ctx)
{
    static const char name[] = "[unknown]";
    if (!v->has_unknown)
        v->unknown = ctx->host->intern(ctx, name, sizeof name - 1);
    v->has_unknown = true;
    return v->unknown;
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* Adjusts the calls of the last row before it is removed. It counts 0 if the row below it, removed
 * just before, was called equally often; and its calls are subtracted from its caller's, if those
 * are more. `before` holds the calls of the row removed before, or -1, and is set to this row's. */
static void settle_calls(vsprof *v, size_t metric, int64_t *before)
{
    size_t depth = level_tree_depth(&v->tree);
    int64_t *own = &level_tree_values(&v->tree, depth - 1)[metric], calls = *own;
    if (calls == *before)
        *own = 0;
    *before = calls;
    if (depth < 2)
        return;
    int64_t *caller = &level_tree_values(&v->tree, depth - 2)[metric];
    if (calls < *caller)
        *caller -= calls;
}

/* Removes rows until `depth` remain. */
static brz_rc cut(vsprof *v, brz_ctx *ctx, size_t depth)
{
    size_t calls = 0;
    while (calls < v->plan->n_metrics && v->plan->metrics[calls].sort != SORT_CALLS)
        calls++;
    brz_rc rc = BRZ_OK;
    int64_t before = -1;
    bool several = level_tree_depth(&v->tree) > depth + 1;
    while (rc == BRZ_OK && level_tree_depth(&v->tree) > depth) {
        if (several && calls < v->plan->n_metrics)
            settle_calls(v, calls, &before);
        rc = level_tree_pop(&v->tree, ctx);
    }
    return rc;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool read_value(const vsprof_metric *m, const csv_row *row, int64_t *value)
{
    return m->column < row->n && !csv_is_padded(row, m->column) &&
           number_parse(m, csv_cell(row, m->column), value);
}

/* Parses the values of a row. Returns the number of the first metric that cannot be parsed, or the
 * number of all. In a torn row, none can. */
static size_t read_values(const vsprof *v, const csv_row *row, int64_t *values)
{
    size_t i = 0;
    while (i < v->plan->n_metrics && !v->row_is_torn &&
           read_value(&v->plan->metrics[i], row, &values[i]))
        i++;
    return i;
}

/* Reports a row that is left out. Its weight is known if it is its own alone, and can be parsed. */
static void leave_out(const vsprof *v, brz_ctx *ctx, const char *code, const csv_row *row,
                      brz_str line, brz_str msg)
{
    const vsprof_metric *m = &v->plan->metrics[0];
    int64_t weight;
    if (v->plan->n_metrics > 0 && m->sort == SORT_SELF && !v->row_is_torn &&
        read_value(m, row, &weight))
        brz_report_lost_weight(ctx, code, line.data, line.len, msg, weight);
    else
        brz_report_lost(ctx, code, line.data, line.len, msg);
}

/* Finds the weight that is missing because the last row counts nothing: `metric` is the first one
 * that cannot be parsed. An inclusive weight is part of that of a row above, which keeps it.
 * Returns false if the weight is unknown. */
static bool missing_weight(const vsprof *v, size_t metric, int64_t *missing)
{
    vsprof_sort sort = v->plan->metrics[0].sort;
    if (sort == SORT_TOTAL)
        return level_tree_missing(&v->tree, metric > 0 ? v->row_values[0] : -1, missing);
    *missing = v->row_values[0];
    return sort == SORT_SELF && metric > 0;
}

/* Reports that the last row counts nothing because a metric cannot be parsed. */
static void report_number(const vsprof *v, brz_ctx *ctx, const csv_row *row, brz_str line,
                          size_t metric)
{
    int64_t missing;
    brz_str at = csv_cell(row, v->plan->metrics[metric].column);
    const char *code = "vsprof.number";
    brz_str msg = BRZ_STR("not a number that can be counted: the row counts nothing");
    if (v->row_is_torn) {
        code = "vsprof.cells";
        at = line;
        msg = BRZ_STR("another number of cells than of columns: the row counts nothing");
    } else if (at.len == 0) {
        at = brz_str_of(line.data, 0);
    }
    if (missing_weight(v, metric, &missing))
        brz_report_lost_weight(ctx, code, at.data, at.len, msg, missing);
    else
        brz_report_lost(ctx, code, at.data, at.len, msg);
}

/* Adds a row below the last one. A row that cannot be parsed keeps its place, so that the rows
 * below it are neither lost nor counted elsewhere. */
static void push_row(vsprof *v, brz_ctx *ctx, const csv_row *row, brz_str line,
                     const brz_frame_key *key)
{
    bool named = key->text.len > 0;
    if (!named)
        BRZ_WARN(ctx, "vsprof.row", line.data, line.len,
                 "row without a function: counted under [unknown]");
    size_t n_good = read_values(v, row, v->row_values);
    brz_frame frame = named ? frame_of(v, ctx, key) : unknown_frame(v, ctx);
    int64_t *values = level_tree_push(&v->tree, ctx, frame);
    if (n_good == v->plan->n_metrics) {
        memcpy(values, v->row_values, v->plan->n_metrics * sizeof *values);
    } else {
        level_tree_forget_values(&v->tree);
        report_number(v, ctx, row, line, n_good);
    }
    for (size_t i = 0; i < v->plan->n_metrics; i++)
        if (v->plan->metrics[i].sort == SORT_TOTAL)
            level_tree_take_off(&v->tree, i);
}

static brz_rc take_row(vsprof *v, brz_ctx *ctx, const csv_row *row, brz_str line)
{
    int64_t level;
    if (!number_whole(csv_cell(row, LEVEL_COLUMN), &level)) {
        leave_out(v, ctx, "vsprof.level", row, line, BRZ_STR("row without a level: left out"));
        return BRZ_OK;
    }
    if (level == 0 && v->row_is_torn) {
        leave_out(v, ctx, "vsprof.cells", row, line,
                  BRZ_STR("another number of cells than of columns: row left out"));
        return BRZ_OK;
    }
    if (level == 0) /* the process */
        return cut(v, ctx, 0);
    size_t callers = (size_t)level - 1;
    if (callers > level_tree_depth(&v->tree)) {
        leave_out(v, ctx, "vsprof.skipped-level", row, line,
                  BRZ_STR("the row is more than one level below the one before it: left out"));
        return BRZ_OK;
    }
    /* prefetches the cache entry while rows are removed and numbers are parsed */
    brz_frame_key key = row_key(v, ctx, row);
    brz_frame_cache_fetch_slot(&v->frames, &key);
    brz_rc rc = cut(v, ctx, callers);
    brz_frame_cache_fetch_entry(&v->frames, &key);
    push_row(v, ctx, row, line, &key);
    return rc;
}

static brz_rc take_line(vsprof *v, brz_ctx *ctx, brz_str line)
{
    csv_row row;
    char delimiter;
    line = brz_trim(line);
    if (line.len == 0 || !v->plan->found)
        return BRZ_OK;
    if (line.data[0] > '9' &&
        plan_is_header(line, &delimiter)) /* another table, appended to the first */
        return cut(v, ctx, 0);
    csv_split(line, v->plan->delimiter, v->plan->n_cells, &row);
    v->row_is_torn =
        !csv_fits(ctx, "vsprof.cells", line, v->plan->delimiter, &row, v->plan->columns);
    return take_row(v, ctx, &row, line);
}

/* ---- entry points ---------------------------------------------------------------------------- */

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    vsprof_plan *plan = ctx->host->alloc(ctx, sizeof *plan, 0);
    *prelude_data = plan;
    brz_str text = brz_str_of((const char *)chunk->data, chunk->len);
    *used = plan_find(plan, ctx, text);
    if (plan->found)
        csv_report_front(ctx, "vsprof.front", brz_str_of(text.data, *used), plan->delimiter,
                         plan->columns);
    if (plan->found)
        return BRZ_OK;
    *used = chunk->len;
    BRZ_WARN(ctx, "vsprof.header", NULL, 0,
             "no line begins with 'Level,Function Name': not a call tree of Visual Studio");
    return BRZ_OK;
}

static void declare_weight(level_tree *tree, brz_ctx *ctx, const vsprof_metric *m)
{
    static const char *const units[] = {
        [UNIT_COUNT] = "count",       [UNIT_SAMPLES] = "samples", [UNIT_BYTES] = "bytes",
        [UNIT_TIME] = "milliseconds", [UNIT_PERCENT] = "percent",
    };
    level_tree_declare(tree, ctx, m->name, units[m->unit], metric_decimals(m));
}

static brz_rc open_instance(brz_ctx *ctx)
{
    vsprof *v = ctx->inst;
    v->plan = ctx->prelude_data;
    brz_lines_init(&v->lines, ctx);
    brz_stacks_init(&v->stacks, ctx, BRZ_NESTED);
    brz_frame_cache_init(&v->frames, ctx);
    brz_frame_cache_init(&v->modules, ctx);
    level_tree_init(&v->tree, ctx, &v->stacks, v->plan->n_metrics);
    v->modules_cap = 64;
    v->module_names = ctx->host->alloc(ctx, v->modules_cap * sizeof *v->module_names, 0);
    v->n_modules = 1;
    for (size_t i = 0; i < v->plan->n_metrics; i++)
        declare_weight(&v->tree, ctx, &v->plan->metrics[i]);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    vsprof *v = ctx->inst;
    brz_str line;
    brz_rc rc = BRZ_OK;
    brz_lines_start(&v->lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_take(&v->lines, chunk, &line))
        rc = take_line(v, ctx, line);
    *used = chunk->len - brz_lines_rest(&v->lines).len;
    return rc == BRZ_OK && chunk->flags & BRZ_CHUNK_LAST ? cut(v, ctx, 0) : rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    vsprof *v = ctx->inst;
    brz_rc rc = level_tree_finish(&v->tree, ctx);
    return rc == BRZ_OK ? brz_stacks_finish(&v->stacks, ctx) : rc;
}

/* Detects the format by its header, which is unmistakable and comes first. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_trim_start(brz_str_of((const char *)head->data, head->len));
    const char *newline = text.len > 0 ? memchr(text.data, '\n', text.len) : NULL;
    char delimiter;
    if (newline != NULL)
        text.len = (size_t)(newline - text.data);
    return plan_is_header(text, &delimiter) ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

SHIPPED_READER(vsprof, .prelude = prelude, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS("Function Name"))

SHIPPED_COLLAPSER("vsprof", .summary = "Visual Studio's profiler, its call tree as CSV",
                  .help =
                      "Export the call tree of a report (\"Export Report Data\", or vsperfreport "
                      "/summary:calltree).")
