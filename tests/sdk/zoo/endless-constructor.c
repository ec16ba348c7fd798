/* Never finishes loading. */
#include "zoo.h"

__attribute__((constructor)) static void wait_forever(void)
{
    for (volatile int again = 1; again;)
        ;
}

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
