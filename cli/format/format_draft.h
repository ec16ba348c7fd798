/* Drafts formats for a text by the statistics of its lines. */
#ifndef BRZ_CLI_FORMAT_DRAFT_H
#define BRZ_CLI_FORMAT_DRAFT_H

#include "base/buf.h"

/* Limit on the drafts of a text. */
#define CLI_DRAFTS_MOST 24

/* A draft: the lines of a definition, without indentation, from `use` on. */
typedef struct cli_drafts {
    brz_buf items[CLI_DRAFTS_MOST];
    size_t n;
} cli_drafts;

/* Adds drafts of each shape that the lines may have, the more specific ones first. */
void cli_format_draft(brz_str text, cli_drafts *to);

void cli_drafts_finish(cli_drafts *d);

#endif
