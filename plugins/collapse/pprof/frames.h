/* SPDX-License-Identifier: MIT */
/* Finds the frames of locations.
 *
 * A location is an address; its lines are the functions inlined there, innermost first, and the one
 * that contains them.
 */
#ifndef PPROF_FRAMES_H
#define PPROF_FRAMES_H

#include <brazier/text/buffer.h>

#include "../../common/budget.h"
#include "../../common/pair_map.h"
#include "tables.h"

#define NO_ENTRY PAIR_MISS

/* The positions of entries by their ids. */
typedef struct ids {
    uint32_t *dense; /* of small ids: position + 1; 0: none, or NO_ENTRY + 1 */
    size_t n_dense;  /* number of elements, above the number of entries */
    pair_map sparse; /* of the other ids */
} ids;

typedef struct location {
    const brz_frame *frames; /* leaf first; NULL: not read yet */
    size_t n;
} location;

typedef struct frames {
    const tables *tables;
    brz_ctx *ctx;
    ids mappings, functions, locations;
    location *of_location; /* by position in the table */
    brz_frame_list list;   /* frames of the location being read */
    brz_text scratch;
    location missing; /* stands for locations that do not exist */
    brz_frame missing_frame;
    uint64_t n_missing; /* number of references to such locations */
    uint64_t budget;    /* see frames_spend */
    bool addresses;     /* name unresolved frames by their address */
} frames;

/* Initialises it for a profile of `len` bytes. Returns false after reporting the reason. */
bool frames_init(frames *f, brz_ctx *ctx, const tables *t, size_t len, bool addresses);

/* Returns the frames of a location, or NULL after reporting that the budget is spent. `at` is where
 * the id is. */
const location *frames_of(frames *f, uint64_t id, const void *at);

/* Returns the frames of a location with a small id that was read before, or NULL. */
static inline const location *frames_known(const frames *f, uint64_t id)
{
    uint32_t i = id < f->locations.n_dense ? f->locations.dense[id] : 0;
    return i != 0 && f->of_location[i - 1].frames != NULL ? &f->of_location[i - 1] : NULL;
}

/* Reports that the budget is spent. Returns false. */
bool frames_are_spent(const frames *f);

/* Takes `amount` off the budget. Returns false after reporting that too little is left. */
static inline bool frames_spend(frames *f, uint64_t amount)
{
    return budget_take(&f->budget, amount) || frames_are_spent(f);
}

#endif
