/* SPDX-License-Identifier: MIT */
/* Ends the process with _exit() while it is loaded. */
#include "zoo.h"

#include <unistd.h>

__attribute__((constructor)) static void leave(void)
{
    _exit(0);
}

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
