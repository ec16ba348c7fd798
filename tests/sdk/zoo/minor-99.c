/* SPDX-License-Identifier: MIT */
/* The entry has a newer minor than the note. */
#include "zoo.h"

static const brz_component *const components[] = {NULL};
ZOO_ENTRY(.abi_minor = 99)
