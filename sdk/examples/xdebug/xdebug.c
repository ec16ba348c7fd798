/* SPDX-License-Identifier: MIT */
/* Collapses traces of Xdebug, the debugger of PHP, in its three formats: 0 for people, 1 for
 * machines, 2 in HTML. Each line shows which format it has.
 *
 * A trace records when each call begins, and usually when it ends; calls.c builds stacks from that.
 * The input cannot be split: the open calls at a position depend on everything before it.
 */
#include "trace.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>

#ifndef BRZ_SHIPPED_VERSION
#define BRZ_SHIPPED_VERSION "1.0"
#define BRZ_SHIPPED_URL     "the author of this copy"
#endif

/* ---- lines ----------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Recognises a line of format 1: leading digits followed by a tab. */
static bool is_row(brz_str line)
{
    size_t n = 0;
    while (n < line.len && is_digit(line.data[n]))
        n++;
    return n > 0 && n < line.len && line.data[n] == '\t';
}

static bool is_table_row(brz_str line)
{
    line = brz_trim_start(line);
    return line.len > 3 && memcmp(line.data, "<tr", 3) == 0;
}

/* Recognises "<table style='hyphens: auto;' class='xdebug-trace' …"; the attributes depend on the
 * version. */
static bool is_table(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("<table ")) &&
           brz_str_find(line, BRZ_STR("class='xdebug-trace'"), 0) != SIZE_MAX;
}

/* Parses a line that is neither empty nor part of a header or footer. */
static enum line_says read_line(brz_str line, entry *e)
{
    *e = (entry){0};
    if (is_row(line))
        return computerized_line(line, e);
    if (is_table_row(line))
        return html_line(line, e);
    if (line.data[0] == '\t')
        return computerized_line(line, e);
    return line.data[0] == ' ' || is_digit(line.data[0]) ? textual_line(line, e) : SAYS_ODD;
}

enum mark { MARK_NONE, MARK_START, MARK_END, MARK_OTHER };

/* Recognises the lines around a trace. */
static enum mark mark_of(brz_str line)
{
    static const struct {
        brz_str text;
        enum mark mark;
    } marks[] = {
        {{"TRACE START", 11}, MARK_START},   {{"TRACE END", 9}, MARK_END},
        {{"</table>", 8}, MARK_END},         {{"Version: ", 9}, MARK_OTHER},
        {{"File format: ", 13}, MARK_OTHER},
    };
    if (is_table(line))
        return MARK_START;
    for (size_t i = 0; i < BRZ_COUNT_OF(marks); i++)
        if (brz_starts_with(line, marks[i].text))
            return marks[i].mark;
    return MARK_NONE;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void note_unfinished(xdebug *x, brz_ctx *ctx)
{
    if (x->running && x->calls.n_open > 0)
        brz_report(ctx, BRZ_NOTE, "xdebug.unfinished", NULL, 0,
                   BRZ_STR("traces without an end: {count}; open calls end at the last line"));
}

/* Ends a trace: with `last`, an event without a call, or else at the last event. */
static brz_rc end_trace(xdebug *x, brz_ctx *ctx, const entry *last)
{
    x->running = x->has_start = false;
    return calls_end(&x->calls, ctx, last);
}

/* Takes a line around a trace. With `may_lack_end`, the line that tells when it ends may be
 * missing.
 */
static brz_rc take_mark(xdebug *x, brz_ctx *ctx, enum mark mark, brz_str line, bool may_lack_end)
{
    if (mark == MARK_OTHER)
        return BRZ_OK;
    if (mark == MARK_END && !may_lack_end && x->running && x->calls.n_open > 0)
        brz_report_lost(ctx, "xdebug.no-end", line.data, line.len,
                        BRZ_STR("a trace without the line that tells when it ends: open calls end "
                                "at the line before"));
    if (mark == MARK_START)
        note_unfinished(x, ctx);
    brz_rc rc = end_trace(x, ctx, NULL);
    x->running = x->has_start = mark == MARK_START;
    return rc;
}

static brz_rc take_exit(xdebug *x, brz_ctx *ctx, const entry *e, brz_str line)
{
    static const char code[] = "xdebug.exit";
    brz_str msg = BRZ_STR("end of a call that has no beginning: left out");
    brz_rc rc;
    if (calls_leave(&x->calls, ctx, e, &rc) || rc != BRZ_OK)
        return rc;
    if (x->calls.n_open > 0) /* the open call has the time up to this line */
        brz_report_lost_weight(ctx, code, line.data, line.len, msg, 0);
    else
        brz_report_lost(ctx, code, line.data, line.len, msg);
    return rc;
}

/* Returns the line after another one that lost its end, without the byte between them. Reports
 * what is no line. */
static brz_str joined_line(brz_ctx *ctx, brz_str rest)
{
    entry e;
    for (size_t skipped = 0; skipped < 2 && skipped < rest.len; skipped++) {
        brz_str line = brz_str_from(rest, skipped);
        if (read_line(line, &e) == SAYS_ODD)
            continue;
        brz_report(ctx, BRZ_WARNING, "xdebug.lines", rest.data, rest.len,
                   BRZ_STR("another line after this one, which lost its line end"));
        return line;
    }
    if (rest.len > 0)
        brz_report_lost(ctx, "xdebug.joined", rest.data, rest.len,
                        BRZ_STR("more than a line should have, such as a line that lost its line "
                                "end: left out"));
    return brz_str_of(NULL, 0);
}

/* Returns what follows the time in brackets, with which a trace begins. */
static brz_str after_time(brz_str line)
{
    const char *end = line.len > 0 ? memchr(line.data, ']', line.len) : NULL;
    size_t at = end == NULL ? line.len : (size_t)(end + 1 - line.data);
    return brz_trim(brz_str_from(line, at));
}

/* Returns the line below the current one, which is empty at the end of the input. Returns false if
 * the chunk does not have all of it. */
static bool next_line(const xdebug *x, bool is_last, brz_str *line)
{
    brz_str rest = brz_lines_rest(&x->lines);
    const char *newline = rest.len > 0 ? memchr(rest.data, '\n', rest.len) : NULL;
    *line = brz_str_of(rest.data, newline == NULL ? rest.len : (size_t)(newline - rest.data));
    if (line->len > 0 && line->data[line->len - 1] == '\r')
        line->len--;
    return newline != NULL || is_last;
}

/* Returns whether a line that ends after its time and memory is not the end of the trace, since
 * the line below it is one of the same trace. It is a call or a return that is cut off then. A
 * trace without headings may have another one below it. */
static bool trace_goes_on(const xdebug *x, const entry *end, brz_str below)
{
    const calls *c = &x->calls;
    entry e;
    if (below.len == 0 || !x->running || (!is_digit(below.data[0]) && below.data[0] != ' '))
        return false;
    enum line_says says = read_line(below, &e);
    if (says == SAYS_NOTHING)
        return true;
    if (x->has_start || says == SAYS_ODD)
        return x->has_start && says != SAYS_ODD;
    bool is_inner = says != SAYS_ENTRY || c->n_open == 0 || e.level > c->open[0].level;
    return is_inner && e.time >= end->time;
}

/* Reports a line that does not belong to a trace. Its time counts for the open call, unless no
 * other event follows. */
static void leave_out_odd(xdebug *x, brz_ctx *ctx, brz_str line)
{
    x->was_odd = true;
    brz_report_lost(ctx, "xdebug.line", line.data, line.len,
                    BRZ_STR("not a line of a trace: left out"));
}

/* Takes a line that may be the end of a trace, which the line below it shows. */
static brz_rc take_end(xdebug *x, brz_ctx *ctx, const entry *e, brz_str line, bool is_last)
{
    brz_str below;
    x->waits = !next_line(x, is_last, &below);
    if (x->waits)
        return BRZ_OK;
    if (!trace_goes_on(x, e, below))
        return end_trace(x, ctx, e);
    leave_out_odd(x, ctx, line);
    return BRZ_OK;
}

/* Takes a line. Returns in *rest another one after it. */
static brz_rc take_line(xdebug *x, brz_ctx *ctx, brz_str line, bool is_last, brz_str *rest)
{
    entry e;
    bool was_odd = x->was_odd;
    *rest = brz_str_of(NULL, 0);
    x->was_odd = false;
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    if (line.len == 0)
        return BRZ_OK;
    enum mark mark = is_digit(line.data[0]) || line.data[0] <= ' ' ? MARK_NONE : mark_of(line);
    if (mark != MARK_NONE) {
        if (mark == MARK_START && !is_table(line))
            *rest = joined_line(ctx, after_time(line));
        return take_mark(x, ctx, mark, line, was_odd || line.data[0] == '<');
    }
    switch (read_line(line, &e)) {
    case SAYS_ENTRY:
        *rest = joined_line(ctx, e.joined);
        x->running = true;
        return calls_enter(&x->calls, ctx, &e, frame_of(x, ctx, &e));
    case SAYS_EXIT:
        return take_exit(x, ctx, &e, line);
    case SAYS_END:
        return take_end(x, ctx, &e, line, is_last);
    case SAYS_ODD:
        leave_out_odd(x, ctx, line);
        return BRZ_OK;
    default:
        return BRZ_OK;
    }
}

/* ---- entry points ---------------------------------------------------------------------------- */

static brz_rc open_instance(brz_ctx *ctx)
{
    static const brz_column_desc weights[N_WEIGHTS] = {
        {sizeof(brz_column_desc), 3, {"time", 4}, {"microseconds", 12}, BRZ_COLUMN_CLOCK, 0},
        {sizeof(brz_column_desc), 0, {"memory", 6}, {"bytes", 5}, BRZ_COLUMN_GROWTH, 0},
        {sizeof(brz_column_desc), 0, {"calls", 5}, {"count", 5}, 0, 0},
    };
    xdebug *x = ctx->inst;
    x->options = ctx->cfg;
    brz_lines_init(&x->lines, ctx);
    brz_frame_cache_init(&x->cache, ctx);
    calls_init(&x->calls, ctx);
    for (size_t i = 0; i < N_WEIGHTS; i++)
        ctx->host->column(ctx, &weights[i]);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    xdebug *x = ctx->inst;
    bool is_last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    brz_rc rc = BRZ_OK;
    brz_str line, rest;
    brz_lines_start(&x->lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_take(&x->lines, chunk, &line)) {
        for (; rc == BRZ_OK && line.len > 0; line = rest) {
            rc = take_line(x, ctx, line, is_last, &rest);
            if (rc == BRZ_OK && x->waits) { /* for the line below this one */
                *used = (size_t)(line.data - (const char *)chunk->data);
                return BRZ_OK;
            }
        }
    }
    *used = chunk->len - brz_lines_rest(&x->lines).len;
    if (rc != BRZ_OK || !is_last)
        return rc;
    note_unfinished(x, ctx);
    return end_trace(x, ctx, NULL);
}

static brz_rc finish(brz_ctx *ctx)
{
    xdebug *x = ctx->inst;
    brz_report_count(ctx, BRZ_WARNING, "xdebug.time", x->calls.n_earlier, 0,
                     BRZ_STR("lines with an earlier time than the one before get that time "
                             "({count})"));
    return BRZ_OK;
}

/* Detects the format by its header, or by several valid rows. */
static int32_t sniff(const brz_head *head)
{
    const char *p = (const char *)head->data, *end = p + head->len, *newline;
    size_t rows = 0, odd = 0;
    for (size_t lines = 0; p < end && lines < 1000; lines++) {
        newline = memchr(p, '\n', (size_t)(end - p));
        const char *stop = newline == NULL ? end : newline;
        brz_str line = brz_trim_end(brz_str_of(p, (size_t)(stop - p)));
        p = stop + 1;
        if (mark_of(line) == MARK_START)
            return BRZ_SNIFF_HEADER;
        if (line.len == 0 || newline == NULL)
            continue;
        entry e;
        enum line_says says = read_line(line, &e);
        rows += says == SAYS_ENTRY;
        odd += says == SAYS_ODD;
    }
    return rows >= 3 && odd * 10 < rows ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static const brz_option options[] = {
    BRZ_OPTION(xdebug_options, "callsite", BOOL, callsite, "false",
               "add file and line of the call to names"),
};

static const char *const globs[] = {"*.xt", "*.xt.gz", NULL};

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .inst_size = sizeof(xdebug),
    .globs = globs,
    .sniff = sniff,
    .open = open_instance,
    .parse = parse,
    .finish = finish,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "xdebug",
    .summary = "Xdebug traces of PHP, in all three formats",
    .help = "Record with xdebug.mode=trace and xdebug.trace_format=1. Weights are time, memory "
            "and calls: see -w.",
    BRZ_OPTIONS(options, xdebug_options),
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_HINTS(BRZ_IF_NAME("*.xt") BRZ_IF_NAME("*.xt.gz") BRZ_IF_CONTAINS("TRACE START")
              BRZ_IF_CONTAINS("class='xdebug-trace'") BRZ_IF_CONTAINS("\t"))

BRZ_PLUGIN("xdebug", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
