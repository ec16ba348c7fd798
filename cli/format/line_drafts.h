/* SPDX-License-Identifier: MIT */
/* Drafts formats with a sample in each line, and traces of calls. */
#ifndef BRZ_CLI_LINE_DRAFTS_H
#define BRZ_CLI_LINE_DRAFTS_H

#include "draft_parts.h"

/* Adds drafts of lines whose stacks have the separator that most lines have, or that are words. */
void cli_draft_lines(const cli_statistics *s, brz_str text, cli_drafts *to);

/* Adds a draft of lines with the words that begin and end most calls. */
void cli_draft_calls(const cli_statistics *s, cli_drafts *to);

#endif
