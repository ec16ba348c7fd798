/* SPDX-License-Identifier: MIT */
/* Whether there is a terminal, and whether the viewer can use it. */
#include "view/terminal.h"

#include <curses.h>
#include <fcntl.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>

FILE *view_terminal_keys(void)
{
    if (isatty(STDIN_FILENO))
        return stdin;
    int fd = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
    return fd < 0 ? NULL : fdopen(fd, "r");
}

void view_terminal_close_keys(FILE *keys)
{
    if (keys != NULL && keys != stdin)
        fclose(keys);
}

/* Appends what is wrong with the terminal's description, if anything is. */
static void check_description(brz_buf *error)
{
    const char *name = getenv("TERM");
    int result;
    if (name == NULL || name[0] == '\0') {
        brz_buf_add_text(error, "TERM does not name the terminal (try TERM=xterm-256color)");
        return;
    }
    if (setupterm(name, STDOUT_FILENO, &result) != OK) {
        brz_buf_printf(error,
                       "TERM: this machine has no description of the terminal '%s' (try "
                       "TERM=xterm-256color)",
                       name);
        return;
    }
    if (cursor_address == NULL)
        brz_buf_printf(error, "TERM: the terminal '%s' cannot move its cursor", name);
    del_curterm(cur_term);
}

bool view_terminal_check(brz_buf *error)
{
    if (!isatty(STDOUT_FILENO)) {
        brz_buf_add_text(error, "standard output is not a terminal");
        return false;
    }
    FILE *keys = view_terminal_keys();
    if (keys == NULL)
        brz_buf_add_text(error, "there is no terminal to read keys from");
    else
        check_description(error);
    view_terminal_close_keys(keys);
    return error->len == 0;
}
