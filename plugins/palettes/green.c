/* The palette "green": one hue, without meaning. */
#include "ramp.h"

RAMP_PALETTE("green", "shades of green", RAMP_GREEN, BACKGROUND_GREY)
