/* SPDX-License-Identifier: MIT */
/* Exits with status 0 while it is loaded. */
#include "zoo.h"

#include <stdlib.h>

__attribute__((constructor)) static void leave(void)
{
    exit(0);
}

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
