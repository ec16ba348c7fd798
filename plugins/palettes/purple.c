/* Defines the palette "purple": random shades of one hue. */
#include "ramp.h"

RAMP_PALETTE("purple", "shades of purple", RAMP_PURPLE, BACKGROUND_GREY)
