/* SPDX-License-Identifier: MIT */
/* Compares two profiles, stored as the columns "before" and "after" of one profile. */
#ifndef BRZ_COMPARE_H
#define BRZ_COMPARE_H

#include "profile/profile.h"

#define BRZ_BEFORE BRZ_STR("before")
#define BRZ_AFTER  BRZ_STR("after")

/* Marks a column as a side of a comparison: BRZ_COLUMN_BEFORE, BRZ_COLUMN_AFTER, or both flags for
 * the sum. */
void brz_mark_compared(brz_profile *p, uint32_t column, uint32_t side);

/* Returns whether a profile has both columns, and stores their indices, or else BRZ_NO_COLUMN. */
bool brz_find_comparison(const brz_profile *p, uint32_t *before, uint32_t *after);

/* Gives both columns the same precision, so that their values can be subtracted. */
void brz_align_comparison(brz_profile *p, uint32_t before, uint32_t after);

/* Scales a column so that its sum, without signs, equals that of the column `to`. Values get `more`
 * additional decimals and are rounded to nearest or, if `down`, towards zero. A column whose sum is
 * 0 stays unchanged. */
void brz_scale_column(brz_profile *p, uint32_t column, uint32_t to, uint32_t more, bool down);

/* Adds a column "both", the sum of the two columns. Returns its index. */
uint32_t brz_add_both(brz_profile *p, uint32_t before, uint32_t after);

/* Returns whether a column has negative values, of stacks or of samples. */
bool brz_has_losses(const brz_profile *p, uint32_t column);

#endif
