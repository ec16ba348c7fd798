/* SPDX-License-Identifier: MIT */
/* `brazier view --web`: shows the page in the browser, and follows the file. */
#ifndef BRZ_CLI_VIEW_WEB_H
#define BRZ_CLI_VIEW_WEB_H

#include "cli.h"

/* The options of this form of `brazier view`; a table. */
extern const cli_option cli_web_options[];

/* The values of these options. */
typedef struct cli_web {
    bool is_wanted, opens_nothing;
    const char *editor; /* NULL: $BRAZIER_EDITOR_URL, or the default */
} cli_web;

/* Returns whether the words have --web. */
bool cli_web_is_wanted(char **words, const cli_syntax *syntax);

/* Takes an option of the table. */
cli_taken cli_web_take(cli_web *w, const cli_args *a);

/* Returns false after reporting an error if an option is there that needs --web. */
bool cli_web_check(const cli_web *w, brz_console *console);

/* Serves the page until the last browser has closed it, or an interrupt. Returns the exit status.
 */
int cli_web_run(brz_session *s, cli_request *r, const cli_web *w);

#endif
