/* SPDX-License-Identifier: MIT */
/* Provides pieces of a plain file, at any offset, with slack around them.
 *
 * The pieces are read into one buffer, which stays in the processor's cache: on virtual machines,
 * the page faults of a mapping take longer than the copy. Bytes that the next piece shares with the
 * previous one are not read again.
 */
#ifndef BRZ_WINDOW_H
#define BRZ_WINDOW_H

#include "input/feed.h"

typedef struct brz_window {
    const brz_source *source; /* has a descriptor and a known size */
    uint8_t *buffer;          /* with slack on both sides; NULL: nothing was read */
    size_t cap;
    uint64_t start; /* offset in the file of the first byte in the buffer */
    size_t len;     /* number of bytes there */
    int error;      /* errno of a failed read; 0: none */
    bool is_cut;    /* the file has ended before its known size */
} brz_window;

/* Initialises a window. The source must outlive it. */
void brz_window_init(brz_window *w, const brz_source *source);
void brz_window_finish(brz_window *w);

/* Takes the buffer of a feed of the same source: its bytes need not be read again. The feed has
 * none afterwards. */
void brz_window_take(brz_window *w, brz_feed *f);

/* Returns the bytes at an offset of the decoded text, valid until the next call. *n is the number
 * of bytes wanted and receives the number available, which is smaller only at the end of the file
 * or after a problem. */
const uint8_t *brz_window_at(brz_window *w, uint64_t offset, size_t *n);

/* Returns NULL, or a description of the problem: the file cannot be read or has become shorter. The
 * text is valid until the next call. */
const char *brz_window_problem(const brz_window *w);

#endif
