/* SPDX-License-Identifier: MIT */
/* The terminal: its cells, its colours and its keys. All that the viewer knows of ncurses. */
#ifndef BRZ_VIEW_SCREEN_H
#define BRZ_VIEW_SCREEN_H

#include <brazier/base.h>

#include "base/buf.h"

typedef struct view_screen view_screen;

/* Keys that are no characters; all others are code points. */
enum {
    VIEW_KEY_UP = 0x200000,
    VIEW_KEY_DOWN,
    VIEW_KEY_LEFT,
    VIEW_KEY_RIGHT,
    VIEW_KEY_PAGE_UP,
    VIEW_KEY_PAGE_DOWN,
    VIEW_KEY_HOME,
    VIEW_KEY_END,
    VIEW_KEY_ENTER,
    VIEW_KEY_BACKSPACE,
    VIEW_KEY_ESCAPE,
    VIEW_KEY_TAB,
    VIEW_KEY_MOUSE, /* see view_screen_mouse() */
    VIEW_KEY_RESIZED,
    VIEW_KEY_CHANGED, /* no key: a change of the picture is complete */
    VIEW_KEY_OTHER,
    VIEW_KEY_NONE,   /* none was pressed in time */
    VIEW_KEY_CLOSED, /* the terminal is gone */
};

/* What the mouse did. */
typedef enum view_button {
    VIEW_BUTTON_NONE, /* nothing that the viewer knows */
    VIEW_BUTTON_LEFT,
    VIEW_BUTTON_WHEEL_UP,
    VIEW_BUTTON_WHEEL_DOWN,
} view_button;

typedef struct view_mouse {
    view_button button;
    uint32_t row, column;
} view_mouse;

/* How a piece of text looks. */
typedef struct view_style {
    uint32_t color;   /* of the background, 0xRRGGBBAA; 0: the terminal's */
    bool is_selected; /* exchanges text and background */
    bool is_marked;   /* bold, and underlined without colours */
} view_style;

/* Takes the terminal: standard output, with keys from standard input if that is a terminal, or else
 * from the controlling one. Returns NULL and appends the reason to `error` on failure. */
view_screen *view_screen_open(brz_buf *error);

/* Gives the terminal back as it was; NULL is allowed. */
void view_screen_close(view_screen *s);

uint32_t view_screen_rows(const view_screen *s);
uint32_t view_screen_columns(const view_screen *s);

/* Returns whether frames have colours. */
bool view_screen_has_color(const view_screen *s);

/* Returns whether text may have any character, not only ASCII. */
bool view_screen_is_unicode(const view_screen *s);

/* Clears all cells. Nothing is visible before view_screen_show(). */
void view_screen_clear(view_screen *s);

/* Writes text into cells of a row, and blanks (or `fill`) up to `columns`. */
void view_screen_put(view_screen *s, uint32_t row, uint32_t column, uint32_t columns, brz_str text,
                     view_style style, char fill);

void view_screen_show(view_screen *s);

/* Writes a sequence to the terminal that changes none of its cells. */
void view_screen_send(view_screen *s, brz_str sequence);

/* Returns what the mouse did, after VIEW_KEY_MOUSE. */
view_mouse view_screen_mouse(view_screen *s);

/* Waits for a key for some milliseconds. */
uint32_t view_screen_key(view_screen *s, int milliseconds);

#endif
