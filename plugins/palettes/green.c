/* Defines the palette "green": random shades of one hue. */
#include "ramp.h"

RAMP_PALETTE("green", "shades of green", RAMP_GREEN, BACKGROUND_GREY)
