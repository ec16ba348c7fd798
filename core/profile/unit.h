/* Brings columns of two profiles to the same unit. */
#ifndef BRZ_UNIT_H
#define BRZ_UNIT_H

#include "profile/profile.h"

/* Brings column `i` of `a` and column `k` of `b` to the same unit: converts the one in the longer
 * unit of time, such as milliseconds, to the shorter one, such as nanoseconds. Values saturate.
 * Plain numbers, such as samples, fit to any unit, because folded text does not name its unit.
 * Returns false and changes nothing if the units differ in another way. */
bool brz_unit_match(brz_profile *a, size_t i, brz_profile *b, size_t k);

#endif
