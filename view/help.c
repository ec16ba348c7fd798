/* The list of keys. */
#include "view/help.h"

static const struct {
    const char *keys, *meaning;
} lines[] = {
    {"arrows, hjkl", "move"},
    {"Enter", "zoom"},
    {"click", "choose; again: zoom"},
    {"Backspace", "undo"},
    {"PgUp, PgDn", "scroll"},
    {"Home", "root"},
    {"/", "search"},
    {"n, N", "next, previous match"},
    {"Esc", "end search"},
    {"i", "invert"},
    {"t", "table of functions"},
    {"o", "order by weight, by names"},
    {"r", "reverse stacks"},
    {"w", "next weight"},
    {"f, H", "focus, hide a function"},
    {"s", "callers and callees"},
    {"Tab", "the other half of these"},
    {"y", "copy the name"},
    {"p, Space", "with --live: pause"},
    {"a", "with --live: all, the last seconds"},
    {"R", "with --live: from now on"},
    {"?", "this help"},
    {"q", "quit"},
};

#define KEYS_WIDTH 13

#define N_LINES BRZ_COUNT_OF(lines)

/* Paints a key and its meaning. */
static void paint_line(viewer *v, size_t i, uint32_t row)
{
    uint32_t columns = view_screen_columns(v->screen);
    uint32_t keys = columns > KEYS_WIDTH ? KEYS_WIDTH : columns;
    view_screen_put(v->screen, row, 0, keys, brz_str_of_text(lines[i].keys), (view_style){0}, ' ');
    view_screen_put(v->screen, row, keys, columns - keys, brz_str_of_text(lines[i].meaning),
                    (view_style){0}, ' ');
}

void view_paint_help(viewer *v)
{
    uint32_t rows = view_screen_rows(v->screen);
    for (uint32_t i = 0; i < rows && v->help_first + i < N_LINES; i++)
        paint_line(v, v->help_first + i, i);
}

void view_turn_help(viewer *v)
{
    v->help_first += view_screen_rows(v->screen);
    if (v->help_first < N_LINES)
        return;
    v->help_first = 0;
    v->is_helping = false;
}
