/* The palette "io": for what waits for devices. */
#include "ramp.h"

RAMP_PALETTE("io", "blues, for input and output", RAMP_IO, BACKGROUND_BLUE)
