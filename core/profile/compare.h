/* Two profiles side by side: the columns "before" and "after" of one profile. */
#ifndef BRZ_COMPARE_H
#define BRZ_COMPARE_H

#include "profile/profile.h"

#define BRZ_BEFORE BRZ_STR("before")
#define BRZ_AFTER  BRZ_STR("after")

/* True, with the columns' numbers, if a profile has both. */
bool brz_find_comparison(const brz_profile *p, uint32_t *before, uint32_t *after);

/* Gives both columns the same decimals, so that their values can be subtracted. */
void brz_align_comparison(brz_profile *p, uint32_t before, uint32_t after);

/* Scales a column so that its sum is that of another one. Values are rounded to the nearest of
 * `more` decimals than they had, or down. A sum of 0 cannot be scaled and stays. */
void brz_scale_column(brz_profile *p, uint32_t column, uint32_t to, uint32_t more, bool down);

/* Adds a column "both" of both columns' sums; returns its number. */
uint32_t brz_add_both(brz_profile *p, uint32_t before, uint32_t after);

#endif
