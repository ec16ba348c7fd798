/* SPDX-License-Identifier: MIT */
/* Creates a file while it is loaded. */
#include "zoo.h"

#include <stdio.h>

__attribute__((constructor)) static void leave_a_mark(void)
{
    FILE *f = fopen("mark-of-the-constructor", "w");
    if (f != NULL)
        fclose(f);
}

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
