/* SPDX-License-Identifier: MIT */
/* A valid collapser.
 *
 * only: all
 */
#include "animal.h"

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
