/* Defines the palette "blue": random shades of one hue. */
#include "ramp.h"

RAMP_PALETTE("blue", "shades of blue", RAMP_BLUE, BACKGROUND_GREY)
