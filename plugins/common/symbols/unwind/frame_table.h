/* SPDX-License-Identifier: MIT */
/* Call-frame information of a file whose functions are found by the table of .eh_frame_hdr.
 *
 * libdw finds that table only if its section comes before .eh_frame, which the linker gold and BOLT
 * write first: it then reads all of .eh_frame, and keeps an entry in memory for each function.
 * Here, the table is searched, and libdw gets an image with the entry of one function. */
#ifndef UNWIND_FRAME_TABLE_H
#define UNWIND_FRAME_TABLE_H

#include "../elf/elf_image.h"
#include "../elf/unit_bytes.h"
#include "frame_rule.h"

typedef struct frame_table {
    const elf_image *image;
    unit_bytes frames;  /* .eh_frame */
    uint64_t frames_at; /* its address */
    const uint8_t
        *rows;          /* of the table: start of a function and place of its entry, as distances */
    uint64_t n_rows;    /* 0: there is no table, or none of use */
    uint64_t rows_from; /* the address from which these distances count */
    void *memory;       /* for images of entries */
    size_t room;
} frame_table;

/* Finds the table of a file, which must stay open. Returns false, also if libdw finds it itself. */
bool frame_table_open(frame_table *t, const elf_image *e);

/* Reads the rules at an address. */
frame_rule frame_table_read(frame_table *t, const unwind_machine *m, uint64_t address,
                            rule_alloc *alloc, void *context);

/* Releases it; a zeroed table is allowed. */
void frame_table_close(frame_table *t);

#endif
