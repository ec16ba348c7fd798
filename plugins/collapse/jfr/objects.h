/* SPDX-License-Identifier: MIT */
/* Reads records by their types: events, constants, and records in these. */
#ifndef JFR_OBJECTS_H
#define JFR_OBJECTS_H

#include "chunk.h"

/* The most values of an object without a role that are kept. */
#define MAX_EXTRAS 16

/* The value of a field. */
typedef struct field_value {
    const field *field;
    const uint8_t *at; /* of an array or record: its place */
    uint64_t number;   /* of an integer, a constant (its id) or a real number (rounded) */
    double real;       /* of a number */
    reader_text text;
} field_value;

/* An object: the values of fields with roles, and of others that can be labels. */
typedef struct object {
    field_value of[N_ROLES]; /* by role */
    uint32_t has;            /* bits of the roles that it has */
    bool keeps_extras;       /* the caller wants `extras` */
    field_value extras[MAX_EXTRAS];
    size_t n_extras;
} object;

static inline bool object_has(const object *o, role r)
{
    return (o->has >> r & 1) != 0;
}

/* Returns the number in a role, or `other` if the object has no such field. */
static inline uint64_t object_number(const object *o, role r, uint64_t other)
{
    return object_has(o, r) ? o->of[r].number : other;
}

/* Takes a record of a type. A failure is that of the cursor. */
void object_read(chunk *c, object *o, uint32_t type, brz_bytes *b);

/* Moves past a record, or basic value, of a type. */
void object_skip(chunk *c, uint32_t type, brz_bytes *b);

/* Returns a cursor at a value in the chunk. */
static inline brz_bytes chunk_at(const chunk *c, const uint8_t *at)
{
    brz_bytes b = c->bytes;
    b.at = at;
    return b;
}

#endif
