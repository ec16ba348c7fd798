/* SPDX-License-Identifier: MIT */
/* Finds the methods of addresses. */
#ifndef NETTRACE_METHODS_H
#define NETTRACE_METHODS_H

#include "kinds.h"

typedef struct method {
    uint64_t start, end, module; /* addresses; id of its module */
    brz_str name;
    brz_frame frame;
    bool has_frame;
} method;

typedef struct methods {
    brz_ctx *ctx;
    method *items; /* by their start, after methods_sort() */
    size_t n, cap;
    pair_map modules; /* by id: an index of `files` */
    brz_str *files;
    size_t n_files, files_cap;
    pair_map frames;      /* by address */
    bool names_addresses; /* of code without a method */
} methods;

void methods_init(methods *m, brz_ctx *ctx, bool names_addresses);

/* Reads an event that states the code of a method, or the file of a module. */
void methods_take(methods *m, brz_bytes payload);
void methods_take_module(methods *m, brz_bytes payload);

/* Prepares for lookups, after the last method. */
void methods_sort(methods *m);

/* Returns the frame of the method at an address, or of code that none has. */
brz_frame methods_frame(methods *m, uint64_t address);

#endif
