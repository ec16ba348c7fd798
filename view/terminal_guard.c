/* SPDX-License-Identifier: MIT */
/* Prepares that the terminal is given back if the program ends in the middle of its work. */
#include "view/terminal_guard.h"

#include <curses.h>
#include <term.h>
#include <unistd.h>

/* Ends reports of the mouse, which descriptions of terminals have only as a part of another string.
 */
#define NO_MOUSE "\033[?1006;1000l"

/* One per process, as the terminal is. */
static brz_terminal_guard guard;

brz_terminal_guard *view_terminal_guard(void)
{
    return &guard;
}

static int add_char(int c)
{
    if (guard.len < sizeof guard.sequence)
        guard.sequence[guard.len++] = (char)c;
    return c;
}

static void add(const char *capability)
{
    if (capability != NULL)
        tputs(capability, 1, add_char);
}

void view_terminal_guard_begin(int keys, const struct termios *modes)
{
    guard.owner = getpid();
    guard.keys = keys;
    guard.modes = *modes;
    guard.len = 0;
    add(key_mouse != NULL ? NO_MOUSE : NULL);
    add(exit_attribute_mode);
    add(keypad_local);
    add(cursor_normal);
    add(exit_ca_mode);
    atomic_store(&guard.is_taken, true);
}

void view_terminal_guard_end(void)
{
    atomic_store(&guard.is_taken, false);
}
