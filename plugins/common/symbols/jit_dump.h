/* Reads the symbols in dumps of compilers at run time: jit-PID.dump, in the format of Linux perf.
 */
#ifndef SYMBOLS_JIT_DUMP_H
#define SYMBOLS_JIT_DUMP_H

#include "symbol_table.h"

/* Adds the functions of a dump, which must stay valid, at each place to which their code moves. A
 * dump that is cut gives those before the cut. Counts the functions with unwinding information,
 * which is not used. Returns false if the bytes are not a dump. */
bool jit_dump_read(symbol_table *t, brz_ctx *ctx, const uint8_t *data, size_t len,
                   uint64_t *unwinding);

#endif
