/* Functions: frames without their lines. Formats that keep a table of functions take it from here.
 */
#ifndef OUTPUT_COMMON_FUNCTIONS_H
#define OUTPUT_COMMON_FUNCTIONS_H

#include "keys.h"
#include "texts.h"

typedef struct function {
    uint32_t name, module, file; /* texts; the name without an annotation */
    uint32_t full_name;          /* with it, of the first frame */
} function;

typedef struct functions {
    texts texts; /* text 0 is empty */
    function *items;
    uint32_t n;
    uint32_t *of_frame; /* by frame: its function */
} functions;

/* Whether functions that differ in an annotation alone are one. */
typedef enum functions_by { FUNCTIONS_BY_NAME, FUNCTIONS_BY_FULL_NAME } functions_by;

/* The functions of all frames that stacks have. Memory is the instance's. */
void functions_init(functions *f, brz_ctx *ctx, const brz_tree *tree, functions_by by);

#endif
