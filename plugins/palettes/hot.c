/* The palette "hot": red to yellow, without meaning. */
#include "ramp.h"

static uint32_t color(const brz_numbers *n)
{
    return BRZ_RGB(ramp_part(205, 50, n->v[2]), ramp_part(0, 230, n->v[0]),
                   ramp_part(0, 55, n->v[1]));
}

RAMP_PALETTE("hot", "red to yellow", BACKGROUND_YELLOW, color)
