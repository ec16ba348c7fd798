/* Functions: frames without their lines and kinds. Formats that keep a table of functions and one
 * of places in them take both from here.
 */
#ifndef OUTPUT_COMMON_FUNCTIONS_H
#define OUTPUT_COMMON_FUNCTIONS_H

#include "keys.h"
#include "texts.h"

typedef struct function {
    uint32_t name, module, file; /* texts; the name without an annotation */
} function;

typedef struct functions {
    texts texts; /* text 0 is empty */
    function *items;
    uint32_t n;
    uint32_t *of_frame; /* by frame: its function */
} functions;

/* The functions of all frames that stacks have. Memory is the instance's. */
void functions_init(functions *f, brz_ctx *ctx, const brz_tree *tree);

#endif
