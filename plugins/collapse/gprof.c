/* Collapses reports of gprof: the call graph, or the flat profile of a report without one; and
 * those of VTune in the form of gprof's.
 *
 *     graph   := "index" ... "name" entry*
 *     entry   := parent* "[" index "]" share self children [called] name "[" index "]" child*
 *                "----" ...
 *     parent  := [self children] called name "[" index "]" | "<spontaneous>"
 *     child   := the same
 *     called  := count ["/" total] | count "+" recursive
 *     name    := text ["<cycle " number ">"]
 *     vtune   := "Index" ... "Name" ... entry*, without numbers of calls, and with blank lines in
 *                the place of dashes; calls within a cycle have no times
 *     flat    := "time" ... "name" (share cumulative self [calls self/call total/call] name)*
 *
 * The report has no stacks: call_graph_fold() divides the time of a function among its callers by
 * their numbers of calls, as gprof does, or by the times of the calls. Times and numbers of calls
 * are columns.
 */
#include "../common/call_graph/graph.h"
#include "../common/dump/dump.h"
#include "../common/table/decimal.h"

/* The cost of one call, which can be divided among as many stacks. */
#define CALL_COST (INT64_C(1) << 20)

enum { SECONDS, CALLS, N_COLUMNS };

typedef enum section { PROSE, GRAPH, FLAT } section;

/* A row of the flat profile. */
typedef struct flat_row {
    brz_frame frame;
    int64_t own[N_COLUMNS];
} flat_row;

typedef struct gprof {
    dump dump;
    call_graph graph;
    pair_map indices; /* of the report to functions */
    flat_row *rows;
    size_t n_rows, rows_cap;
    section section;
    bool has_graph;
    bool is_vtune;     /* the call graph has no numbers of calls */
    uint32_t function; /* of the entry, or GRAPH_NONE before its own line */
} gprof;

/* Reports a line whose time and calls are missing. */
static void leave_out(gprof *g, brz_str line, brz_str msg)
{
    brz_report_lost(g->dump.ctx, "gprof.line", line.data, line.len, msg);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Removes a field of digits and `more` characters from the front. */
static bool take_field(brz_str *s, const char *more, brz_str *field)
{
    size_t n = 0;
    dump_take_blanks(s);
    while (n < s->len && ((s->data[n] >= '0' && s->data[n] <= '9') ||
                          (n > 0 && strchr(more, s->data[n]) != NULL && s->data[n] != '\0')))
        n++;
    bool ends = n == s->len || s->data[n] == ' ' || s->data[n] == '\t';
    if (n == 0 || !ends)
        return false;
    *field = brz_str_of(s->data, n);
    *s = brz_str_from(*s, n);
    return true;
}

/* Returns the number of decimals of the report's times. */
static uint32_t decimals_of(const gprof *g)
{
    return g->is_vtune ? 3 : 2;
}

/* Removes a time, which has a point. */
static bool take_time(const gprof *g, brz_str *s, int64_t *time)
{
    brz_str rest = *s, field;
    decimal d;
    if (!take_field(&rest, ".", &field) || memchr(field.data, '.', field.len) == NULL ||
        !decimal_take(&field, false, &d) || field.len > 0 ||
        !decimal_scale(&d, (int32_t)decimals_of(g), time))
        return false;
    *s = rest;
    return true;
}

/* Removes "3", "3/5" or "3+5" from the front; the second number is 0 without one. */
static bool take_called(brz_str *s, uint64_t *called, uint64_t *second)
{
    brz_str rest = *s, field;
    *second = 0;
    if (!take_field(&rest, "/+", &field) || !brz_take_u64(&field, called) ||
        *called > INT64_MAX / CALL_COST)
        return false;
    bool recursive = brz_str_take(&field, "+");
    if (field.len > 0 && !recursive)
        field = brz_str_from(field, 1);
    if (field.len > 0 && (!brz_take_u64(&field, second) || field.len > 0))
        return false;
    *second = recursive && *second <= INT64_MAX / CALL_COST ? *second : 0;
    *s = rest;
    return true;
}

/* Removes "[3]" from the end of a line. */
static bool take_index(brz_str *line, uint64_t *index)
{
    brz_str before, digits;
    if (!brz_ends_with(*line, BRZ_STR("]")) || !brz_cut_last(*line, '[', &before, &digits))
        return false;
    digits.len--;
    if (!brz_parse_u64(digits, index))
        return false;
    *line = brz_trim_end(before);
    return true;
}

/* Returns the name without "<cycle 1>". */
static brz_str without_cycle(brz_str name)
{
    brz_str before, cycle;
    if (brz_ends_with(name, BRZ_STR(">")) && brz_cut_last(name, '<', &before, &cycle) &&
        brz_starts_with(cycle, BRZ_STR("cycle ")))
        return brz_trim(before);
    return brz_trim(name);
}

/* ---- the call graph -------------------------------------------------------------------------- */

static brz_frame frame_of(gprof *g, brz_str name)
{
    brz_frame_desc f = {.name = name};
    g->dump.text.len = 0;
    f.name = dump_repaired(&g->dump, name);
    return dump_frame(&g->dump, &f);
}

static uint32_t function_of(gprof *g, uint64_t index, brz_str name)
{
    uint32_t function = pair_map_find(&g->indices, index, 0);
    if (function == PAIR_MISS) {
        function = call_graph_function(&g->graph, frame_of(g, without_cycle(name)));
        pair_map_put(&g->indices, g->dump.ctx, index, 0, function);
    }
    return function;
}

/* Reads the line of the function itself: "[2] 28.8 0.00 0.15 1 read [2]". */
static bool take_function(gprof *g, brz_str line)
{
    uint64_t index, called = 0, recursive = 0;
    int64_t share, own[N_COLUMNS], children;
    brz_str front;
    if (!take_index(&line, &index) || !brz_cut_first(line, ']', &front, &line) ||
        !take_time(g, &line, &share) || !take_time(g, &line, &own[SECONDS]) ||
        !take_time(g, &line, &children))
        return false;
    take_called(&line, &called, &recursive);
    line = brz_trim(line);
    if (brz_ends_with(line, BRZ_STR(" as a whole>"))) /* its members have entries of their own */
        return true;
    if (brz_str_is(line, "<spontaneous>")) /* the absence of a caller */
        return true;
    own[CALLS] = (int64_t)(called + recursive);
    g->has_graph = true;
    g->function = function_of(g, index, line);
    call_graph_add_own(
        &g->graph, call_graph_place(&g->graph, g->function, g->graph.functions[g->function].frame),
        own);
    return true;
}

/* Returns the cost of a call that took these times. It is not 0: calls within a cycle have none. */
static int64_t cost_of_times(gprof *g, int64_t own, int64_t children)
{
    int64_t cost = 1;
    call_graph_sum(&g->graph, &cost, own);
    call_graph_sum(&g->graph, &cost, children);
    return cost;
}

/* Reads the line of a function that the entry's function calls. */
static bool take_child(gprof *g, brz_str line)
{
    uint64_t index, called, total;
    int64_t own = 0, children = 0, cost, costs[N_COLUMNS] = {0};
    if (!take_index(&line, &index))
        return false;
    if (take_time(g, &line, &own) && !take_time(g, &line, &children))
        return false;
    if (g->is_vtune)
        cost = cost_of_times(g, own, children);
    else if (take_called(&line, &called, &total))
        cost = (int64_t)called * CALL_COST;
    else
        return false;
    costs[SECONDS] = costs[CALLS] = cost;
    uint32_t callee = function_of(g, index, brz_trim(line));
    call_graph_add_cost(&g->graph, call_graph_call(&g->graph, g->function, callee), costs);
    return true;
}

static void read_graph_line(gprof *g, brz_str line)
{
    brz_str text = brz_trim(line);
    if (brz_starts_with(text, BRZ_STR("---"))) {
        g->function = GRAPH_NONE;
        return;
    }
    bool entry = *line.data == '[';
    if (!entry && (*line.data > ' ' || *line.data == '\f' ||
                   brz_starts_with(text, BRZ_STR("This table describes ")))) {
        g->section = PROSE;
        return;
    }
    bool parent = !entry && g->function == GRAPH_NONE; /* the parent's entry has the same call */
    if (entry && !take_function(g, text))
        leave_out(g, line, BRZ_STR("not the line of a function: left out"));
    else if (!entry && !parent && !take_child(g, text))
        dump_left_out(&g->dump, "gprof.call", line, BRZ_STR("not a call: left out"), 0);
}

/* ---- the flat profile ------------------------------------------------------------------------ */

static void read_flat_line(gprof *g, brz_str line)
{
    flat_row r = {.own = {0}};
    int64_t share, sum, mean;
    uint64_t called = 0, second;
    brz_str rest = line;
    if (!take_time(g, &rest, &share) || !take_time(g, &rest, &sum) ||
        !take_time(g, &rest, &r.own[SECONDS])) {
        leave_out(g, line, BRZ_STR("not a row of a flat profile: left out"));
        return;
    }
    if (take_called(&rest, &called, &second) && take_time(g, &rest, &mean))
        take_time(g, &rest, &mean);
    rest = brz_trim(rest);
    if (rest.len == 0) {
        leave_out(g, line, BRZ_STR("a row without a function: left out"));
        return;
    }
    r.own[CALLS] = (int64_t)called;
    r.frame = frame_of(g, rest);
    g->rows = brz_list_room(g->dump.ctx, g->rows, g->n_rows, &g->rows_cap, sizeof r);
    g->rows[g->n_rows++] = r;
}

/* Makes functions of the rows of the flat profile. */
static void use_flat_profile(gprof *g)
{
    for (size_t i = 0; i < g->n_rows; i++) {
        const flat_row *r = &g->rows[i];
        uint32_t function = call_graph_function(&g->graph, r->frame);
        call_graph_add_own(&g->graph, call_graph_place(&g->graph, function, r->frame), r->own);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static const brz_str vtune_heading = {"Index  % CPU Time:Total ", 24};

/* Returns the section whose heading the line is, or PROSE. */
static section heading_of(brz_str line)
{
    brz_str text = brz_trim(line);
    if (brz_starts_with(text, vtune_heading))
        return GRAPH;
    if (brz_starts_with(text, BRZ_STR("index ")) &&
        brz_str_find(text, BRZ_STR("time "), 0) != SIZE_MAX &&
        brz_str_find(text, BRZ_STR(" self "), 0) != SIZE_MAX)
        return GRAPH;
    if (brz_starts_with(text, BRZ_STR("time ")) && brz_ends_with(text, BRZ_STR(" name")) &&
        brz_str_find(text, BRZ_STR(" seconds "), 0) != SIZE_MAX)
        return FLAT;
    return PROSE;
}

static brz_rc read_line(void *instance, brz_str line)
{
    gprof *g = instance;
    brz_str text = brz_trim(line);
    section heading = heading_of(line);
    if (heading != PROSE) {
        g->section = heading;
        g->function = GRAPH_NONE;
        g->is_vtune = brz_starts_with(text, vtune_heading);
    } else if (text.len == 0 || brz_starts_with(text, BRZ_STR("called/total"))) {
        g->section = g->section == GRAPH ? GRAPH : PROSE;
        g->function = g->is_vtune ? GRAPH_NONE : g->function;
    } else if (g->section == GRAPH) {
        read_graph_line(g, line);
    } else if (g->section == FLAT) {
        read_flat_line(g, line);
    }
    return BRZ_OK;
}

static bool has_time(const call_graph *g)
{
    for (size_t i = 0; i < g->n_places; i++)
        if (g->own[i * N_COLUMNS + SECONDS] > 0)
            return true;
    return false;
}

static brz_rc end(void *instance, const char *at)
{
    gprof *g = instance;
    brz_ctx *ctx = g->dump.ctx;
    uint32_t decimals = decimals_of(g);
    uint32_t weights[N_COLUMNS] = {0};
    (void)at;
    if (!g->has_graph)
        use_flat_profile(g);
    if (has_time(&g->graph))
        weights[SECONDS] = BRZ_DECLARE_WEIGHT(ctx, .name = BRZ_STR("seconds"),
                                              .unit = BRZ_STR("seconds"), .decimals = decimals);
    else if (g->graph.n_places > 0)
        BRZ_WARN(ctx, "gprof.no-time", NULL, 0,
                 "the report has no times: the numbers of calls are shown");
    weights[CALLS] = dump_declare(ctx, BRZ_STR("calls"), BRZ_STR("calls"));
    return call_graph_fold(&g->graph, &g->dump.stacks, weights);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static bool is_heading(brz_str line)
{
    return heading_of(line) != PROSE;
}

DUMP_SNIFF_LINE(is_heading)

static brz_rc open_instance(brz_ctx *ctx)
{
    gprof *g = ctx->inst;
    call_graph_init(&g->graph, ctx, N_COLUMNS, true);
    pair_map_init(&g->indices, ctx);
    return dump_open(ctx);
}

DUMP_PARSE_LINES(read_line, end)

SHIPPED_READER(gprof, .open = open_instance, .finish = dump_finish)

SHIPPED_COLLAPSER("gprof", .summary = "reports of gprof, and of VTune in its form",
                  .help = "Record with a program that was compiled with -pg, then "
                          "`gprof PROGRAM gmon.out`. Stacks are estimated from the numbers of "
                          "calls. Times and numbers of calls are weights: see --weight.")
