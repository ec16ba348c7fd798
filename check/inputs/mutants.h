/* SPDX-License-Identifier: MIT */
/* Corrupted variants of an input. */
#ifndef BRZ_CHECK_MUTANTS_H
#define BRZ_CHECK_MUTANTS_H

#include "base/buf.h"
#include "random.h"

/* Writes a variant of n bytes to `to`, and a description of the change to `how`: "with 3 bytes
 * changed". */
typedef void check_mutate(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to,
                          brz_buf *how);

void check_mutate_bytes(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to, brz_buf *how);
void check_mutate_lines(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to, brz_buf *how);
void check_mutate_nuls(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to, brz_buf *how);
void check_mutate_utf8(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to, brz_buf *how);
void check_mutate_line_ends(const uint8_t *data, size_t n, uint64_t *random, brz_buf *to,
                            brz_buf *how);

#endif
