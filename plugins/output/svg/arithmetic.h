/* SPDX-License-Identifier: MIT */
/* Arithmetic for which the mathematical library would have to be loaded, which takes longer than
 * drawing a small picture. */
#ifndef OUTPUT_SVG_ARITHMETIC_H
#define OUTPUT_SVG_ARITHMETIC_H

#include <stdint.h>

/* Numbers from here on have no fractions. */
#define WHOLE_FROM 0x1p52

/* Returns the nearest whole number; halves are rounded away from zero. */
static inline double nearest_whole(double v)
{
    if (!(v > -WHOLE_FROM && v < WHOLE_FROM))
        return v;
    double whole = (double)(int64_t)v, rest = v - whole;
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}

/* Returns the greatest whole number that is not greater. */
static inline double whole_below(double v)
{
    if (!(v > -WHOLE_FROM && v < WHOLE_FROM))
        return v;
    double whole = (double)(int64_t)v;
    return whole > v ? whole - 1 : whole;
}

static inline double lesser_of(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater_of(double a, double b)
{
    return a > b ? a : b;
}

#endif
