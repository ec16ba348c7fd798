/* SPDX-License-Identifier: MIT */
/* Units of numbers: times and sizes, which convert to each other exactly. */
#ifndef TEXT_UNITS_H
#define TEXT_UNITS_H

#include "../../common/table/decimal.h"

/* A unit: a multiple of nanoseconds, or of bytes. */
typedef struct text_unit {
    int64_t size;
    bool is_time;
} text_unit;

/* The words for messages about units. */
#define TEXT_UNIT_WORDS "ns, us, ms, s, m, h, B, KB, KiB, MB, MiB, GB, GiB, TB, TiB"

/* Finds a unit by its word ("ms", "seconds", "KiB"). Returns false for other texts. */
bool text_unit_find(brz_str word, text_unit *unit);

/* Converts a number. The result is exact if it has at most 9 decimals, or as many as the number;
 * otherwise it is rounded to the nearest. Returns false if it is too large, or a time is to become
 * a size. */
bool text_unit_convert(decimal *d, text_unit from, text_unit to);

/* Adds up numbers with units, such as "1h 2m3.5s", in nanoseconds or bytes, and converts the sum.
 * A last number without a unit has the one of the word `last`, or `otherwise` if that is empty; one
 * with a unit must not have another. Returns false for other texts, and where text_unit_convert()
 * does. */
bool text_unit_sum(brz_str text, brz_str last, text_unit otherwise, text_unit to, decimal *sum);

#endif
