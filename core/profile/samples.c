/* SPDX-License-Identifier: MIT */
/* Stores samples. */
#include "profile/samples.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

static uint64_t hash_sample(const brz_profile_sample *s)
{
    return brz_hash_pair(brz_hash_host_keys(), s->stack, (uint64_t)s->tag << 8 | s->weight);
}

/* Returns the slot of the sample with this stack, tag and weight, or the free slot for it. */
static size_t slot_of(const brz_samples *samples, const brz_profile_sample *s)
{
    size_t mask = samples->n_slots - 1, at = (size_t)hash_sample(s) & mask;
    for (; samples->slots[at] != 0; at = (at + 1) & mask) {
        const brz_profile_sample *known = &samples->items[samples->slots[at] - 1];
        if (known->stack == s->stack && known->tag == s->tag && known->weight == s->weight)
            break;
    }
    return at;
}

/* Makes enough slots for one more sample. Renumbered samples may have become equal: only one of
 * them is found. */
static void make_slots(brz_samples *samples)
{
    size_t n = samples->n_slots > 0 ? samples->n_slots : 1024;
    while (2 * (samples->n + 1) > n)
        n *= 2;
    free(samples->slots);
    samples->n_slots = n;
    samples->slots = brz_calloc(n, sizeof *samples->slots);
    for (size_t i = 0; i < samples->n; i++)
        samples->slots[slot_of(samples, &samples->items[i])] = (uint32_t)(i + 1);
}

static void append(brz_samples *samples, const brz_profile_sample *s)
{
    samples->items = brz_grow(samples->items, samples->n, &samples->cap, sizeof *samples->items);
    samples->items[samples->n++] = *s;
}

static void sum(brz_samples *samples, const brz_profile_sample *s, bool *saturated)
{
    if (2 * (samples->n + 1) > samples->n_slots)
        make_slots(samples);
    size_t at = slot_of(samples, s);
    if (samples->slots[at] != 0) {
        brz_profile_sample *known = &samples->items[samples->slots[at] - 1];
        known->value = brz_add_saturated(known->value, s->value, saturated);
        return;
    }
    if (samples->n >= UINT32_MAX - 1)
        brz_out_of_memory(samples->n);
    append(samples, s);
    samples->items[samples->n - 1].time = BRZ_NO_TIME;
    samples->items[samples->n - 1].is_more = false;
    samples->slots[at] = (uint32_t)samples->n;
}

void brz_samples_add(brz_samples *samples, const brz_profile_sample *s, bool *saturated)
{
    if (samples->which == BRZ_SAMPLES_SUMMED)
        sum(samples, s, saturated);
    else
        append(samples, s);
}

void brz_samples_rehash(brz_samples *samples)
{
    if (samples->n_slots > 0)
        make_slots(samples);
}

void brz_samples_keep_weight(brz_samples *samples, uint32_t weight)
{
    size_t kept = 0;
    for (size_t i = 0; i < samples->n; i++) {
        brz_profile_sample s = samples->items[i];
        if (s.weight != weight)
            continue;
        s.weight = 0;
        s.is_more = false;
        samples->items[kept++] = s;
    }
    samples->n = kept;
    brz_samples_rehash(samples);
}

void brz_samples_finish(brz_samples *samples)
{
    free(samples->items);
    free(samples->slots);
}
