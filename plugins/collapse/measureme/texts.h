/* SPDX-License-Identifier: MIT */
/* Decodes the texts of a file of measureme.
 *
 *     text := (bytes | 0xFE id)* 0xFF        ids have 8 bytes, in version 8 four
 *     id   := up to 100,000,000: listed in the index with its address
 *           | 100,000,001: the description of the recording, likewise
 *           | 100,000,002: invalid
 *           | more: its address is the id less 100,000,003
 *     index := (id address)*                 each of 8 bytes, in version 8 four
 *
 * Bytes are UTF-8, so that neither 0xFE nor 0xFF occurs among them.
 */
#ifndef COLLAPSE_MEASUREME_TEXTS_H
#define COLLAPSE_MEASUREME_TEXTS_H

#include <brazier/text/buffer.h>

#include "../../common/pair_map.h"
#include "streams.h"

#define METADATA_ID UINT64_C(100000001)

/* Ends the label of an event, and each of its arguments. */
#define SEPARATOR 0x1e

typedef struct texts {
    brz_ctx *ctx;
    stream *data;
    uint32_t id_size;
    pair_map places; /* id, 0 -> index of its address */
    uint64_t *addresses;
    size_t n_addresses, addresses_cap;
    uint64_t budget; /* bytes and parts that may still be decoded */
    uint64_t unknown, damaged;
    bool spent; /* the budget did not suffice */
} texts;

/* Reads the index. */
void texts_init(texts *t, brz_ctx *ctx, streams *s, size_t input);

/* Decodes a text into `to`, up to the first separator if `label`. Unknown ids become "<unknown>",
 * damaged texts "<invalid>"; `to` has data even if it is empty. Returns false if the budget does
 * not suffice, which is reported. */
bool texts_get(texts *t, uint64_t id, bool label, brz_text *to);

/* Reports the number of unknown and damaged texts. */
void texts_report(const texts *t);

#endif
