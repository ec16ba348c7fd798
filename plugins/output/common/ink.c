/* Chooses black or white for text on a colour. */
#include "ink.h"

#include <math.h>

void ink_init(ink *i)
{
    for (int v = 0; v < 256; v++) {
        double c = v / 255.0;
        i->linear[v] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
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
