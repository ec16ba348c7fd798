/* SPDX-License-Identifier: MIT */
/* An entry without a list of components. */
#include "zoo.h"

BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", NULL)
