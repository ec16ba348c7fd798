/* SPDX-License-Identifier: MIT */
/* The table on the screen. */
#include "view/table_screen.h"

#include "plugins/output/common/amount.h"
#include "plugins/output/common/screen_text.h"
#include "view/changes.h"
#include "view/figures.h"
#include "view/moves.h"

#define NUMBER 11 /* columns of a number with the gap after it */
#define WIDE   70 /* columns of a screen with room for amounts and shares */

static const view_style plain = {0}, reversed = {.is_selected = true};

void view_table_open(viewer *v)
{
    view_table_fill(&v->table, v->places.now.pane.graph);
    v->mode = VIEW_TABLE;
}

/* ---- painting ------------------------------------------------------------------------------ */

/* Paints text at the right end of a column, and moves to the next one. */
static void put_right(viewer *v, uint32_t row, uint32_t *column, brz_str text, view_style style)
{
    uint32_t columns = screen_width(text), width = columns < NUMBER - 1 ? columns : NUMBER - 1;
    uint32_t end = view_screen_columns(v->screen);
    if (*column + NUMBER <= end) {
        view_screen_put(v->screen, row, *column, NUMBER, BRZ_STR(""), style, ' ');
        view_screen_put(v->screen, row, *column + NUMBER - 1 - width, width, text, style, ' ');
    }
    *column += NUMBER;
}

static void put_value(viewer *v, uint32_t row, uint32_t *column, int64_t value, view_style style)
{
    const brz_tree *tree = &v->table.graph->tree;
    const amount_scale scale = amount_scale_of(brz_column_at(tree, tree->main_column), 1);
    char text[AMOUNT_ROOM], *end = amount_format(text, &scale, value);
    put_right(v, row, column, brz_str_of(text, (size_t)(end - text)), style);
}

static void put_share(viewer *v, uint32_t row, uint32_t *column, int64_t value, view_style style)
{
    brz_buf b = {0};
    view_add_share(&b, (double)value, (double)v->table.graph->whole);
    put_right(v, row, column, brz_buf_str(&b), style);
    brz_buf_finish(&b);
}

/* Paints a number as an amount, if there is room, and as a share. */
static void put_number(viewer *v, uint32_t row, uint32_t *column, int64_t value, view_style style)
{
    if (view_screen_columns(v->screen) >= WIDE)
        put_value(v, row, column, value, style);
    put_share(v, row, column, value, style);
}

/* Paints what is at the right of the numbers. */
static void put_rest(viewer *v, uint32_t row, uint32_t column, brz_str text, view_style style)
{
    uint32_t columns = view_screen_columns(v->screen);
    if (column < columns)
        view_screen_put(v->screen, row, column, columns - column,
                        short_name(&v->names, text, columns - column), style, ' ');
}

static void paint_row(viewer *v, uint32_t i, uint32_t row)
{
    const view_table *t = &v->table;
    const view_row *r = &t->rows[i];
    uint32_t column = 0;
    view_style style = {.is_selected = i == t->selected,
                        .is_marked = view_search_has(&v->search, t->graph, r->node)};
    put_number(v, row, &column, r->self, style);
    put_number(v, row, &column, r->total, style);
    if (view_table_compares(t))
        put_number(v, row, &column, r->change, style);
    put_rest(v, row, column, view_name(t->graph, r->node), style);
}

/* Paints the heading of a number, with a sign if rows are sorted by it. */
static void put_heading(viewer *v, uint32_t *column, const char *name, view_sort sort)
{
    brz_buf b = {0};
    if (view_screen_columns(v->screen) >= WIDE)
        put_right(v, 0, column, BRZ_STR(""), reversed);
    brz_buf_printf(&b, "%s%s", v->table.sort == sort ? "*" : "", name);
    put_right(v, 0, column, brz_buf_str(&b), reversed);
    brz_buf_finish(&b);
}

static void paint_heading(viewer *v)
{
    uint32_t column = 0;
    put_heading(v, &column, "self", VIEW_SORT_SELF);
    put_heading(v, &column, "total", VIEW_SORT_TOTAL);
    if (view_table_compares(&v->table))
        put_heading(v, &column, "change", VIEW_SORT_CHANGE);
    bool by_name = v->table.sort == VIEW_SORT_NAME;
    put_rest(v, 0, column, by_name ? BRZ_STR("*function") : BRZ_STR("function"), reversed);
}

/* Returns the number of rows between the heading and the status. */
static uint32_t body_rows(const viewer *v)
{
    uint32_t rows = view_screen_rows(v->screen);
    return rows > 2 ? rows - 2 : 1;
}

static void scroll(viewer *v)
{
    view_table *t = &v->table;
    uint32_t rows = body_rows(v);
    if (t->selected < t->top)
        t->top = t->selected;
    else if (t->selected - t->top >= rows)
        t->top = t->selected - rows + 1;
}

void view_paint_table(viewer *v)
{
    const view_table *t = &v->table;
    brz_buf status = {0};
    scroll(v);
    paint_heading(v);
    for (uint32_t i = 0; i < body_rows(v) && t->top + i < t->n; i++)
        paint_row(v, t->top + i, 1 + i);
    brz_buf_printf(&status, "%u of %u functions", t->n > 0 ? t->selected + 1 : 0, t->n);
    viewer_add_live(v, &status);
    view_screen_put(v->screen, view_screen_rows(v->screen) - 1, 0, view_screen_columns(v->screen),
                    brz_buf_str(&status), plain, ' ');
    brz_buf_finish(&status);
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* Chooses the next row that matches the search, or the one before. */
static void go_to_match(viewer *v, int step)
{
    view_table *t = &v->table;
    for (uint32_t i = 1, at = t->selected; i <= t->n; i++) {
        at = (at + (step > 0 ? 1 : t->n - 1)) % t->n;
        if (!view_search_has(&v->search, t->graph, t->rows[at].node))
            continue;
        t->selected = at;
        return;
    }
    brz_buf_add_text(&v->message, "nothing found");
}

static void show_in_picture(viewer *v)
{
    v->mode = VIEW_PICTURE;
    if (v->table.n == 0)
        return;
    viewer_lay_out(v);
    view_move_to(v, v->table.rows[v->table.selected].node);
}

static void show_sandwich(viewer *v)
{
    v->mode = VIEW_PICTURE;
    if (v->table.n > 0)
        view_change_sandwich(v, v->table.rows[v->table.selected].frame);
}

/* Carries out a key that moves the choice. Returns false for other keys. */
static bool move(viewer *v, uint32_t key)
{
    int64_t page = body_rows(v), all = v->table.n;
    int64_t rows = 0;
    if (key == VIEW_KEY_UP || key == 'k')
        rows = -1;
    else if (key == VIEW_KEY_DOWN || key == 'j')
        rows = 1;
    else if (key == VIEW_KEY_PAGE_UP || key == VIEW_KEY_PAGE_DOWN)
        rows = key == VIEW_KEY_PAGE_UP ? -page : page;
    else if (key == VIEW_KEY_HOME || key == VIEW_KEY_END)
        rows = key == VIEW_KEY_HOME ? -all : all;
    view_table_move(&v->table, rows);
    return rows != 0;
}

bool view_table_key(viewer *v, uint32_t key)
{
    if (move(v, key))
        return true;
    switch (key) {
    case VIEW_KEY_ENTER:
        show_in_picture(v);
        return true;
    case 's':
        show_sandwich(v);
        return true;
    case 'o':
        view_table_sort_next(&v->table);
        return true;
    case 'n':
    case 'N':
        go_to_match(v, key == 'n' ? 1 : -1);
        return true;
    case 't':
    case VIEW_KEY_BACKSPACE:
        v->mode = VIEW_PICTURE;
        return true;
    default:
        return key != '/' && key != '?' && key != 'q' && key != VIEW_KEY_ESCAPE;
    }
}
