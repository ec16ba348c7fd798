/* Defines the palette "aqua": random shades of water. */
#include "ramp.h"

RAMP_PALETTE("aqua", "shades of water", RAMP_AQUA, BACKGROUND_GREY)
