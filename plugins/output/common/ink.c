/* Chooses black or white for text on a colour. */
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

bool ink_is_black(const ink *i, uint32_t color)
{
    return 0.2126 * i->linear[color >> 24] + 0.7152 * i->linear[color >> 16 & 0xff] +
               0.0722 * i->linear[color >> 8 & 0xff] >
           EQUAL;
}
