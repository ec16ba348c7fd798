/* Parses the text format: a table of cost centres. */
#ifndef GHCPROF_TABLE_H
#define GHCPROF_TABLE_H

#include "costs.h"

/* Parses a line. */
brz_rc table_line(ghcprof *g, brz_ctx *ctx, brz_str line);

/* Recognises the header of the table and sets *found to its columns. */
bool table_begins(brz_str line, columns *found);

#endif
