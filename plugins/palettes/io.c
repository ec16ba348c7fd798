/* Defines the palette "io", for stacks that wait for devices. */
#include "ramp.h"

RAMP_PALETTE("io", "blues, for input and output", RAMP_IO, BACKGROUND_BLUE)
