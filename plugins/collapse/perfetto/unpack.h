/* SPDX-License-Identifier: MIT */
/* Unpacks data in the format of zlib or zstd. */
#ifndef PERFETTO_UNPACK_H
#define PERFETTO_UNPACK_H

#include <brazier/text/buffer.h>

typedef enum unpack_result { UNPACK_DONE, UNPACK_DAMAGED, UNPACK_TOO_LARGE } unpack_result;

/* Appends what the data unpacks to, at most `most` bytes of it; of damaged data, what is in front
 * of the damage. */
unpack_result unpack(brz_ctx *ctx, brz_str packed, bool is_zstd, uint64_t most, brz_text *out);

#endif
