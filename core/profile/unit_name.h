/* SPDX-License-Identifier: MIT */
/* Names of units: which ones are times, and which ones agree. */
#ifndef BRZ_UNIT_NAME_H
#define BRZ_UNIT_NAME_H

#include <brazier/base.h>

/* Returns whether the unit is one of time, and sets *power: it is 10 to that power nanoseconds. */
bool brz_unit_is_time(brz_str unit, uint32_t *power);

/* Returns whether a unit stands for plain numbers, such as samples, which fit to any unit, because
 * folded text does not name its unit. */
bool brz_unit_is_plain(brz_str unit);

/* Returns whether values in these units cannot be added: the units differ, and neither is a plain
 * number. */
bool brz_units_differ(brz_str a, brz_str b);

#endif
