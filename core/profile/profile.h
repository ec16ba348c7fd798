/* SPDX-License-Identifier: MIT */
/* Stores profiles: frames, stacks of frames, and the weights of each stack.
 *
 * Frames are interned by all their attributes. Stacks are stored root first, as they are added;
 * brz_profile_intern_stack() is for callers that do not keep track of distinct stacks themselves.
 * The same stack may occur more than once; readers of the profile add up its values.
 */
#ifndef BRZ_PROFILE_H
#define BRZ_PROFILE_H

#include <brazier/host.h>
#include <brazier/tree.h>

#include "base/buf.h"
#include "base/saturated.h"
#include "base/string_table.h"
#include "profile/codes.h"
#include "profile/parts.h"
#include "profile/samples.h"
#include "profile/tags.h"

/* Texts are ids in the profile's string table. */
typedef struct brz_profile_frame {
    uint32_t name, module, file, line, kind, flags;
    uint32_t system_name, build_id, column, first_line;
    uint64_t address;
} brz_profile_frame;

typedef struct brz_profile_stack {
    brz_frame *frames; /* root first, unless leaf_first */
    uint32_t n;
    bool leaf_first; /* until the profile is sealed */
} brz_profile_stack;

typedef struct brz_profile_weight {
    uint32_t name, unit;
    uint32_t decimals;
    uint32_t flags;    /* BRZ_COLUMN_DEFAULT, BRZ_COLUMN_GAUGE */
    uint64_t position; /* unique position in the input, by which columns are sorted */
    int64_t *values;   /* by stack */
    size_t n_values;   /* later stacks have the value 0 */
} brz_profile_weight;

/* A column that an input has in two units, whose values cannot be added. Texts are ids in the
 * profile's string table. */
typedef struct brz_unit_clash {
    uint32_t name, units[2]; /* units[0] sorts before units[1]; 0: there is no such column */
} brz_unit_clash;

typedef struct brz_profile brz_profile;
struct brz_profile {
    brz_strings strings;
    brz_profile_frame *frames;
    size_t n_frames, frames_cap;
    uint64_t *frame_slots; /* half of the hash, frame + 1; 0: free */
    size_t n_frame_slots;

    brz_profile_stack *stacks;
    size_t n_stacks, stacks_cap;
    brz_arena paths;    /* frames of all stacks; they never move */
    size_t n_ids;       /* total number of frames that are stored */
    bool is_shared;     /* stacks may begin with others, and share their frames */
    brz_frame *growing; /* frames of the stack that the last one extends */
    size_t growing_n, growing_cap;
    uint64_t *stack_slots; /* interned stacks only: upper half of the hash, stack + 1; 0: free */
    size_t n_stack_slots, n_interned;

    brz_profile_weight *weights;
    size_t n_weights, weights_cap;
    bool saturated; /* a sum exceeded 64 bits and was clamped */
    brz_unit_clash clash;

    brz_samples samples;
    brz_tags tags;
    brz_facts facts;
    brz_parts parts;
    brz_codes codes; /* empty unless an output needs code */
};

/* Maximum number of columns; further ones are added to the last one. */
#define BRZ_PROFILE_MAX_WEIGHTS 256

/* Creates an empty profile; destroy it with brz_profile_destroy(). */
brz_profile *brz_profile_create(void);

/* Destroys a profile; NULL is allowed. */
void brz_profile_destroy(brz_profile *p);

/* Replaces the contents of a profile by those of another one, which is destroyed. */
void brz_profile_replace(brz_profile *p, brz_profile *by);

/* Returns the id of a frame; equal frames have the same id. Copies the texts. */
brz_frame brz_profile_add_frame(brz_profile *p, const brz_frame_desc *d);

/* Returns the id of a frame whose texts are in the profile's table. */
brz_frame brz_profile_intern_frame(brz_profile *p, const brz_profile_frame *f);

/* Finds frames by their present attributes, after these were changed in place. Frames may have
 * become equal; each keeps its id. */
void brz_profile_rehash_frames(brz_profile *p);

/* Stores a stack of frames of this profile. Sealing the profile reverses it if `flags` has
 * BRZ_LEAF_FIRST. With BRZ_NESTED, it begins with all frames of the stack that was stored last, or
 * that one with all of its frames; these are not read again. */
brz_stack brz_profile_add_stack(brz_profile *p, const brz_frame *frames, size_t n, uint32_t flags);

/* Stores a stack of `n` frames that begins with all frames of the stack that was stored last,
 * followed by `rest`; or, if it has no more frames, the first ones of that stack. */
brz_stack brz_profile_add_nested(brz_profile *p, const brz_frame *rest, size_t n);

/* Returns how many frames a stack shares with the previous one: all of one of both, or none. */
size_t brz_profile_n_nested(const brz_profile *p, size_t s);

/* Returns the number of leading frames that two stacks have in common. */
uint32_t brz_stacks_n_common(const brz_profile_stack *a, const brz_profile_stack *b);

/* Reverses a stack that shares no frames, in place. */
void brz_profile_reverse_stack(brz_profile_stack *s);

/* Completes a profile after all stacks have been added: reverses the stacks that were given leaf
 * first. */
void brz_profile_seal(brz_profile *p);

/* Returns all stacks; those that share frames follow one another. Release with free(). */
brz_profile_stack **brz_profile_stacks_by_frames(brz_profile *p);

/* Moves the memory of the frames of all stacks to the caller, who then stores new frames for each
 * stack. */
brz_arena brz_profile_take_frames(brz_profile *p);

/* Returns room for frames that several stacks may share: see brz_profile_add_stored(). */
brz_frame *brz_profile_add_frames(brz_profile *p, size_t n);

/* Adds a stack of the first `n` frames of `frames`, which the profile has stored. */
brz_stack brz_profile_add_stored(brz_profile *p, brz_frame *frames, size_t n, uint32_t flags);

/* Interns all stacks of a profile none of which is interned. Returns false if some are equal: then
 * none is interned. */
bool brz_profile_intern_all(brz_profile *p);

/* Returns an equal interned stack, or stores and interns the stack, as brz_profile_add_stack()
 * does. */
brz_stack brz_profile_intern_stack(brz_profile *p, const brz_frame *frames, size_t n,
                                   uint32_t flags);

/* Returns the column with this name; creates it if necessary. Sets `clash` if it has another unit.
 */
uint32_t brz_profile_add_weight(brz_profile *p, brz_str name, brz_str unit, uint32_t decimals,
                                uint64_t position);

/* Increases the precision of a column; see brz_collapser_host.decimals. */
void brz_profile_set_decimals(brz_profile *p, uint32_t weight, uint32_t decimals);

/* Adds to a value of a stack. Clamps sums that exceed their range. */
void brz_profile_add_value(brz_profile *p, brz_stack stack, uint32_t weight, int64_t value);

/* Returns a value of a stack, in units of 10^-decimals of the column's unit. */
int64_t brz_profile_value(const brz_profile *p, brz_stack stack, uint32_t weight);

/* Sets all values to the sums of the samples. */
void brz_profile_sum_samples(brz_profile *p);

/* Stands for the absence of a stack. */
#define BRZ_NO_STACK UINT32_MAX

/* Renumbers stacks, of which `kept` remain. moved[] is the new id of each stack, which is at most
 * the old one, or BRZ_NO_STACK to remove it with its values and samples. */
void brz_profile_move_stacks(brz_profile *p, const brz_stack *moved, size_t kept);

/* Removes stacks without samples, in a profile that keeps samples. */
void brz_profile_drop_unused(brz_profile *p);

/* Removes all stacks with their values. Returns them; release with free(). Samples keep their old
 * ids, for which the caller stores new stacks. */
brz_profile_stack *brz_profile_take_stacks(brz_profile *p);

/* Adds the frames of `from`. Returns an array that maps their ids to the new ones; the caller frees
 * it. */
brz_frame *brz_profile_absorb_frames(brz_profile *into, const brz_profile *from);

/* Adds everything in `from` to `into`, without changing `from`. */
void brz_profile_absorb(brz_profile *into, const brz_profile *from);

/* Adds what another profile says about the recording and its parts, and the code that it has. */
void brz_profile_absorb_facts(brz_profile *into, const brz_profile *from);

/* Does the same, without storing stacks that `into` has interned already. */
void brz_profile_absorb_distinct(brz_profile *into, const brz_profile *from);

/* Removes all columns but one, which gets another name, and all samples. */
void brz_profile_keep_column(brz_profile *p, uint32_t weight, brz_str name);

/* Adds one column of `from` as the column `name`. If all stacks of `into` are interned, they stay
 * so, and none is stored twice. Returns the column's index. */
uint32_t brz_profile_absorb_column(brz_profile *into, const brz_profile *from, uint32_t weight,
                                   brz_str name);

/* Sorts columns by their positions. */
void brz_profile_sort_weights(brz_profile *p);

/* Returns the index of the column with this name, or BRZ_NO_COLUMN. */
uint32_t brz_profile_find_weight(const brz_profile *p, brz_str name);

/* Appends a message about tags and metadata that did not fit. Returns false if all did. */
bool brz_profile_describe_full(const brz_profile *p, brz_buf *b);

/* Returns all attributes of a frame. The texts belong to the profile. */
brz_frame_info brz_profile_frame_info(const brz_profile *p, brz_frame frame);

#endif
