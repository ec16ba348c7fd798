/* A profile: frames, stacks of them, and what each stack weighs.
 *
 * Frames are interned by all they are. Stacks are stored as they come, root first: a caller that
 * does not keep track of the distinct ones itself uses brz_profile_intern_stack. The same stack
 * may be there twice; whatever reads the profile adds them up.
 */
#ifndef BRZ_PROFILE_H
#define BRZ_PROFILE_H

#include <brazier/host.h>
#include <brazier/tree.h>

#include "base/string_table.h"

/* Texts are ids of the profile's string table. */
typedef struct brz_profile_frame {
    uint32_t name, module, file, line, kind;
} brz_profile_frame;

typedef struct brz_profile_stack {
    brz_frame *frames; /* root first, unless leaf_first */
    uint32_t n;
    bool leaf_first; /* until the profile is sealed */
} brz_profile_stack;

typedef struct brz_profile_weight {
    uint32_t name, unit;
    uint32_t decimals;
    uint64_t position; /* where in the input it was first met, no two alike: columns' order */
    int64_t *values;   /* by stack */
    size_t n_values;   /* stacks behind it have 0 */
} brz_profile_weight;

/* Of a profile that keeps input order. */
typedef struct brz_profile_sample {
    uint64_t position; /* of the chunk it came from */
    brz_stack stack;
    uint32_t weight;
    int64_t value;
} brz_profile_sample;

typedef struct brz_profile {
    brz_strings strings;
    brz_profile_frame *frames;
    size_t n_frames, frames_cap;
    uint32_t *frame_slots; /* frame + 1; 0: free */
    size_t n_frame_slots;

    brz_profile_stack *stacks;
    size_t n_stacks, stacks_cap;
    brz_arena paths;       /* frames of all stacks: they do not move */
    size_t n_ids;          /* how many those are */
    uint32_t *stack_slots; /* of interned stacks only */
    size_t n_stack_slots, n_interned;

    brz_profile_weight *weights;
    size_t n_weights, weights_cap;
    bool saturated; /* a sum would have left the range of 64 bits */

    brz_profile_sample *samples;
    size_t n_samples, samples_cap;
} brz_profile;

/* Columns beyond this many are added to the last one. */
#define BRZ_PROFILE_MAX_WEIGHTS 256

/* An empty one. */
brz_profile *brz_profile_create(void);

/* NULL is fine. */
void brz_profile_destroy(brz_profile *p);

/* The id of a frame, whose texts are copied; equal frames have one. */
brz_frame brz_profile_add_frame(brz_profile *p, const brz_frame_desc *d);

/* The same, of texts that the profile's table has. */
brz_frame brz_profile_intern_frame(brz_profile *p, const brz_profile_frame *f);

/* Stores a stack; the frames are ids of this profile. `flags`: BRZ_LEAF_FIRST: they are turned over
 * when the profile is sealed. */
brz_stack brz_profile_add_stack(brz_profile *p, const brz_frame *frames, size_t n, uint32_t flags);

/* Nothing more will be added by whoever fills it: turns stacks over that came leaf first. */
void brz_profile_seal(brz_profile *p);

/* The stack if it was interned before, else stores it. */
brz_stack brz_profile_intern_stack(brz_profile *p, const brz_frame *frames, size_t n,
                                   uint32_t flags);

/* The column of that name, made if it is new. */
uint32_t brz_profile_add_weight(brz_profile *p, brz_str name, brz_str unit, uint32_t decimals,
                                uint64_t position);

/* Makes a column finer; see brz_host.decimals. */
void brz_profile_set_decimals(brz_profile *p, uint32_t weight, uint32_t decimals);

/* Adds to what a stack weighs. Sums stay at the ends of their range. */
void brz_profile_add_value(brz_profile *p, brz_stack stack, uint32_t weight, int64_t value);

/* What a stack weighs, in 10^-decimals of the column's unit. */
int64_t brz_profile_value(const brz_profile *p, brz_stack stack, uint32_t weight);

/* Adds all of `from` to `into`; `from` stays as it is. */
void brz_profile_absorb(brz_profile *into, const brz_profile *from);

/* The same; stacks that `into` has interned are not stored again. */
void brz_profile_absorb_distinct(brz_profile *into, const brz_profile *from);

/* Adds one column of `from` as the column `name`; returns its number. */
uint32_t brz_profile_absorb_column(brz_profile *into, const brz_profile *from, uint32_t weight,
                                   brz_str name);

/* Puts columns into the order of their positions. */
void brz_profile_sort_weights(brz_profile *p);

/* The index of the column with that name, or BRZ_NO_WEIGHT. */
uint32_t brz_profile_find_weight(const brz_profile *p, brz_str name);

/* All of a frame; its texts are the profile's. */
brz_frame_info brz_profile_frame_info(const brz_profile *p, brz_frame frame);

/* a + b, at the end of the range if it would leave it; then *saturated becomes true. */
int64_t brz_add_saturated(int64_t a, int64_t b, bool *saturated);

#endif
