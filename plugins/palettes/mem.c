/* The palette "mem": for what is allocated or freed. */
#include "ramp.h"

RAMP_PALETTE("mem", "green to turquoise, for memory", RAMP_MEM, BACKGROUND_GREEN)
