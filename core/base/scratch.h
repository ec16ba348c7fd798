/* SPDX-License-Identifier: MIT */
/* Files without a name, which disappear when they are closed. */
#ifndef BRZ_SCRATCH_H
#define BRZ_SCRATCH_H

#include <stdint.h>

#include "base/buf.h"

/* Creates a file in $TMPDIR, or else in /var/tmp or /tmp. It disappears with the process, however
 * that ends. Returns its descriptor, or -1 after appending the reason to `error`.
 */
int brz_scratch_create(brz_buf *error);

/* Frees the space of a file up to an offset, in large pieces. `freed` is the offset up to which
 * that was done, 0 at first. A file system that cannot do it keeps the bytes until the file is
 * closed. */
void brz_scratch_free_before(int file, uint64_t *freed, uint64_t to);

#endif
