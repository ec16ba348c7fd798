/* SPDX-License-Identifier: MIT */
/* The constants of a chunk: stack traces, methods, classes, symbols, threads and other values that
 * events refer to by type and id. */
#ifndef JFR_CONSTANTS_H
#define JFR_CONSTANTS_H

#include "objects.h"

/* Reads the checkpoints of a chunk. Of two constants with the same type and id the later one
 * counts. Reports damage. */
void constants_read(chunk *c);

/* Returns the constant with an id, or NULL. `type` is an index, or NO_TYPE. */
constant *constants_find(const chunk *c, uint32_t type, uint64_t id);

/* Reads the record of a constant. Returns false if it is damaged, or no record. */
bool constants_object(chunk *c, const constant *k, object *o);

/* Returns the text of a value: its own, or that of the constant. */
brz_str value_text(chunk *c, const field_value *v);

#endif
