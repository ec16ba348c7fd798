/* Reads the symbols of the kernel and its modules from a list of them. */
#ifndef PERF_DATA_KERNEL_SYMBOLS_H
#define PERF_DATA_KERNEL_SYMBOLS_H

#include "symbol_source.h"

/* Reads the symbols, and computes how far they are from the recorded ones: those of another start
 * of the machine are at another place. Without a list, the source has no symbols. */
symbol_source *kernel_symbols_load(symbols *s);

#endif
