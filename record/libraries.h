/* SPDX-License-Identifier: MIT */
/* Finds the libraries that a program needs. */
#ifndef BRZ_RECORD_LIBRARIES_H
#define BRZ_RECORD_LIBRARIES_H

#include "base/buf.h"
#include "plugin/elf_file.h"

/* Receives the name of a library, and its file. Returns false to end the search. */
typedef bool brz_library_fn(void *context, const char *name, const char *path);

/* Calls `take` for each library that a program names, if it is in one of the usual folders: those
 * that the program or $LD_LIBRARY_PATH names, and those of the system. `path` is the program's. */
void brz_libraries_needed(const brz_elf_file *e, const char *path, brz_library_fn *take,
                          void *context);

#endif
