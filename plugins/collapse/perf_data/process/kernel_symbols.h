/* SPDX-License-Identifier: MIT */
/* Reads the symbols of the kernel and its modules from a list of them. */
#ifndef PERF_DATA_KERNEL_SYMBOLS_H
#define PERF_DATA_KERNEL_SYMBOLS_H

#include "symbol_source.h"

/* Reads the symbols, and computes how far they are from the recorded ones: those of another start
 * of the machine are at another place. Without a list, the source has no symbols. */
symbol_source *kernel_symbols_load(symbols *s);

/* Returns whether the recorded kernel is the running one: it has its build id or, if the recording
 * lacks that, the names of this machine and of its release. */
bool kernel_symbols_is_running(symbols *s);

#endif
