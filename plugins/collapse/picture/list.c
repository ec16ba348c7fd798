/* SPDX-License-Identifier: MIT */
/* Reads tree views of async-profiler:
 *
 *     list := <ul> item* </ul>
 *     item := <li><div>[level] share% total self: …</div><span class="t1"> name</span> list?
 *           | <li><div>share% [total] • self: …</div> <span class="t1">name</span> list?
 *           | <li>...
 *
 * The second form is that of versions 2.10 and 3. Points stand for frames that are too narrow.
 */
#include "list.h"

#include <brazier/symbol.h>

void list_init(list *l, brz_ctx *ctx)
{
    *l = (list){.ctx = ctx, .total = -1};
    graph_init(&l->graph, ctx);
}

/* Takes a number with commas between its thousands. Returns false if the text begins otherwise. */
static bool take_total(brz_str s, int64_t *total)
{
    size_t n = 0;
    *total = 0;
    for (; n < s.len && (brz_is_digit(s.data[n]) || (n > 0 && s.data[n] == ',')); n++)
        if (s.data[n] != ',' && (__builtin_mul_overflow(*total, 10, total) ||
                                 __builtin_add_overflow(*total, s.data[n] - '0', total)))
            return false;
    return n > 0;
}

/* Takes the number after the first percentage of a text, in brackets or not. Returns false if one
 * of both is missing. */
static bool take_after_share(brz_str *s, int64_t *number)
{
    brz_str share;
    if (!brz_cut_first(*s, '%', &share, s))
        return false;
    brz_str rest = brz_trim_start(*s);
    brz_str_take(&rest, "[");
    return take_total(rest, number);
}

/* Reads the numbers of an item: the total, and what the frame has itself. */
static void read_numbers(list *l, brz_str text)
{
    if (!take_after_share(&text, &l->total))
        l->total = -1;
    if (!take_after_share(&text, &l->own))
        l->own = -1;
}

static void read_name(list *l, brz_str text)
{
    l->name.len = 0;
    markup_decode(&l->name, l->ctx, text);
    brz_str name = brz_trim(brz_text_str(&l->name));
    graph_node n = {.depth = (uint32_t)(l->n_lists - 1), .total = l->total, .at = l->at};
    n.frame = l->ctx->host->intern(l->ctx, name.data, name.len);
    n.has_own = l->own >= 0;
    n.own = l->own;
    l->is_open = l->n_lists > UINT32_MAX || !graph_add(&l->graph, l->ctx, &n);
    l->total = -1;
}

/* Ends the last item. Notes one that lacks a part or a caller. */
static void end_item(list *l)
{
    if (l->is_open) {
        l->odd = l->n_odd == 0 ? l->at : l->odd;
        l->n_odd++;
    }
    l->is_open = false;
    l->total = -1;
}

/* Points stand for frames that the list leaves out: what a frame has itself is unknown then. */
static void read_points(list *l)
{
    graph *g = &l->graph;
    l->is_open = false;
    if (g->n > 0 && l->n_lists > 1 && l->n_lists - 2 <= g->nodes[g->n - 1].depth)
        g->nodes[g->open[l->n_lists - 2]].has_own = false;
}

static void begin_item(list *l, const markup *m)
{
    end_item(l);
    l->is_open = l->in_item = l->n_lists > 0;
    l->at = m->text.data;
}

static void read_span(list *l, markup *m)
{
    static const char *const keys[] = {"class"}, *const ends[] = {"li", "ul", "div", "span"};
    brz_str class;
    markup_attributes(m, keys, 1, &class);
    if (class.len == 2 && class.data[0] == 't' && brz_is_digit(class.data[1]))
        read_name(l, markup_content(m, ends, BRZ_COUNT_OF(ends)));
}

void list_read(list *l, markup *m)
{
    static const char *const ends[] = {"li", "ul", "div", "span"};
    bool follows_item = l->in_item;
    l->in_item = l->in_item && m->kind == MARKUP_TEXT;
    if (markup_is(m, MARKUP_OPEN, "ul")) {
        end_item(l);
        l->n_lists++;
    } else if (markup_is(m, MARKUP_CLOSE, "ul")) {
        end_item(l);
        l->n_lists -= l->n_lists > 0;
    } else if (markup_is(m, MARKUP_OPEN, "li")) {
        begin_item(l, m);
    } else if (m->kind == MARKUP_TEXT && follows_item && brz_str_is(brz_trim(m->text), "...")) {
        read_points(l);
    } else if (markup_is(m, MARKUP_OPEN, "div") && follows_item) {
        read_numbers(l, markup_content(m, ends, BRZ_COUNT_OF(ends)));
    } else if (markup_is(m, MARKUP_OPEN, "span") && l->total >= 0) {
        read_span(l, m);
    }
}

brz_rc list_count(list *l)
{
    brz_diag d = brz_diag_of(BRZ_WARNING, "list.item", l->odd, 0,
                             BRZ_STR("items that are no frames of a caller: left out: {count}"));
    uint32_t column = BRZ_DECLARE_COLUMN(l->ctx, .name = BRZ_STR("samples"),
                                         .unit = BRZ_STR("samples"), .flags = BRZ_COLUMN_SAMPLES);
    end_item(l);
    if (l->n_lists > 0)
        BRZ_WARN(l->ctx, "page.cut-off", l->at, 0,
                 "the page is cut off: what it lacks counts for callers");
    d.at = l->odd;
    d.count = d.records = l->n_odd;
    if (l->n_odd > 0)
        l->ctx->host->diag(l->ctx, &d);
    return graph_count(&l->graph, l->ctx, column);
}
