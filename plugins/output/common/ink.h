/* SPDX-License-Identifier: MIT */
/* Chooses colours of frames and of text on them. common/viewer/ink.js chooses the same in the
 * browser.
 *
 * Text is black or white: the one with the better contrast by WCAG 2, which is always at least
 * 4.5:1. */
#ifndef OUTPUT_COMMON_INK_H
#define OUTPUT_COMMON_INK_H

#include <stdbool.h>
#include <stdint.h>

/* Relative luminances of the values of a channel; initialise it with ink_init(). */
typedef struct ink {
    double linear[256];
} ink;

void ink_init(ink *i);

/* Returns whether black reads better than white on a colour 0xRRGGBBAA; transparency is ignored. */
bool ink_is_black(const ink *i, uint32_t color);

/* Returns the colour of a frame in the dark theme, opaque: it has the same hue, is purer, and dark
 * enough for white text; colours that are lighter than others stay lighter. */
uint32_t ink_dark(const ink *i, uint32_t color);

#endif
