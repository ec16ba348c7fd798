/* SPDX-License-Identifier: MIT */
/* Drafts formats of tables, whose columns have names. */
#ifndef BRZ_CLI_TABLE_DRAFT_H
#define BRZ_CLI_TABLE_DRAFT_H

#include "draft_parts.h"

/* Adds a draft if the lines have values between commas, semicolons or tabs, below their names. */
void cli_draft_table(brz_str text, cli_drafts *to);

#endif
