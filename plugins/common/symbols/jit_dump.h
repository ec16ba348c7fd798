/* Reads the symbols in dumps of compilers at run time: jit-PID.dump, in the format of Linux perf.
 */
#ifndef SYMBOLS_JIT_DUMP_H
#define SYMBOLS_JIT_DUMP_H

#include "symbol_table.h"

/* Adds the functions of a dump, which must stay valid. A dump that is cut gives those before the
 * cut. Returns false if the bytes are not a dump. */
bool jit_dump_read(symbol_table *t, brz_ctx *ctx, const uint8_t *data, size_t len);

#endif
