/* SPDX-License-Identifier: MIT */
/* Names the jumps through which a program calls functions of libraries: "NAME@plt". */
#ifndef SYMBOLS_JUMPS_H
#define SYMBOLS_JUMPS_H

#include "elf_image.h"
#include "../symbol_index.h"

/* Size of the jumps of .plt. */
#define JUMP_SIZE 16

/* Reads the jumps of an image: those of .plt, .plt.sec and .plt.got on x86-64 and arm64, and those
 * of .plt on i386. `others` has the other symbols, which name functions that choose their code at
 * run time. */
void jumps_read(const elf_image *e, brz_ctx *ctx, symbol_index *others, symbol_table *t,
                bool as_perf);

/* Offsets in a file. */
typedef struct jumps_extent {
    uint64_t start, end; /* of the section */
    uint64_t reach;      /* end of the bytes that its jumps may be read from */
} jumps_extent;

/* Maximum number of extents. */
#define JUMPS_EXTENTS 4

/* Sets the offsets at which an image may have jumps, without reading them. Returns their number. */
size_t jumps_extents(const elf_image *e, jumps_extent extents[JUMPS_EXTENTS]);

#endif
