/* Defines the palette "yellow": random shades of one hue. */
#include "ramp.h"

RAMP_PALETTE("yellow", "shades of yellow", RAMP_YELLOW, BACKGROUND_GREY)
