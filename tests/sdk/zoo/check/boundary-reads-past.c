/* SPDX-License-Identifier: MIT */
/* Reads bytes past the window when looking for a boundary.
 *
 * only: parse/boundary
 */
#include "animal.h"

static size_t boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    size_t at = good_boundary(prelude_data, buf, n, from);
    return at < n && buf[n] == '\n' ? n : at;
}

COLLAPSER_ANIMAL(.boundary = boundary)
