/* SPDX-License-Identifier: MIT */
/* An entry without a version. */
#include "zoo.h"

static const brz_component *const components[] = {NULL};
ZOO_ENTRY(.version = NULL)
