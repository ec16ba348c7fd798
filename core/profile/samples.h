/* SPDX-License-Identifier: MIT */
/* Stores samples: values of a stack and a tag, which a profile keeps beside the sums of each stack.
 */
#ifndef BRZ_SAMPLES_H
#define BRZ_SAMPLES_H

#include <brazier/base.h>

/* The samples that are kept. */
typedef enum brz_which_samples {
    BRZ_SAMPLES_NONE,
    BRZ_SAMPLES_SUMMED, /* one per stack, tag and weight, in no particular order */
    BRZ_SAMPLES_SINGLE, /* each sample of the input, in its order */
} brz_which_samples;

/* The time of samples without one, which sorts before all others. */
#define BRZ_NO_TIME INT64_MIN

/* A value of a sample, which has a stack and a tag. There may be one per sample of the input: 24
 * bytes. */
typedef struct brz_profile_sample {
    int64_t time; /* in nanoseconds, or BRZ_NO_TIME */
    int64_t value;
    brz_stack stack;
    uint32_t weight : 8;  /* below BRZ_PROFILE_MAX_WEIGHTS */
    uint32_t tag : 23;    /* below BRZ_MAX_TAGS */
    uint32_t is_more : 1; /* single samples only: another value of the sample before it */
} brz_profile_sample;

/* The tag of a sample in its bit field. */
#define BRZ_SAMPLE_TAG(tag) ((tag)&0x7fffff)

/* A zeroed struct keeps no samples. */
typedef struct brz_samples {
    brz_which_samples which;
    brz_profile_sample *items;
    size_t n, cap;
    uint32_t *slots; /* of summed samples: index + 1; 0: free */
    size_t n_slots;
} brz_samples;

/* Adds a sample: appends it or, if samples are summed, adds its value to that of the same stack,
 * tag and weight. Sets *saturated if a sum exceeds its range. */
void brz_samples_add(brz_samples *samples, const brz_profile_sample *s, bool *saturated);

/* Makes summed samples findable again after their stacks, tags or weights have been renumbered. */
void brz_samples_rehash(brz_samples *samples);

/* Removes the samples of other columns than `weight`, which becomes column 0. */
void brz_samples_keep_weight(brz_samples *samples, uint32_t weight);

/* Releases the samples. */
void brz_samples_finish(brz_samples *samples);

#endif
