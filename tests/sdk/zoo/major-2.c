/* SPDX-License-Identifier: MIT */
/* The entry has another major than the note and the symbol. */
#include "zoo.h"

static const brz_component *const components[] = {NULL};
ZOO_ENTRY(.abi_major = 2)
