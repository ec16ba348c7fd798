/* SPDX-License-Identifier: MIT */
/* Accepts any position as the beginning of a record.
 *
 * only: parse/splits --only parse/threads
 */
#include "animal.h"

static size_t boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    (void)prelude_data;
    (void)buf;
    return from + 2 < n ? from + 2 : n;
}

COLLAPSER_ANIMAL(.boundary = boundary)
