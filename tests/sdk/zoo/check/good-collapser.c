/* Nothing is wrong with this one.
 *
 * only: all
 */
#include "animal.h"

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
