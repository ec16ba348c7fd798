/* Provides pieces of a plain file with slack around them, mapped if the source allows it. Mapping
 * avoids a copy of every byte. Only a part of the file is mapped at a time, so that memory does not
 * grow with the file.
 *
 * If the mapped file is truncated, the next access raises SIGBUS. A handler that calls
 * brz_window_rescue() turns this into an error of the input.
 */
#ifndef BRZ_WINDOW_H
#define BRZ_WINDOW_H

#include <signal.h>

#include "input/source.h"

typedef struct brz_window {
    const brz_source *source; /* has a descriptor and a known size */
    uint8_t *map;             /* NULL: nothing is mapped */
    uint64_t map_start;       /* offset in the file */
    size_t map_len;
    uint8_t *buffer; /* for the ends of the file, which cannot be mapped with slack */
    size_t buffer_cap;
    int error;                  /* errno of a failed read; 0: none */
    volatile sig_atomic_t lost; /* expected bytes of the file could not be read */
    uint64_t lost_at;           /* offset in the file of one of these bytes */
} brz_window;

/* Initialises a window. The source must outlive it. A thread may have one window at a time. */
void brz_window_init(brz_window *w, const brz_source *source);
void brz_window_finish(brz_window *w);

/* Returns the bytes at an offset of the decoded text, valid until the next call. *n is the number
 * of bytes wanted and receives the number available, which is smaller only at the end of the file
 * or after a problem. */
const uint8_t *brz_window_at(brz_window *w, uint64_t offset, size_t *n);

/* Returns NULL if all bytes so far came from the file, or a description of the problem: the file
 * cannot be read or has become shorter. Call it after using the bytes, because the data of a mapped
 * file may vanish at any time. The text is valid until the next call. */
const char *brz_window_problem(brz_window *w);

/* Handles SIGBUS: if the address lies in this thread's window, replaces the missing part of the
 * file by zeros, records the problem, and returns true. The thread may then continue. */
bool brz_window_rescue(const void *address);

#endif
