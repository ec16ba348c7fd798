/* SPDX-License-Identifier: MIT */
/* Bounds the memory that compressed debugging information unpacks to.
 *
 * A file may unpack to a few times the size of its compressed sections. What exceeds that comes
 * from a reserve that all files of a run share, so a small file cannot claim much memory. Nor can
 * many names of one file: only a few of them count as files of their own.
 */
#ifndef SYMBOLS_PACKED_BUDGET_H
#define SYMBOLS_PACKED_BUDGET_H

#include "elf_image.h"

/* Growth of debugging information that no file exceeds in practice: zlib makes it up to 5 times
 * smaller, and zstd up to 10 times. */
#define PACKED_GROWTH 16

/* Size of the reserve, in bytes. */
#define PACKED_RESERVE (UINT64_C(256) << 20)

/* Maximum number of times that the same bytes have memory of their own: a program is read for its
 * functions and for its unwind tables, perhaps in two containers. */
#define PACKED_COPIES 4

/* Maximum number of files with memory of their own, which is that of files that an input names. */
#define PACKED_FILES 4096

typedef struct packed_budget {
    uint64_t reserve;             /* bytes that are left */
    uint64_t files[PACKED_FILES]; /* hashes of those with memory of their own */
    size_t n;
} packed_budget;

/* Sizes of compressed sections, in bytes. */
typedef struct packed_sizes {
    uint64_t packed, unpacked;
} packed_sizes;

/* Memory that was taken. */
typedef struct packed_claim {
    uint64_t taken; /* bytes of the reserve */
    uint64_t file;  /* hash of the file, if it has memory of its own; otherwise 0 */
} packed_claim;

void packed_budget_init(packed_budget *b);

/* Adds a section. Sums stay at the limit of 64 bits. */
void packed_sizes_add(packed_sizes *s, uint64_t packed, uint64_t unpacked);

/* Returns the sizes of all compressed sections of an image, in any form, as their headers state
 * them. */
packed_sizes packed_sizes_of(const elf_image *e);

/* Takes memory for unpacking sections of an image. Returns false if it is too much. */
bool packed_budget_take(packed_budget *b, const elf_image *e, packed_sizes s, packed_claim *claim);

/* Returns what was taken, and clears the claim; a zeroed one is allowed. */
void packed_budget_return(packed_budget *b, packed_claim *claim);

#endif
