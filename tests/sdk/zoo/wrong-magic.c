/* SPDX-License-Identifier: MIT */
/* Exports the symbol, but the data there is not an entry. */
#include "zoo.h"

static const brz_component *const components[] = {NULL};
ZOO_ENTRY(.magic = 0x12345678)
