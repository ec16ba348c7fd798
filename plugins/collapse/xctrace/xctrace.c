/* SPDX-License-Identifier: MIT */
/* Collapses tables of Apple's Instruments, as written by `xctrace export --xpath`.
 *
 *     input := XML: trace-query-result > node > (schema, row*)
 *
 * feed.c converts bytes to elements with expat, fast_path.c reads most rows without it; elements.c
 * interprets elements, rows.c counts rows; ids.c and pool.c store the values that later rows may
 * refer to. A row may refer to any earlier one, so the input cannot be divided among threads.
 *
 * Bytes are fed one complete row at a time, so that reports can show the text they refer to, and
 * the result does not depend on the division of the input.
 */
#include "reader.h"
#include "../../common/shipped.h"

#include <brazier/symbol.h>

/* ---- entry points ---------------------------------------------------------------------------- */

static brz_rc open_instance(brz_ctx *ctx)
{
    xctrace *x = ctx->inst;
    x->ctx = ctx;
    x->options = ctx->cfg;
    x->columns[0] = x->columns[1] = NO_VALUE;
    x->any_schema = x->options->schema.len == 0;
    brz_text_append(&x->wanted_schema, ctx, x->options->schema);
    BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples"),
                       .flags = BRZ_COLUMN_SAMPLES);
    brz_stacks_init(&x->stacks, ctx, BRZ_LEAF_FIRST);
    elements_init(x);
    fast_path_init(x);
    row_begin(x);
    feed_init(x);
    return x->rc;
}

/* Longer lines need not be presented again as a whole. */
#define LONG_LINE (1u << 20)

/* Returns the beginning of the line that contains data[at]. */
static size_t line_start(const uint8_t *data, size_t at)
{
    const uint8_t *newline = memrchr(data, '\n', at);
    return newline == NULL ? 0 : (size_t)(newline - data) + 1;
}

/* Parses a chunk. Finished rows stay in the chunk up to the end of their line, so that the host can
 * determine the columns of later reports on that line. */
static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    xctrace *x = ctx->inst;
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    size_t done = x->fed_ahead;
    *used = 0;
    if (done > chunk->len) /* the chunk is shorter than before */
        return BRZ_OK;
    done += feed_rows(x, chunk->data + done, chunk->len - done, last);
    *used = last ? chunk->len : line_start(chunk->data, done);
    if (last)
        feed_rest(x, chunk->data + done, chunk->len - done);
    else if (done - *used > LONG_LINE)
        *used = done;
    x->fed_ahead = last ? 0 : done - *used;
    return x->rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    xctrace *x = ctx->inst;
    report_left_out(x);
    brz_rc rc = rows_finish(x);
    return rc == BRZ_OK ? brz_stacks_finish(&x->stacks, ctx) : rc;
}

static void close_instance(brz_ctx *ctx)
{
    xctrace *x = ctx->inst;
    if (x->parser != NULL)
        XML_ParserFree(x->parser);
    x->parser = NULL;
}

static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_trim_start(brz_str_of((const char *)head->data, head->len));
    if (text.len == 0 || text.data[0] != '<')
        return BRZ_SNIFF_NO;
    bool found = brz_str_find(text, BRZ_STR("<trace-query-result"), 0) != SIZE_MAX;
    return found ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static const brz_option options[] = {
    BRZ_OPTION(xctrace_options, "core", BOOL, core, "false",
               "put the processor core below each stack"),
    BRZ_OPTION(xctrace_options, "frameless", BOOL, frameless, "false",
               "count rows without a backtrace under the name of their process"),
    BRZ_OPTION(xctrace_options, "process", BOOL, process, "false",
               "put the process below each stack"),
    BRZ_OPTION(xctrace_options, "schema", STR, schema, NULL,
               "count the rows of tables of this schema only; without it, of the first one"),
    BRZ_OPTION(xctrace_options, "srcline", BOOL, srcline, "false", "add file and line to names"),
    BRZ_OPTION(xctrace_options, "state", BOOL, state, "false",
               "put the state of the thread below each stack"),
    BRZ_OPTION(xctrace_options, "thread", BOOL, thread, "false", "put the thread below each stack"),
};

SHIPPED_READER(xctrace, .open = open_instance, .finish = finish, .close = close_instance)

BRZ_HINTS(BRZ_IF_CONTAINS("<trace-query-result"))

SHIPPED_COLLAPSER("xctrace", .summary = "Apple's Instruments, as xctrace export writes it",
                  .help = "Export a table with `xctrace export --input run.trace --xpath "
                          "'/trace-toc/*/data/table[@schema=\"time-profile\"]'`.",
                  BRZ_OPTIONS(options, xctrace_options))
