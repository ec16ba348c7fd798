/* SPDX-License-Identifier: MIT */
/* Writes the output "term": a flame graph of characters, for terminals.
 *
 * Each row of text is one depth. A frame takes the columns that its weight amounts to, rounded so
 * that callees stay within their callers; a frame of no columns is left out with all its callees.
 * With colours a frame is a coloured run of cells, without them "|name---".
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

#include <stdlib.h>

#include "../common/amount.h"
#include "../../common/shipped.h"
#include "../common/ink.h"
#include "../common/screen_text.h"
#include "../common/short_name.h"
#include "heaviest.h"

#define USUAL_WIDTH 80
#define LEAST_NAME  3 /* columns that a shortened name needs */

enum { LABEL_SMART, LABEL_HEAD };
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

typedef struct options {
    int64_t width, depth;
    int32_t color, label;
    bool inverted, legend;
    brz_str root;
} options;

typedef struct cells {
    uint32_t node, from, to; /* columns from .. to - 1 */
    uint32_t color;          /* 0xRRGGBBAA */
} cells;

/* State of one picture being written. */
typedef struct picture {
    brz_output_ctx *ctx;
    const options *options;
    const brz_tree *tree;
    brz_writer w;
    uint32_t width;
    bool colored;
    ink ink;
    short_names names;
    double *totals; /* indexed by node; negative self weights count as 0 */
    cells *drawn;   /* cells row by row, root first, left to right within a row */
    uint32_t n_drawn;
    uint32_t *row_ends; /* indexed by depth: end of the row in `drawn` */
    uint32_t n_rows;
    uint32_t n_narrow, n_deep; /* number of frames left out: too narrow, too deep */
} picture;

/* ---- width and colours --------------------------------------------------------------------- */

static uint32_t choose_width(const options *o, const brz_sink *sink)
{
    const char *columns = getenv("COLUMNS");
    long wish = columns == NULL ? 0 : strtol(columns, NULL, 10);
    if (o->width > 0)
        return (uint32_t)o->width;
    if (sink->columns > 0)
        return sink->columns;
    return wish > 0 && wish <= UINT16_MAX ? (uint32_t)wish : USUAL_WIDTH;
}

/* Returns whether to use colours. With "auto", follows https://no-color.org and avoids terminals
 * without colours. */
static bool choose_color(const options *o, const brz_sink *sink)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (o->color != COLOR_AUTO)
        return o->color == COLOR_ALWAYS;
    if (no_color != NULL && no_color[0] != '\0')
        return false;
    return sink->columns > 0 && (term == NULL || strcmp(term, "dumb") != 0);
}

/* ---- layout -------------------------------------------------------------------------------- */

static double own_weight(const picture *p, uint32_t i)
{
    int64_t self = brz_node_at(p->tree, i)->self;
    return self > 0 ? (double)self : 0;
}

/* Computes totals. Callers precede their callees, so one backward pass completes every sum. */
static void add_up(picture *p)
{
    p->totals = p->ctx->host->alloc(p->ctx, p->tree->n_nodes * sizeof *p->totals, 0);
    for (uint32_t i = p->tree->n_nodes; i-- > 0;) {
        p->totals[i] += own_weight(p, i);
        if (i > 0)
            p->totals[brz_node_at(p->tree, i)->parent] += p->totals[i];
    }
}

/* Returns the column at which a weight ends. Does not decrease as the weight grows. */
static uint32_t column_of(const picture *p, double weight, double whole)
{
    return (uint32_t)(weight * p->width / whole + 0.5);
}

/* Calls `draw` for each frame that is drawn, callers first. */
static void walk(picture *p, void (*draw)(picture *p, const cells *c, uint32_t depth))
{
    double whole = p->totals[0], now = 0;
    p->n_narrow = p->n_deep = 0;
    for (uint32_t i = 0; i < p->tree->n_nodes && whole > 0;) {
        const brz_node *n = brz_node_at(p->tree, i);
        double end = now + p->totals[i];
        cells c = {i, column_of(p, now, whole), column_of(p, end, whole), 0};
        bool deep = p->options->depth > 0 && n->depth > p->options->depth;
        if (deep || c.from >= c.to) {
            *(deep ? &p->n_deep : &p->n_narrow) += n->subtree;
            now = end;
            i += n->subtree;
            continue;
        }
        draw(p, &c, n->depth);
        now += own_weight(p, i);
        i++;
    }
}

static void count(picture *p, const cells *c, uint32_t depth)
{
    (void)c;
    p->row_ends[depth]++;
    p->n_drawn++;
    p->n_rows = depth + 1 > p->n_rows ? depth + 1 : p->n_rows;
}

/* Appends a frame to its row. Colours are requested in this order. */
static void place(picture *p, const cells *c, uint32_t depth)
{
    cells *at = &p->drawn[p->row_ends[depth]++];
    *at = *c;
    if (p->colored)
        at->color = p->ctx->host->color(p->ctx, p->tree, c->node);
}

/* Counts the frames of each row, converts the counts to row starts, and fills the rows. */
static void lay_out(picture *p)
{
    brz_output_ctx *ctx = p->ctx;
    p->row_ends = ctx->host->alloc(ctx, ((size_t)p->tree->max_depth + 2) * sizeof(uint32_t), 0);
    walk(p, count);
    uint32_t before = 0;
    for (uint32_t row = 0; row < p->n_rows; row++) {
        uint32_t n = p->row_ends[row];
        p->row_ends[row] = before;
        before += n;
    }
    p->drawn = ctx->host->alloc(ctx, ((size_t)p->n_drawn + 1) * sizeof *p->drawn, 0);
    walk(p, place);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void put_repeated(brz_writer *w, char c, uint32_t n)
{
    while (n-- > 0)
        brz_put_char(w, c);
}

static brz_str name_of(const picture *p, uint32_t node)
{
    if (node == 0)
        return p->options->root;
    return brz_display_name(brz_frame_at(p->tree, brz_node_at(p->tree, node)->frame));
}

static void put_rgb(brz_writer *w, uint32_t color)
{
    brz_put_u64(w, color >> 24);
    brz_put_char(w, ';');
    brz_put_u64(w, color >> 16 & 0xff);
    brz_put_char(w, ';');
    brz_put_u64(w, color >> 8 & 0xff);
}

/* Writes as much of a frame's name as is useful in `columns` columns. Returns the columns used. */
static uint32_t put_name(picture *p, uint32_t node, uint32_t columns)
{
    brz_str name = name_of(p, node);
    if (p->options->label == LABEL_HEAD && columns < LEAST_NAME && screen_width(name) > columns)
        return 0;
    if (p->options->label == LABEL_SMART)
        name = short_name(&p->names, name, columns);
    return put_screen_text(&p->w, name, columns);
}

/* Writes a coloured frame. A line at its left edge separates neighbours of the same colour. */
static void put_colored(picture *p, const cells *c)
{
    uint32_t width = c->to - c->from, used = 0;
    BRZ_PUT(&p->w, "\x1b[48;2;");
    put_rgb(&p->w, c->color);
    brz_put_text(&p->w, ink_is_black(&p->ink, c->color) ? ";38;2;0;0;0m" : ";38;2;255;255;255m");
    if (width > 1) {
        BRZ_PUT(&p->w, "\xe2\x96\x8f");
        used = 1 + put_name(p, c->node, width - 1);
    }
    put_repeated(&p->w, ' ', width - used);
}

static void put_plain(picture *p, const cells *c)
{
    uint32_t width = c->to - c->from;
    brz_put_char(&p->w, '|');
    uint32_t used = 1 + put_name(p, c->node, width - 1);
    put_repeated(&p->w, '-', width - used);
}

static void put_row(picture *p, uint32_t row)
{
    uint32_t at = 0;
    for (uint32_t i = row == 0 ? 0 : p->row_ends[row - 1]; i < p->row_ends[row]; i++) {
        const cells *c = &p->drawn[i];
        if (p->colored && at > 0 && at < c->from)
            BRZ_PUT(&p->w, "\x1b[0m");
        put_repeated(&p->w, ' ', c->from - at);
        if (p->colored)
            put_colored(p, c);
        else
            put_plain(p, c);
        at = c->to;
    }
    if (p->colored)
        BRZ_PUT(&p->w, "\x1b[0m");
    brz_put_char(&p->w, '\n');
}

/* Returns what divides the parts of the summary: each has a line of its own where all of them would
 * not fit into one. */
static const char *separator(const picture *p)
{
    return p->width < USUAL_WIDTH ? "\n" : ", ";
}

static void put_left_out(picture *p, uint32_t n, const char *which)
{
    if (n == 0)
        return;
    brz_put_text(&p->w, separator(p));
    put_count(&p->w, n);
    brz_put_text(&p->w, n == 1 ? " frame " : " frames ");
    brz_put_text(&p->w, which);
}

/* ---- legend -------------------------------------------------------------------------------- */

/* Returns the widest drawn frame of a function, or NULL. */
static const cells *widest_of(const picture *p, brz_str name)
{
    const cells *widest = NULL;
    for (uint32_t i = 0; i < p->n_drawn; i++) {
        const cells *c = &p->drawn[i];
        if (c->node == 0 || !brz_str_equal(name_of(p, c->node), name))
            continue;
        if (widest == NULL || c->to - c->from > widest->to - widest->from)
            widest = c;
    }
    return widest;
}

/* Writes the colour of a function; a blank if none of its frames is drawn. */
static void put_swatch(picture *p, brz_str name)
{
    const cells *c = p->colored ? widest_of(p, name) : NULL;
    if (!p->colored)
        return;
    if (c != NULL) {
        BRZ_PUT(&p->w, "\x1b[48;2;");
        put_rgb(&p->w, c->color);
        BRZ_PUT(&p->w, "m  \x1b[0m ");
    } else {
        BRZ_PUT(&p->w, "   ");
    }
}

/* A number of the legend, as text. */
typedef struct figure {
    char bytes[AMOUNT_ROOM];
    size_t len;
} figure;

/* The numbers of a function: its share of the whole, and its weight. */
typedef struct figures {
    figure share, amount;
} figures;

/* Widths of the columns of numbers. */
typedef struct figure_widths {
    uint32_t share, amount;
} figure_widths;

static figures figures_of(const picture *p, const heavy *h)
{
    figures f = {0};
    const amount_scale scale = amount_scale_of(brz_column_at(p->tree, p->tree->main_column), 1);
    bool compares = p->tree->before != BRZ_NO_COLUMN;
    bool has_sign = compares || (p->tree->flags & BRZ_TREE_SIGNED) != 0;
    double whole = p->totals[0], part = (double)h->self;
    if (compares)
        part = (double)h->after - (double)h->before;
    int64_t value = compares ? (int64_t)((uint64_t)h->after - (uint64_t)h->before) : h->self;
    bool is_more = has_sign && part > 0;
    f.share.bytes[0] = f.amount.bytes[0] = '+';
    char *end = amount_share(f.share.bytes + is_more, whole > 0 ? 100 * part / whole : 0);
    *end++ = '%';
    f.share.len = (size_t)(end - f.share.bytes);
    f.amount.len =
        (size_t)(amount_format(f.amount.bytes + is_more, &scale, value) - f.amount.bytes);
    return f;
}

static uint32_t figure_width(const figure *f)
{
    return screen_width(brz_str_of(f->bytes, f->len));
}

static void widen(uint32_t *width, const figure *f)
{
    uint32_t own = figure_width(f);
    *width = own > *width ? own : *width;
}

/* Writes a number at the right end of its column, and the gap after that. */
static void put_figure(picture *p, const figure *f, uint32_t width)
{
    put_repeated(&p->w, ' ', width - figure_width(f));
    brz_put(&p->w, f->bytes, f->len);
    BRZ_PUT(&p->w, "  ");
}

static const char *side_of(const picture *p, const heavy *h)
{
    if (p->tree->before == BRZ_NO_COLUMN || h->was_before == h->is_after)
        return "";
    return h->is_after ? " (new)" : " (vanished)";
}

static void put_heavy(picture *p, const heavy *h, figure_widths widths)
{
    figures f = figures_of(p, h);
    const char *side = side_of(p, h);
    uint32_t used = (p->colored ? 3 : 0) + widths.share + widths.amount + 4;
    used += (uint32_t)strlen(side);
    put_swatch(p, h->name);
    put_figure(p, &f.share, widths.share);
    put_figure(p, &f.amount, widths.amount);
    uint32_t room = used + 8 < p->width ? p->width - used : 8;
    put_screen_text(&p->w, short_name(&p->names, h->name, room), room);
    brz_put_text(&p->w, side);
    brz_put_char(&p->w, '\n');
}

/* Writes the heaviest functions, or in a comparison those that changed most. */
static void put_heaviest(picture *p)
{
    heavy top[HEAVIEST];
    figure_widths widths = {0, 0};
    uint32_t n = heaviest_find(p->ctx, p->tree, top);
    for (uint32_t i = 0; i < n; i++) {
        figures f = figures_of(p, &top[i]);
        widen(&widths.share, &f.share);
        widen(&widths.amount, &f.amount);
    }
    for (uint32_t i = 0; i < n; i++)
        put_heavy(p, &top[i], widths);
}

/* Writes the parts of the run's weight, if it has losses: the picture is as wide as both. */
static void put_signs(picture *p)
{
    const amount_scale scale = amount_scale_of(brz_column_at(p->tree, p->tree->main_column), 1);
    uint64_t size = (uint64_t)brz_node_at(p->tree, 0)->total;
    uint64_t losses = (size - (uint64_t)brz_signed_total(p->tree, 0)) / 2;
    char text[AMOUNT_ROOM];
    if (!(p->tree->flags & BRZ_TREE_SIGNED) || losses == 0)
        return;
    BRZ_PUT(&p->w, " (gains ");
    brz_put(&p->w, text, (size_t)(amount_format(text, &scale, (int64_t)(size - losses)) - text));
    BRZ_PUT(&p->w, ", losses ");
    brz_put(&p->w, text, (size_t)(amount_format(text, &scale, (int64_t)losses) - text));
    brz_put_char(&p->w, ')');
}

static void put_legend(picture *p)
{
    const brz_tree *tree = p->tree;
    if (tree->before != BRZ_NO_COLUMN) {
        uint32_t other = tree->main_column == tree->before ? tree->after : tree->before;
        put_amount_total(&p->w, tree, other);
        brz_put_text(&p->w, separator(p));
    }
    put_amount_total(&p->w, tree, tree->main_column);
    put_signs(p);
    put_left_out(p, p->n_narrow, "narrower than a column");
    put_left_out(p, p->n_deep, "too deep");
    brz_put_char(&p->w, '\n');
    put_heaviest(p);
}

static brz_rc write_term(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    picture p = {.ctx = ctx, .options = ctx->cfg, .tree = tree};
    p.width = choose_width(p.options, sink);
    p.colored = choose_color(p.options, sink);
    brz_writer_init(&p.w, ctx, sink);
    ink_init(&p.ink);
    short_names_init(&p.names, ctx);
    add_up(&p);
    lay_out(&p);
    for (uint32_t i = 0; i < p.n_rows && p.w.rc == BRZ_OK; i++)
        put_row(&p, p.options->inverted ? i : p.n_rows - 1 - i);
    if (p.options->legend)
        put_legend(&p);
    return brz_writer_finish(&p.w);
}

static const char *const label_words[] = {"smart", "head", NULL};
static const char *const color_words[] = {"auto", "always", "never", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "width", INT, width, "0",
               "columns; 0: width of the terminal, else COLUMNS, else 80", .range = "0..10000"),
    BRZ_OPTION(options, "color", ENUM, color, "auto",
               "24-bit colours; auto: on terminals, unless NO_COLOR is set",
               .choices = color_words),
    BRZ_OPTION(
        options, "label", ENUM, label, "smart",
        "names that do not fit: smart keeps the function's own name; head keeps the beginning",
        .choices = label_words),
    BRZ_OPTION(options, "inverted", BOOL, inverted, "false", "root on top"),
    BRZ_OPTION(options, "depth", INT, depth, "0", "maximum number of frames above the root; 0: all",
               .range = "0.."),
    BRZ_OPTION(options, "root", STR, root, "all", "name of the outermost frame"),
    BRZ_OPTION(options, "legend", BOOL, legend, "true",
               "end with the total, the number of omitted frames and the five heaviest functions"),
};

static const char *const endings[] = {"ansi", "term", NULL};

SHIPPED_WRITER(write_term, "text/plain",
               BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_COLOR | BRZ_OUTPUT_FUNCTIONS)

SHIPPED_PLUGIN("term", BRZ_OUTPUT, &output,
               .summary = "a flame graph of characters, for terminals and logs",
               BRZ_OPTIONS(option_table, options))
