/* SPDX-License-Identifier: MIT */
/* The colours of terminals: finds the number of a colour among those that a terminal has. */
#ifndef BRZ_VIEW_COLORS_H
#define BRZ_VIEW_COLORS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the number of the colour that is nearest to 0xRRGGBBAA. `n` is the number of colours of
 * the terminal, 8, 16, 256 or more; with `is_direct`, numbers are 0xRRGGBB. */
int view_color_number(uint32_t color, int n, bool is_direct);

/* Returns the colour that a number stands for, 0xRRGGBBAA. */
uint32_t view_color_shown(int number, bool is_direct);

#endif
