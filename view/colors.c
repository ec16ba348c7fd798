/* SPDX-License-Identifier: MIT */
/* The colours of terminals. */
#include "view/colors.h"

/* The first sixteen colours, 0xRRGGBB, as xterm has them. */
static const uint32_t basic[16] = {
    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

/* The values of a channel in the cube of 6 x 6 x 6 colours that begins at number 16. */
static const uint32_t steps[6] = {0, 95, 135, 175, 215, 255};

#define CUBE  16
#define GREYS 232 /* 24 greys */

static uint32_t grey(int i)
{
    return (8 + 10 * (uint32_t)i) * 0x010101;
}

static uint32_t rgb_of(int number)
{
    if (number < CUBE)
        return basic[number];
    if (number >= GREYS)
        return grey(number - GREYS);
    uint32_t i = (uint32_t)(number - CUBE);
    return steps[i / 36] << 16 | steps[i / 6 % 6] << 8 | steps[i % 6];
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int32_t d = (int32_t)(a >> shift & 0xff) - (int32_t)(b >> shift & 0xff);
        sum += (uint32_t)(d * d);
    }
    return sum;
}

/* Returns the nearest of the numbers from .. to - 1. */
static int nearest(uint32_t rgb, int from, int to)
{
    int best = from;
    for (int i = from + 1; i < to; i++)
        if (distance(rgb, rgb_of(i)) < distance(rgb, rgb_of(best)))
            best = i;
    return best;
}

int view_color_number(uint32_t color, int n, bool is_direct)
{
    uint32_t rgb = color >> 8;
    if (is_direct)
        return rgb < 8 ? 8 : (int)rgb; /* smaller ones are numbers of the basic colours */
    return n >= 256 ? nearest(rgb, CUBE, 256) : nearest(rgb, 0, n >= 16 ? 16 : 8);
}

uint32_t view_color_shown(int number, bool is_direct)
{
    return (is_direct ? (uint32_t)number : rgb_of(number)) << 8 | 0xff;
}
