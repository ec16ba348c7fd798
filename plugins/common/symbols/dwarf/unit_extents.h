/* Finds the part of a unit in a section that all units share: it ends where the next one begins. */
#ifndef SYMBOLS_UNIT_EXTENTS_H
#define SYMBOLS_UNIT_EXTENTS_H

#include "../elf/unit_bytes.h"

#include <brazier/text/buffer.h>

/* The beginnings of the parts of all units in a section. */
typedef struct unit_extents {
    uint64_t *starts;
    size_t n, cap;
} unit_extents;

/* Adds the beginning of a part. */
void unit_extents_add(unit_extents *e, brz_ctx *ctx, uint64_t start);

/* Sorts the beginnings, after the last one was added. */
void unit_extents_finish(unit_extents *e);

/* Returns the part of a section that begins at `start`: empty if it begins past the end. */
unit_bytes unit_extents_part(const unit_extents *e, unit_bytes section, uint64_t start);

#endif
