/* SPDX-License-Identifier: MIT */
/* Picks the strings of a unit from a section that it shares with all units of a .dwp file.
 *
 *     offsets := header offset:u32*
 *
 * The string of an offset ends with a zero.
 */
#include "unit_strings.h"

#include <stdlib.h>
#include <string.h>

/* Replaces an offset past the end of the section. */
#define NO_STRING UINT32_MAX

/* Returns the string, with its terminating zero, that the offset at position `at` refers to.
 * Returns an empty string if the offset lies outside of `strings`. */
static unit_bytes string_of(unit_bytes offsets, size_t at, unit_bytes strings)
{
    uint32_t offset;
    memcpy(&offset, offsets.data + at, sizeof offset);
    if (offset >= strings.len)
        return (unit_bytes){NULL, 0};
    const uint8_t *start = strings.data + offset;
    const uint8_t *end = memchr(start, 0, strings.len - offset);
    return (unit_bytes){start, end == NULL ? strings.len : (size_t)(end - start) + 1};
}

/* Returns the size of all strings, or `most` if they are not smaller or one does not end. */
static size_t size_of_all(unit_bytes offsets, size_t header, unit_bytes strings, size_t most)
{
    size_t sum = 0;
    for (size_t at = header; at + 4 <= offsets.len && sum < most; at += 4)
        sum += string_of(offsets, at, strings).len;
    return sum < most ? sum : most;
}

uint8_t *unit_strings_pick(unit_bytes *offsets, size_t header, unit_bytes *strings)
{
    size_t most = strings->len < NO_STRING ? strings->len : NO_STRING;
    size_t sum = size_of_all(*offsets, header, *strings, most), used = 0;
    uint8_t *to = offsets->len < header || sum >= most ? NULL : malloc(offsets->len + sum + 1);
    if (to == NULL)
        return NULL;
    uint8_t *text = to + offsets->len;
    memcpy(to, offsets->data, offsets->len);
    for (size_t at = header; at + 4 <= offsets->len; at += 4) {
        unit_bytes s = string_of(*offsets, at, *strings);
        uint32_t offset = s.len > 0 ? (uint32_t)used : NO_STRING;
        memcpy(to + at, &offset, sizeof offset);
        if (s.len > 0)
            memcpy(text + used, s.data, s.len);
        used += s.len;
    }
    *offsets = (unit_bytes){to, offsets->len};
    *strings = (unit_bytes){text, used};
    return to;
}
