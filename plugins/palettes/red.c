/* The palette "red": one hue, without meaning. */
#include "ramp.h"

RAMP_PALETTE("red", "shades of red", RAMP_RED, BACKGROUND_GREY)
