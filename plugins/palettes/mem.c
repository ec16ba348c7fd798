/* Defines the palette "mem", for allocated or freed memory. */
#include "ramp.h"

RAMP_PALETTE("mem", "green to turquoise, for memory", RAMP_MEM, BACKGROUND_GREEN)
