/* Sorts things whose order is that of a sequence of 64-bit keys: text by seven bytes at a time,
 * stacks by two ranks. */
#ifndef BRZ_MULTIKEY_H
#define BRZ_MULTIKEY_H

#include <stddef.h>
#include <stdint.h>

typedef struct brz_multikey_item {
    uint64_t key; /* for the sort's own use */
    uint32_t item;
    uint32_t reserved;
} brz_multikey_item;

/* The key of `item` at `depth`, 0, 1, 2 … Its lowest bit is 1 if the item has a next key. */
typedef uint64_t brz_multikey_fn(const void *what, uint32_t item, size_t depth);

/* Sorts items in ascending order. Equal ones end up beside each other in no particular order. */
void brz_multikey_sort(brz_multikey_item *items, size_t n, brz_multikey_fn *key, const void *what);

#endif
