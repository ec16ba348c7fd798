/* SPDX-License-Identifier: MIT */
/* Collapses call graphs of FreeBSD's pmcstat -G and of hwpmc's text:
 *
 *     input  := (event row*)*
 *     event  := "@" name "[" count "samples]"
 *     row    := indent share "%" "[" count "]" function ["@" image]
 *
 * A row with less indentation is called by the rows below it, so paths run from leaf to root. A
 * row's count includes those of its callers; the rest has no caller, since pmcstat leaves out rare
 * ones. Comments begin with "#" or "//". Each event is a column.
 */
#include "../common/dump/dump.h"

/* A row whose callers are being read. */
typedef struct row {
    size_t column;
    int64_t count;
    int64_t left; /* samples that no row below it has taken */
} row;

typedef struct pmc {
    dump dump;
    row *rows; /* one for each frame of the path */
    size_t rows_cap;
    uint32_t weight;
    bool has_weight;
    uint64_t total; /* samples of the event, less those of its first rows; UINT64_MAX: unknown */
    bool skipping;  /* rows below `skip_column`, `n_skipped` so far */
    size_t skip_column;
    uint64_t n_skipped;
} pmc;

/* ---- a row's text ---------------------------------------------------------------------------- */

typedef struct row_text {
    size_t column;
    uint64_t share; /* of the row above, in whole per cent */
    int64_t count;
    brz_str symbol; /* function and image */
} row_text;

/* Parses "67.39%" at the front. */
static bool take_share(brz_str *s, uint64_t *percent)
{
    size_t n = 0;
    brz_str whole = *s;
    while (n < s->len && (brz_is_digit(s->data[n]) || s->data[n] == '.'))
        n++;
    *s = brz_str_from(*s, n);
    if (!brz_take_u64(&whole, percent))
        *percent = 0;
    return n > 0 && brz_str_take(s, "%");
}

static bool parse_row(brz_str line, row_text *out)
{
    uint64_t count;
    out->column = dump_take_blanks(&line);
    if (!take_share(&line, &out->share))
        return false;
    dump_take_blanks(&line);
    if (!brz_str_take(&line, "[") || !brz_take_u64(&line, &count) || count > INT64_MAX ||
        !brz_str_take(&line, "]"))
        return false;
    out->count = (int64_t)count;
    out->symbol = brz_trim(line);
    return out->symbol.len > 0;
}

/* Returns the indentation of another row after the function of a row, or NULL. */
static const char *find_second_row(brz_str symbol)
{
    const char *at = symbol.data, *end = symbol.data + symbol.len;
    for (; (at = memchr(at, '%', (size_t)(end - at))) != NULL; at++) {
        const char *from = at;
        row_text r;
        while (from > symbol.data && (brz_is_digit(from[-1]) || from[-1] == '.'))
            from--;
        while (from > symbol.data && from[-1] == ' ')
            from--;
        if (from > symbol.data && parse_row(brz_str_of(from, (size_t)(end - from)), &r))
            return from;
    }
    return NULL;
}

/* Parses "@ inst_retired.any [35705 samples]". */
static bool parse_event(brz_str line, brz_str *name, uint64_t *total)
{
    brz_str count;
    if (!brz_str_take(&line, "@ ") || !brz_ends_with(line, BRZ_STR(" samples]")) ||
        !brz_cut_last(line, '[', name, &count) || (*name = brz_trim(*name)).len == 0)
        return false;
    if (!brz_take_u64(&count, total))
        *total = UINT64_MAX;
    return true;
}

static bool is_comment(brz_str text)
{
    return text.len == 0 || text.data[0] == '#' || brz_starts_with(text, BRZ_STR("//"));
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    size_t at = brz_str_find(text, BRZ_STR(" @ "), 0);
    if (at != SIZE_MAX) {
        frame->module = brz_trim(brz_str_from(text, at + 3));
        text.len = at;
    }
    frame->name = dump_repaired(d, brz_trim(text));
}

/* ---- rows ------------------------------------------------------------------------------------ */

static brz_rc close_rows(pmc *p, size_t column)
{
    brz_path *path = p->dump.stacks.path;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && path->n > 0 && p->rows[path->n - 1].column >= column) {
        int64_t left = p->rows[path->n - 1].left;
        if (left > 0)
            rc = brz_stacks_count(&p->dump.stacks, p->dump.ctx, p->weight, left);
        brz_path_cut(path, path->n - 1);
    }
    return rc;
}

static void declare(pmc *p, brz_str name)
{
    p->weight = dump_declare(p->dump.ctx, name, BRZ_STR("samples"));
    p->has_weight = true;
}

/* Subtracts a first row from the samples of its event. Reports that it has more, once an event: a
 * damaged row looks like a first one. */
static void take_from_total(pmc *p, brz_str line, uint64_t count)
{
    if (p->total == UINT64_MAX)
        return;
    if (count <= p->total) {
        p->total -= count;
        return;
    }
    p->total = UINT64_MAX;
    BRZ_WARN(p->dump.ctx, "pmc.total", line.data, line.len,
             "from here on, the outermost rows have more samples than the event");
}

/* Reports a row whose share of the samples of the row above is another one than it says: one of the
 * numbers is damaged. */
static void check_share(pmc *p, brz_str line, const row_text *r, int64_t all)
{
    double percent = 100.0 * (double)r->count / (double)all, share = (double)r->share;
    if (percent < share - 1 || percent > share + 2)
        BRZ_WARN(p->dump.ctx, "pmc.share", line.data, line.len,
                 "the percentage does not fit the samples of the row above");
}

static void open_row(pmc *p, brz_str line, const row_text *r)
{
    size_t n = dump_depth(&p->dump);
    if (!p->has_weight)
        declare(p, BRZ_STR("samples"));
    p->rows = brz_list_room(p->dump.ctx, p->rows, n, &p->rows_cap, sizeof *p->rows);
    if (n > 0) {
        check_share(p, line, r, p->rows[n - 1].count);
        p->rows[n - 1].left -= r->count;
    } else {
        take_from_total(p, line, (uint64_t)r->count);
    }
    p->rows[n] = (row){.column = r->column, .count = r->count, .left = r->count};
    dump_push(&p->dump, r->symbol, 0, describe);
}

/* Leaves out a row and those below it. Their samples remain with the row above, if there is one:
 * what is missing is unknown. */
static void leave_out(pmc *p, const char *code, brz_str line, size_t column, brz_str msg)
{
    p->skipping = true;
    p->skip_column = column;
    brz_report_lost(p->dump.ctx, code, line.data, line.len, msg);
}

static brz_rc take_row(pmc *p, brz_str line, const row_text *r)
{
    if (p->skipping && r->column > p->skip_column) {
        p->n_skipped++;
        return BRZ_OK;
    }
    p->skipping = false;
    brz_rc rc = close_rows(p, r->column);
    size_t n = dump_depth(&p->dump);
    if (n > 0 && r->count > p->rows[n - 1].left)
        leave_out(p, "pmc.sum", line, r->column,
                  BRZ_STR("more samples than remain of the row above: left out with its callers"));
    else
        open_row(p, line, r);
    return rc;
}

/* Counts the rows of a line, which has several if line ends are damaged. */
static brz_rc take_rows(pmc *p, brz_str line, row_text *r)
{
    brz_rc rc = BRZ_OK;
    const char *second;
    while (rc == BRZ_OK && (second = find_second_row(r->symbol)) != NULL) {
        BRZ_WARN(p->dump.ctx, "pmc.joined", line.data, line.len,
                 "several rows on one line: divided");
        r->symbol = brz_trim(brz_str_of(r->symbol.data, (size_t)(second - r->symbol.data)));
        rc = take_row(p, line, r);
        line = brz_str_from(line, (size_t)(second - line.data));
        parse_row(line, r);
    }
    return rc == BRZ_OK ? take_row(p, line, r) : rc;
}

/* Returns whether a comment is a row whose first byte is damaged. */
static bool hides_row(brz_str line)
{
    row_text r;
    return line.len > 0 && line.data[0] == '#' && parse_row(brz_str_from(line, 1), &r);
}

static brz_rc take_bad_row(pmc *p, brz_str line)
{
    size_t column = dump_take_blanks(&line);
    brz_rc rc = close_rows(p, column);
    leave_out(p, "pmc.row", line, column, BRZ_STR("not a row of a call graph: left out"));
    return rc;
}

static brz_rc read_line(void *instance, brz_str line)
{
    pmc *p = instance;
    row_text r;
    brz_str name;
    if (hides_row(line))
        return take_bad_row(p, line);
    if (is_comment(line) || brz_trim(line).len == 0)
        return BRZ_OK;
    uint64_t total;
    if (parse_event(line, &name, &total)) {
        brz_rc rc = close_rows(p, 0);
        p->skipping = false;
        declare(p, name);
        p->total = total;
        return rc;
    }
    return parse_row(line, &r) ? take_rows(p, line, &r) : take_bad_row(p, line);
}

static brz_rc end_rows(void *instance, const char *at)
{
    (void)at;
    return close_rows(instance, 0);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line, name;
    uint64_t total;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++)
        if (!is_comment(brz_trim(line)))
            return parse_event(line, &name, &total) ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
    return BRZ_SNIFF_NO;
}

DUMP_PARSE_LINES(read_line, end_rows)

static brz_rc finish(brz_ctx *ctx)
{
    pmc *p = ctx->inst;
    brz_report_count(ctx, BRZ_NOTE, "pmc.skipped", p->n_skipped, p->n_skipped,
                     BRZ_STR("rows of callers left out: {count}"));
    return dump_finish(ctx);
}

static brz_rc open_instance(brz_ctx *ctx)
{
    pmc *p = ctx->inst;
    p->total = UINT64_MAX;
    return dump_open(ctx);
}

SHIPPED_READER(pmc, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS("@ "))

SHIPPED_COLLAPSER(
    "pmc", .summary = "pmcstat -G, call graphs of FreeBSD's performance counters",
    .help = "Record with `pmcstat -S EVENT -O samples.pmc`, then `pmcstat -R samples.pmc -G "
            "calls.txt`.")
