/* SPDX-License-Identifier: MIT */
/* Has a search path for libraries.
 *
 * only: static
 * flags: -Wl,-rpath,/opt/zoo/lib
 */
#include "animal.h"

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
