/* SPDX-License-Identifier: MIT */
/* Decimal numbers, kept exactly: they are never converted to binary fractions. */
#ifndef COMMON_TABLE_DECIMAL_H
#define COMMON_TABLE_DECIMAL_H

#include <brazier/base.h>

/* The number digits * 10^-decimals; never negative. */
typedef struct decimal {
    int64_t digits;
    int32_t decimals;
} decimal;

/* Removes a number from the front of *s: digits with an optional point among them and an optional
 * exponent ("1.5e-05"). With `comma`, a comma is accepted as a point, too. Returns false if there
 * are no digits, or too many. */
bool decimal_take(brz_str *s, bool comma, decimal *d);

/* Converts the number to units of 10^-decimals, rounded to the nearest. Returns false if it is too
 * large. */
bool decimal_scale(const decimal *d, int32_t decimals, int64_t *value);

#endif
