/* The palette "blue": one hue, without meaning. */
#include "ramp.h"

RAMP_PALETTE("blue", "shades of blue", RAMP_BLUE, BACKGROUND_GREY)
