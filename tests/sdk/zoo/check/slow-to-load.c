/* SPDX-License-Identifier: MIT */
/* Has a slow constructor.
 *
 * only: static
 */
#include "animal.h"

#include <time.h>

__attribute__((constructor)) static void begin(void)
{
    clock_t start = clock();
    while (clock() - start < CLOCKS_PER_SEC / 20)
        continue;
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
