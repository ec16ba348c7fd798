/* SPDX-License-Identifier: MIT */
/* Never finishes loading. It sleeps, since what ends it counts the time that passes. */
#include "zoo.h"

#include <unistd.h>

__attribute__((constructor)) static void wait_forever(void)
{
    for (volatile int again = 1; again;)
        sleep(1);
}

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
