/* SPDX-License-Identifier: MIT */
/* Keeps the bytes of an output in a file without a name until it is certain that they are right. */
#ifndef BRZ_SPOOL_H
#define BRZ_SPOOL_H

#include <brazier/output.h>

typedef struct brz_spool {
    brz_sink sink; /* must be first: to write to */
    int fd;
    uint64_t size;
} brz_spool;

/* Creates a spool. Returns false if the system has no room for temporary files. */
bool brz_spool_init(brz_spool *s);

/* Reads bytes that were written. Returns their number, less than `n` after an error. */
size_t brz_spool_read(const brz_spool *s, void *to, size_t n, uint64_t at);

/* Writes all bytes to another sink. Returns false if that fails, and clears *is_read if the bytes
 * cannot be read. */
bool brz_spool_release(const brz_spool *s, brz_sink *to, bool *is_read);

/* Frees a spool that was created. */
void brz_spool_finish(brz_spool *s);

#endif
