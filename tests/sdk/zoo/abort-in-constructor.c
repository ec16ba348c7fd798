/* SPDX-License-Identifier: MIT */
/* Aborts while it is loaded. */
#include "zoo.h"

#include <stdlib.h>

__attribute__((constructor)) static void give_up(void)
{
    abort();
}

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
