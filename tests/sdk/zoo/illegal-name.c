/* SPDX-License-Identifier: MIT */
/* A plug-in name that cannot follow an "@" on the command line. */
#include "zoo.h"

static const brz_component *const components[] = {NULL};
ZOO_ENTRY(.name = "zoo@home")
