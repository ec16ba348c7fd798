/* Pieces of a plain file, as they are asked for: mapped, unless the source is not to be, with the
 * slack that collapsers are promised around them. Mapping spares a copy of every byte; only a part
 * of the file is mapped at a time, so that memory does not grow with the file. */
#ifndef BRZ_WINDOW_H
#define BRZ_WINDOW_H

#include "input/source.h"

typedef struct brz_window {
    const brz_source *source; /* with a descriptor and a known size */
    uint8_t *map;             /* NULL: nothing is mapped */
    uint64_t map_start;       /* offset in the file */
    size_t map_len;
    uint8_t *buffer; /* for what cannot be mapped with its slack: the file's first and last bytes */
    size_t buffer_cap;
    int error; /* errno of a read that failed; 0 */
} brz_window;

/* The source outlives it. */
void brz_window_init(brz_window *w, const brz_source *source);
void brz_window_finish(brz_window *w);

/* The bytes from an offset of the decoded text on, valid until the next call. *n is how many are
 * wanted, and becomes how many there are: fewer only at the end of the file, or if it cannot be
 * read, when `error` is set. */
const uint8_t *brz_window_at(brz_window *w, uint64_t offset, size_t *n);

#endif
