/* The palette "aqua": the colours of water, without meaning. */
#include "ramp.h"

static uint32_t color(const brz_numbers *n)
{
    uint32_t green = ramp_part(165, 55, n->v[0]);
    return BRZ_RGB(ramp_part(50, 60, n->v[0]), green, green);
}

RAMP_PALETTE("aqua", "shades of water", BACKGROUND_GREY, color)
