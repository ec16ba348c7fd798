/* SPDX-License-Identifier: MIT */
/* Defines the palette "cividis": a scale that looks nearly the same with and without
 * colour-blindness. By default its dark half is not used. */
#include "scale.h"

static const uint32_t colors[] = {
    BRZ_RGB(0, 34, 78),     BRZ_RGB(18, 53, 112),   BRZ_RGB(59, 73, 108),   BRZ_RGB(87, 93, 109),
    BRZ_RGB(112, 113, 115), BRZ_RGB(138, 134, 120), BRZ_RGB(165, 156, 116), BRZ_RGB(195, 179, 105),
    BRZ_RGB(225, 204, 85),  BRZ_RGB(254, 232, 56),
};

static const scale colors_scale = {colors, BRZ_COUNT_OF(colors)};

SCALE_PALETTE("cividis", "colour-blind safe scale, grey to yellow", colors_scale, "0.5")
