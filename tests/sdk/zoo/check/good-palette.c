/* A valid palette.
 *
 * only: all
 */
#include "animal.h"

PALETTE_ANIMAL(.depends = BRZ_ON_NAME)
