/* SPDX-License-Identifier: MIT */
/* Writes the content of a page where its script does not run: the title, the heaviest functions,
 * and how to see the rest. The style hides it until the script has had the time to replace it; not
 * all browsers that refuse to run a script show the content of a noscript element. */
#include <brazier/symbol.h>
#include <brazier/text/trim.h>

#include "../common/amount.h"
#include "document.h"

#define MOST_ROWS 25

/* Weights of a function. */
typedef struct row {
    int64_t self, total;
    uint32_t until; /* first node after the outermost open call */
} row;

/* Sums up the weights of each name; recursive calls count once. Rows are indexed by text. */
static row *sum_up(html_page *p)
{
    const brz_tree *tree = p->tree;
    uint32_t *names = p->ctx->host->alloc(p->ctx, (tree->n_frames + 1) * sizeof *names, 0);
    for (uint32_t i = 0; i < tree->n_frames; i++)
        names[i] = texts_add(&p->texts, brz_display_name(brz_frame_at(tree, i)));
    row *rows = p->ctx->host->alloc(p->ctx, p->texts.n * sizeof *rows, 0);
    memset(rows, 0, p->texts.n * sizeof *rows);
    for (uint32_t i = 1; i < tree->n_nodes; i++) {
        const brz_node *n = brz_node_at(tree, i);
        row *of = &rows[names[n->frame]];
        of->self = add_saturated(of->self, brz_signed_self(tree, i));
        if (i < of->until)
            continue;
        of->until = i + n->subtree;
        of->total = add_saturated(of->total, brz_signed_total(tree, i));
    }
    return rows;
}

/* Returns whether a row precedes another one: by self weight, total, both without signs, and name.
 */
static bool precedes(const html_page *p, const row *rows, uint32_t a, uint32_t b)
{
    if (size_of_value(rows[a].self) != size_of_value(rows[b].self))
        return size_of_value(rows[a].self) > size_of_value(rows[b].self);
    if (size_of_value(rows[a].total) != size_of_value(rows[b].total))
        return size_of_value(rows[a].total) > size_of_value(rows[b].total);
    return brz_str_compare(p->texts.items[a], p->texts.items[b]) < 0;
}

/* Stores the numbers of the heaviest rows in `best`, heaviest first. Returns their number. */
static uint32_t find_heaviest(const html_page *p, const row *rows, uint32_t best[MOST_ROWS])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->texts.n; i++) {
        if (rows[i].total == 0 && rows[i].self == 0)
            continue;
        uint32_t at = n < MOST_ROWS ? n++ : MOST_ROWS;
        for (; at > 0 && precedes(p, rows, i, best[at - 1]); at--)
            if (at < MOST_ROWS)
                best[at] = best[at - 1];
        if (at < MOST_ROWS)
            best[at] = i;
    }
    return n;
}

static void put_weight(html_page *p, const amount_scale *scale, int64_t value)
{
    char text[AMOUNT_ROOM];
    const brz_node *root = brz_node_at(p->tree, 0);
    BRZ_PUT(&p->w, "<td>");
    brz_put(&p->w, text, (size_t)(amount_format(text, scale, value) - text));
    BRZ_PUT(&p->w, "<td>");
    char *end =
        amount_share(text, root->total > 0 ? 100.0 * (double)value / (double)root->total : 0);
    html_put_escaped(&p->w, brz_str_of(text, (size_t)(end - text)));
}

static void put_row(html_page *p, const amount_scale *scale, const row *r, brz_str name)
{
    BRZ_PUT(&p->w, "<tr>");
    put_weight(p, scale, r->self);
    put_weight(p, scale, r->total);
    BRZ_PUT(&p->w, "<td><bdi>");
    html_put_escaped(&p->w, brz_trim(name).len == 0 ? BRZ_STR("(no name)") : name);
    BRZ_PUT(&p->w, "</bdi>\n");
}

/* Writes the head of a pair of columns, with the word for the counted things. */
static void put_head(html_page *p, const amount_scale *scale, const char *what)
{
    BRZ_PUT(&p->w, "<th>");
    brz_put_text(&p->w, what);
    if (!amount_has_units(scale) && scale->word.len > 0) {
        BRZ_PUT(&p->w, " (");
        html_put_escaped(&p->w, scale->word);
        BRZ_PUT(&p->w, ")");
    }
    BRZ_PUT(&p->w, "<th>");
    brz_put_text(&p->w, what);
    BRZ_PUT(&p->w, " %");
}

void html_put_fallback(html_page *p)
{
    uint32_t best[MOST_ROWS];
    amount_scale scale = amount_scale_of(brz_column_at(p->tree, p->tree->main_column), 1);
    const row *rows = sum_up(p);
    uint32_t n = find_heaviest(p, rows, best);
    BRZ_PUT(&p->w, "<div id=\"fallback\">\n<h1>");
    html_put_escaped(&p->w, html_title(p));
    BRZ_PUT(&p->w,
            "</h1>\n<p>The flame graph in this file is drawn by a script, which does not run "
            "here. To see it, open the file in a browser with scripts enabled; save it first "
            "if it is an attachment or part of another page. These functions are the "
            "heaviest:</p>\n<table>\n<tr>");
    put_head(p, &scale, "Self");
    put_head(p, &scale, "Total");
    BRZ_PUT(&p->w, "<th>Name\n");
    for (uint32_t i = 0; i < n; i++)
        put_row(p, &scale, &rows[best[i]], p->texts.items[best[i]]);
    BRZ_PUT(&p->w, "</table>\n</div>\n");
}
