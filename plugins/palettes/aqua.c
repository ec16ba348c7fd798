/* The palette "aqua": the colours of water, without meaning. */
#include "ramp.h"

RAMP_PALETTE("aqua", "shades of water", RAMP_AQUA, BACKGROUND_GREY)
