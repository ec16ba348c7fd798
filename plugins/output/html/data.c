/* Writes the data of a page: frames, the call tree, and the weights of each call.
 *
 *     {"weights": [{"name", "unit", "decimals"}, …], "weight": the selected one,
 *      "before", "after": the compared ones, in a comparison,
 *      "texts": [text, …],
 *      "frames": {"name", "module", "file": numbers of texts, "line", "kind"},
 *      "colors": [0xRRGGBB, …], "frameColors", "callColors": numbers of colours (see colors.c),
 *      "calls": {"frame", "up"}, "selves": [one column per weight],
 *      "time": {"frame", "up", "start", "total"}, if the chronological order is known; in a
 *              comparison "before" and "after" too,
 *      "legend": [[0xRRGGBB, text], …], "source": see source.c, "samples": see
 *      samples.c}
 *
 * columns.c encodes the columns. Frames are in the order of frames.c. Calls are in pre-order
 * without the root; `up` is the number of levels that a call lies further out than a callee of the
 * previous call. `selves` include the root, which comes first. `time` has the same structure as
 * `calls`, for the selected weight only; `start` is the difference between the start of a call and
 * the start of the previous one; `before` and `after` are what a call weighs itself.
 */
#include "document.h"

#include "../common/frame_kind.h"

static void put_weights(html_page *p)
{
    const brz_tree *tree = p->tree;
    BRZ_PUT(&p->w, "{\"weights\":[");
    for (uint32_t i = 0; i < tree->n_weights; i++) {
        const brz_weight_info *info = brz_weight_at(tree, i);
        brz_put_text(&p->w, i > 0 ? ",{\"name\":" : "{\"name\":");
        html_put_json(&p->w, info->name);
        BRZ_PUT(&p->w, ",\"unit\":");
        html_put_json(&p->w, info->unit);
        BRZ_PUT(&p->w, ",\"decimals\":");
        brz_put_u64(&p->w, info->decimals);
        brz_put_char(&p->w, '}');
    }
    BRZ_PUT(&p->w, "],\"weight\":");
    brz_put_u64(&p->w, tree->weight);
    if (tree->before == BRZ_NO_WEIGHT || tree->after == BRZ_NO_WEIGHT)
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
    return texts_add(&p->texts, brz_display_name(f->name));
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

static void put_selves(html_page *p)
{
    BRZ_PUT(&p->w, ",\n\"selves\":[");
    for (uint32_t weight = 0; weight < p->tree->n_weights; weight++) {
        if (weight > 0)
            brz_put_char(&p->w, ',');
        html_open_column(&p->w);
        for (uint32_t i = 0; i < p->calls.n; i++)
            html_put_number(&p->w, (uint64_t)call_self(&p->calls, i, weight));
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
    return not_negative(brz_change_at(tree, i)->before_self);
}

static uint64_t self_after(const brz_tree *tree, uint32_t i)
{
    return not_negative(brz_change_at(tree, i)->after_self);
}

static void put_node_column(html_page *p, const char *key, node_number *number)
{
    brz_put_text(&p->w, key);
    html_open_column(&p->w);
    for (uint32_t i = 1; i < p->tree->n_nodes; i++)
        html_put_number(&p->w, number(p->tree, i));
    html_close_column(&p->w);
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
    if (p->tree->changes != NULL) {
        put_node_column(p, ",\"before\":", self_before);
        put_node_column(p, ",\"after\":", self_after);
    }
    brz_put_char(&p->w, '}');
}

/* ---- legend -------------------------------------------------------------------------------- */

typedef struct data_legend {
    brz_legend legend; /* first: the host passes it back */
    brz_writer *w;
    bool has_any;
} data_legend;

static void put_category(brz_legend *legend, uint32_t color, brz_str name)
{
    data_legend *l = (data_legend *)legend;
    brz_put_text(l->w, l->has_any ? ",[" : "[");
    brz_put_u64(l->w, color >> 8);
    brz_put_char(l->w, ',');
    html_put_json(l->w, name);
    brz_put_char(l->w, ']');
    l->has_any = true;
}

static void put_legend(html_page *p)
{
    data_legend l = {.legend = {.struct_size = sizeof l.legend, .add = put_category}, .w = &p->w};
    BRZ_PUT(&p->w, ",\n\"legend\":[");
    p->ctx->host->legend(p->ctx, p->tree, &l.legend);
    brz_put_char(&p->w, ']');
}

void html_put_data(html_page *p)
{
    calls_init(&p->calls, p->ctx, p->tree, CALLS_NEGATIVE_AS_ZERO);
    html_number_frames(p);
    put_weights(p);
    put_frames(p);
    html_put_colors(p);
    put_calls(p);
    put_selves(p);
    put_time(p);
    put_legend(p);
    html_put_source(p);
    html_put_samples(p);
    brz_put_char(&p->w, '}');
}
