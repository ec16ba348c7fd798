/* The palette "orange": one hue, without meaning. */
#include "ramp.h"

RAMP_PALETTE("orange", "shades of orange", RAMP_ORANGE, BACKGROUND_GREY)
