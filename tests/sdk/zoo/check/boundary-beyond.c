/* SPDX-License-Identifier: MIT */
/* Returns boundaries beyond the end of the bytes.
 *
 * only: parse/boundary
 */
#include "animal.h"

static size_t boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    return good_boundary(prelude_data, buf, n, from) + 1;
}

COLLAPSER_ANIMAL(.boundary = boundary)
