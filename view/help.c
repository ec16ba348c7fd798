/* The list of keys. */
#include "view/help.h"

#include <string.h>

static const char *const lines[] = {
    "arrows, hjkl  move",           "Enter         zoom",         "Backspace     undo",
    "PgUp, PgDn    scroll",         "Home          root",         "/             search",
    "n, N          next, previous", "Esc           clear search", "i             invert",
    "?             this help",      "q             quit",
};

#define N_LINES BRZ_COUNT_OF(lines)

void view_paint_help(viewer *v)
{
    uint32_t rows = view_screen_rows(v->screen), columns = view_screen_columns(v->screen);
    uint32_t parts = (uint32_t)((N_LINES + rows - 1) / rows), width = columns / parts;
    for (uint32_t i = 0; i < N_LINES; i++) {
        brz_str line = brz_str_of(lines[i], strlen(lines[i]));
        view_screen_put(v->screen, i % rows, i / rows * width, width - (parts > 1), line,
                        (view_style){0}, ' ');
    }
}
