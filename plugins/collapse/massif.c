/* SPDX-License-Identifier: MIT */
/* Collapses the heap of Valgrind's massif at its peak:
 *
 *     input    := (key ":" text)* snapshot*
 *     snapshot := "#-----------" "snapshot=" number ... "heap_tree=" ("empty" | "detailed" |
 * "peak") row* row      := indent "n" count ":" bytes (address ":" function "(" place ")" | "("
 * kind ")" text | "in" number "places" text)
 *
 * A row is called by the rows below it that have a blank more, and its bytes include theirs, so
 * paths run from leaf to root. One tree of a file counts: that of the peak, or the last detailed
 * one without a peak. Another file may follow, with a line "desc:" or the number of an earlier
 * snapshot.
 */
#include "../common/dump/valgrind_frame.h"

/* A row whose callers are being read. */
typedef struct row {
    size_t column;
    int64_t left;     /* bytes that no row below it has taken */
    uint64_t callers; /* rows directly below it that are still to come */
} row;

/* A stack of the tree that counts unless a better one follows: its place among the frames. */
typedef struct held_stack {
    size_t frames, n;
    int64_t bytes;
} held_stack;

typedef struct massif {
    dump dump;
    row *rows; /* one for each frame of the path */
    size_t rows_cap;
    brz_frame_list frames;
    held_stack *stacks;
    size_t n_stacks, stacks_cap;
    bool in_tree, has_peak;      /* reading a tree; its peak was read */
    bool has_heading;            /* the snapshot has a line "heap_tree=" */
    uint64_t next_snapshot;      /* the least number that the next one of the file has */
    bool has_left_out, is_short; /* of a tree: rows were left out; rows are missing */
    int64_t heap;                /* bytes of the snapshot; 0: unknown */
    int64_t tree_heap;           /* and of that with the tree that is held */
} massif;

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct row_text {
    size_t column;
    uint64_t callers;
    int64_t bytes;
    brz_str what;
} row_text;

/* Recognises "0x109172: make (demo.c:3)", "(heap allocation functions) …" and "in 3 places, …". */
static bool is_place(brz_str what)
{
    uint64_t address;
    return (dump_take_address(&what, &address) && brz_starts_with(what, BRZ_STR(": "))) ||
           brz_starts_with(what, BRZ_STR("(")) || brz_starts_with(what, BRZ_STR("in "));
}

static bool parse_row(brz_str line, row_text *out)
{
    uint64_t bytes;
    out->column = dump_take_blanks(&line);
    if (!brz_str_take(&line, "n") || !brz_take_u64(&line, &out->callers) ||
        !brz_str_take(&line, ": ") || !brz_take_u64(&line, &bytes) || bytes > INT64_MAX)
        return false;
    if (!brz_str_take(&line, " "))
        return false;
    out->bytes = (int64_t)bytes;
    out->what = brz_trim(line);
    return is_place(out->what);
}

/* Parses a function, or one of the rows of sums. */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    if (text.data[0] == '(')
        frame->name = BRZ_STR("[allocation]");
    else if (!valgrind_frame_describe(d, text, frame))
        frame->name = BRZ_STR("[below threshold]");
}

/* Appends the frames of a path. */
static void append_path(brz_frame_list *list, brz_ctx *ctx, const brz_path *path)
{
    while (list->cap - list->n < path->n)
        list->ids = brz_list_room(ctx, list->ids, list->cap, &list->cap, sizeof *list->ids);
    memcpy(list->ids + list->n, path->ids, path->n * sizeof *path->ids);
    list->n += path->n;
}

/* Keeps the current stack with the bytes that its last row has for itself. */
static void hold(massif *m, int64_t bytes)
{
    const brz_path *path = m->dump.stacks.path;
    held_stack stack = {.frames = m->frames.n, .n = path->n, .bytes = bytes};
    append_path(&m->frames, m->dump.ctx, path);
    m->stacks = brz_list_room(m->dump.ctx, m->stacks, m->n_stacks, &m->stacks_cap, sizeof stack);
    m->stacks[m->n_stacks++] = stack;
}

static void close_rows(massif *m, size_t column)
{
    brz_path *path = m->dump.stacks.path;
    while (path->n > 0 && m->rows[path->n - 1].column >= column) {
        m->is_short |= m->rows[path->n - 1].callers > 0;
        if (m->rows[path->n - 1].left > 0)
            hold(m, m->rows[path->n - 1].left);
        brz_path_cut(path, path->n - 1);
    }
}

/* Reports a row that is left out. Its bytes are unknown; the row above, if there is one, has them.
 */
static void leave_out(massif *m, const char *code, brz_str line, brz_str msg)
{
    m->has_left_out = true;
    if (dump_depth(&m->dump) > 0)
        dump_left_out(&m->dump, code, line, msg, 0);
    else
        brz_report_lost(m->dump.ctx, code, line.data, line.len, msg);
}

/* Takes the bytes of a row from the row above. Returns false if that has less. */
static bool take_bytes(row *above, const row_text *r)
{
    if (r->bytes > above->left)
        return false;
    above->left -= r->bytes;
    above->callers -= above->callers > 0;
    return true;
}

static void take_row(massif *m, brz_str line)
{
    row_text r;
    if (!parse_row(line, &r)) {
        if (brz_trim(line).len == 0)
            return;
        close_rows(m, r.column);
        leave_out(m, "massif.row", line, BRZ_STR("not a row of a heap tree: left out"));
        return;
    }
    close_rows(m, r.column);
    size_t n = dump_depth(&m->dump);
    if (n > 0 && !take_bytes(&m->rows[n - 1], &r)) {
        leave_out(m, "massif.sum", line,
                  BRZ_STR("more bytes than remain of the row above: left out"));
        return;
    }
    m->rows = brz_list_room(m->dump.ctx, m->rows, n, &m->rows_cap, sizeof *m->rows);
    m->rows[n] = (row){.column = r.column, .left = r.bytes, .callers = r.callers};
    dump_push(&m->dump, r.what, 0, describe);
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Begins a tree, in the place of the one that was held, unless that was the peak. */
static void begin_tree(massif *m, brz_str kind)
{
    bool peak = brz_str_is(kind, "peak");
    m->in_tree = !m->has_peak && (peak || brz_str_is(kind, "detailed"));
    if (!m->in_tree)
        return;
    m->has_peak = peak;
    m->has_left_out = m->is_short = false;
    m->tree_heap = m->heap;
    m->n_stacks = m->frames.n = 0;
}

/* Reports bytes of the snapshot's heap that no row of its tree has. */
static void report_missing(const massif *m)
{
    int64_t sum = 0;
    for (size_t i = 0; i < m->n_stacks; i++)
        if (__builtin_add_overflow(sum, m->stacks[i].bytes, &sum))
            return;
    if (m->tree_heap > sum)
        brz_report_lost_weight(m->dump.ctx, "massif.heap", NULL, 0,
                               BRZ_STR("rows of the tree are missing: the heap is larger"),
                               m->tree_heap - sum);
}

/* Reports a tree that is not the whole heap at its peak. */
static void report_tree(const massif *m)
{
    if (m->n_stacks == 0)
        return;
    report_missing(m);
    if (!m->has_peak)
        BRZ_WARN(m->dump.ctx, "massif.no-peak", NULL, 0,
                 "no tree of the peak: the last detailed snapshot counts");
    if (m->is_short && !m->has_left_out)
        BRZ_WARN(m->dump.ctx, "massif.short", NULL, 0,
                 "rows of the tree are missing: their bytes count for the rows above them");
}

/* Counts the stacks that are held at the end of a file. Another one may follow. */
static brz_rc count_stacks(massif *m)
{
    brz_path *path = m->dump.stacks.path;
    brz_rc rc = BRZ_OK;
    close_rows(m, 0);
    report_tree(m);
    for (size_t i = 0; i < m->n_stacks && rc == BRZ_OK; i++) {
        const held_stack *s = &m->stacks[i];
        brz_path_cut(path, 0);
        for (size_t k = 0; k < s->n; k++)
            brz_path_push(path, m->dump.ctx, m->frames.ids[s->frames + k]);
        rc = dump_count(&m->dump, 0, s->bytes);
    }
    m->in_tree = m->has_peak = false;
    m->next_snapshot = 0;
    m->n_stacks = m->frames.n = 0;
    return rc;
}

/* Begins a snapshot: "snapshot=5". Numbers begin again in a file whose heading is damaged. */
static brz_rc begin_snapshot(massif *m, brz_str number)
{
    uint64_t n;
    brz_rc rc = BRZ_OK;
    if (!brz_take_u64(&number, &n) || n == UINT64_MAX)
        return rc;
    if (n < m->next_snapshot)
        rc = count_stacks(m);
    m->next_snapshot = n + 1;
    m->heap = 0;
    m->has_heading = false;
    return rc;
}

/* Recognises the first row of a tree whose "heap_tree=" is missing. */
static bool is_headless(const massif *m, brz_str line)
{
    row_text r;
    return !m->has_heading && brz_starts_with(line, BRZ_STR("n")) && parse_row(line, &r);
}

static void begin_headless_tree(massif *m, brz_str line)
{
    m->has_heading = true;
    BRZ_WARN(m->dump.ctx, "massif.heading", line.data, line.len,
             "a tree without a line 'heap_tree=': read as that of a detailed snapshot");
    begin_tree(m, BRZ_STR("detailed"));
}

static brz_rc read_line(void *instance, brz_str line)
{
    massif *m = instance;
    uint64_t heap;
    if (is_headless(m, line))
        begin_headless_tree(m, line);
    if (brz_starts_with(line, BRZ_STR("desc: ")))
        return count_stacks(m);
    if (brz_str_take(&line, "snapshot="))
        return begin_snapshot(m, line);
    if (brz_str_take(&line, "mem_heap_B=")) {
        m->heap = brz_parse_u64(brz_trim(line), &heap) && heap <= INT64_MAX ? (int64_t)heap : 0;
    } else if (brz_str_take(&line, "heap_tree=")) {
        m->has_heading = true;
        begin_tree(m, brz_trim(line));
    } else if (brz_starts_with(line, BRZ_STR("#---"))) {
        close_rows(m, 0);
        m->in_tree = m->has_heading = false;
    } else if (m->in_tree) {
        take_row(m, line);
    }
    return BRZ_OK;
}

static brz_rc end(void *instance, const char *at)
{
    (void)at;
    return count_stacks(instance);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    bool unit = false;
    for (size_t i = 0; i < 40 && brz_block_line(&text, &line); i++) {
        unit |= brz_starts_with(line, BRZ_STR("time_unit: "));
        if (unit && brz_starts_with(line, BRZ_STR("snapshot=")))
            return BRZ_SNIFF_HEADER;
    }
    return unit ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    dump_declare(ctx, BRZ_STR("bytes"), BRZ_STR("bytes"));
    return dump_open(ctx);
}

DUMP_PARSE_LINES(read_line, end)

static const char *const globs[] = {"massif.out.*", NULL};

SHIPPED_READER(massif, .open = open_instance, .finish = dump_finish, .globs = globs)

BRZ_HINTS(BRZ_IF_NAME("massif.out.*") BRZ_IF_CONTAINS("time_unit: "))

SHIPPED_COLLAPSER(
    "massif", .summary = "Valgrind's massif, the heap at its peak",
    .help = "Record with `valgrind --tool=massif PROGRAM`, which writes massif.out.PID.")
