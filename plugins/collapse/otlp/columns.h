/* SPDX-License-Identifier: MIT */
/* Declares a column for each type of values. */
#ifndef OTLP_COLUMNS_H
#define OTLP_COLUMNS_H

#include <brazier/text/buffer.h>

#include "tables.h"

#define MAX_COLUMNS 255 /* of an input */

typedef struct columns {
    brz_ctx *ctx;
    struct {
        brz_str name, unit;
        uint32_t id; /* of the host */
    } of[MAX_COLUMNS];
    size_t n;
    brz_text scratch;
} columns;

/* Stores the column of a type in *id, and declares it if it is new. `is_default` says whether it is
 * shown unless the user names another one. Returns false if there are too many. */
bool columns_find(columns *c, const value_type *type, bool is_default, uint32_t *id);

#endif
