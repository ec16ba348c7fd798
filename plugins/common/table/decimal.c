/* SPDX-License-Identifier: MIT */
/* Parses decimal numbers exactly. */
#include "decimal.h"

#include <brazier/text/integer.h>

/* Largest power of ten that an int64_t can hold. */
#define DIGITS 18

/* Below this, another digit fits. */
#define ROOM INT64_C(100000000000000000)

/* Adds a digit; drops digits of a fraction that do not fit. */
static inline bool add_digit(decimal *d, char c, bool fraction)
{
    if (d->digits < ROOM) {
        d->digits = d->digits * 10 + (c - '0');
        d->decimals += fraction;
        return true;
    }
    if (fraction)
        return true;
    return !__builtin_mul_overflow(d->digits, 10, &d->digits) &&
           !__builtin_add_overflow(d->digits, c - '0', &d->digits);
}

/* Removes an exponent such as "e-05" from the front of *s, if present. */
static void take_exponent(brz_str *s, decimal *d)
{
    size_t i = 1;
    int32_t exponent = 0;
    if (s->len < 2 || (s->data[0] != 'e' && s->data[0] != 'E'))
        return;
    bool negative = s->data[1] == '-';
    i += negative || s->data[1] == '+';
    if (i == s->len || !brz_is_digit(s->data[i]))
        return;
    for (; i < s->len && brz_is_digit(s->data[i]); i++)
        if (exponent < 1000)
            exponent = exponent * 10 + (s->data[i] - '0');
    d->decimals += negative ? exponent : -exponent;
    *s = brz_str_of(s->data + i, s->len - i);
}

bool decimal_take(brz_str *s, bool comma, decimal *d)
{
    bool point = false, digit = false;
    size_t i = 0;
    d->digits = 0;
    d->decimals = 0;
    for (; i < s->len; i++) {
        char c = s->data[i];
        if (!point && (c == '.' || (comma && c == ','))) {
            point = true;
            continue;
        }
        if (!brz_is_digit(c))
            break;
        digit = true;
        if (!add_digit(d, c, point))
            return false;
    }
    *s = brz_str_of(s->data + i, s->len - i);
    if (digit)
        take_exponent(s, d);
    return digit;
}

bool decimal_scale(const decimal *d, int32_t decimals, int64_t *value)
{
    int32_t shift = decimals - d->decimals;
    *value = 0;
    if (d->digits == 0 || shift < -DIGITS)
        return true;
    if (shift > DIGITS)
        return false;
    if (shift >= 0)
        return !__builtin_mul_overflow(d->digits, brz_power_of_ten((uint32_t)shift), value);
    int64_t unit = brz_power_of_ten((uint32_t)-shift);
    *value = d->digits / unit + (d->digits % unit >= unit - unit / 2);
    return true;
}
