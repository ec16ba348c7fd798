/* SPDX-License-Identifier: MIT */
/* Crashes while it is loaded. */
#include "zoo.h"

__attribute__((constructor)) static void crash(void)
{
    volatile int *nowhere = NULL;
    *nowhere = 1;
}

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
