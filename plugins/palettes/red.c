/* Defines the palette "red": random shades of one hue. */
#include "ramp.h"

RAMP_PALETTE("red", "shades of red", RAMP_RED, BACKGROUND_GREY)
