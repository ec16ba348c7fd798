/* SPDX-License-Identifier: MIT */
/* An output without `write`. */
#include "zoo.h"

static const char *const endings[] = {"zoo", NULL};
static const brz_output output = {.struct_size = sizeof output, .endings = endings};
static const brz_component component = {COMPONENT_OF(BRZ_OUTPUT, &output)};
ZOO_PLUGIN
