/* SPDX-License-Identifier: MIT */
/* Functions: frames that differ only in their line, column and address. Used by formats that have a
 * function table. */
#ifndef OUTPUT_COMMON_FUNCTIONS_H
#define OUTPUT_COMMON_FUNCTIONS_H

#include "keys.h"
#include "texts.h"

typedef struct function {
    uint32_t name, module, file;    /* numbers in `texts`; the name is without annotation */
    uint32_t full_name;             /* name with annotation, from the function's first frame */
    uint32_t system_name, build_id; /* texts; 0 unless they identify functions */
    uint32_t first_line;            /* 0: unknown */
} function;

typedef struct functions {
    texts texts; /* text 0 is empty */
    function *items;
    uint32_t n;
    uint32_t *of_frame; /* indexed by frame: its function */
} functions;

/* The attributes that identify a function, besides its module and file. */
typedef enum functions_by {
    FUNCTIONS_BY_NAME,   /* the name without its annotation */
    FUNCTIONS_BY_ORIGIN, /* the same, the build id of the module, and the first line */
    FUNCTIONS_BY_SYMBOL, /* the same, the annotation, and the system name */
} functions_by;

/* Collects the functions of all frames that occur in stacks. The memory belongs to the plug-in
 * instance. */
void functions_init(functions *f, brz_output_ctx *ctx, const brz_tree *tree, functions_by by);

#endif
