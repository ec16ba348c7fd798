/* SPDX-License-Identifier: MIT */
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
 * A call is in the entries of its caller and of its callee: where one of them is damaged, the other
 * one counts. The report has no stacks: call_graph_fold() divides the time of a function among its
 * callers by their numbers of calls, as gprof does, or by the times of the calls. Times and numbers
 * of calls are columns.
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

/* "3", "3/5" or "3+5": the second number is 0 without one. */
typedef struct calls_field {
    uint64_t called, total, recursive;
} calls_field;

/* A call in an entry. */
typedef struct entry_call {
    uint32_t caller, callee; /* that of a parent's line is known after the line of the function */
    int64_t cost;
    calls_field calls;
} entry_call;

/* A list of calls. */
typedef struct entry_calls {
    entry_call *items;
    size_t n, cap;
} entry_calls;

typedef struct gprof {
    dump dump;
    call_graph graph;
    pair_map indices; /* of the report to functions */
    pair_map entries; /* functions that have one */
    flat_row *rows;
    size_t n_rows, rows_cap;
    section section;
    bool has_graph;
    bool is_vtune;        /* the call graph has no numbers of calls */
    uint32_t function;    /* of the entry, or GRAPH_NONE before its own line */
    bool is_other;        /* the entry is that of a cycle, or its own line has been left out */
    entry_calls children; /* of the entry */
    entry_calls parents;  /* of all entries, and from `entry` on of this one */
    size_t entry;
    bool has_root;        /* the entry has no callers, which a line says */
    bool has_damage;      /* the line of a function is damaged or missing */
    bool has_seconds;     /* their column has been declared */
    uint32_t seconds;     /* that column */
    int64_t flat_sum;     /* that the last row of the flat profile shows */
    int64_t flat_missing; /* of its rows */
    bool knows_sum;
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

/* Removes numbers of calls from the front. */
static bool take_called(brz_str *s, calls_field *c)
{
    brz_str rest = *s, field;
    uint64_t second = 0;
    *c = (calls_field){0};
    if (!take_field(&rest, "/+", &field) || !brz_take_u64(&field, &c->called) ||
        c->called > INT64_MAX / CALL_COST)
        return false;
    bool recursive = brz_str_take(&field, "+");
    if (field.len > 0 && !recursive)
        field = brz_str_from(field, 1);
    if (field.len > 0 && (!brz_take_u64(&field, &second) || field.len > 0))
        return false;
    if (!recursive)
        c->total = second;
    else if (second <= INT64_MAX / CALL_COST)
        c->recursive = second;
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

/* Declares the column of times, which a report may lack, with the first one. */
static void declare_seconds(gprof *g)
{
    g->seconds = BRZ_DECLARE_COLUMN(g->dump.ctx, .name = BRZ_STR("seconds"),
                                    .unit = BRZ_STR("seconds"), .decimals = decimals_of(g));
    g->has_seconds = true;
}

/* Removes a word from the front. */
static void pass_word(brz_str *s)
{
    size_t n = 0;
    dump_take_blanks(s);
    while (n < s->len && s->data[n] != ' ' && s->data[n] != '\t')
        n++;
    *s = brz_str_from(*s, n);
}

/* Declares the column of times if one of the three at the front of a damaged line, of which the
 * first one is a share, shows that the report has times. */
static void declare_seconds_of(gprof *g, brz_str line)
{
    int64_t time = 0;
    for (int i = 0; i < 3 && time == 0; i++)
        if (!take_time(g, &line, &time))
            pass_word(&line);
    if (time > 0)
        declare_seconds(g);
}

/* Notes that a function has an entry. */
static void note_entry(gprof *g, uint32_t function)
{
    pair_map_put(&g->entries, g->dump.ctx, function, 0, function);
}

/* Reads the line of the function itself: "[2] 28.8 0.00 0.15 1 read [2]". */
static bool take_function(gprof *g, brz_str line)
{
    uint64_t index, first;
    int64_t share, own[N_COLUMNS], children;
    brz_str front = brz_str_from(line, 1);
    calls_field calls;
    if (!take_index(&line, &index) || !brz_take_u64(&front, &first) || first != index)
        return false;
    if (brz_ends_with(brz_trim(line), BRZ_STR(" as a whole>"))) /* its members have own entries */
        return true;
    if (!brz_cut_first(line, ']', &front, &line) || !take_time(g, &line, &share) ||
        !take_time(g, &line, &own[SECONDS]) || !take_time(g, &line, &children))
        return false;
    bool has_calls = take_called(&line, &calls);
    line = brz_trim(line);
    if (!has_calls && line.len > 0 &&
        (brz_is_digit(*line.data) || brz_str_find(line, BRZ_STR("  "), 0) != SIZE_MAX))
        return false;
    if (brz_str_is(line, "<spontaneous>")) /* the absence of a caller */
        return true;
    own[CALLS] = (int64_t)(calls.called + calls.recursive);
    if (own[SECONDS] > 0 || children > 0)
        declare_seconds(g);
    g->has_graph = true;
    g->is_other = false;
    g->function = function_of(g, index, line);
    note_entry(g, g->function);
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

static void add_call(gprof *g, entry_calls *to, entry_call call)
{
    to->items = brz_list_room(g->dump.ctx, to->items, to->n, &to->cap, sizeof call);
    to->items[to->n++] = call;
}

/* Reads the line of a call: of a parent in front of the line of the entry's function, or of a
 * child after it. */
static bool take_call(gprof *g, brz_str line)
{
    uint64_t index;
    int64_t own = 0, children = 0, cost;
    calls_field calls = {0};
    bool is_root = brz_starts_with(line, BRZ_STR("<spontaneous>"));
    g->has_root |= is_root && g->function == GRAPH_NONE;
    if (g->is_other || (is_root && line.len == strlen("<spontaneous>")))
        return true;
    if (!take_index(&line, &index))
        return false;
    if (take_time(g, &line, &own) && !take_time(g, &line, &children))
        return false;
    if (g->is_vtune)
        cost = cost_of_times(g, own, children);
    else if (take_called(&line, &calls))
        cost = (int64_t)calls.called * CALL_COST;
    else
        return false;
    line = brz_trim(line);
    if (brz_ends_with(line, BRZ_STR(" as a whole>")))
        return true;
    uint32_t other = function_of(g, index, line);
    if (g->function == GRAPH_NONE)
        add_call(g, &g->parents, (entry_call){other, GRAPH_NONE, cost, calls});
    else
        add_call(g, &g->children, (entry_call){g->function, other, cost, calls});
    return true;
}

static void use_call(gprof *g, const entry_call *call)
{
    int64_t costs[N_COLUMNS] = {[SECONDS] = call->cost, [CALLS] = call->cost};
    call_graph_add_cost(&g->graph, call_graph_call(&g->graph, call->caller, call->callee), costs);
}

static void end_entry(gprof *g)
{
    for (size_t i = 0; i < g->children.n; i++)
        use_call(g, &g->children.items[i]);
    if (g->function == GRAPH_NONE)
        g->parents.n = g->entry;
    g->children.n = 0;
    g->entry = g->parents.n;
    g->function = GRAPH_NONE;
    g->is_other = g->has_root = false;
}

/* Ends an entry in which another one begins: the last calls are those from the parents of the
 * second function, if they are as many as its calls. Otherwise none of them is known. */
static void divide_entry(gprof *g, brz_str line)
{
    calls_field calls = {0};
    uint64_t sum = 0;
    size_t first = g->children.n;
    brz_str front, rest;
    int64_t time;
    if (brz_cut_first(line, ']', &front, &rest) && take_time(g, &rest, &time) &&
        take_time(g, &rest, &time) && take_time(g, &rest, &time))
        take_called(&rest, &calls);
    const entry_call *items = g->children.items;
    while (first > 0 && sum < calls.called && items[first - 1].calls.total == calls.called)
        sum += items[--first].calls.called;
    size_t n = g->children.n;
    g->children.n = sum == calls.called && !g->is_vtune ? first : 0;
    end_entry(g);
    for (size_t i = first; i < n && sum == calls.called; i++)
        add_call(g, &g->parents,
                 (entry_call){items[i].callee, GRAPH_NONE, items[i].cost, items[i].calls});
}

/* Reports an entry that has the lines of parents or children, but not that of its function. */
static void check_entry(gprof *g, brz_str line)
{
    if (g->function != GRAPH_NONE || g->is_other || (g->parents.n == g->entry && !g->has_root))
        return;
    g->has_damage = true;
    leave_out(g, line, BRZ_STR("the entry above has no line of its function: left out"));
}

/* Adds the calls that only the entries of callees have: those whose caller has an entry, too, or
 * has lost it. A report of some functions has not the entries of their callers. */
static void use_parents(gprof *g)
{
    size_t n = g->graph.n_calls, missing = 0;
    for (size_t i = 0; i < g->parents.n; i++) {
        const entry_call *call = &g->parents.items[i];
        uint32_t id = pair_map_find(&g->graph.call_ids, call->caller, call->callee);
        bool is_there = id != PAIR_MISS && id < n;
        if (is_there ||
            (!g->has_damage && pair_map_find(&g->entries, call->caller, 0) == PAIR_MISS))
            continue;
        use_call(g, call);
        missing++;
    }
    brz_report_count(g->dump.ctx, BRZ_WARNING, "gprof.one-entry", missing, 0,
                     BRZ_STR("calls that only the entry of the callee has: {count}"));
}

/* Finds the weight that is missing because of a damaged line of a function: its own time, or 0 for
 * a cycle, whose members have theirs. Returns false if fields are missing. */
static bool damaged_time(gprof *g, brz_str line, int64_t *own)
{
    brz_str front;
    int64_t share, children;
    calls_field calls;
    *own = 0;
    if (brz_str_has(line, BRZ_STR("  <cycle ")))
        return true;
    if (!brz_cut_first(line, ']', &front, &line) || !take_time(g, &line, &share) ||
        !take_time(g, &line, own) || !take_time(g, &line, &children))
        return false;
    take_called(&line, &calls);
    return brz_trim(line).len > 0 && *own > 0;
}

static void leave_out_function(gprof *g, brz_str line, brz_str text)
{
    static const brz_str msg = {"not the line of a function: left out", 36};
    brz_str front, times;
    int64_t time;
    g->parents.n = g->entry;
    g->is_other = g->has_damage = true;
    if (brz_cut_first(text, ']', &front, &times))
        declare_seconds_of(g, times);
    if (damaged_time(g, text, &time))
        dump_left_out(&g->dump, "gprof.line", line, msg, time);
    else
        leave_out(g, line, msg);
}

static void read_function(gprof *g, brz_str line, brz_str text)
{
    if (g->function != GRAPH_NONE || g->is_other) {
        BRZ_WARN(g->dump.ctx, "gprof.separator", line.data, line.len,
                 "an entry begins without a line that ends the one above");
        divide_entry(g, text);
    }
    g->is_other = true;
    if (!take_function(g, text))
        leave_out_function(g, line, text);
    for (size_t i = g->entry; i < g->parents.n; i++)
        g->parents.items[i].callee = g->function;
}

/* Returns whether a line follows the call graph. */
static bool ends_graph(brz_str line, brz_str text)
{
    static const char *const beginnings[] = {"This table describes ", "Index by function ",
                                             "Flat profile:", "flat profile:", "granularity:"};
    for (size_t i = 0; i < BRZ_COUNT_OF(beginnings); i++)
        if (brz_starts_with(text, brz_str_of_text(beginnings[i])))
            return true;
    return *line.data == '\f';
}

/* Reads a line up to the dashes that end an entry. */
static void read_entry_line(gprof *g, brz_str line)
{
    brz_str text = brz_trim(line);
    if (text.len == 0)
        return;
    if (*line.data == '[')
        read_function(g, line, text);
    else if (!take_call(g, text))
        dump_left_out(&g->dump, "gprof.call", line, BRZ_STR("not a call: left out"), 0);
}

static void read_graph_line(gprof *g, brz_str line)
{
    brz_str text = brz_trim(line);
    size_t dashes = brz_str_find(line, BRZ_STR("-----"), 0), end = dashes;
    if (ends_graph(line, text)) {
        end_entry(g);
        g->section = PROSE;
        return;
    }
    if (dashes == SIZE_MAX && !brz_starts_with(text, BRZ_STR("---"))) {
        read_entry_line(g, line);
        return;
    }
    if (dashes == SIZE_MAX)
        dashes = end = 0;
    while (end < line.len && line.data[end] == '-')
        end++;
    read_entry_line(g, brz_str_of(line.data, dashes));
    check_entry(g, line);
    end_entry(g);
    if (end - dashes > 40 && end + 1 < line.len) /* a damaged byte joins the next line */
        read_entry_line(g, brz_str_from(line, end + 1));
}

/* ---- the flat profile ------------------------------------------------------------------------ */

/* Parses the times in front of a row. */
static bool take_flat_times(const gprof *g, brz_str *row, int64_t *sum, int64_t *own)
{
    int64_t share;
    return take_time(g, row, &share) && take_time(g, row, sum) && take_time(g, row, own);
}

/* Compares the sum that a row shows with the rows that have been read. Times are rounded. */
static void check_flat_sum(gprof *g, int64_t sum, int64_t own)
{
    int64_t missing = sum > g->flat_sum ? sum - g->flat_sum - own : 0;
    if (g->knows_sum && missing > 1)
        call_graph_sum(&g->graph, &g->flat_missing, missing);
    g->flat_sum = sum;
    g->knows_sum = true;
}

/* Reports a row that is left out. It may be the only one with a time. */
static void leave_out_row(gprof *g, brz_str line, brz_str msg)
{
    if (!g->has_graph)
        declare_seconds_of(g, line);
    leave_out(g, line, msg);
}

static void read_flat_line(gprof *g, brz_str line)
{
    flat_row r = {.own = {0}};
    int64_t sum, mean;
    calls_field calls;
    brz_str rest = line;
    if (!take_flat_times(g, &rest, &sum, &r.own[SECONDS])) {
        g->knows_sum = false;
        leave_out_row(g, line, BRZ_STR("not a row of a flat profile: left out"));
        return;
    }
    check_flat_sum(g, sum, r.own[SECONDS]);
    if (take_called(&rest, &calls) && take_time(g, &rest, &mean))
        take_time(g, &rest, &mean);
    rest = brz_trim(rest);
    if (rest.len == 0 || brz_str_has(rest, BRZ_STR("  "))) { /* of two rows, which name is whose? */
        leave_out_row(g, line, BRZ_STR("a row without a function, or with two: left out"));
        return;
    }
    r.own[CALLS] = (int64_t)calls.called;
    r.frame = frame_of(g, rest);
    g->rows = brz_list_room(g->dump.ctx, g->rows, g->n_rows, &g->rows_cap, sizeof r);
    g->rows[g->n_rows++] = r;
}

/* Makes functions of the rows of the flat profile. */
static void use_flat_profile(gprof *g)
{
    if (g->flat_missing > 0)
        declare_seconds(g);
    if (g->flat_missing > 0)
        brz_report_lost_weight(g->dump.ctx, "gprof.flat-sum", NULL, 0,
                               BRZ_STR("rows are missing: their cumulative seconds have gaps"),
                               g->flat_missing);
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

/* Returns whether a line is that of an entry's function. */
static bool is_function(const gprof *g, brz_str text)
{
    uint64_t first, last;
    int64_t time;
    brz_str rest = text;
    return brz_str_take(&rest, "[") && brz_take_u64(&rest, &first) && brz_str_take(&rest, "]") &&
           take_time(g, &rest, &time) && take_time(g, &rest, &time) && take_time(g, &rest, &time) &&
           take_index(&text, &last) && first == last;
}

/* Begins a section at one of its lines, if its heading is damaged or missing. */
static void find_section(gprof *g, brz_str line)
{
    int64_t sum, own;
    brz_str rest = line;
    if (is_function(g, line))
        g->section = GRAPH;
    else if (take_flat_times(g, &rest, &sum, &own) && brz_trim(rest).len > 0)
        g->section = FLAT;
    if (g->section != PROSE)
        BRZ_WARN(g->dump.ctx, "gprof.heading", line.data, line.len,
                 "lines of a profile without the heading above it");
}

static void begin_section(gprof *g, section s, bool is_vtune)
{
    end_entry(g);
    g->section = s;
    g->is_vtune = is_vtune;
    g->flat_sum = 0;
    g->knows_sum = true;
}

/* Returns whether a line is the heading of the flat profile, joined with the first row. The line
 * break between them may be another byte. */
static bool is_joined_heading(brz_str text, brz_str *row)
{
    static const brz_str last = {" name ", 6};
    size_t at = brz_str_find(text, last, 0);
    if (at == SIZE_MAX || heading_of(brz_str_of(text.data, at + last.len)) != FLAT)
        return false;
    *row = brz_trim_start(brz_str_from(text, at + last.len));
    if (row->len > 0 && !brz_is_digit(row->data[0]))
        *row = brz_str_from(*row, 1);
    return true;
}

static void end_vtune_entry(gprof *g, brz_str line)
{
    check_entry(g, line);
    end_entry(g);
}

static brz_rc read_line(void *instance, brz_str line)
{
    gprof *g = instance;
    brz_str text = brz_trim(line);
    section heading = heading_of(line);
    if (heading != PROSE) {
        begin_section(g, heading, brz_starts_with(text, vtune_heading));
        return BRZ_OK;
    }
    brz_str row;
    if (is_joined_heading(text, &row)) {
        BRZ_WARN(g->dump.ctx, "gprof.joined", line.data, line.len,
                 "two lines in one: they are read apart");
        begin_section(g, FLAT, false);
        read_flat_line(g, row);
        return BRZ_OK;
    }
    if (text.len == 0 || brz_starts_with(text, BRZ_STR("called/total"))) {
        g->section = g->section == GRAPH ? GRAPH : PROSE;
        if (g->is_vtune)
            end_vtune_entry(g, line);
        return BRZ_OK;
    }
    if (g->section == PROSE)
        find_section(g, line);
    if (g->section == GRAPH)
        read_graph_line(g, line);
    else if (g->section == FLAT)
        read_flat_line(g, line);
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
    uint32_t weights[N_COLUMNS] = {0};
    (void)at;
    end_entry(g);
    use_parents(g);
    if (!g->has_graph)
        use_flat_profile(g);
    if (has_time(&g->graph))
        declare_seconds(g);
    weights[SECONDS] = g->seconds;
    if (!g->has_seconds && g->graph.n_places > 0)
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
    g->function = GRAPH_NONE;
    call_graph_init(&g->graph, ctx, N_COLUMNS, true);
    pair_map_init(&g->indices, ctx);
    pair_map_init(&g->entries, ctx);
    return dump_open(ctx);
}

DUMP_PARSE_LINES(read_line, end)

SHIPPED_READER(gprof, .open = open_instance, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("Index  % CPU Time:Total ") BRZ_IF_CONTAINS("index ")
              BRZ_IF_CONTAINS(" seconds "))

SHIPPED_COLLAPSER("gprof", .summary = "reports of gprof, and of VTune in its form",
                  .help = "Record with a program that was compiled with -pg, then "
                          "`gprof PROGRAM gmon.out`. Stacks are estimated from the numbers of "
                          "calls. Times and numbers of calls are weights: see --weight.")
