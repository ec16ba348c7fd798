/* SPDX-License-Identifier: MIT */
/* Sorts items by sequences of 64-bit keys: text by seven bytes at a time, stacks by two ranks at a
 * time. */
#ifndef BRZ_MULTIKEY_H
#define BRZ_MULTIKEY_H

#include <stddef.h>
#include <stdint.h>

typedef struct brz_multikey_item {
    uint64_t key; /* used by the sort */
    uint32_t item;
    uint32_t reserved;
} brz_multikey_item;

/* Returns the key of `item` at `depth`, which counts from 0. Bit 0 must be set if the item has
 * another key. */
typedef uint64_t brz_multikey_fn(const void *what, uint32_t item, size_t depth);

/* Sorts items in ascending order. The order of equal items is unspecified. */
void brz_multikey_sort(brz_multikey_item *items, size_t n, brz_multikey_fn *key, const void *what);

#endif
