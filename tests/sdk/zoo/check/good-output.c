/* A valid output.
 *
 * only: all
 */
#include "animal.h"

OUTPUT_ANIMAL(.flags = BRZ_OUTPUT_NODES)
