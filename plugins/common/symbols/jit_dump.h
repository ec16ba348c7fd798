/* SPDX-License-Identifier: MIT */
/* Reads the symbols in dumps of compilers at run time: jit-PID.dump, in the format of Linux perf.
 */
#ifndef SYMBOLS_JIT_DUMP_H
#define SYMBOLS_JIT_DUMP_H

#include "symbol_table.h"

#include <brazier/text/frame_cache.h>

/* The functions of a dump. Initially zeroed. */
typedef struct jit_dump {
    brz_frame_cache positions; /* of functions in `names`, by their index in the dump */
    brz_str *names;            /* by the position of a function; not copied */
    size_t n, cap;
    uint64_t n_unwinding; /* functions with unwinding information, which is not used */
} jit_dump;

/* Adds the functions of a dump, which must stay valid, at each place to which their code moves. A
 * dump that is cut gives those before the cut. A dump that has grown may be read again, into an
 * empty table. Returns false if the bytes are not a dump. */
bool jit_dump_read(jit_dump *d, symbol_table *t, brz_ctx *ctx, const uint8_t *data, size_t len);

#endif
