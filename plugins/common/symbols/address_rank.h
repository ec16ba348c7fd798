/* SPDX-License-Identifier: MIT */
/* Searches lists that are in the order of addresses. */
#ifndef SYMBOLS_ADDRESS_RANK_H
#define SYMBOLS_ADDRESS_RANK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the number of items that begin at or before an address. The first member of an item is
 * its address, as uint64_t; `size` is the size of an item. */
static inline size_t address_rank(const void *items, size_t n, size_t size, uint64_t address)
{
    const char *bytes = items;
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t start;
        memcpy(&start, bytes + middle * size, sizeof start);
        if (start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
