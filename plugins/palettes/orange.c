/* Defines the palette "orange": random shades of one hue. */
#include "ramp.h"

RAMP_PALETTE("orange", "shades of orange", RAMP_ORANGE, BACKGROUND_GREY)
