/* SPDX-License-Identifier: MIT */
/* Exports a second symbol.
 *
 * only: static
 */
#include "animal.h"

BRZ_EXPORT int zoo_helper(void);
BRZ_EXPORT int zoo_helper(void)
{
    return 42;
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
