/* Finds the parts of units in the sections that all units of a program share. */
#include "unit_extents.h"

#include "../address_rank.h"

#include <stdlib.h>

void unit_extents_add(unit_extents *e, brz_ctx *ctx, uint64_t start)
{
    e->starts = brz_list_room(ctx, e->starts, e->n, &e->cap, sizeof *e->starts);
    e->starts[e->n++] = start;
}

static int compare(const void *x, const void *y)
{
    uint64_t a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    return a < b ? -1 : a > b;
}

void unit_extents_finish(unit_extents *e)
{
    if (e->n > 0)
        qsort(e->starts, e->n, sizeof *e->starts, compare);
}

unit_bytes unit_extents_part(const unit_extents *e, unit_bytes section, uint64_t start)
{
    size_t next = address_rank(e->starts, e->n, sizeof *e->starts, start);
    size_t end =
        next < e->n && e->starts[next] < section.len ? (size_t)e->starts[next] : section.len;
    return start < end ? (unit_bytes){section.data + start, end - (size_t)start}
                       : (unit_bytes){NULL, 0};
}
