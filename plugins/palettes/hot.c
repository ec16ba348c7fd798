/* Defines the palette "hot": random colours of fire. */
#include "ramp.h"

RAMP_PALETTE("hot", "red to yellow", RAMP_HOT, BACKGROUND_YELLOW)
