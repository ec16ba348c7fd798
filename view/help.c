/* SPDX-License-Identifier: MIT */
/* The list of keys. */
#include "view/help.h"

typedef struct help_line {
    const char *keys, *meaning;
} help_line;

static const help_line lines[] = {
    {"arrows, hjkl", "move"},
    {"Enter", "zoom"},
    {"click", "choose; again: zoom"},
    {"Backspace", "undo"},
    {"PgUp, PgDn", "scroll"},
    {"Home", "root"},
    {"/", "search"},
    {"n, N", "next, previous match"},
    {"Esc", "end search"},
    {"i, r", "invert; reverse stacks"},
    {"t", "table of functions"},
    {"o", "order by weight, by names"},
    {"z", "unnamed frames"},
    {"w", "next weight"},
    {"f, H", "focus, hide a function"},
    {"s", "callers and callees"},
    {"Tab", "the other half of these"},
    {"y", "copy the name"},
    {"?", "this help"},
    {"q", "quit"},
};

/* Keys for a profile that grows. */
static const help_line live_lines[] = {
    {"p, Space", "pause"},
    {"a", "all, or the last seconds"},
    {"R", "from now on"},
};

#define KEYS_WIDTH 13

static size_t n_lines(const viewer *v)
{
    return BRZ_COUNT_OF(lines) + (v->live != NULL ? BRZ_COUNT_OF(live_lines) : 0);
}

static const help_line *line_at(size_t i)
{
    return i < BRZ_COUNT_OF(lines) ? &lines[i] : &live_lines[i - BRZ_COUNT_OF(lines)];
}

/* Paints a key and its meaning. */
static void paint_line(viewer *v, size_t i, uint32_t row)
{
    uint32_t columns = view_screen_columns(v->screen);
    uint32_t keys = columns > KEYS_WIDTH ? KEYS_WIDTH : columns;
    view_screen_put(v->screen, row, 0, keys, brz_str_of_text(line_at(i)->keys), (view_style){0},
                    ' ');
    view_screen_put(v->screen, row, keys, columns - keys, brz_str_of_text(line_at(i)->meaning),
                    (view_style){0}, ' ');
}

void view_paint_help(viewer *v)
{
    uint32_t rows = view_screen_rows(v->screen);
    for (uint32_t i = 0; i < rows && v->help_first + i < n_lines(v); i++)
        paint_line(v, v->help_first + i, i);
}

void view_turn_help(viewer *v)
{
    v->help_first += view_screen_rows(v->screen);
    if (v->help_first < n_lines(v))
        return;
    v->help_first = 0;
    v->is_helping = false;
}
