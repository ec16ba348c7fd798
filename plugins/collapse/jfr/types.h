/* SPDX-License-Identifier: MIT */
/* Reads the metadata of a chunk: the types of its events and constants, with their fields.
 *
 * Nothing but the metadata says which fields a record has, and in which order. Fields that matter
 * here are recognised by their names, and get a role.
 */
#ifndef JFR_TYPES_H
#define JFR_TYPES_H

#include "../../common/pair_map.h"
#include "reader.h"

#define NO_TYPE UINT32_MAX

/* The roles of fields, and of their values. */
typedef enum role {
    ROLE_NONE,
    ROLE_START,
    ROLE_DURATION,
    ROLE_EVENT_THREAD,
    ROLE_SAMPLED_THREAD,
    ROLE_STACK,
    ROLE_STATE,
    ROLE_SAMPLES,
    ROLE_PERIOD,
    ROLE_WEIGHT,
    ROLE_SIZE,
    ROLE_ALLOCATION_SIZE,
    ROLE_TLAB_SIZE,
    ROLE_TRUNCATED,
    ROLE_FRAMES,
    ROLE_METHOD,
    ROLE_LINE,
    ROLE_TYPE,
    ROLE_NAME,
    ROLE_TEXT,
    ROLE_OS_NAME,
    ROLE_OS_ID,
    ROLE_JAVA_NAME,
    ROLE_JAVA_ID,
    ROLE_ID,
    ROLE_VALUE,
    N_ROLES
} role;

/* Types that are not made of fields. */
typedef enum basic {
    BASIC_NONE,
    BASIC_BOOLEAN,
    BASIC_BYTE,
    BASIC_CHAR,
    BASIC_SHORT,
    BASIC_INT,
    BASIC_LONG,
    BASIC_FLOAT,
    BASIC_DOUBLE,
    BASIC_STRING
} basic;

/* Units of a span of time. */
typedef enum span_unit { SPAN_UNKNOWN, SPAN_TICKS, SPAN_NS, SPAN_US, SPAN_MS, SPAN_S } span_unit;

typedef struct field {
    brz_str name;
    uint64_t type_id;
    uint32_t type;  /* index, or NO_TYPE */
    uint8_t role;   /* role */
    uint8_t span;   /* span_unit */
    bool is_pooled; /* the value is the id of a constant */
    bool is_array;
} field;

/* The most columns that an event counts in. */
#define TYPE_COLUMNS 4

/* A column that an event counts in: see columns.h. */
typedef struct type_column {
    uint32_t column;
    uint32_t rule;
} type_column;

typedef struct record_type {
    uint64_t id;
    brz_str name;
    uint32_t first_field, n_fields;
    uint8_t basic;     /* basic */
    uint8_t n_columns; /* 0: its events are skipped */
    bool is_seen;      /* the chunk has such an event */
    bool is_other;     /* it has no column of its own, and may need some: see columns.h */
    bool has_stack;    /* its records have a stack trace */
    type_column columns[TYPE_COLUMNS];
} record_type;

typedef struct types {
    brz_str *strings;
    size_t n_strings, strings_cap;
    field *fields;
    size_t n_fields, fields_cap;
    record_type *items;
    size_t n, cap;
    uint32_t string_type; /* index of java.lang.String, or NO_TYPE */
    pair_map ids;
} types;

/* Reads the metadata, an event whose payload the cursor is at. Keeps pointers into the chunk, and
 * memory of earlier calls. Returns false if the metadata is damaged: see the cursor. */
bool types_read(types *t, reader *r, brz_bytes *b);

/* Returns the index of the type with an id, or NO_TYPE. */
static inline uint32_t types_find(const types *t, uint64_t id)
{
    return pair_map_find(&t->ids, id, 0); /* PAIR_MISS is NO_TYPE */
}

#endif
