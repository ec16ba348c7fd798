/* SPDX-License-Identifier: MIT */
/* Defines the palette "heat": from pale to red in perceptually even steps. */
#include "scale.h"

static const uint32_t colors[] = {
    BRZ_RGB(250, 246, 220), BRZ_RGB(244, 232, 192), BRZ_RGB(241, 216, 166), BRZ_RGB(240, 200, 140),
    BRZ_RGB(239, 182, 116), BRZ_RGB(238, 164, 94),  BRZ_RGB(238, 145, 75),  BRZ_RGB(236, 125, 60),
    BRZ_RGB(233, 104, 50),  BRZ_RGB(230, 82, 47),   BRZ_RGB(224, 57, 49),
};

static const scale colors_scale = {colors, BRZ_COUNT_OF(colors)};

SCALE_PALETTE("heat", "pale to red, by the self weight of frames", colors_scale, "0")
