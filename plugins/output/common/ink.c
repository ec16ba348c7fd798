/* SPDX-License-Identifier: MIT */
/* Chooses colours of frames and of text on them. */
#include "ink.h"

/* Returns the fifth root of a value from 0 to 1, by Newton's method: the mathematical library is
 * not loaded for it. */
static double fifth_root(double value)
{
    double root = 1, before = 2;
    while (root < before) { /* approaches from above */
        before = root;
        root = (4 * root + value / (root * root * root * root)) / 5;
    }
    return before;
}

/* Returns value^2.4. */
static double expand(double value)
{
    return value * value * fifth_root(value * value);
}

void ink_init(ink *i)
{
    for (int v = 0; v < 256; v++) {
        double c = v / 255.0;
        i->linear[v] = c <= 0.04045 ? c / 12.92 : expand((c + 0.055) / 1.055);
    }
}

/* Black and white contrast equally with the luminance sqrt(1.05 * 0.05) - 0.05. */
#define EQUAL 0.17912878474779

static double luminance(const double light[3])
{
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
}

static void split(const ink *i, uint32_t color, double light[3])
{
    for (int c = 0; c < 3; c++)
        light[c] = i->linear[color >> (24 - 8 * c) & 0xff];
}

bool ink_is_black(const ink *i, uint32_t color)
{
    double light[3];
    split(i, color, light);
    return luminance(light) > EQUAL;
}

/* Returns the value of a channel with a relative luminance. */
static uint32_t channel_of(const ink *i, double light)
{
    uint32_t low = 0, high = 256; /* the first value that is not darker */
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (i->linear[middle] >= light)
            high = middle;
        else
            low = middle + 1;
    }
    if (low > 255)
        return 255;
    return low > 0 && i->linear[low] - light > light - i->linear[low - 1] ? low - 1 : low;
}

#define WHITE_LEFT 0.4  /* share of a colour's white that it keeps */
#define DARKEST    0.05 /* luminances in the dark theme */
#define DARK_RANGE 0.12

uint32_t ink_dark(const ink *i, uint32_t color)
{
    double light[3];
    split(i, color, light);
    double goal = DARKEST + DARK_RANGE * luminance(light);
    double least = light[0] < light[1] ? light[0] : light[1];
    double white = (least < light[2] ? least : light[2]) * (1 - WHITE_LEFT);
    for (int c = 0; c < 3; c++)
        light[c] -= white;
    double now = luminance(light);
    uint32_t dark = 0xff;
    for (int c = 0; c < 3; c++)
        dark |= channel_of(i, now > 0 ? light[c] * goal / now : goal) << (24 - 8 * c);
    return dark;
}
