/* SPDX-License-Identifier: MIT */
/* Assigns consecutive numbers to distinct texts, in the order of their first use. */
#ifndef OUTPUT_COMMON_TEXTS_H
#define OUTPUT_COMMON_TEXTS_H

#include <brazier/plugin.h>
#include <brazier/text/hash.h>

#include <string.h>

typedef struct texts {
    brz_output_ctx *ctx;
    brz_str *items; /* indexed by number; borrowed from the caller */
    uint32_t n;
    size_t cap;
    uint32_t *slots; /* hash table of numbers from 1; 0: free */
    size_t n_slots;
    brz_hash_keys keys;
} texts;

/* Initialises an empty table. The memory belongs to the plug-in instance. */
void texts_init(texts *t, brz_output_ctx *ctx);

/* Returns the number of a text, from 0; adds the text if it is new. The bytes are not copied. */
uint32_t texts_add(texts *t, brz_str text);

#endif
