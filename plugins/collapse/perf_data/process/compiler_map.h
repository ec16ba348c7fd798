/* SPDX-License-Identifier: MIT */
/* Reads the names that compilers at run time give to their code: in a map, /tmp/perf-PID.map, or in
 * a dump that their process maps, jit-PID.dump. */
#ifndef PERF_DATA_COMPILER_MAP_H
#define PERF_DATA_COMPILER_MAP_H

#include "symbol_source.h"

/* Reads the functions of a module of kind MODULE_JIT. While the recording is shown, the files grow:
 * called again, it reads a file that has changed, and the functions of before are invalid. */
void compiler_map_read(symbols *s, const module *m, symbol_source *of);

#endif
