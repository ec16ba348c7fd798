/* SPDX-License-Identifier: MIT */
/* Defines the palettes of one ramp: a row of data each.
 *
 * The build compiles this file once per name, with BRZ_RAMP set to it, into a plug-in of that name:
 * a run that names one palette loads no other.
 */
#include "ramp.h"

/* id, summary, ramp, background */
#define RAMP_aqua   "aqua", "shades of water", RAMP_AQUA, BACKGROUND_GREY
#define RAMP_blue   "blue", "shades of blue", RAMP_BLUE, BACKGROUND_GREY
#define RAMP_green  "green", "shades of green", RAMP_GREEN, BACKGROUND_GREY
#define RAMP_hot    "hot", "red to yellow", RAMP_HOT, BACKGROUND_YELLOW
#define RAMP_io     "io", "blues, for input and output", RAMP_IO, BACKGROUND_BLUE
#define RAMP_mem    "mem", "green to turquoise, for memory", RAMP_MEM, BACKGROUND_GREEN
#define RAMP_orange "orange", "shades of orange", RAMP_ORANGE, BACKGROUND_GREY
#define RAMP_purple "purple", "shades of purple", RAMP_PURPLE, BACKGROUND_GREY
#define RAMP_red    "red", "shades of red", RAMP_RED, BACKGROUND_GREY
#define RAMP_wakeup "wakeup", "shades of water on blue, for wake-ups", RAMP_AQUA, BACKGROUND_BLUE
#define RAMP_yellow "yellow", "shades of yellow", RAMP_YELLOW, BACKGROUND_GREY

/* The row of a name, after the name is expanded. */
#define ROW_OF(name)  RAMP_##name
#define DEFINE(...)   RAMP_PALETTE(__VA_ARGS__)
#define PALETTE(name) DEFINE(ROW_OF(name))

PALETTE(BRZ_RAMP)
