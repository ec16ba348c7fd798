/* SPDX-License-Identifier: MIT */
/* Tables of the Firefox Profiler: rows of numbers that refer to rows of other tables. */
#ifndef FIREFOX_TABLE_H
#define FIREFOX_TABLE_H

#include <brazier/text.h>

#include "../../common/json/members.h"

/* Stands for null, and for negative numbers, of which some programs write -1. */
#define NO_VALUE INT64_C(-1)

/* Stands for values that are neither null nor whole numbers. */
#define INVALID_VALUE INT64_C(-2)

#define MOST_COLUMNS 9

/* A column; it may be shorter than others of its table. */
typedef struct numbers {
    int64_t *items;
    size_t n, cap;
} numbers;

typedef struct table {
    numbers columns[MOST_COLUMNS];
} table;

/* Columns of the tables. */
enum { STACK_PREFIX, STACK_OFFSET, STACK_FRAME };
enum {
    FRAME_LOCATION,
    FRAME_FUNCTION,
    FRAME_ADDRESS,
    FRAME_LIBRARY,
    FRAME_DEPTH,
    FRAME_CATEGORY,
    FRAME_LINE,
    FRAME_COLUMN,
    FRAME_JIT /* "implementation" */
};
enum {
    FUNCTION_NAME,
    FUNCTION_JS,
    FUNCTION_RESOURCE,
    FUNCTION_FILE,
    FUNCTION_SOURCE,
    FUNCTION_LINE
};
enum { RESOURCE_LIBRARY, RESOURCE_NAME };
enum { SOURCE_FILE };

/* Tables, and the list of strings. */
enum { STACKS, FRAMES, FUNCTIONS, RESOURCES, SOURCES, STRINGS, LIBRARIES, TABLES };

/* The tables of a thread, or those that threads share. */
typedef struct scope {
    brz_json_token parts[TABLES]; /* as written */
    uint32_t read;                /* bits of the parts that have been read */
    table *tables[STRINGS];       /* NULL before they are read */
    brz_str *strings;             /* as written */
    size_t n_strings, strings_cap;
    brz_frame *ids;  /* indexed by frame; BRZ_NO_FRAME: not made yet */
    size_t *entries; /* indexed by stack: its entry, from 1; 0: not looked up yet */
    bool has_root;   /* stacks begin with the frame "(root)" */
    uint64_t others; /* stacks that begin with another one */
} scope;

/* Reads a table, given as columns or as rows with a schema. */
void table_read(table *t, brz_ctx *ctx, const brz_json_token *text, const char *const *names,
                size_t n);

/* Returns a value, or NO_VALUE. */
int64_t table_at(const table *t, size_t column, int64_t row);

/* Returns a part that has been read: the scope's own, or else that of `shared`. */
scope *scope_part(scope *own, scope *shared, brz_ctx *ctx, uint32_t part);

/* Returns the number of frames of a table that has been read. */
size_t scope_frames(const scope *s);

/* Returns a string as written, or an empty text. */
brz_str scope_string(const scope *s, int64_t index);

#endif
