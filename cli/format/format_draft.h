/* SPDX-License-Identifier: MIT */
/* Drafts formats for a text by the statistics of its lines. */
#ifndef BRZ_CLI_FORMAT_DRAFT_H
#define BRZ_CLI_FORMAT_DRAFT_H

#include "draft_parts.h"

/* Adds drafts of each shape that the lines may have, the more specific ones first. */
void cli_format_draft(brz_str text, cli_drafts *to);

#endif
