/* SPDX-License-Identifier: MIT */
/* Properties of a shared object's file: its symbols and load requirements. */
#ifndef BRZ_CHECK_OBJECT_H
#define BRZ_CHECK_OBJECT_H

#include "base/buf.h"

typedef struct check_object {
    bool known;       /* the other members are valid */
    brz_buf exported; /* symbol names, separated by spaces */
    size_t n_exported;
    brz_buf needed; /* library names, separated by spaces */
    brz_buf path;   /* RPATH or RUNPATH; empty: none */
    bool text_relocations, executable_stack;
} check_object;

check_object check_object_read(const char *path);
void check_object_finish(check_object *o);

/* Appends the name of the variable or function at an address of the file, unless it was
 * stripped. */
void check_object_name_at(const char *path, uint64_t address, brz_buf *to);

#endif
