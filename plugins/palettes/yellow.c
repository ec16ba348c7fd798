/* The palette "yellow": one hue, without meaning. */
#include "ramp.h"

RAMP_PALETTE("yellow", "shades of yellow", RAMP_YELLOW, BACKGROUND_GREY)
