/* SPDX-License-Identifier: MIT */
/* Stores the code of functions, which outputs may show: see <brazier/draft/code.h>. */
#ifndef BRZ_CODES_H
#define BRZ_CODES_H

#include <brazier/draft/code.h>

#include "base/arena.h"

/* Maximum number of functions of a profile, and of bytes of their code. */
#define BRZ_CODES_MAX   1000
#define BRZ_CODES_BYTES ((size_t)16 << 20)

/* The code of a function in a module. */
typedef struct brz_module_code {
    brz_str module, build_id;
    brz_code code;
} brz_module_code;

/* All zero is an empty list. */
typedef struct brz_codes {
    brz_module_code *items; /* by module, build id and address */
    size_t n, cap;
    uint64_t longest; /* number of bytes of the longest code */
    size_t n_bytes;   /* of the code of all */
    brz_arena memory; /* holds texts and code */
} brz_codes;

/* Returns whether the code of a module contains the address of a frame. */
bool brz_module_code_contains(const brz_module_code *m, const brz_frame_info *at);

/* Returns the code that contains the address of a frame, or NULL. If several do, returns the one
 * that begins last. */
const brz_code *brz_codes_find(const brz_codes *c, const brz_frame_info *at);

/* Copies the code of a function, unless the list has it or it is invalid. Returns false if it does
 * not fit. */
bool brz_codes_add(brz_codes *c, const brz_module_code *added);

/* Adds the code in `from`, as far as it fits. */
void brz_codes_absorb(brz_codes *c, const brz_codes *from);

void brz_codes_finish(brz_codes *c);

#endif
