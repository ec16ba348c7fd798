/* SPDX-License-Identifier: MIT */
/* Requires an executable stack.
 *
 * only: static
 * flags: -Wl,-z,execstack
 */
#include "animal.h"

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
