/* SPDX-License-Identifier: MIT */
/* The call-frame information of an ELF file, decoded by libdw. */
#ifndef UNWIND_FRAME_SOURCE_H
#define UNWIND_FRAME_SOURCE_H

#include "../dwarf/dwarf_image.h"
#include "../elf/go_table.h"
#include "frame_rule.h"
#include "frame_table.h"

typedef struct frame_source {
    const unwind_machine *machine; /* NULL: the file is of an unsupported machine */
    const elf_image *files[2];     /* the mapped file, and that with its debugging information */
    void *loaded;                  /* Dwarf_CFI of .eh_frame; NULL: none, or see `table` */
    frame_table table;             /* of functions in .eh_frame; without rows: none */
    void *debug;                   /* Dwarf_CFI of .debug_frame; NULL: none, or not looked for */
    dwarf_image image;             /* to which `debug` belongs */
    packed_budget *budget;         /* for unpacking it */
    uint64_t needed; /* bytes that a file unpacks to, if that is more than the budget has; or 0 */
    bool looked_for_debug;
    go_table go; /* functions that the rules do not fit; without data: none */
} frame_source;

/* Opens the information of a mapped file. `symbols` is the file with its debugging information, or
 * an image that is not open. Both must stay open, and `budget` where it is. */
void frame_source_open(frame_source *f, const elf_image *loaded, const elf_image *symbols,
                       packed_budget *budget);

/* Reads the rules at an address. */
frame_rule frame_source_read(frame_source *f, uint64_t address, rule_alloc *alloc, void *context);

/* Releases it; a zeroed source is allowed. */
void frame_source_close(frame_source *f);

#endif
