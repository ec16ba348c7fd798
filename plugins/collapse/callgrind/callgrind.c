/* SPDX-License-Identifier: MIT */
/* Collapses the costs of functions that Callgrind and Cachegrind write, and others in their format:
 *
 *     input    := (heading | name | call | jump | cost)*
 *     heading  := ("positions" | "events" | "event" | "totals" | "cmd" | ...) ":" text
 *     name     := ("ob" | "fl" | "fi" | "fe" | "fn" | "cob" | "cfi" | "cfl" | "cfn") "=" text
 *     call     := "calls=" count position* cost
 *     jump     := ("jump=" | "jcnd=") text cost
 *     cost     := position+ value*
 *     position := "*" | ["+" | "-"] number
 *
 * The cost after a call is that of the callee and all that it calls. The file has no stacks:
 * call_graph_fold() estimates them. Each event is a column.
 */
#include "../../common/call_graph/graph.h"
#include "../../common/dump/dump.h"
#include "../../common/pair_map.h"
#include "events.h"

#include <brazier/plugin.h>
#include <brazier/text.h>

/* ---- names ----------------------------------------------------------------------------------- */

/* Names of objects, files and functions, which may be compressed: "(3) main" names a number, and
 * "(3)" is the same name again. */

/* The name that is unknown: "???", or none. */
#define NO_NAME 0u

/* Kinds of names, which have numbers of their own. */
typedef enum name_kind { NAME_OBJECT, NAME_FILE, NAME_FUNCTION } name_kind;

typedef struct names {
    brz_frame_cache ids;
    brz_str *texts;
    size_t n, cap;
    pair_map numbers;
} names;

static void names_init(names *x, brz_ctx *ctx)
{
    brz_frame_cache_init(&x->ids, ctx);
    pair_map_init(&x->numbers, ctx);
    x->texts = brz_list_room(ctx, x->texts, 0, &x->cap, sizeof *x->texts);
    x->texts[x->n++] = brz_str_of(NULL, 0);
}

static uint32_t intern(names *x, brz_ctx *ctx, brz_str text)
{
    if (text.len == 0 || brz_str_is(text, "???"))
        return NO_NAME;
    brz_frame_key key = brz_frame_key_of(&x->ids, text.data, text.len, 0);
    uint32_t id = brz_frame_cache_find(&x->ids, &key);
    if (id != BRZ_CACHE_MISS)
        return id;
    id = (uint32_t)x->n;
    brz_frame_cache_put(&x->ids, ctx, &key, id);
    x->texts = brz_list_room(ctx, x->texts, x->n, &x->cap, sizeof *x->texts);
    x->texts[x->n++] = brz_text_keep(ctx, text);
    return id;
}

/* Removes "(3)" from the front. */
static bool take_number(brz_str *text, uint64_t *number)
{
    brz_str rest = *text;
    if (!brz_str_take(&rest, "(") || !brz_take_u64(&rest, number) || !brz_str_take(&rest, ")"))
        return false;
    *text = rest;
    return true;
}

/* Reads a name, which is part of the chunk. Returns its index among the texts, which is the same
 * for equal names. Reports a number that has no name yet. */
static uint32_t names_read(names *x, brz_ctx *ctx, name_kind kind, brz_str text)
{
    uint64_t number;
    text = brz_trim(text);
    brz_str name = text;
    if (!take_number(&name, &number))
        return intern(x, ctx, text);
    name = brz_trim(name);
    uint32_t id = pair_map_find(&x->numbers, kind, number);
    if (name.len > 0) {
        id = intern(x, ctx, name);
        pair_map_put(&x->numbers, ctx, kind, number, id);
    } else if (id == PAIR_MISS) {
        BRZ_WARN(ctx, "callgrind.number", text.data, text.len,
                 "a number that has no name yet: the number is the name");
        id = intern(x, ctx, text);
        pair_map_put(&x->numbers, ctx, kind, number, id);
    }
    return id;
}

/* A function, as lines of the file name it. */
typedef struct named {
    uint32_t object, file, name;
} named;

/* A call, as far as its lines have been read. */
typedef struct named_call {
    named callee;
    bool has_object, has_file, has_name;
    bool is_complete; /* the next cost is that of the call */
    bool is_damaged;  /* the next cost is that of a call without a callee or count */
} named_call;

typedef struct callgrind {
    dump dump;
    names names;
    events events;
    call_graph graph;
    pair_map files, functions; /* object and file to a number; that and a name to a function */
    uint32_t n_files;
    uint32_t n_positions, line_column; /* columns of positions, and which of them is the line */
    uint64_t positions[2];
    uint64_t called_from[2];        /* scratch */
    int64_t values[EVENTS_MOST];    /* costs of the last line, as written */
    int64_t scaled[EVENTS_MOST];    /* `values` in the unit of their columns */
    int64_t sums[EVENTS_MOST];      /* own costs so far, and those that have been reported */
    int64_t totals[EVENTS_MOST];    /* as the file says at the ends of its parts */
    int64_t summaries[EVENTS_MOST]; /* and in front of them */
    bool has_totals, has_summaries;
    bool in_totals;      /* the line above has totals: a number below is the rest of them */
    bool is_xdebug;      /* costs may be below 0 */
    bool after_jump;     /* the line above is one */
    bool is_callgrind;   /* a blank line, an object or a file is followed by a function */
    bool is_between;     /* an object or file has been read, and not the function after it */
    bool is_after_blank; /* the same of a blank line */
    named current;       /* its file is that of the code, which may be inlined in the function */
    uint32_t function, place; /* GRAPH_NONE: none yet */
    named_call call;
    brz_str producer, command;
} callgrind;

static bool wants_lines(const callgrind *c)
{
    return (c->dump.ctx->flags & BRZ_CTX_WANTS_LINES) != 0;
}

/* ---- functions ------------------------------------------------------------------------------- */

static brz_frame frame_of(callgrind *c, const named *n, uint32_t line)
{
    const brz_str *texts = c->names.texts;
    brz_frame_desc f = {.module = texts[n->object], .file = texts[n->file], .line = line};
    c->dump.text.len = 0;
    f.name = dump_repaired(&c->dump, texts[n->name]);
    return dump_frame(&c->dump, &f);
}

static uint32_t function_of(callgrind *c, const named *n)
{
    brz_ctx *ctx = c->dump.ctx;
    uint32_t file = pair_map_find(&c->files, n->object, n->file);
    if (file == PAIR_MISS)
        pair_map_put(&c->files, ctx, n->object, n->file, file = c->n_files++);
    uint32_t function = pair_map_find(&c->functions, file, n->name);
    if (function == PAIR_MISS) {
        function = call_graph_function(&c->graph, frame_of(c, n, 0));
        pair_map_put(&c->functions, ctx, file, n->name, function);
    }
    return function;
}

/* ---- costs ----------------------------------------------------------------------------------- */

static void leave_out(callgrind *c, brz_str line, brz_str msg)
{
    brz_report_lost(c->dump.ctx, "callgrind.line", line.data, line.len, msg);
}

static inline bool take_any_number(brz_str *s, uint64_t *number)
{
    bool hexadecimal = s->len > 1 && *s->data == '0' && (s->data[1] | 0x20) == 'x';
    return hexadecimal ? dump_take_address(s, number) : brz_take_u64(s, number);
}

/* Takes a position or cost, which may be relative to the one before. */
static inline bool take_relative(brz_str *s, uint64_t *value)
{
    uint64_t n;
    if (take_any_number(s, value) || brz_str_take(s, "*"))
        return true;
    int sign = s->len > 0 ? *s->data : 0;
    if (sign == '+' || sign == '-')
        *s = brz_str_from(*s, 1);
    if (!take_any_number(s, &n))
        return false;
    *value = sign == '+' ? *value + n : sign == '-' ? *value - n : n;
    return true;
}

/* Takes a cost. Those of Xdebug may be below 0. */
static bool take_value(const callgrind *c, brz_str *s, int64_t *value)
{
    uint64_t number = (uint64_t)*value;
    if (c->is_xdebug)
        number = 0;
    if (!take_relative(s, &number))
        return false;
    *value = (int64_t)number;
    return c->is_xdebug || *value >= 0;
}

static bool take_positions(callgrind *c, brz_str *s)
{
    for (uint32_t i = 0; i < c->n_positions; i++) {
        dump_take_blanks(s);
        if (!take_relative(s, &c->positions[i]))
            return false;
    }
    return true;
}

/* Reads positions and costs; costs that are not there are 0. Stores how many have been read. */
static bool read_costs(callgrind *c, brz_str line, uint32_t *n)
{
    uint32_t i = 0;
    *n = 0;
    if (!take_positions(c, &line))
        return false;
    for (dump_take_blanks(&line); line.len > 0 && i < c->events.n; i++) {
        if (!take_value(c, &line, &c->values[i]))
            return false;
        if (line.len > 0 && dump_take_blanks(&line) == 0)
            return false;
        *n = i + 1;
    }
    for (; i < c->events.n; i++)
        c->values[i] = 0;
    return line.len == 0;
}

/* Returns the place of the current line. */
static uint32_t line_place(callgrind *c)
{
    uint64_t line = c->line_column < c->n_positions ? c->positions[c->line_column] : 0;
    uint32_t number = line <= UINT32_MAX ? (uint32_t)line : 0;
    return call_graph_place(&c->graph, c->function, frame_of(c, &c->current, number));
}

/* Brings the first `n` costs of the line into the units of their columns. The others are 0. */
static void scale_costs(callgrind *c, uint32_t n)
{
    for (uint32_t k = 0; k < c->events.n; k++) {
        c->scaled[k] = 0;
        if (k < n && __builtin_mul_overflow(c->values[k], c->events.items[k].factor, &c->scaled[k]))
            c->scaled[k] = c->values[k] < 0 ? INT64_MIN : INT64_MAX;
    }
}

static void sum_own(callgrind *c)
{
    for (uint32_t k = 0; k < c->events.n; k++)
        call_graph_sum(&c->graph, &c->sums[k], c->scaled[k]);
}

/* Adds the costs of the line to the current function, or to its call. */
static void add_costs(callgrind *c)
{
    int64_t *scaled = c->scaled;
    named_call *call = &c->call;
    scale_costs(c, c->events.n);
    if (call->is_complete) {
        uint32_t callee = function_of(c, &call->callee);
        call_graph_add_cost(&c->graph, call_graph_call(&c->graph, c->function, callee), scaled);
        *call = (named_call){0};
        return;
    }
    if (wants_lines(c))
        c->place = line_place(c);
    else if (c->place == GRAPH_NONE)
        c->place = call_graph_place(&c->graph, c->function, c->graph.functions[c->function].frame);
    call_graph_add_own(&c->graph, c->place, scaled);
    sum_own(c);
}

/* Leaves out a call whose callee, count or costs are damaged or missing: its costs are the
 * callee's, too. */
static void leave_out_call(callgrind *c, brz_str line, brz_str msg)
{
    dump_left_out(&c->dump, "callgrind.call", line, msg, 0);
    c->call = (named_call){0};
}

/* Ends a call whose costs should have been in the line above. */
static void end_call(callgrind *c, brz_str line)
{
    if (c->call.is_complete)
        leave_out_call(c, line, BRZ_STR("a call without its costs above: left out"));
}

/* Leaves out costs of which the first `n` are known. */
static void leave_out_costs(callgrind *c, brz_str line, uint32_t n)
{
    static const brz_str msg = {"expected positions and costs: left out", 38};
    if (c->call.is_complete) {
        leave_out_call(c, line, msg);
    } else if (n == 0) {
        leave_out(c, line, msg);
    } else {
        scale_costs(c, n);
        sum_own(c);
        dump_left_out(&c->dump, "callgrind.line", line, msg, c->scaled[0]);
    }
}

/* Returns whether a line has positions and no costs, which is what follows a damaged byte within
 * the line of a call. */
static bool is_rest_of_call(const callgrind *c, brz_str line)
{
    callgrind copy = {.n_positions = 1, .positions = {c->positions[0], c->positions[1]}};
    return take_positions(&copy, &line) && brz_trim(line).len == 0;
}

/* Leaves out own costs of a function whose line is missing: an object or file is above them. Those
 * after a blank line may be of the function above it. Returns whether costs are left out. */
static bool leave_out_orphan(callgrind *c, brz_str line, uint32_t n)
{
    if (c->is_after_blank && !c->is_between)
        BRZ_WARN(c->dump.ctx, "callgrind.no-function", line.data, line.len,
                 "costs after a blank line without the line of a function: they count for the "
                 "function above");
    c->is_after_blank = false;
    if (!c->is_between)
        return false;
    static const brz_str msg = {"costs without the line of their function: left out", 50};
    if (c->call.is_complete) {
        leave_out_call(c, line, msg);
    } else if (n > 0) {
        scale_costs(c, n);
        sum_own(c);
        dump_left_out(&c->dump, "callgrind.no-function", line, msg, c->scaled[0]);
    }
    return true;
}

static void take_costs(callgrind *c, brz_str line)
{
    static const brz_str no_call = {"costs of a call without its callee or count: left out", 53};
    bool is_damaged = c->call.is_damaged || (c->call.has_name && !c->call.is_complete);
    uint32_t n;
    if (c->events.n == 0)
        leave_out(c, line, BRZ_STR("costs before the line of events: left out"));
    else if (c->function == GRAPH_NONE)
        leave_out(c, line, BRZ_STR("costs before the first function: left out"));
    else if (is_damaged && is_rest_of_call(c, line))
        dump_left_out(&c->dump, "callgrind.call", line, no_call, 0);
    else if (is_damaged)
        leave_out_call(c, line, no_call);
    else if (!read_costs(c, line, &n))
        leave_out_costs(c, line, n);
    else if (c->is_xdebug && n > 0 && n < c->events.n) /* Xdebug writes all of them */
        leave_out_costs(c, line, 0);
    else if (n == 0 && !c->call.is_complete && !c->after_jump)
        leave_out(c, line,
                  BRZ_STR("a position without costs, which is not that of a jump: left out"));
    else if (!leave_out_orphan(c, line, n))
        add_costs(c);
}

/* ---- names and calls ------------------------------------------------------------------------- */

static void name_function(callgrind *c, brz_str text)
{
    c->current.name = names_read(&c->names, c->dump.ctx, NAME_FUNCTION, text);
    if (c->events.n == 0)
        return; /* its costs are left out */
    c->function = function_of(c, &c->current);
    c->is_between = c->is_after_blank = false;
    c->place = GRAPH_NONE;
    c->call = (named_call){0};
}

static void name_callee(callgrind *c, brz_str text)
{
    named_call *call = &c->call;
    call->callee.name = names_read(&c->names, c->dump.ctx, NAME_FUNCTION, text);
    call->has_name = true;
    if (!call->has_object)
        call->callee.object = c->current.object;
    if (!call->has_file)
        call->callee.file = c->current.file;
}

static void take_call(callgrind *c, brz_str text)
{
    uint64_t count;
    bool good = take_any_number(&text, &count);
    for (uint32_t i = 0; good && i < c->n_positions; i++)
        good = dump_take_blanks(&text) > 0 && take_relative(&text, &c->called_from[i]);
    c->call.is_complete = c->call.has_name && good;
    c->call.is_damaged = !c->call.is_complete;
}

/* Reads a line of the callee of a call, which is not empty. Returns false for other lines. */
static bool take_callee(callgrind *c, brz_str line)
{
    brz_str text = line;
    named_call *call = &c->call;
    brz_ctx *ctx = c->dump.ctx;
    if (*line.data != 'c')
        return false;
    if (!brz_starts_with(line, BRZ_STR("calls=")) && brz_str_find(line, BRZ_STR("="), 0) < 4)
        end_call(c, line);
    if (brz_str_take(&text, "cfn=")) {
        name_callee(c, text);
    } else if (brz_str_take(&text, "calls=")) {
        take_call(c, text);
    } else if (brz_str_take(&text, "cfi=") || brz_str_take(&text, "cfl=")) {
        call->callee.file = names_read(&c->names, ctx, NAME_FILE, text);
        call->has_file = text.len > 0;
    } else if (brz_str_take(&text, "cob=")) {
        call->callee.object = names_read(&c->names, ctx, NAME_OBJECT, text);
        call->has_object = text.len > 0;
    } else {
        return false;
    }
    return true;
}

static bool is_jump(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("jump=")) || brz_starts_with(line, BRZ_STR("jcnd="));
}

/* Reads a line of a name or a jump. Returns false for other lines. */
static bool take_name(callgrind *c, brz_str line)
{
    brz_ctx *ctx = c->dump.ctx;
    if (*line.data == 'f' || *line.data == 'o')
        end_call(c, line);
    if (brz_starts_with(line, BRZ_STR("fl=")) || brz_starts_with(line, BRZ_STR("ob=")))
        c->is_between = c->is_callgrind && c->function != GRAPH_NONE;
    if (brz_str_take(&line, "fn="))
        name_function(c, line);
    else if (brz_str_take(&line, "fl=") || brz_str_take(&line, "fi=") || brz_str_take(&line, "fe="))
        c->current.file = names_read(&c->names, ctx, NAME_FILE, line);
    else if (brz_str_take(&line, "ob="))
        c->current.object = names_read(&c->names, ctx, NAME_OBJECT, line);
    else if (brz_str_take(&line, "jfi="))
        names_read(&c->names, ctx, NAME_FILE, line);
    else if (brz_str_take(&line, "jfn="))
        names_read(&c->names, ctx, NAME_FUNCTION, line);
    else
        return is_jump(line);
    return true;
}

/* ---- headings -------------------------------------------------------------------------------- */

static void read_position_columns(callgrind *c, brz_str text)
{
    brz_str word;
    uint32_t n = 0;
    c->line_column = UINT32_MAX;
    text = brz_trim(text);
    while (n < 2 && brz_take_piece(&text, ' ', &word)) {
        if (brz_str_is(word, "line"))
            c->line_column = n;
        n += word.len > 0;
    }
    c->n_positions = n > 0 ? n : 1;
}

static void read_events(callgrind *c, brz_str line, brz_str text)
{
    bool first = c->events.n == 0;
    if (!events_declare(&c->events, c->dump.ctx, text))
        leave_out(
            c, line,
            BRZ_STR(
                "these events differ from the first ones: their costs count for the first events"));
    else if (first && c->events.n > 0)
        call_graph_init(&c->graph, c->dump.ctx, c->events.n, false);
}

/* Adds the sums of a part of the file; those that are not there are 0. Returns false if the line
 * does not have such. */
static bool add_totals(callgrind *c, brz_str text, int64_t *totals)
{
    for (uint32_t k = 0; k < c->events.n && (k == 0 || text.len > 0); k++) {
        uint64_t total;
        if (dump_take_blanks(&text) == 0 || !brz_take_u64(&text, &total) || total > INT64_MAX / 2)
            return false;
        call_graph_sum(&c->graph, &totals[k], (int64_t)total * c->events.items[k].factor);
    }
    return c->events.n > 0 && brz_trim(text).len == 0;
}

static void read_totals(callgrind *c, brz_str line, brz_str text, bool *has, int64_t *totals)
{
    *has = add_totals(c, text, totals);
    c->in_totals = true;
    if (!*has)
        BRZ_WARN(c->dump.ctx, "callgrind.heading", line.data, line.len,
                 "totals that are not a number for each event");
}

/* Returns whether totals lack that of an event which has costs: two of them may be one number. */
static bool are_short(const callgrind *c, const int64_t *totals)
{
    for (uint32_t k = 0; k < c->events.n; k++)
        if (totals[k] == 0 && c->sums[k] > 0)
            return true;
    return false;
}

/* Compares the costs so far with totals, which a line or the end of the file is about. What is
 * missing is reported once. */
static void check_totals(callgrind *c, const int64_t *totals, brz_str line)
{
    static const brz_str msg = {
        "the costs of all functions do not add up to the totals that the file gives", 74};
    int64_t missing;
    if (__builtin_sub_overflow(totals[0], c->sums[0], &missing))
        missing = 0;
    if (memcmp(totals, c->sums, c->events.n * sizeof *totals) == 0)
        return;
    if (missing > 0 && !are_short(c, totals))
        dump_left_out(&c->dump, "callgrind.totals", line, msg, missing);
    else
        brz_report(c->dump.ctx, BRZ_WARNING, "callgrind.totals", line.data, line.len, msg);
    memcpy(c->sums, totals, c->events.n * sizeof *totals);
}

/* Reads the totals at the end of a part. */
static void end_part(callgrind *c, brz_str line, brz_str text)
{
    end_call(c, line);
    read_totals(c, line, text, &c->has_totals, c->totals);
    if (c->has_totals)
        check_totals(c, c->totals, line);
}

static void read_producer(callgrind *c, brz_str text)
{
    c->producer = brz_text_keep(c->dump.ctx, brz_trim(text));
    c->is_xdebug = brz_starts_with(c->producer, BRZ_STR("xdebug"));
    c->is_callgrind = brz_starts_with(c->producer, BRZ_STR("callgrind-"));
}

/* Reads a heading. Returns false for other lines. */
static bool take_heading(callgrind *c, brz_str line)
{
    brz_str key, text;
    if (!brz_cut_first(line, ':', &key, &text) || memchr(key.data, ' ', key.len) != NULL)
        return false;
    if (brz_str_is(key, "positions"))
        read_position_columns(c, text);
    else if (brz_str_is(key, "events"))
        read_events(c, line, text);
    else if (brz_str_is(key, "event"))
        events_read_title(&c->events, c->dump.ctx, text);
    else if (brz_str_is(key, "totals"))
        end_part(c, line, text);
    else if (brz_str_is(key, "summary") && !c->is_xdebug)
        read_totals(c, line, text, &c->has_summaries, c->summaries);
    else if (brz_str_is(key, "creator"))
        read_producer(c, text);
    else if (brz_str_is(key, "cmd"))
        c->command = brz_text_keep(c->dump.ctx, brz_trim(text));
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool begins_costs(char first)
{
    return (first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*';
}

static brz_rc read_line(void *instance, brz_str line)
{
    callgrind *c = instance;
    bool in_totals = c->in_totals;
    c->in_totals = false;
    if (in_totals && line.len > 0 && (brz_is_digit(*line.data) || brz_is_blank(*line.data)))
        return BRZ_OK;
    if (line.len > 0 && begins_costs(*line.data)) {
        take_costs(c, line);
        c->after_jump = false;
        return BRZ_OK;
    }
    c->after_jump = is_jump(line);
    if (line.len == 0)
        c->is_after_blank = c->is_callgrind && c->function != GRAPH_NONE;
    if (line.len == 0 || *line.data == '#' || take_callee(c, line) || take_name(c, line) ||
        brz_trim(line).len == 0 || take_heading(c, line))
        return BRZ_OK;
    leave_out(c, line, BRZ_STR("not a line of this format: left out"));
    return BRZ_OK;
}

static brz_rc end(void *instance, const char *at)
{
    callgrind *c = instance;
    brz_ctx *ctx = c->dump.ctx;
    uint32_t weights[EVENTS_MOST];
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    if (c->events.n == 0)
        return BRZ_OK;
    m.producer = c->producer;
    m.command = c->command;
    ctx->host->metadata(ctx, &m);
    end_call(c, brz_str_of(at, 0));
    if (c->has_summaries && !c->has_totals)
        check_totals(c, c->summaries, brz_str_of(NULL, 0));
    for (uint32_t k = 0; k < c->events.n; k++)
        weights[k] = c->events.items[k].weight;
    return call_graph_fold(&c->graph, &c->dump.stacks, weights);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises the line of events, and a name or a heading that folded stacks do not have. */
static int32_t sniff(const brz_head *head)
{
    static const char *const signs[] = {"fl=", "fn=", "ob=", "positions:", "creator: ", "cmd: "};
    brz_str text = dump_head_lines(head), line;
    bool has_events = false, has_sign = false;
    if (brz_starts_with(text, BRZ_STR("# callgrind format")))
        return BRZ_SNIFF_HEADER;
    for (size_t i = 0;
         i < DUMP_SNIFFED_LINES && !(has_events && has_sign) && brz_block_line(&text, &line); i++) {
        has_events |= brz_starts_with(line, BRZ_STR("events:"));
        for (size_t k = 0; k < BRZ_COUNT_OF(signs); k++)
            has_sign |= brz_starts_with(line, brz_str_of_text(signs[k]));
    }
    return has_events && has_sign ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    callgrind *c = ctx->inst;
    names_init(&c->names, ctx);
    pair_map_init(&c->files, ctx);
    pair_map_init(&c->functions, ctx);
    c->n_positions = 1;
    c->function = c->place = GRAPH_NONE;
    return dump_open(ctx);
}

DUMP_PARSE_LINES(read_line, end)

static const char *const globs[] = {"callgrind.out*", "cachegrind.out*", "*.callgrind", NULL};

SHIPPED_READER(callgrind, .open = open_instance, .finish = dump_finish, .globs = globs)

BRZ_HINTS(BRZ_IF_NAME("callgrind.out*") BRZ_IF_NAME("cachegrind.out*") BRZ_IF_NAME("*.callgrind")
              BRZ_IF_BEGINS("# callgrind format") BRZ_IF_CONTAINS("events:"))

SHIPPED_COLLAPSER("callgrind",
                  .summary = "Callgrind and Cachegrind: Valgrind, Xdebug's profiler, pprof",
                  .help = "Record with `valgrind --tool=callgrind PROGRAM`, which writes "
                          "callgrind.out.PID. Stacks are estimated from the costs of calls. Each "
                          "event is a weight: see --weight.")
