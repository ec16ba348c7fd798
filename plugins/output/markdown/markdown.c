/* SPDX-License-Identifier: MIT */
/* Writes the output "markdown": a summary of a profile or of a comparison, for merge requests, chat
 * and language models.
 *
 * All text that others wrote, such as names of functions, is within code spans: see code_span.h.
 */
#include <brazier/draft/quality.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "../../common/shipped.h"
#include "../common/calls.h"
#include "../common/columns.h"
#include "../common/number_text.h"
#include "../common/short_name.h"
#include "../common/title.h"
#include "code_span.h"
#include "sections.h"

#define NAME_MOST  80 /* columns of a function's name */
#define TITLE_MOST 70
#define WORD_MOST  32  /* columns of the name of a weight */
#define PATH_BEGIN 2   /* frames of a long path that are shown, from the root */
#define PATH_END   5   /* and from the function that weighs */
#define NOTE_MOST  600 /* bytes of the notes of the host */

typedef struct options {
    uint64_t budget;
    int64_t limit;
    int32_t sort;
    brz_str title;
} options;

/* State of one summary being made. */
typedef struct maker {
    brz_output_ctx *ctx;
    const options *options;
    const brz_tree *tree;
    summary summary;
    rows rows;
    short_names names;
    amount_scale scale;
    double whole; /* the weight that shares are parts of */
    bool compares;
} maker;

/* ---- cells --------------------------------------------------------------------------------- */

static void put_number(brz_writer *w, number_text n)
{
    brz_put(w, n.bytes, n.len);
}

static void put_cell(brz_writer *w, number_text n)
{
    put_number(w, n);
    BRZ_PUT(w, " | ");
}

static void put_name(maker *m, brz_str name)
{
    put_code_span(&m->summary.w, short_name(&m->names, name, NAME_MOST), CODE_IN_CELL);
}

/* Writes a number with the word for what it counts, or with its unit. */
static void put_amount(maker *m, const amount_scale *scale, int64_t value)
{
    brz_writer *w = &m->summary.w;
    number_text n = number_amount(scale, value);
    put_number(w, n);
    if (amount_has_units(scale))
        return;
    brz_put_char(w, ' ');
    put_words(w, columns_first(amount_word(scale, n.bytes, n.bytes + n.len), WORD_MOST));
}

/* Writes frames with the number of those between that are not shown. */
static void put_path(maker *m, const brz_stack_info *s)
{
    brz_writer *w = &m->summary.w;
    bool is_cut = s->n > PATH_BEGIN + PATH_END + 1;
    for (uint32_t i = 0; i < s->n; i++) {
        if (i > 0)
            BRZ_PUT(w, " \342\200\272 "); /* › */
        if (is_cut && i == PATH_BEGIN) {
            BRZ_PUT(w, "\342\200\246 "); /* … */
            put_count(w, s->n - PATH_BEGIN - PATH_END);
            BRZ_PUT(w, " more \342\200\246");
            i = s->n - PATH_END - 1;
            continue;
        }
        put_name(m, brz_display_name(brz_frame_at(m->tree, s->frames[i])));
    }
}

/* ---- paths --------------------------------------------------------------------------------- */

static int64_t change_of(const maker *m, const brz_stack_info *s)
{
    return rows_change(s->values[m->tree->before], s->values[m->tree->after]);
}

/* Returns what stacks are sorted by. */
static uint64_t rank_of(const maker *m, uint32_t stack)
{
    const brz_stack_info *s = brz_stack_at(m->tree, stack);
    return size_of_value(m->compares ? change_of(m, s) : s->values[m->tree->main_column]);
}

/* The heaviest stacks, sorted. */
typedef struct top {
    uint32_t stacks[ROWS_MOST];
    uint64_t ranks[ROWS_MOST];
    uint32_t n, most;
    uint32_t n_ranked; /* stacks with any weight, shown or not */
} top;

static void insert(top *t, uint32_t stack, uint64_t rank)
{
    uint32_t at = t->n < t->most ? t->n++ : t->most;
    if (at == t->most && (at == 0 || t->ranks[--at] >= rank))
        return;
    for (; at > 0 && t->ranks[at - 1] < rank; at--) {
        t->stacks[at] = t->stacks[at - 1];
        t->ranks[at] = t->ranks[at - 1];
    }
    t->stacks[at] = stack;
    t->ranks[at] = rank;
}

static top heaviest_stacks(const maker *m)
{
    top t = {.most = (uint32_t)m->options->limit};
    for (uint32_t i = 0; i < m->tree->n_stacks; i++) {
        uint64_t rank = rank_of(m, i);
        if (rank == 0 || brz_stack_at(m->tree, i)->n == 0)
            continue;
        t.n_ranked++;
        insert(&t, i, rank);
    }
    return t;
}

static void put_weights(maker *m, const brz_stack_info *s)
{
    brz_writer *w = &m->summary.w;
    if (!m->compares) {
        int64_t value = s->values[m->tree->main_column];
        put_cell(w, number_amount(&m->scale, value));
        put_cell(w, number_share(m->whole, value));
        return;
    }
    int64_t change = change_of(m, s);
    put_cell(w, number_amount(&m->scale, s->values[m->tree->before]));
    put_cell(w, number_amount(&m->scale, s->values[m->tree->after]));
    put_cell(w, number_signed(number_amount(&m->scale, change), change));
}

static void add_paths(maker *m, const char *heading, const char *columns)
{
    const top t = heaviest_stacks(m);
    section *to = summary_section(&m->summary, heading, "paths", columns);
    for (uint32_t i = 0; i < t.n; i++) {
        const brz_stack_info *s = brz_stack_at(m->tree, t.stacks[i]);
        BRZ_PUT(&m->summary.w, "| ");
        put_weights(m, s);
        put_path(m, s);
        BRZ_PUT(&m->summary.w, " |\n");
        summary_add_row(&m->summary, to);
    }
    to->more = t.n_ranked - t.n;
}

/* ---- a profile ----------------------------------------------------------------------------- */

static void put_function(maker *m, const row *r)
{
    brz_writer *w = &m->summary.w;
    BRZ_PUT(w, "| ");
    put_cell(w, number_amount(&m->scale, r->shown.self));
    put_cell(w, number_share(m->whole, r->shown.self));
    put_cell(w, number_amount(&m->scale, r->shown.total));
    put_cell(w, number_share(m->whole, r->shown.total));
    put_name(m, r->key);
    BRZ_PUT(w, " |\n");
}

/* Returns the number of functions that have stacks of the weight. They come first. */
static uint32_t known_rows(const rows *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n; i++)
        n += r->items[i].is_known;
    return n;
}

static void add_functions(maker *m)
{
    section *to = summary_section(&m->summary, "Heaviest functions", "functions",
                                  "| self | self % | total | total % | function |\n"
                                  "|--:|--:|--:|--:|:--|\n");
    uint32_t known = known_rows(&m->rows);
    for (uint32_t i = 0; i < known && i < m->options->limit; i++) {
        put_function(m, m->rows.order[i]);
        summary_add_row(&m->summary, to);
    }
    to->more = known - to->n;
}

/* Makes a line such as "cpu: 3.13 s in 2,502 samples, 40 functions". */
static brz_str totals_of_profile(maker *m)
{
    brz_writer *w = &m->summary.w;
    const brz_column_info *weight = brz_column_at(m->tree, m->tree->main_column);
    uint32_t samples = amount_samples(m->tree, m->tree->main_column);
    if (weight->name.len > 0 && !brz_str_equal(weight->name, m->scale.word)) {
        put_words(w, columns_first(weight->name, WORD_MOST));
        BRZ_PUT(w, ": ");
    }
    put_amount(m, &m->scale, weight->total);
    if (m->rows.losses > 0) {
        BRZ_PUT(w, " (gains ");
        put_number(w, number_amount(&m->scale, m->rows.gains));
        BRZ_PUT(w, ", losses ");
        put_number(w, number_amount(&m->scale, m->rows.losses));
        brz_put_char(w, ')');
    }
    if (samples != BRZ_NO_COLUMN) {
        const amount_scale count = amount_scale_of(brz_column_at(m->tree, samples), 1);
        BRZ_PUT(w, " in ");
        put_amount(m, &count, brz_column_at(m->tree, samples)->total);
    }
    uint32_t known = known_rows(&m->rows);
    BRZ_PUT(w, ", ");
    put_count(w, known);
    brz_put_text(w, known == 1 ? " function\n" : " functions\n");
    return summary_take(&m->summary);
}

static void make_profile(maker *m)
{
    const brz_column_info *weight = brz_column_at(m->tree, m->tree->main_column);
    m->scale = amount_scale_of(weight, 1);
    rows_count(&m->rows, m->tree, m->tree->main_column);
    rows_sort(&m->rows, m->options->sort, false);
    m->whole =
        m->rows.losses > 0 ? (double)m->rows.gains + (double)m->rows.losses : (double)weight->total;
    m->summary.totals = totals_of_profile(m);
    add_functions(m);
    add_paths(m, "Heaviest paths", "| weight | share | path |\n|--:|--:|:--|\n");
}

/* ---- a comparison -------------------------------------------------------------------------- */

/* The functions of a section of a comparison. */
typedef enum group { HEAVIER, LIGHTER, NEW, VANISHED } group;

static int64_t weight_before(const maker *m, const row *r, bool by_total)
{
    return by_total || m->options->sort == SORT_TOTAL ? r->before.total : r->before.self;
}

static int64_t weight_after(const maker *m, const row *r, bool by_total)
{
    return by_total || m->options->sort == SORT_TOTAL ? r->after.total : r->after.self;
}

static bool is_in_group(const maker *m, const row *r, group g)
{
    if (row_is_new(r) || row_is_vanished(r))
        return g == (row_is_new(r) ? NEW : VANISHED);
    int64_t change = rows_change(weight_before(m, r, false), weight_after(m, r, false));
    return change > 0 ? g == HEAVIER : change < 0 && g == LIGHTER;
}

static void put_changed(maker *m, const row *r, group g)
{
    brz_writer *w = &m->summary.w;
    bool is_one_sided = g == NEW || g == VANISHED;
    int64_t before = weight_before(m, r, is_one_sided), after = weight_after(m, r, is_one_sided);
    BRZ_PUT(w, "| ");
    if (is_one_sided) {
        put_cell(w, number_amount(&m->scale, g == NEW ? after : before));
    } else {
        int64_t change = rows_change(before, after);
        put_cell(w, number_amount(&m->scale, before));
        put_cell(w, number_amount(&m->scale, after));
        put_cell(w, number_signed(number_amount(&m->scale, change), change));
        put_cell(w, number_change_share(r, before, after));
    }
    put_name(m, r->key);
    BRZ_PUT(w, " |\n");
}

static void add_group(maker *m, group g, const char *heading, const char *columns)
{
    section *to = summary_section(&m->summary, heading, "functions", columns);
    for (uint32_t i = 0; i < m->rows.n; i++) {
        const row *r = m->rows.order[i];
        if (!is_in_group(m, r, g))
            continue;
        if (to->n == m->options->limit) {
            to->more++;
            continue;
        }
        put_changed(m, r, g);
        summary_add_row(&m->summary, to);
    }
}

/* Makes a line such as "90 samples before, 115 after (+27.78%)". */
static brz_str totals_of_comparison(maker *m)
{
    brz_writer *w = &m->summary.w;
    int64_t before = brz_column_at(m->tree, m->tree->before)->total;
    int64_t after = brz_column_at(m->tree, m->tree->after)->total;
    const row sides = {.was_before = true, .is_after = true};
    number_text share = number_change_share(&sides, before, after);
    put_amount(m, &m->scale, before);
    BRZ_PUT(w, " before, ");
    put_number(w, number_amount(&m->scale, after));
    BRZ_PUT(w, " after");
    if (share.len > 0) {
        BRZ_PUT(w, " (");
        put_number(w, share);
        brz_put_char(w, ')');
    }
    BRZ_PUT(w, "\n");
    return summary_take(&m->summary);
}

static void make_comparison(maker *m)
{
    static const char changed[] = "| before | after | change | change % | function |\n"
                                  "|--:|--:|--:|--:|:--|\n";
    static const char one_sided[] = "| total | function |\n|--:|:--|\n";
    bool by_total = m->options->sort == SORT_TOTAL;
    m->scale = amount_scale_of(brz_column_at(m->tree, m->tree->after), 1);
    rows_compare(&m->rows, m->tree);
    m->summary.totals = totals_of_comparison(m);
    rows_sort(&m->rows, m->options->sort, true);
    add_group(m, HEAVIER, by_total ? "Heavier, by total" : "Heavier, by self", changed);
    add_group(m, LIGHTER, by_total ? "Lighter, by total" : "Lighter, by self", changed);
    rows_sort(&m->rows, SORT_TOTAL, true);
    add_group(m, NEW, "New, by total", one_sided);
    add_group(m, VANISHED, "Vanished, by total", one_sided);
    add_paths(m, "Paths that changed most",
              "| before | after | change | path |\n|--:|--:|--:|:--|\n");
}

/* ---- the summary --------------------------------------------------------------------------- */

/* Makes the title: that of the option, or from what is known about the recording. */
static brz_str make_title(maker *m)
{
    brz_writer *w = &m->summary.w;
    const char *kind = m->compares ? "Comparison" : "Profile";
    brz_str known = title_of(m->ctx, m->tree, BRZ_STR(""));
    bool is_chosen = m->options->title.len > 0;
    brz_str title = is_chosen ? m->options->title : known;
    if (!is_chosen)
        brz_put_text(w, kind);
    if (!is_chosen && title.len > 0)
        BRZ_PUT(w, " of ");
    if (title.len > 0)
        put_words(w, columns_first(title, TITLE_MOST));
    return summary_take(&m->summary);
}

/* Makes a note of a line of parts, each after "; ", as far as they fit. */
static brz_str make_note(maker *m, brz_str text)
{
    brz_writer *w = &m->summary.w;
    size_t room = NOTE_MOST;
    while (text.len > 0) {
        size_t at = brz_str_find(text, BRZ_STR("; "), 0);
        brz_str part = brz_str_of(text.data, at == SIZE_MAX ? text.len : at);
        if (part.len > room) {
            BRZ_PUT(w, "\342\200\246"); /* … */
            break;
        }
        put_words(w, part);
        room -= part.len;
        text = at == SIZE_MAX ? brz_str_of("", 0) : brz_str_of(text.data + at, text.len - at);
        if (text.len > 0) {
            BRZ_PUT(w, "; ");
            text = brz_str_of(text.data + 2, text.len - 2);
        }
    }
    return summary_take(&m->summary);
}

/* Adds what the host says about the inputs. */
static void add_notes(maker *m)
{
    const brz_quality_service *quality = m->ctx->host->extension(m->ctx, BRZ_QUALITY_ID);
    if (quality == NULL)
        return;
    m->summary.findings = make_note(m, quality->findings(m->ctx));
    m->summary.left_out = make_note(m, quality->left_out(m->ctx));
}

static brz_rc write_markdown(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    maker *m = ctx->inst;
    *m = (maker){.ctx = ctx, .options = ctx->cfg, .tree = tree, .summary = {.ctx = ctx}};
    m->compares = tree->before != BRZ_NO_COLUMN && tree->after != BRZ_NO_COLUMN;
    brz_writer_init(&m->summary.w, ctx, sink);
    short_names_init(&m->names, ctx);
    rows_init(&m->rows, ctx, tree, BY_NAME);
    m->summary.title = make_title(m);
    if (m->compares)
        make_comparison(m);
    else
        make_profile(m);
    add_notes(m);
    return summary_write(&m->summary, m->options->budget);
}

static const char *const sort_words[] = {"self", "total", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "budget", SIZE, budget, "4K",
               "maximum size in bytes; what weighs least is left out, and the summary says so",
               .range = "1024.."),
    BRZ_OPTION(options, "limit", INT, limit, "10", "number of rows of each table",
               .range = "1..100"),
    BRZ_OPTION(options, "sort", ENUM, sort, "self",
               "largest self or total first; comparisons show the same weight",
               .choices = sort_words),
    BRZ_OPTION(options, "title", STR, title, "", "title [what is known about the recording]"),
};

static const char *const endings[] = {"md", "markdown", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_STACKS | BRZ_OUTPUT_FUNCTIONS,
    .inst_size = sizeof(maker),
    .media_type = "text/markdown",
    .endings = endings,
    .write = write_markdown,
};

SHIPPED_PLUGIN("markdown", BRZ_OUTPUT, &output,
               .summary = "a summary for merge requests, chat and language models",
               BRZ_OPTIONS(option_table, options))
