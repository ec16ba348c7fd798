/* Defines the palette "wakeup", for stacks that woke other threads. */
#include "ramp.h"

RAMP_PALETTE("wakeup", "shades of water on blue, for wake-ups", RAMP_AQUA, BACKGROUND_BLUE)
