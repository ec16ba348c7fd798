/* SPDX-License-Identifier: MIT */
/* A collapser with contradictory flags: it wants its input split and whole. */
#include "zoo.h"

static size_t boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    (void)prelude_data;
    (void)buf;
    (void)from;
    return n;
}

static const brz_collapser collapser = {COLLAPSER, .flags = BRZ_SPLITTABLE | BRZ_WHOLE_INPUT,
                                        .boundary = boundary};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
