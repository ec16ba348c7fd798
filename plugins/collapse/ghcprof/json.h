/* Parses the JSON format: a tree of cost centres. */
#ifndef GHCPROF_JSON_H
#define GHCPROF_JSON_H

#include "costs.h"

void json_init(json *j, brz_ctx *ctx);

/* Parses all complete tokens of a chunk; sets *used to the number of bytes read. */
brz_rc json_read(ghcprof *g, brz_ctx *ctx, const brz_chunk *chunk, size_t *used);

#endif
