/* SPDX-License-Identifier: MIT */
/* Writes the data of a page: frames, the call tree, and the weights of each call.
 *
 *     {"weights": [{"name", "unit", "decimals", "countsSamples": true for numbers of samples,
 *                   "isCompared": true for a side of a comparison}, …],
 *      "weight": the selected one,
 *      "before", "after": the compared ones, in a comparison,
 *      "texts": [text, …],
 *      "frames": {"name", "module", "file": numbers of texts, "line", "kind"},
 *      "colors": [0xRRGGBB, …], the root's first,
 *      "frameColors", "callColors": numbers of colours (see colors.c),
 *      "calls": {"frame", "up"}, "selves": [one column per weight],
 *      "losses": [a column per weight, or 0], if a weight has negative values,
 *      "time": {"frame", "up", "start", "total"}, if the chronological order is known; in a
 *              comparison "before" and "after" too; with signs see put_time_signs(),
 *      "legend", "legends": see legend.c, "source": see source.c, "samples": see samples.c,
 *      "code", "lines": see code.c}
 *
 * columns.c encodes the columns. Frames are in the order of frames.c. Calls are in pre-order
 * without the root; `up` is the number of levels that a call lies further out than a callee of the
 * previous call. `selves` include the root, which comes first; they are sizes, of which `losses` is
 * the part that is negative. `time` has the same structure as `calls`, for the selected weight
 * only; `start` is the difference between the start of a call and the start of the previous one;
 * `before` and `after` are what a call weighs itself.
 */
#include "document.h"

#include "../common/frame_kind.h"

static void put_weights(html_page *p)
{
    const brz_tree *tree = p->tree;
    BRZ_PUT(&p->w, "{\"weights\":[");
    for (uint32_t i = 0; i < tree->n_columns; i++) {
        const brz_column_info *info = brz_column_at(tree, i);
        brz_put_text(&p->w, i > 0 ? ",{\"name\":" : "{\"name\":");
        html_put_json(&p->w, info->name);
        BRZ_PUT(&p->w, ",\"unit\":");
        html_put_json(&p->w, info->unit);
        BRZ_PUT(&p->w, ",\"decimals\":");
        brz_put_u64(&p->w, info->decimals);
        if (info->flags & BRZ_COLUMN_SAMPLES)
            BRZ_PUT(&p->w, ",\"countsSamples\":true");
        if (info->flags & (BRZ_COLUMN_BEFORE | BRZ_COLUMN_AFTER))
            BRZ_PUT(&p->w, ",\"isCompared\":true");
        BRZ_PUT(&p->w, "}");
    }
    BRZ_PUT(&p->w, "],\"weight\":");
    brz_put_u64(&p->w, tree->main_column);
    if (tree->before == BRZ_NO_COLUMN || tree->after == BRZ_NO_COLUMN)
        return;
    BRZ_PUT(&p->w, ",\"before\":");
    brz_put_u64(&p->w, tree->before);
    BRZ_PUT(&p->w, ",\"after\":");
    brz_put_u64(&p->w, tree->after);
}

/* ---- frames -------------------------------------------------------------------------------- */

typedef uint64_t frame_number(html_page *p, const brz_frame_info *f);

static uint64_t name_of(html_page *p, const brz_frame_info *f)
{
    return texts_add(&p->texts, brz_display_name(f));
}

static uint64_t module_of(html_page *p, const brz_frame_info *f)
{
    return texts_add(&p->texts, f->module);
}

static uint64_t file_of(html_page *p, const brz_frame_info *f)
{
    return texts_add(&p->texts, f->file);
}

static uint64_t line_of(html_page *p, const brz_frame_info *f)
{
    (void)p;
    return f->line;
}

static uint64_t kind_of(html_page *p, const brz_frame_info *f)
{
    (void)p;
    return brz_frame_category(f->kind, f->flags);
}

static void put_frame_column(html_page *p, const char *key, frame_number *number)
{
    brz_put_text(&p->w, key);
    html_open_column(&p->w);
    for (uint32_t i = 0; i < p->tree->n_frames; i++)
        html_put_number(&p->w, number(p, brz_frame_at(p->tree, p->frames[i])));
    html_close_column(&p->w);
}

static void put_frames(html_page *p)
{
    put_frame_column(p, ",\n\"frames\":{\"name\":", name_of);
    put_frame_column(p, ",\"module\":", module_of);
    put_frame_column(p, ",\"file\":", file_of);
    put_frame_column(p, ",\"line\":", line_of);
    put_frame_column(p, ",\"kind\":", kind_of);
    BRZ_PUT(&p->w, "},\n\"texts\":[");
    for (uint32_t i = 0; i < p->texts.n; i++) {
        if (i > 0)
            BRZ_PUT(&p->w, ",\n");
        html_put_json(&p->w, p->texts.items[i]);
    }
    brz_put_char(&p->w, ']');
}

/* ---- calls --------------------------------------------------------------------------------- */

static void put_calls(html_page *p)
{
    const call *items = p->calls.items;
    BRZ_PUT(&p->w, ",\n\"calls\":{\"frame\":");
    html_open_column(&p->w);
    for (uint32_t i = 1; i < p->calls.n; i++)
        html_put_number(&p->w, p->number_of[items[i].frame]);
    html_close_column(&p->w);
    BRZ_PUT(&p->w, ",\"up\":");
    html_open_column(&p->w);
    for (uint32_t i = 1; i < p->calls.n; i++)
        html_put_number(&p->w, items[i - 1].depth + 1 - items[i].depth);
    html_close_column(&p->w);
    brz_put_char(&p->w, '}');
}

/* Gains and losses of a call itself, both without signs. */
typedef struct signs {
    uint64_t gains, losses;
} signs;

static signs signs_of(int64_t value)
{
    signs s = {value > 0 ? (uint64_t)value : 0, value < 0 ? 0 - (uint64_t)value : 0};
    return s;
}

/* Returns whether a weight is the sum of both sides of the comparison. Each side of a call counts:
 * a gain does not hide a loss. */
static bool is_sum(const brz_tree *tree, uint32_t weight)
{
    return tree->before != BRZ_NO_COLUMN && weight == tree->main_column && weight != tree->before &&
           weight != tree->after;
}

static signs call_signs(const html_page *p, uint32_t i, uint32_t weight)
{
    const brz_tree *tree = p->tree;
    if (!is_sum(tree, weight))
        return signs_of(call_self(&p->calls, i, weight));
    signs before = signs_of(call_self(&p->calls, i, tree->before));
    signs after = signs_of(call_self(&p->calls, i, tree->after));
    return (signs){before.gains + after.gains, before.losses + after.losses};
}

static void put_selves(html_page *p)
{
    BRZ_PUT(&p->w, ",\n\"selves\":[");
    for (uint32_t weight = 0; weight < p->tree->n_columns; weight++) {
        if (weight > 0)
            brz_put_char(&p->w, ',');
        html_open_column(&p->w);
        for (uint32_t i = 0; i < p->calls.n; i++) {
            signs s = call_signs(p, i, weight);
            html_put_number(&p->w, s.gains + s.losses);
        }
        html_close_column(&p->w);
    }
    brz_put_char(&p->w, ']');
}

/* Returns whether a call, or a sample of the run's weight, has losses of a weight. */
static bool has_losses(const html_page *p, uint32_t weight)
{
    if ((p->tree->flags & BRZ_TREE_SIGNED) && weight == p->tree->main_column)
        return true;
    for (uint32_t i = 0; i < p->calls.n; i++)
        if (call_signs(p, i, weight).losses > 0)
            return true;
    return false;
}

static bool has_any_losses(const html_page *p)
{
    for (uint32_t weight = 0; weight < p->tree->n_columns; weight++)
        if (has_losses(p, weight))
            return true;
    return false;
}

static void put_losses(html_page *p)
{
    if (!has_any_losses(p))
        return;
    BRZ_PUT(&p->w, ",\n\"losses\":[");
    for (uint32_t weight = 0; weight < p->tree->n_columns; weight++) {
        if (weight > 0)
            brz_put_char(&p->w, ',');
        if (!has_losses(p, weight)) {
            brz_put_char(&p->w, '0');
            continue;
        }
        html_open_column(&p->w);
        for (uint32_t i = 0; i < p->calls.n; i++)
            html_put_number(&p->w, call_signs(p, i, weight).losses);
        html_close_column(&p->w);
    }
    brz_put_char(&p->w, ']');
}

/* ---- time ---------------------------------------------------------------------------------- */

typedef uint64_t node_number(const brz_tree *tree, uint32_t i);

static uint64_t levels_up(const brz_tree *tree, uint32_t i)
{
    return brz_node_at(tree, i - 1)->depth + 1 - brz_node_at(tree, i)->depth;
}

static uint64_t later_by(const brz_tree *tree, uint32_t i)
{
    int64_t start = tree->starts[i], before = tree->starts[i - 1];
    return start > before ? (uint64_t)start - (uint64_t)before : 0;
}

static uint64_t not_negative(int64_t value)
{
    return value > 0 ? (uint64_t)value : 0;
}

static uint64_t total_of(const brz_tree *tree, uint32_t i)
{
    return not_negative(brz_node_at(tree, i)->total);
}

static uint64_t self_before(const brz_tree *tree, uint32_t i)
{
    return signs_of(brz_change_at(tree, i)->before_self).gains;
}

static uint64_t self_after(const brz_tree *tree, uint32_t i)
{
    return signs_of(brz_change_at(tree, i)->after_self).gains;
}

static uint64_t loss_before(const brz_tree *tree, uint32_t i)
{
    return signs_of(brz_change_at(tree, i)->before_self).losses;
}

static uint64_t loss_after(const brz_tree *tree, uint32_t i)
{
    return signs_of(brz_change_at(tree, i)->after_self).losses;
}

static void put_node_column(html_page *p, const char *key, node_number *number)
{
    brz_put_text(&p->w, key);
    html_open_column(&p->w);
    for (uint32_t i = 1; i < p->tree->n_nodes; i++)
        html_put_number(&p->w, number(p->tree, i));
    html_close_column(&p->w);
}

/* Writes what `time` lacks of signed weights:
 *
 *     "root": {"total", "losses"} of the whole, each sample being a gain or a loss
 *     "losses": by call, the part of its own weight; in a comparison "lossesBefore", "lossesAfter",
 *         where a call has either a loss or "before" and "after"
 */
static void put_time_signs(html_page *p)
{
    const brz_tree *tree = p->tree;
    if (!(tree->flags & BRZ_TREE_SIGNED))
        return;
    BRZ_PUT(&p->w, ",\"root\":{\"total\":");
    brz_put_i64(&p->w, brz_node_at(tree, 0)->total);
    BRZ_PUT(&p->w, ",\"losses\":");
    brz_put_u64(&p->w, self_before(tree, 0));
    brz_put_char(&p->w, '}');
    if (tree->before == BRZ_NO_COLUMN) {
        put_node_column(p, ",\"losses\":", self_before);
        return;
    }
    put_node_column(p, ",\"lossesBefore\":", loss_before);
    put_node_column(p, ",\"lossesAfter\":", loss_after);
}

static void put_time(html_page *p)
{
    if (p->tree->starts == NULL)
        return;
    BRZ_PUT(&p->w, ",\n\"time\":{\"frame\":");
    html_open_column(&p->w);
    for (uint32_t i = 1; i < p->tree->n_nodes; i++)
        html_put_number(&p->w, p->number_of[brz_node_at(p->tree, i)->frame]);
    html_close_column(&p->w);
    put_node_column(p, ",\"up\":", levels_up);
    put_node_column(p, ",\"start\":", later_by);
    put_node_column(p, ",\"total\":", total_of);
    if (p->tree->before != BRZ_NO_COLUMN) {
        put_node_column(p, ",\"before\":", self_before);
        put_node_column(p, ",\"after\":", self_after);
    }
    put_time_signs(p);
    brz_put_char(&p->w, '}');
}

void html_put_data(html_page *p, html_put_more *more)
{
    calls_init(&p->calls, p->ctx, p->tree, CALLS_SIGNED);
    html_find_nodes(p);
    html_number_frames(p);
    put_weights(p);
    put_frames(p);
    html_put_colors(p);
    put_calls(p);
    put_selves(p);
    put_losses(p);
    put_time(p);
    html_put_legend(p);
    html_put_source(p);
    html_put_samples(p);
    if (more != NULL)
        more(p);
    brz_put_char(&p->w, '}');
}
