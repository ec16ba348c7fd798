/* SPDX-License-Identifier: MIT */
/* A valid collapser without `sniff`, magics and globs, whose format users name.
 *
 * only: sniff parse forward
 */
#include "animal.h"

COLLAPSER_ANIMAL(.sniff = NULL)
