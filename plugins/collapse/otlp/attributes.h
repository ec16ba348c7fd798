/* SPDX-License-Identifier: MIT */
/* Makes labels of attributes. */
#ifndef OTLP_ATTRIBUTES_H
#define OTLP_ATTRIBUTES_H

#include <brazier/tag.h>
#include <brazier/text/buffer.h>

#include "tables.h"

/* The attributes of a table. */
typedef struct attributes {
    const tables *tables;
    brz_label *labels; /* by position */
    uint8_t *is_read;
} attributes;

void attributes_init(attributes *a, const tables *t);

/* Returns the attribute at a position of the table as a label. Returns NULL for the empty one at
 * position 0 and, after a warning at `at`, for one that does not exist or has no value that a label
 * can have. */
const brz_label *attributes_find(attributes *a, int64_t position, const void *at);

/* Reads an attribute: a message KeyValue of a resource, or an entry of the table. Returns false for
 * one without a key or such a value. */
bool attribute_read(const tables *t, const schema *s, brz_str message, brz_label *label);

#endif
