/* SPDX-License-Identifier: MIT */
/* Finds the pieces of sections that belong to a unit in a .dwp file.
 *
 *     index := version:u32 n_columns:u32 n_units:u32 n_slots:u32 id:u64[n_slots] row:u32[n_slots]
 *              column:u32[n_columns] offset:u32[n_units][n_columns] size:u32[n_units][n_columns]
 *
 * Rows count from 1; row 0 is a free slot. Version 5 has 16 bits, and 16 bits of padding. The slots
 * are a hash table: their number is a power of 2 above 3/2 of the units. The low bits of an id give
 * its first slot, the bits from 32 on, made odd, the distance to the next one.
 */
#include "unit_index.h"

#include <stdbool.h>
#include <string.h>

#define HEADER 16

/* Maximum number of slots that are examined for a unit: a third of them is free, so even the unit
 * of a million that takes longest needs a few dozen. */
#define PROBES_MAX 1024

typedef struct table {
    unit_bytes bytes;
    uint64_t n_columns, n_units, n_slots;
} table;

static uint32_t word_at(const table *t, uint64_t at)
{
    uint32_t value;
    memcpy(&value, t->bytes.data + at, sizeof value);
    return value;
}

static bool open_table(table *t, unit_bytes index)
{
    uint16_t version;
    t->bytes = index;
    if (index.len < HEADER)
        return false;
    memcpy(&version, index.data, sizeof version);
    t->n_columns = word_at(t, 4);
    t->n_units = word_at(t, 8);
    t->n_slots = word_at(t, 12);
    if ((version != 2 && version != 5) || t->n_columns > 8 || t->n_units > index.len ||
        t->n_slots > index.len || (t->n_slots & (t->n_slots - 1)) != 0)
        return false;
    return HEADER + 12 * t->n_slots + 4 * t->n_columns + 8 * t->n_columns * t->n_units <= index.len;
}

/* Returns the row of a unit, counted from 1; 0: it has none. */
static uint64_t find_row(const table *t, uint64_t id)
{
    uint64_t mask = t->n_slots - 1, slot = id & mask, step = (id >> 32 & mask) | 1;
    for (size_t i = 0; i < PROBES_MAX && t->n_slots > 0; i++) {
        uint64_t found;
        uint32_t row = word_at(t, HEADER + 8 * t->n_slots + 4 * slot);
        memcpy(&found, t->bytes.data + HEADER + 8 * slot, sizeof found);
        if (row == 0)
            return 0;
        if (found == id)
            return row <= t->n_units ? row : 0;
        slot = (slot + step) & mask;
    }
    return 0;
}

unit_bytes unit_index_piece(unit_bytes index, uint64_t id, uint32_t column, unit_bytes section)
{
    table t;
    unit_bytes none = {NULL, 0};
    uint64_t row = open_table(&t, index) ? find_row(&t, id) : 0;
    for (uint64_t i = 0; row > 0 && i < t.n_columns; i++) {
        uint64_t heads = HEADER + 12 * t.n_slots, cells = heads + 4 * t.n_columns;
        if (word_at(&t, heads + 4 * i) != column)
            continue;
        uint64_t cell = cells + 4 * ((row - 1) * t.n_columns + i);
        uint64_t offset = word_at(&t, cell);
        uint64_t size = word_at(&t, cell + 4 * t.n_columns * t.n_units);
        if (offset > section.len || size > section.len - offset)
            return none;
        return (unit_bytes){section.data + offset, (size_t)size};
    }
    return none;
}
