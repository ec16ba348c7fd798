/* SPDX-License-Identifier: MIT */
/* Opens a file for writing in a constructor.
 *
 * only: static/confined
 */
#include "animal.h"

#include <stdio.h>

__attribute__((constructor)) static void begin(void)
{
    FILE *f = fopen("/dev/null", "w");
    if (f != NULL)
        fclose(f);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
