/* The palette "hot": the colours of a fire, without meaning. */
#include "ramp.h"

RAMP_PALETTE("hot", "red to yellow", RAMP_HOT, BACKGROUND_YELLOW)
