/* Pieces of a plain file, as they are asked for: mapped, unless the source is not to be, with the
 * slack that collapsers are promised around them. Mapping spares a copy of every byte; only a part
 * of the file is mapped at a time, so that memory does not grow with the file.
 *
 * If somebody truncates a mapped file, the next access raises SIGBUS. A handler that calls
 * brz_window_rescue turns this into an error of the input. */
#ifndef BRZ_WINDOW_H
#define BRZ_WINDOW_H

#include <signal.h>

#include "input/source.h"

typedef struct brz_window {
    const brz_source *source; /* with a descriptor and a known size */
    uint8_t *map;             /* NULL: nothing is mapped */
    uint64_t map_start;       /* offset in the file */
    size_t map_len;
    uint8_t *buffer; /* for what cannot be mapped with its slack: the file's first and last bytes */
    size_t buffer_cap;
    int error;                  /* errno of a read that failed; 0 */
    volatile sig_atomic_t lost; /* bytes that the file should have could not be read */
    uint64_t lost_at;           /* the offset in the file of one of them */
} brz_window;

/* The source outlives it. A thread has one window at a time. */
void brz_window_init(brz_window *w, const brz_source *source);
void brz_window_finish(brz_window *w);

/* The bytes from an offset of the decoded text on, valid until the next call. *n is how many are
 * wanted, and becomes how many there are: fewer only at the end of the file, or if there is a
 * problem. */
const uint8_t *brz_window_at(brz_window *w, uint64_t offset, size_t *n);

/* Returns NULL if all bytes so far were the file's, or else the problem in words: the file cannot
 * be read, or somebody made it shorter. To be called after the bytes were used, since those of a
 * mapped file may get lost at any time. The text is valid until the next call. */
const char *brz_window_problem(brz_window *w);

/* For a handler of SIGBUS: if the address lies in this thread's window, puts zeros in place of what
 * the file no longer has, notes the problem, and returns true. The thread may go on. */
bool brz_window_rescue(const void *address);

#endif
