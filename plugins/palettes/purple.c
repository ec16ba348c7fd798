/* The palette "purple": one hue, without meaning. */
#include "ramp.h"

RAMP_PALETTE("purple", "shades of purple", RAMP_PURPLE, BACKGROUND_GREY)
