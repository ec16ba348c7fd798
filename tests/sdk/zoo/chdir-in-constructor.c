/* SPDX-License-Identifier: MIT */
/* Changes the working directory when it is loaded. */
#include "zoo.h"

#include <unistd.h>

__attribute__((constructor)) static void on_load(void)
{
    if (chdir("/") != 0)
        _exit(1);
}

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
