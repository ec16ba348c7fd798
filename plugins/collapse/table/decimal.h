/* A decimal number in text, kept as it stands there: no binary fraction comes near it. */
#ifndef BRZ_TABLE_DECIMAL_H
#define BRZ_TABLE_DECIMAL_H

#include <brazier/base.h>

/* digits * 10^-decimals; never negative. */
typedef struct decimal {
    int64_t digits;
    int32_t decimals;
} decimal;

/* Takes digits with or without a point among them, and an exponent ("1.5e-05"), off the front of
 * *s. `comma`: a comma is a point as well. False if there are no digits, or too many. */
bool decimal_take(brz_str *s, bool comma, decimal *d);

/* The number in units of 10^-decimals, rounded to the nearest; false if it is too large. */
bool decimal_scale(const decimal *d, int32_t decimals, int64_t *value);

#endif
