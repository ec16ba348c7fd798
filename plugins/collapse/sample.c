/* SPDX-License-Identifier: MIT */
/* Collapses the output of macOS' `sample`:
 *
 *     input  := (line* "Call graph:" row* "Total number in stack" ...)*
 *     row    := "    " indent* count " " name ["(in " module ")" ["+" offsets] addresses [source]]
 *     indent := " " | "+" | "|" | ":" | "!"
 *     source := file ":" line
 *
 * Two characters of indentation are one call. A row's count includes those of the rows below it;
 * the rest is its self count. The counts of a damaged input therefore never exceed those of its
 * threads: a row with more samples than its caller has left cannot be a callee of it, and is left
 * out together with the rows below it.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text.h>

#include <string.h>

#include "../common/names/arguments.h"
#include "../common/shipped.h"

typedef struct options {
    bool no_modules, idle;
} options;

/* A row whose callees are being read. */
typedef struct row {
    size_t column;
    int64_t count, below; /* `below`: sum of the rows directly below it */
    bool idle;
} row;

typedef struct sample {
    const options *options;
    brz_lines lines;
    brz_stacks stacks;       /* root first */
    brz_frame_cache frames;  /* maps name and module, in the context of a source, to a frame */
    brz_frame_cache sources; /* maps a source to a number from 1 */
    brz_text scratch;
    row *rows; /* one for each frame of the path */
    size_t rows_cap;
    uint32_t n_sources;
    int64_t n_idle;
    uint64_t n_skipped;
    bool skipping; /* the rows below a row that was left out, `n_skipped` so far; see skip_column */
    size_t skip_column;
    bool in_graph, seen_graph;
    bool has_threads; /* a row of this graph is one of a thread */
    brz_prefix_fn *common_prefix;
    brz_str before; /* margin and indentation of the previous row of this chunk; empty: none */
} sample;

static const brz_str graph_begins = {"Call graph:", 11}, graph_ends = {"Total number in stack", 21};
static const brz_str thread_begins = {"Thread_", 7};

#define MARGIN 4 /* spaces in front of every row */

/* ---- a row's text -------------------------------------------------------------------------- */

typedef struct row_text {
    size_t column;
    int64_t count;
    brz_str symbol; /* name and module, which is in brackets */
    brz_str source;
} row_text;

static bool is_indent(char c)
{
    return c == ' ' || c == '+' || c == '|' || c == ':' || c == '!';
}

/* Removes the count and the space after it from the front. */
static bool take_count(brz_str *s, int64_t *count)
{
    uint64_t n;
    if (!brz_take_u64(s, &n) || n > INT64_MAX || !brz_starts_with(*s, BRZ_STR(" ")))
        return false;
    *count = (int64_t)n;
    *s = brz_trim(*s);
    return s->len > 0;
}

/* Returns the position of the last "(in " of a row, or NULL. */
static const char *find_module(brz_str s)
{
    const char *end = s.data + s.len, *at = end;
    while ((at = brz_rfind_near(s.data, at, '(')) != NULL)
        if (end - at > 4 && memcmp(at, "(in ", 4) == 0)
            return at;
    return NULL;
}

/* Returns the bracket that closes the one at the front of `s`, or NULL. */
static const char *find_closing(brz_str s)
{
    size_t depth = 0;
    for (size_t i = 0; i < s.len; i++) {
        depth += s.data[i] == '(';
        if (s.data[i] == ')' && --depth == 0)
            return s.data + i;
    }
    return NULL;
}

/* Returns the "file:line" that follows the addresses in square brackets. */
static brz_str find_source(brz_str s)
{
    brz_str none = brz_str_of(s.data, 0);
    if (s.len == 0 || s.data[s.len - 1] == ']')
        return none;
    const char *end = s.data + s.len, *bracket = brz_rfind_near(s.data, end, ']');
    const char *colon = brz_rfind_near(s.data, end, ':');
    if (bracket == NULL || colon == NULL || colon < bracket || colon + 1 == end)
        return none;
    return brz_trim(brz_str_of(bracket + 1, (size_t)(end - bracket - 1)));
}

/* Removes indentation and count from a row; the first `indent` bytes are known to be margin and
 * indentation. Returns false if there is no count, or nothing after it. */
static bool take_front(brz_str *line, size_t indent, row_text *out)
{
    size_t n = indent;
    while (n < line->len && is_indent(line->data[n]))
        n++;
    out->column = n - MARGIN;
    *line = brz_str_of(line->data + n, line->len - n);
    return take_count(line, &out->count);
}

/* Parses a row. Returns false if it has no count or no name. */
static bool parse_row(brz_str rest, size_t indent, row_text *out)
{
    if (!take_front(&rest, indent, out))
        return false;
    out->symbol = rest;
    out->source = brz_str_of(rest.data, 0);
    const char *module = find_module(rest);
    if (module == NULL)
        return true;
    size_t from = (size_t)(module - rest.data);
    const char *end = find_closing(brz_str_of(module, rest.len - from));
    if (end == NULL)
        return true;
    out->symbol.len = (size_t)(end + 1 - rest.data);
    out->source = find_source(brz_str_of(end + 1, rest.len - out->symbol.len));
    return true;
}

/* Returns the margin of another row in the rest of a line, or NULL. Rows have an even column: an
 * odd one shows that the damaged line end is a blank, too. */
static const char *find_second_row(brz_str line)
{
    size_t at = 0;
    while ((at = brz_str_find(line, BRZ_STR("    "), at)) != SIZE_MAX) {
        row_text r;
        brz_str rest = brz_str_from(line, at);
        if (take_front(&rest, MARGIN, &r))
            return line.data + at + r.column % 2;
        at += MARGIN + r.column;
    }
    return NULL;
}

/* ---- frames -------------------------------------------------------------------------------- */

/* The parts of a symbol. */
typedef struct symbol {
    brz_str function, module;
} symbol;

static symbol take_apart(brz_str text)
{
    symbol s = {.function = text};
    const char *module = find_module(text);
    if (module != NULL && text.data[text.len - 1] == ')') {
        s.module = brz_str_of(module + 4, (size_t)(text.data + text.len - 1 - module - 4));
        if (brz_ends_with(s.module, BRZ_STR(".dylib")))
            s.module.len -= 6;
    }
    if (module != NULL)
        s.function.len = (size_t)(module - text.data);
    s.function = name_without_arguments(brz_trim_end(s.function));
    return s;
}

static void add_name(sample *t, brz_ctx *ctx, const symbol *s)
{
    t->scratch.len = 0;
    if (s->module.len > 0 && !t->options->no_modules) {
        brz_text_append(&t->scratch, ctx, s->module);
        brz_text_append(&t->scratch, ctx, BRZ_STR("`"));
    }
    size_t start = t->scratch.len;
    brz_text_append(&t->scratch, ctx, s->function);
    t->scratch.len = start + brz_rust_repair(s->function, t->scratch.data + start);
    for (size_t i = 0; i < t->scratch.len; i++)
        if (t->scratch.data[i] == ';')
            t->scratch.data[i] = ':';
}

static uint32_t number_of(brz_str digits)
{
    uint64_t n;
    return brz_parse_u64(digits, &n) && n <= UINT32_MAX ? (uint32_t)n : 0;
}

/* Recognises functions in which threads wait. */
static bool is_idle(brz_str function)
{
    static const char *const functions[] = {
        "__psynch_cvwait", "__select", "__semwait_signal",    "__ulock_wait",
        "__wait4",         "kevent",   "__workq_kernreturn",  "mach_msg_trap",
        "mach_msg2_trap",  "read",     "semaphore_wait_trap",
    };
    return BRZ_IS_AMONG(function, functions);
}

/* Returns the value of a row: its frame times two, plus one if the function waits. */
static uint32_t new_value(sample *t, brz_ctx *ctx, const row_text *r)
{
    symbol s = take_apart(r->symbol);
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_OTHER, .module = s.module};
    if (r->column == 0 && brz_starts_with(s.function, BRZ_STR("Thread_")))
        d.kind = BRZ_KIND_PROCESS;
    const char *colon = brz_rfind(r->source, ':');
    if (colon != NULL) {
        d.file = brz_str_of(r->source.data, (size_t)(colon - r->source.data));
        d.line =
            number_of(brz_str_of(colon + 1, (size_t)(r->source.data + r->source.len - colon - 1)));
    }
    add_name(t, ctx, &s);
    d.name = brz_text_str(&t->scratch);
    return ctx->host->frame(ctx, &d) << 1 | is_idle(s.function);
}

/* Returns the number of a source; 0 if it is empty. */
static uint32_t source_number(sample *t, brz_ctx *ctx, brz_str source)
{
    if (source.len == 0)
        return 0;
    brz_frame_key key = brz_frame_key_of(&t->sources, source.data, source.len, 0);
    uint32_t n = brz_frame_cache_find(&t->sources, &key);
    if (n != BRZ_CACHE_MISS)
        return n;
    brz_frame_cache_put(&t->sources, ctx, &key, ++t->n_sources);
    return t->n_sources;
}

/* Returns the cache key of a row. A root may be a thread, which differs in kind from a function of
 * the same name. */
static brz_frame_key key_of(sample *t, brz_ctx *ctx, const row_text *r)
{
    uint32_t context = source_number(t, ctx, r->source) << 1 | (r->column == 0);
    return brz_frame_key_of(&t->frames, r->symbol.data, r->symbol.len, context);
}

static uint32_t value_of(sample *t, brz_ctx *ctx, const row_text *r, const brz_frame_key *key)
{
    uint32_t value = brz_frame_cache_find(&t->frames, key);
    if (value == BRZ_CACHE_MISS) {
        value = new_value(t, ctx, r);
        brz_frame_cache_put(&t->frames, ctx, key, value);
    }
    return value;
}

/* ---- call tree ----------------------------------------------------------------------------- */

/* Ends the innermost row: counts its self samples, since all rows below it are known. */
static brz_rc close_row(sample *t, brz_ctx *ctx)
{
    brz_path *path = t->stacks.path;
    const row *r = &t->rows[path->n - 1];
    brz_rc rc = BRZ_OK;
    int64_t own = r->below < r->count ? r->count - r->below : 0;
    if (r->idle && !t->options->idle)
        brz_stacks_sum(&t->stacks, &t->n_idle, own);
    else if (own > 0)
        rc = brz_stacks_count(&t->stacks, ctx, 0, own);
    brz_path_cut(path, path->n - 1);
    return rc;
}

/* Ends the rows from `column` on. */
static brz_rc close_rows(sample *t, brz_ctx *ctx, size_t column)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && t->stacks.path->n > 0 && t->rows[t->stacks.path->n - 1].column >= column)
        rc = close_row(t, ctx);
    return rc;
}

/* Returns true if the innermost row has at least `count` samples that no row below it has taken. */
static bool fits_below(const sample *t, int64_t count)
{
    size_t n = t->stacks.path->n;
    return n == 0 || count <= t->rows[n - 1].count - t->rows[n - 1].below;
}

/* Skips the rows below a row that was left out: their samples are included in its own, which stay
 * with its caller. */
static void skip_below(sample *t, size_t column)
{
    t->skipping = true;
    t->skip_column = column;
}

static void open_row(sample *t, brz_ctx *ctx, const row_text *r, const brz_frame_key *key)
{
    brz_path *path = t->stacks.path;
    uint32_t value = value_of(t, ctx, r, key);
    if (path->n == t->rows_cap)
        t->rows = brz_stacks_double(ctx, t->rows, path->n, &t->rows_cap, sizeof *t->rows);
    if (path->n > 0)
        t->rows[path->n - 1].below += r->count;
    t->rows[path->n] = (row){.column = r->column, .count = r->count, .idle = value & 1};
    brz_path_push(path, ctx, value >> 1);
    brz_stacks_fetch(&t->stacks, 0);
}

static void check_column(const sample *t, brz_ctx *ctx, brz_str line, size_t column)
{
    size_t n = t->stacks.path->n, above = n == 0 ? 0 : t->rows[n - 1].column + 2;
    if (column % 2 != 0)
        BRZ_WARN(ctx, "sample.indent", line.data, MARGIN + column, "odd indentation");
    else if (column > above)
        BRZ_WARN(ctx, "sample.level", line.data, MARGIN + column,
                 "a level is skipped: treated as a call of the row above");
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Returns the length of margin and indentation that a row shares with the previous row, or 0 if it
 * has no margin. */
static size_t shared_indent(const sample *t, brz_str line)
{
    size_t shorter = line.len < t->before.len ? line.len : t->before.len;
    size_t same = shorter == 0 ? 0 : t->common_prefix(line.data, t->before.data, shorter);
    if (same >= MARGIN)
        return same;
    return brz_starts_with(line, BRZ_STR("    ")) ? MARGIN : 0;
}

/* Leaves out a row without a count or a name: the rows below it become calls of its caller, which
 * has its samples. Those of a thread are missing. */
static brz_rc leave_out(sample *t, brz_ctx *ctx, brz_str line, size_t column)
{
    static const char code[] = "sample.row";
    brz_str msg = BRZ_STR("not a count and a name: row left out");
    brz_rc rc = close_rows(t, ctx, column);
    if (t->stacks.path->n > 0)
        brz_report_lost_weight(ctx, code, line.data, line.len, msg, 0);
    else
        brz_report_lost(ctx, code, line.data, line.len, msg);
    return rc;
}

/* Returns whether a row is a function in the place of a thread: blanks in front of it are damaged.
 */
static bool is_misplaced(const sample *t, const row_text *r)
{
    return r->column == 0 && t->has_threads && !brz_starts_with(r->symbol, thread_begins) &&
           find_module(r->symbol) != NULL;
}

/* Leaves out a row whose place in the tree is damaged. Its thread keeps its samples, and has the
 * rows below it. */
static brz_rc leave_out_misplaced(sample *t, brz_ctx *ctx, brz_str line)
{
    brz_rc rc = close_rows(t, ctx, 1);
    brz_report_lost_weight(ctx, "sample.place", line.data, line.len,
                           BRZ_STR("a function in the place of a thread: left out"), 0);
    return rc;
}

/* Returns whether the line of a row may have another row. One that ends with the address of a known
 * frame does not. */
static bool may_have_second(const sample *t, brz_str line, const brz_frame_key *key)
{
    return !brz_ends_with(line, BRZ_STR("]")) ||
           brz_frame_cache_find(&t->frames, key) == BRZ_CACHE_MISS;
}

/* Removes further rows from a line, whose first row has its text from `front` on. Returns whether
 * there are any. */
static bool cut_rows(brz_ctx *ctx, brz_str *line, size_t front)
{
    const char *second = find_second_row(brz_str_from(*line, front));
    if (second == NULL)
        return false;
    BRZ_WARN(ctx, "sample.joined", line->data, line->len, "several rows on one line: divided");
    line->len = (size_t)(second - line->data);
    return true;
}

/* Bytes of a line that is divided before its first row is parsed, which could read all of the line
 * for each row. */
#define LONG_LINE 4096

/* Parses the first row of a line, which has several if line ends are damaged, and removes the
 * others from the line. Returns false if the first one has no count or no name. */
static bool parse_first(sample *t, brz_ctx *ctx, brz_str *line, size_t indent, row_text *r,
                        brz_frame_key *key)
{
    brz_str rest = *line;
    if (line->len > LONG_LINE && take_front(&rest, indent, r))
        cut_rows(ctx, line, (size_t)(rest.data - line->data));
    if (!parse_row(brz_trim_end(*line), indent, r))
        return false;
    *key = key_of(t, ctx, r);
    if (may_have_second(t, *line, key) &&
        cut_rows(ctx, line, (size_t)(r->symbol.data - line->data))) {
        parse_row(brz_trim_end(*line), indent, r);
        *key = key_of(t, ctx, r);
    }
    return true;
}

/* Counts the first row of a line, and removes what follows it from the line. */
static brz_rc take_first_row(sample *t, brz_ctx *ctx, brz_str *line)
{
    row_text r;
    brz_frame_key key;
    size_t indent = shared_indent(t, *line);
    if (indent == 0) {
        brz_report_lost(ctx, "sample.margin", line->data, line->len,
                        BRZ_STR("row does not begin with four blanks: left out"));
        return BRZ_OK;
    }
    bool parsed = parse_first(t, ctx, line, indent, &r, &key);
    t->before = brz_str_of(line->data, MARGIN + r.column);
    if (t->skipping && r.column > t->skip_column) {
        t->n_skipped++;
        return BRZ_OK;
    }
    t->skipping = false;
    if (!parsed)
        return leave_out(t, ctx, *line, r.column);
    if (is_misplaced(t, &r))
        return leave_out_misplaced(t, ctx, *line);
    t->has_threads |= r.column == 0 && brz_starts_with(r.symbol, thread_begins);
    brz_frame_cache_fetch_slot(&t->frames, &key);
    brz_rc rc = close_rows(t, ctx, r.column);
    check_column(t, ctx, *line, r.column);
    if (fits_below(t, r.count)) {
        open_row(t, ctx, &r, &key);
        return rc;
    }
    brz_report_lost(ctx, "sample.sum", line->data, line->len,
                    BRZ_STR("more samples than remain of its caller: left out with its calls"));
    skip_below(t, r.column);
    return rc;
}

static brz_rc take_rows(sample *t, brz_ctx *ctx, brz_str line)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && line.len > 0) {
        brz_str first = line;
        rc = take_first_row(t, ctx, &first);
        line = brz_str_from(line, first.len);
    }
    return rc;
}

/* Reads a line outside of a call graph. A thread there belongs to one whose heading is damaged. */
static void take_outside(sample *t, brz_ctx *ctx, brz_str line)
{
    brz_str rest = line;
    uint64_t count;
    t->in_graph = brz_starts_with(line, graph_begins);
    t->seen_graph |= t->in_graph;
    if (!brz_starts_with(line, BRZ_STR("    ")))
        return;
    rest = brz_trim_start(rest);
    if (brz_take_u64(&rest, &count) && count <= INT64_MAX &&
        brz_starts_with(rest, BRZ_STR(" Thread_")))
        brz_report_lost_weight(ctx, "sample.outside", line.data, line.len,
                               BRZ_STR("thread without 'Call graph:' above it: left out"),
                               (int64_t)count);
}

static brz_rc take_line(sample *t, brz_ctx *ctx, brz_str line)
{
    if (!t->in_graph) {
        take_outside(t, ctx, line);
        return BRZ_OK;
    }
    if (brz_starts_with(line, graph_ends)) {
        t->in_graph = t->skipping = t->has_threads = false;
        return close_rows(t, ctx, 0);
    }
    line = brz_trim_end(line);
    return take_rows(t, ctx, line);
}

/* ---- entry points -------------------------------------------------------------------------- */

static brz_rc open_instance(brz_ctx *ctx)
{
    sample *t = ctx->inst;
    t->options = ctx->cfg;
    brz_lines_init(&t->lines, ctx);
    brz_stacks_init(&t->stacks, ctx, BRZ_NESTED);
    brz_frame_cache_init(&t->frames, ctx);
    brz_frame_cache_init(&t->sources, ctx);
    t->common_prefix = brz_prefix_best();
    t->rows_cap = 64;
    t->rows = ctx->host->alloc(ctx, t->rows_cap * sizeof *t->rows, 0);
    return BRZ_OK;
}

static brz_rc end_input(sample *t, brz_ctx *ctx)
{
    if (!t->seen_graph)
        BRZ_WARN(ctx, "sample.no-graph", NULL, 0, "there is no line 'Call graph:'");
    if (t->in_graph)
        BRZ_WARN(ctx, "sample.cut-off", NULL, 0,
                 "the input ends within the call graph: the part that was read is counted");
    return close_rows(t, ctx, 0);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    sample *t = ctx->inst;
    brz_str line;
    brz_rc rc = BRZ_OK;
    t->before.len = 0;
    brz_lines_start(&t->lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_take(&t->lines, chunk, &line))
        rc = take_line(t, ctx, line);
    *used = chunk->len - brz_lines_rest(&t->lines).len;
    return rc == BRZ_OK && chunk->flags & BRZ_CHUNK_LAST ? end_input(t, ctx) : rc;
}

static void report_idle(const sample *t, brz_ctx *ctx)
{
    brz_diag d =
        brz_diag_of(BRZ_NOTE, "sample.idle", NULL, 0,
                    BRZ_STR("samples of waiting threads left out: {count} (idle counts them)"));
    d.count = d.records = d.weighed = (uint64_t)t->n_idle;
    d.missing = t->n_idle;
    if (d.count > 0)
        ctx->host->diag(ctx, &d);
}

/* Reports the rows below rows with too many samples. */
static void report_skipped(const sample *t, brz_ctx *ctx)
{
    brz_report_count(ctx, BRZ_NOTE, "sample.skipped", t->n_skipped, t->n_skipped,
                     BRZ_STR("rows of calls left out with their caller: {count}"));
}

static brz_rc finish(brz_ctx *ctx)
{
    sample *t = ctx->inst;
    report_idle(t, ctx);
    report_skipped(t, ctx);
    return brz_stacks_finish(&t->stacks, ctx);
}

/* ---- format detection ---------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len), line;
    bool graph = false;
    if (brz_starts_with(text, BRZ_STR("Analysis of sampling ")))
        return BRZ_SNIFF_HEADER;
    for (size_t lines = 0; lines < 4000 && brz_take_line(&text, &line); lines++) {
        row_text r;
        line = brz_trim_end(line);
        if (brz_starts_with(line, graph_begins))
            graph = true;
        else if (graph && brz_starts_with(line, BRZ_STR("    ")))
            return take_front(&line, MARGIN, &r) ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
    }
    return BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const brz_option option_table[] = {
    BRZ_OPTION(options, "idle", BOOL, idle, "false", "count threads that wait, too"),
    BRZ_OPTION(options, "no-modules", BOOL, no_modules, "false", "leave modules out of names"),
};

SHIPPED_READER(sample, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_BEGINS("Analysis of sampling ") BRZ_IF_CONTAINS("Call graph:"))

SHIPPED_COLLAPSER("sample", .summary = "macOS sample, its call graph",
                  .help = "Record with `sample PID -file sample.txt`.",
                  BRZ_OPTIONS(option_table, options))
