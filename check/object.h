/* What a shared object's file says of itself: its symbols, and how it wants to be loaded. */
#ifndef BRZ_CHECK_OBJECT_H
#define BRZ_CHECK_OBJECT_H

#include "base/buf.h"

typedef struct check_object {
    bool known;       /* the rest could be read */
    brz_buf exported; /* names of symbols, separated by blanks */
    size_t n_exported;
    brz_buf needed; /* libraries, likewise */
    brz_buf path;   /* RPATH or RUNPATH, empty: none */
    bool text_relocations, executable_stack;
} check_object;

check_object check_object_read(const char *path);
void check_object_finish(check_object *o);

/* Adds the name of the variable or function at an address of the file, if it was not stripped. */
void check_object_name_at(const char *path, uint64_t address, brz_buf *to);

#endif
