/* SPDX-License-Identifier: MIT */
/* Writes the instructions of the heaviest functions, and the weights of lines.
 *
 *     "code": [{"name", "module", "self", "why": there are no instructions, if so,
 *               "rows": [[address, instruction, self, file, line, target of a jump,
 *                         1 if a jump leads here, number of instructions left out before it], …]},
 *              …],
 *     "lines": [[file, line, self], …]
 *
 * Addresses are texts of hexadecimal digits; files are texts. Rows end after the last member that
 * is not empty. `self` is a number, or a list of one for each weight if there are several; 0
 * stands for zeros alone.
 */
#include "code.h"

#include <inttypes.h>
#include <stdio.h>

#include "../common/code/listing.h"

/* Instructions around those with a weight, and instructions of all functions. */
#define AROUND    200
#define MOST_ROWS 200000

typedef struct code_writer {
    html_page *page;
    size_t n_rows;     /* of all functions */
    size_t n_left_out; /* rows; after a function that reaches the limit, at least 1 */
    size_t n_pending;  /* empty members of the row that are not written yet */
    bool has_rows;     /* of the function */
} code_writer;

/* ---- rows ------------------------------------------------------------------------------------ */

/* Begins the next member of a row, which is not empty. */
static brz_writer *begin_member(code_writer *c)
{
    brz_writer *w = &c->page->w;
    for (; c->n_pending > 0; c->n_pending--)
        BRZ_PUT(w, ",0");
    brz_put_char(w, ',');
    return w;
}

static void put_number(code_writer *c, int64_t value)
{
    if (value == 0)
        c->n_pending++;
    else
        brz_put_i64(begin_member(c), value);
}

/* Writes a value, or a list of one for each weight. */
static void put_values(brz_writer *w, const int64_t *selves, uint32_t n)
{
    if (n == 1) {
        brz_put_i64(w, selves[0]);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        brz_put_char(w, i == 0 ? '[' : ',');
        brz_put_i64(w, selves[i]);
    }
    brz_put_char(w, ']');
}

static void put_selves(code_writer *c, const int64_t *selves)
{
    uint32_t n = c->page->tree->n_columns, zeros = 0;
    while (zeros < n && selves[zeros] == 0)
        zeros++;
    if (zeros == n)
        c->n_pending++;
    else
        put_values(begin_member(c), selves, n);
}

static void put_text(code_writer *c, brz_str text)
{
    if (text.len == 0)
        c->n_pending++;
    else
        html_put_json(begin_member(c), text);
}

static brz_str hex_of(char text[20], uint64_t address)
{
    return brz_str_of(text, (size_t)snprintf(text, 20, "%" PRIx64, address));
}

/* Returns an instruction as one text. */
static brz_str instruction_of(char *text, size_t size, const listing_row *row)
{
    int n = snprintf(text, size, "%.*s%*s%.*s", (int)row->mnemonic.len, row->mnemonic.data,
                     (int)listing_gap(row), "", (int)row->operands.len, row->operands.data);
    return brz_str_of(text, n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1);
}

/* Writes a row; a listing_fn. */
static void put_row(void *context, const listing_row *row)
{
    code_writer *c = context;
    char address[20], target[20], text[256];
    if (c->n_rows == MOST_ROWS) {
        c->n_left_out++;
        return;
    }
    c->n_rows++;
    brz_put_text(&c->page->w, c->has_rows ? ",\n[" : "\n[");
    c->has_rows = true;
    html_put_json(&c->page->w, hex_of(address, row->shown));
    c->n_pending = 0;
    put_text(c, row->mnemonic.len == 0 ? row->mnemonic : instruction_of(text, sizeof text, row));
    put_selves(c, row->selves);
    put_text(c, row->file);
    put_number(c, row->line);
    put_text(c, row->is_jump ? hex_of(target, row->target) : BRZ_STR(""));
    put_number(c, row->is_target);
    put_number(c, (int64_t)row->skipped);
    brz_put_char(&c->page->w, ']');
}

/* ---- functions ------------------------------------------------------------------------------- */

static void put_function(code_writer *c, const hot_function *f)
{
    const html_code_options *o = c->page->ctx->cfg;
    const listing_options how = {(code_syntax)o->syntax, AROUND};
    brz_writer *w = &c->page->w;
    BRZ_PUT(w, "{\"name\":");
    html_put_json(w, f->name);
    BRZ_PUT(w, ",\"module\":");
    html_put_json(w, f->module);
    BRZ_PUT(w, ",\"self\":");
    put_values(w, f->selves, f->n_selves);
    BRZ_PUT(w, ",\"rows\":[");
    c->has_rows = false;
    const char *why = listing_walk(c->page->ctx, f, how, put_row, c);
    brz_put_char(w, ']');
    if (why != NULL) {
        BRZ_PUT(w, ",\"why\":");
        html_put_json(w, brz_str_of_text(why));
    }
    brz_put_char(w, '}');
}

/* Writes the weights of lines, in several parts if several functions have one. */
static void put_lines(html_page *p, const hot_functions *all)
{
    bool has_any = false;
    BRZ_PUT(&p->w, ",\n\"lines\":[");
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; k < all->items[i].n_places; k++) {
            const hot_place *at = &all->items[i].places[k];
            if (at->file.len == 0 || at->line == 0)
                continue;
            brz_put_text(&p->w, has_any ? ",[" : "[");
            has_any = true;
            brz_put_u64(&p->w, texts_add(&p->texts, at->file));
            brz_put_char(&p->w, ',');
            brz_put_u64(&p->w, at->line);
            brz_put_char(&p->w, ',');
            put_values(&p->w, at->selves, p->tree->n_columns);
            brz_put_char(&p->w, ']');
        }
    brz_put_char(&p->w, ']');
}

static bool has_address(const hot_function *f)
{
    return f->places[f->n_places - 1].address != 0; /* they are sorted by it */
}

/* Writes the heaviest functions; those with lines alone are shown with the source. Returns their
 * number. */
static int64_t put_functions(code_writer *c, const hot_functions *all)
{
    const html_code_options *o = c->page->ctx->cfg;
    int64_t n = 0;
    BRZ_PUT(&c->page->w, ",\n\"code\":[");
    for (size_t i = 0; i < all->n && n < o->functions; i++) {
        if (!has_address(&all->items[i]))
            continue;
        if (c->n_rows == MOST_ROWS) {
            c->n_left_out++;
            break;
        }
        if (n++ > 0)
            BRZ_PUT(&c->page->w, ",\n");
        put_function(c, &all->items[i]);
    }
    brz_put_char(&c->page->w, ']');
    return n;
}

/* Warns of what the page lacks. */
static void report_lacks(const code_writer *c, const hot_functions *all, int64_t n)
{
    const html_code_options *o = c->page->ctx->cfg;
    hot_functions_report_empty(c->page->ctx, all);
    if (all->n > 0 && n == 0 && o->functions > 0 && o->page.source.len == 0)
        brz_output_report(c->page->ctx, BRZ_WARNING, "annotate.lines",
                          BRZ_STR("no instructions to show: the profile has lines, but no "
                                  "addresses; 'annotate-html.source=FOLDER' shows the lines with "
                                  "their source"));
    if (c->n_left_out > 0)
        brz_output_report(c->page->ctx, BRZ_WARNING, "annotate.rows",
                          BRZ_STR("some instructions are left out of the page: there are more than "
                                  "200,000"));
}

void html_put_code(html_page *p)
{
    hot_functions all;
    code_writer c = {.page = p};
    hot_functions_init(&all, p->ctx, p->tree, HOT_ALL);
    int64_t n = put_functions(&c, &all);
    put_lines(p, &all);
    report_lacks(&c, &all, n);
}
