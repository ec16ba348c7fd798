/* SPDX-License-Identifier: MIT */
/* Locations: places in the code with the functions that are there, of which all but the outermost
 * one are inlined.
 *
 * A location is a chain: a place, inlined into another location or into none. Chains that begin
 * equally share their beginning, and only those that a stack refers to are written.
 */
#ifndef PPROF_LOCATIONS_H
#define PPROF_LOCATIONS_H

#include "../common/functions.h"

/* A place in the code. */
typedef struct place {
    uint32_t function, line, column;
    uint64_t address; /* 0: unknown */
} place;

typedef struct locations {
    const brz_tree *tree;
    const functions *functions;
    keys lines;         /* (function, line) */
    keys addresses;     /* addresses */
    keys details;       /* (column, address) */
    keys places;        /* (line, detail) */
    keys chains;        /* (chain into which the place is inlined, or 0, place); from 1 */
    keys written;       /* chains that stacks refer to, by the number of their location */
    uint32_t *of_frame; /* by frame: its place, from 1; 0: not known yet */
    uint32_t deepest;   /* maximum number of places of a location */
} locations;

/* Initialises an empty table. The memory belongs to the plug-in instance. */
void locations_init(locations *l, brz_output_ctx *ctx, const brz_tree *tree, const functions *f);

/* Converts a stack to locations, innermost first, and adds the new ones. `to` has room for all
 * frames. Returns the number of locations. Their ids count from 1, in the order of their first
 * use. */
size_t locations_of_stack(locations *l, const brz_stack_info *s, uint64_t *to);

/* Stores the places of location `i`, which counts from 0, innermost first. Returns their number,
 * at most l->deepest. */
size_t locations_places(const locations *l, uint32_t i, place *to);

#endif
