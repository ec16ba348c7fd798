/* SPDX-License-Identifier: MIT */
/* Paints the flame graph, and the status below it. */
#include "view/picture.h"

#include <stdio.h>

#include "plugins/output/common/screen_text.h"
#include "view/figures.h"
#include "view/text.h"

/* The colour of frames that match the search, as in the other viewers. */
#define MATCH_COLOR 0xe600e6ff

#define LEFT_EDGE "\xe2\x96\x8f"

static const view_style plain = {0};

/* A pane that is being painted. */
typedef struct canvas {
    viewer *v;
    const view_pane *pane;
    const view_layout *layout;
    view_area area;
    bool has_choice;
} canvas;

static view_style style_of(const canvas *c, uint32_t node)
{
    viewer *v = c->v;
    view_graph *g = c->pane->graph;
    view_style s = {.is_selected = c->has_choice && node == c->pane->selected,
                    .is_marked = view_search_has(&v->search, g, node)};
    if (view_screen_has_color(v->screen))
        s.color = s.is_marked ? MATCH_COLOR : view_graph_color(g, v->ctx, node);
    return s;
}

#define RUN_ROOM 16

/* Writes the length of a run of `n` frames, or nothing if it has one. Returns its columns. */
static uint32_t format_run(char to[RUN_ROOM], uint32_t n)
{
    to[0] = '\0';
    if (n < 2)
        return 0;
    return (uint32_t)snprintf(to, RUN_ROOM, " \u00d7%u", n) - 1; /* the sign has two bytes */
}

/* Appends the name of a node as far as it fits, with the length of a run. */
static void add_name(viewer *v, brz_buf *b, const view_graph *g, uint32_t node, uint32_t width)
{
    char run[RUN_ROOM];
    uint32_t columns = format_run(run, view_run(g, node));
    bool fits = columns + 4 <= width;
    brz_buf_add_str(b, short_name(&v->names, view_name(g, node), fits ? width - columns : width));
    if (fits)
        brz_buf_add_text(b, run);
}

/* Paints a frame: its left edge, which separates neighbours of one colour, and its label. */
static void paint_frame(const canvas *c, uint32_t row, view_span span, uint32_t node)
{
    viewer *v = c->v;
    bool has_color = view_screen_has_color(v->screen);
    uint32_t width = span.to - span.from;
    brz_buf label = {0};
    bool has_edge = width > 1 && view_screen_is_unicode(v->screen);
    brz_buf_add_text(&label, !has_color ? "|" : has_edge ? LEFT_EDGE : " ");
    add_name(v, &label, c->pane->graph, node, width - 1);
    view_screen_put(v->screen, c->area.top + row, span.from, width, brz_buf_str(&label),
                    style_of(c, node), has_color ? ' ' : '-');
    brz_buf_finish(&label);
}

static void paint_row(const canvas *c, uint32_t row)
{
    uint32_t screen_row = c->area.root_on_top ? row : c->area.rows - 1 - row;
    for (uint32_t column = 0; column < c->layout->columns;) {
        uint32_t node = view_layout_at(c->layout, row, column);
        view_span span = view_layout_span(c->layout, row, column);
        if (node != VIEW_NO_NODE)
            paint_frame(c, screen_row, span, node);
        column = span.to;
    }
}

static void paint_pane(const canvas *c)
{
    for (uint32_t row = 0; row < c->area.rows; row++)
        paint_row(c, row);
}

void view_paint_picture(viewer *v)
{
    const view_place *now = &v->places.now;
    paint_pane(&(canvas){v, &now->pane, &v->layout, viewer_area(v, true), true});
    if (now->other.graph != NULL)
        paint_pane(&(canvas){v, &now->other, &v->other_layout, viewer_area(v, false), false});
}

/* ---- status -------------------------------------------------------------------------------- */

static void put_line(viewer *v, uint32_t row, brz_str text, view_style style)
{
    view_screen_put(v->screen, row, 0, view_screen_columns(v->screen), text, style, ' ');
}

/* Appends what a growing profile shows, and the search with the weight of all that it found. */
static void add_search(const viewer *v, brz_buf *b)
{
    const view_search *s = &v->search;
    const view_graph *g = v->places.now.pane.graph;
    viewer_add_live(v, b);
    if (s->pattern == NULL)
        return;
    brz_str text = brz_pattern_text(s->pattern);
    brz_buf_add_text(b, " /");
    brz_buf_add(b, text.data, text.len < 40 ? text.len : 0);
    brz_buf_add_text(b, ": ");
    if (s->current != VIEW_NO_NODE)
        brz_buf_printf(b, "%u of ", s->current + 1);
    brz_buf_printf(b, "%u frame%s, ", s->n_found, s->n_found == 1 ? "" : "s");
    view_add_amount(b, &g->tree, s->total);
    brz_buf_add_text(b, ", ");
    view_add_share(b, (double)s->total, (double)g->whole);
}

/* Paints the name of the chosen frame at the left, and the search at the right. */
static void paint_name(viewer *v, uint32_t row)
{
    uint32_t columns = view_screen_columns(v->screen), width = 0;
    brz_buf search = {0};
    add_search(v, &search);
    if (search.len > 0)
        width = screen_width(brz_buf_str(&search));
    if (width > columns - columns / 4)
        width = columns - columns / 4;
    view_pane *now = &v->places.now.pane;
    brz_buf name = {0};
    add_name(v, &name, now->graph, now->selected, columns - width);
    view_style style = {.is_selected = true};
    view_screen_put(v->screen, row, 0, columns - width, brz_buf_str(&name), style, ' ');
    brz_buf_finish(&name);
    if (width > 0)
        view_screen_put(v->screen, row, columns - width, width, brz_buf_str(&search), style, ' ');
    brz_buf_finish(&search);
}

/* Paints the numbers of the chosen frame, without words if these do not fit. */
static void paint_figures(viewer *v, uint32_t row)
{
    const view_pane *now = &v->places.now.pane;
    brz_buf b = {0};
    view_add_figures(&b, now->graph, now->selected, now->zoom, false);
    if (screen_width(brz_buf_str(&b)) > view_screen_columns(v->screen)) {
        brz_buf_clear(&b);
        view_add_figures(&b, now->graph, now->selected, now->zoom, true);
    }
    put_line(v, row, brz_buf_str(&b), plain);
    brz_buf_finish(&b);
}

/* Paints the end of what is typed, and a cursor. */
static void paint_prompt(viewer *v, uint32_t row)
{
    brz_buf b = {0};
    size_t room = view_screen_columns(v->screen), skipped = 0;
    while (v->input.len - skipped + 2 > room && skipped < v->input.len)
        skipped++;
    while (skipped < v->input.len && ((unsigned char)v->input.data[skipped] & 0xc0) == 0x80)
        skipped++;
    brz_buf_add_text(&b, "/");
    brz_buf_add(&b, v->input.data + skipped, v->input.len - skipped);
    brz_buf_add_text(&b, "_");
    put_line(v, row, brz_buf_str(&b), plain);
    brz_buf_finish(&b);
}

/* Removes the words of a text that fit into a line, at least one, and returns them. */
static brz_str take_line(brz_str *text, uint32_t columns)
{
    size_t end = 0;
    for (size_t next = 0; next <= text->len; next++) {
        bool is_border = next == text->len || text->data[next] == ' ';
        if (is_border && end > 0 && screen_width(brz_str_of(text->data, next)) > columns)
            break;
        if (is_border)
            end = next;
    }
    brz_str line = brz_str_of(text->data, end);
    size_t skipped = end < text->len ? end + 1 : end;
    *text = brz_str_of(text->data + skipped, text->len - skipped);
    return line;
}

/* Paints a message whose last line is in a row; what does not fit into it covers rows above. */
static void paint_message(viewer *v, uint32_t last)
{
    uint32_t columns = view_screen_columns(v->screen), n = 0;
    uint32_t most = last > 0 ? last : 1;
    brz_str rest = brz_buf_str(&v->message);
    for (; rest.len > 0; n++)
        take_line(&rest, columns);
    n = n > most ? most : n;
    rest = brz_buf_str(&v->message);
    for (uint32_t i = n; i > 1; i--)
        put_line(v, last - (i - 1), take_line(&rest, columns), plain);
    put_line(v, last, rest, plain);
}

void view_paint_status(viewer *v)
{
    uint32_t row = view_screen_rows(v->screen) - 1;
    if (row > 0 && v->mode == VIEW_PICTURE)
        paint_name(v, row - 1);
    if (v->prompt != VIEW_PROMPT_NONE)
        paint_prompt(v, row);
    else if (v->message.len > 0)
        paint_message(v, row);
    else if (v->mode == VIEW_PICTURE)
        paint_figures(v, row);
}
