/* SPDX-License-Identifier: MIT */
/* Reads a file of text as a whole, decoded. */
#ifndef BRZ_CLI_TEXT_FILE_H
#define BRZ_CLI_TEXT_FILE_H

#include "cli.h"
#include "input/feed.h"

/* Limit on the size of such a file. */
#define CLI_TEXT_MOST ((size_t)256 << 20)

typedef struct cli_text_file {
    brz_source *source;
    brz_feed feed;
    brz_str text;
    bool is_cut; /* the file is longer */
} cli_text_file;

/* Reads up to `most` bytes. Returns false after reporting an error, which an empty and a binary
 * file are, too. */
bool cli_text_file_read(brz_session *s, const char *path, size_t most, cli_text_file *f);

void cli_text_file_finish(cli_text_file *f);

#endif
