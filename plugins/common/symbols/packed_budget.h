/* Bounds the memory that compressed debugging information unpacks to.
 *
 * A file may unpack to a few times the size of its compressed sections. What exceeds that comes
 * from a reserve that all files of a run share, so a small file cannot claim much memory.
 */
#ifndef SYMBOLS_PACKED_BUDGET_H
#define SYMBOLS_PACKED_BUDGET_H

#include "elf_image.h"

/* Growth of debugging information that no file exceeds in practice: zlib makes it up to 5 times
 * smaller, and zstd up to 10 times. */
#define PACKED_GROWTH 16

/* Size of the reserve, in bytes. */
#define PACKED_RESERVE (UINT64_C(256) << 20)

typedef struct packed_budget {
    uint64_t reserve; /* bytes that are left */
} packed_budget;

/* Sizes of compressed sections, in bytes. */
typedef struct packed_sizes {
    uint64_t packed, unpacked;
} packed_sizes;

void packed_budget_init(packed_budget *b);

/* Adds a section. Sums stay at the limit of 64 bits. */
void packed_sizes_add(packed_sizes *s, uint64_t packed, uint64_t unpacked);

/* Returns the sizes of all compressed sections of an image, in any form, as their headers state
 * them. */
packed_sizes packed_sizes_of(const elf_image *e);

/* Takes memory for unpacking. Returns false if it is too much. Otherwise adds what it takes out of
 * the reserve to *taken. */
bool packed_budget_take(packed_budget *b, packed_sizes s, uint64_t *taken);

/* Returns what was taken to the reserve, and sets it to 0. */
void packed_budget_return(packed_budget *b, uint64_t *taken);

#endif
