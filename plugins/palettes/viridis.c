/* SPDX-License-Identifier: MIT */
/* Defines the palette "viridis": a scale that lightness alone makes readable, even without colour
 * vision. By default its dark half is not used. */
#include "scale.h"

static const uint32_t colors[] = {
    BRZ_RGB(68, 1, 84),    BRZ_RGB(72, 40, 120),  BRZ_RGB(62, 73, 137),  BRZ_RGB(49, 104, 142),
    BRZ_RGB(38, 130, 142), BRZ_RGB(31, 158, 137), BRZ_RGB(53, 183, 121), BRZ_RGB(110, 206, 88),
    BRZ_RGB(181, 222, 43), BRZ_RGB(253, 231, 37),
};

static const scale colors_scale = {colors, BRZ_COUNT_OF(colors)};

SCALE_PALETTE("viridis", "colour-blind safe scale, blue to yellow", colors_scale, "0.45")
