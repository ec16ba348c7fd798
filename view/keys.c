/* SPDX-License-Identifier: MIT */
/* Carries out what keys stand for. */
#include "view/keys.h"

#include "view/changes.h"
#include "view/clipboard.h"
#include "view/help.h"
#include "view/mouse.h"
#include "view/moves.h"
#include "view/prompt.h"
#include "view/table_screen.h"

/* Moves up or down on the screen, where the root is on top or at the bottom. */
static void move_up(viewer *v, uint32_t n)
{
    if (viewer_area(v, true).root_on_top)
        view_move_out(v, n);
    else
        view_move_in(v, n);
}

static void move_down(viewer *v, uint32_t n)
{
    if (viewer_area(v, true).root_on_top)
        view_move_in(v, n);
    else
        view_move_out(v, n);
}

static void go_to_match(viewer *v, int step)
{
    uint32_t node = view_search_next(&v->search, step);
    if (node != VIEW_NO_NODE)
        view_move_to(v, node);
    else
        brz_buf_add_text(&v->message,
                         v->search.pattern == NULL ? "no search: press /" : "nothing found");
}

/* Copies the name of the chosen frame. */
static void copy_name(viewer *v)
{
    const view_pane *pane = &v->places.now.pane;
    brz_buf sequence = {0};
    view_clipboard_add(&sequence, view_name(pane->graph, pane->selected));
    view_screen_send(v->screen, brz_buf_str(&sequence));
    brz_buf_add_text(&v->message, "sent to the terminal's clipboard");
    brz_buf_finish(&sequence);
}

/* Carries out a key that moves the choice. Returns false for other keys. */
static bool move(viewer *v, uint32_t key)
{
    switch (key) {
    case VIEW_KEY_UP:
    case 'k':
        move_up(v, 1);
        return true;
    case VIEW_KEY_DOWN:
    case 'j':
        move_down(v, 1);
        return true;
    case VIEW_KEY_LEFT:
    case 'h':
        view_move_aside(v, -1);
        return true;
    case VIEW_KEY_RIGHT:
    case 'l':
        view_move_aside(v, 1);
        return true;
    case VIEW_KEY_PAGE_UP:
        move_up(v, v->layout.rows);
        return true;
    case VIEW_KEY_PAGE_DOWN:
        move_down(v, v->layout.rows);
        return true;
    case VIEW_KEY_HOME:
        view_move_to(v, 0);
        return true;
    default:
        return false;
    }
}

/* Carries out a key about a profile that grows. Returns false for other keys. */
static bool change_live(viewer *v, uint32_t key)
{
    brz_view_live *live = v->live;
    if (live == NULL)
        return false;
    switch (key) {
    case 'p':
    case ' ':
        v->is_paused = !v->is_paused;
        return true;
    case 'R':
        live->reset(live->context);
        brz_buf_add_text(&v->message, "from now on");
        return true;
    case 'a':
        live->turn(live->context, &v->message);
        return true;
    default:
        return false;
    }
}

/* Undoes the last change, or drops the one that is being made. */
static void undo(viewer *v)
{
    if (v->making == NULL) {
        viewer_undo(v);
        return;
    }
    view_change_cancel(v);
    brz_buf_add_text(&v->message, "cancelled");
}

/* Carries out a key that changes the picture. */
static void change(viewer *v, uint32_t key)
{
    switch (key) {
    case VIEW_KEY_ENTER:
        if (!view_change_open_run(v))
            viewer_zoom(v, v->places.now.pane.selected);
        break;
    case VIEW_KEY_BACKSPACE:
        undo(v);
        break;
    case VIEW_KEY_ESCAPE:
        view_search_clear(&v->search);
        break;
    case 'y':
        copy_name(v);
        break;
    case 'w':
        view_change_weight(v);
        break;
    case 't':
        view_table_open(v);
        break;
    case VIEW_KEY_TAB:
        viewer_switch(v);
        break;
    case 'z':
        view_change_runs(v);
        break;
    case 'o':
        view_change_order(v);
        break;
    case 'r':
        view_change_reverse(v);
        break;
    case 'f':
        view_change_focus(v);
        break;
    case 'H':
        view_change_hide(v);
        break;
    case 's':
        view_change_sandwich_chosen(v);
        break;
    case '/':
        view_prompt_open(v, VIEW_PROMPT_SEARCH);
        break;
    case 'n':
    case 'N':
        go_to_match(v, key == 'n' ? 1 : -1);
        break;
    case 'i':
        v->inverted = !v->inverted;
        break;
    case '?':
        v->is_helping = true;
        break;
    case 'q':
        v->ends = true;
        break;
    default:
        break;
    }
}

void view_key(viewer *v, uint32_t key)
{
    brz_buf_clear(&v->message);
    if (key == VIEW_KEY_MOUSE)
        key = view_mouse_key(v);
    if (key == VIEW_KEY_NONE)
        return;
    if (key == VIEW_KEY_CLOSED)
        v->ends = true;
    else if (key == VIEW_KEY_RESIZED)
        return;
    else if (v->prompt != VIEW_PROMPT_NONE)
        view_prompt_key(v, key);
    else if (v->is_helping)
        view_turn_help(v);
    else if (change_live(v, key))
        return;
    else if (v->mode == VIEW_TABLE ? !view_table_key(v, key) : !move(v, key))
        change(v, key);
}
