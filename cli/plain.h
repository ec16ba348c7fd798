/* SPDX-License-Identifier: MIT */
/* Makes texts of plug-ins safe to show. */
#ifndef BRZ_CLI_PLAIN_H
#define BRZ_CLI_PLAIN_H

#include "base/buf.h"

/* Appends a text on one line: line ends, control characters and those that change the direction of
 * text are escaped. Returns the text of the buffer. */
const char *cli_add_plain(brz_buf *b, const char *text);

/* Appends a text of several lines. */
const char *cli_add_plain_lines(brz_buf *b, const char *text);

#endif
