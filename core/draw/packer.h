/* SPDX-License-Identifier: MIT */
/* Compresses the bytes of an output with gzip or zstd.
 *
 * The same bytes give the same result, in pieces of any size: it contains no time and no name.
 */
#ifndef BRZ_PACKER_H
#define BRZ_PACKER_H

#include "input/stream.h"

typedef struct brz_packer brz_packer;

/* Receives compressed bytes. */
typedef void brz_packed_fn(void *context, const char *data, size_t len);

/* Creates a packer that passes compressed bytes to `write`. Release it with
 * brz_packer_destroy(). */
brz_packer *brz_packer_create(brz_packing packing, brz_packed_fn *write, void *context);

/* Compresses bytes. Passes them on unchanged if the packer makes gzip and they are gzip already. */
void brz_packer_add(brz_packer *p, const char *data, size_t len);

/* Writes the rest. Nothing can be added afterwards. */
void brz_packer_end(brz_packer *p);

/* NULL is allowed. */
void brz_packer_destroy(brz_packer *p);

#endif
