/* The text form: a table of cost centres. */
#ifndef GHCPROF_TABLE_H
#define GHCPROF_TABLE_H

#include "costs.h"

/* Reads a line. */
brz_rc table_line(ghcprof *g, brz_ctx *ctx, brz_str line);

/* Returns true for the header of the table, and sets *found to its columns. */
bool table_begins(brz_str line, columns *found);

#endif
