/* SPDX-License-Identifier: MIT */
/* Lists where the functions of a program begin, by its call-frame information. */
#ifndef BRZ_RECORD_FUNCTIONS_H
#define BRZ_RECORD_FUNCTIONS_H

#include "plugin/elf_file.h"

/* The addresses of functions, in ascending order. */
typedef struct brz_functions {
    uint64_t *addresses;
    size_t n, cap;
    bool is_partial; /* there is more call-frame information, in a form that is not read here */
} brz_functions;

/* Lists the functions of a file: by the table of .eh_frame_hdr, or else by .eh_frame, which static
 * programs have without a table; and by .debug_frame. */
void brz_functions_list(brz_functions *f, const brz_elf_file *e);

/* Returns the size of a function, up to a limit: the distance to the next one. */
size_t brz_functions_size_of(const brz_functions *f, uint64_t function, size_t limit);

void brz_functions_finish(brz_functions *f);

#endif
