/* SPDX-License-Identifier: MIT */
/* Writes samples. */
#include "file.h"

#include "../common/calls.h"

/* The sample being written. */
typedef struct sample {
    file *file;
    uint64_t *ids; /* of its locations */
    size_t n_ids;
    uint64_t *values; /* int64_t in two's complement */
} sample;

/* Writes the sample. `tag` gives its labels; NULL: it has none. */
static void put_sample(const sample *s, const brz_tag_info *tag)
{
    file *f = s->file;
    message_numbers(&f->part, SAMPLE_LOCATION_ID, s->ids, s->n_ids);
    message_numbers(&f->part, SAMPLE_VALUE, s->values, f->tree->n_columns);
    if (tag != NULL)
        labels_add(f->ctx, &f->part, &f->item, &f->functions.texts, tag);
    put_part(f, PROFILE_SAMPLE);
}

/* Fills in the values, one per weight. Returns whether any of them is not 0. */
static bool fill_values(sample *s, const int64_t *values)
{
    const file *f = s->file;
    bool any = false;
    for (uint32_t w = 0; w < f->tree->n_columns; w++) {
        s->values[w] = (uint64_t)sample_type_value(&f->types[w], values[f->order[w]]);
        any |= s->values[w] != 0;
    }
    return any;
}

static void put_sums(sample *s)
{
    file *f = s->file;
    for (uint32_t i = 0; i < f->tree->n_stacks && f->w.rc == BRZ_OK; i++) {
        const brz_stack_info *stack = brz_stack_at(f->tree, i);
        if (!fill_values(s, stack->values))
            continue;
        s->n_ids = locations_of_stack(&f->locations, stack, s->ids);
        put_sample(s, NULL);
    }
}

static void put_tagged(sample *s)
{
    file *f = s->file;
    uint32_t stack = UINT32_MAX;
    for (uint64_t i = 0; i < f->tree->n_samples && f->w.rc == BRZ_OK; i++) {
        const brz_sample_info *from = brz_sample_at(f->tree, i);
        if (!fill_values(s, from->values))
            continue;
        if (from->stack != stack)
            s->n_ids =
                locations_of_stack(&f->locations, brz_stack_at(f->tree, from->stack), s->ids);
        stack = from->stack;
        put_sample(s, brz_tag_at(f->tree, from->tag));
    }
}

/* Returns whether samples have tags. A comparison has only sums. */
static bool is_tagged(const brz_tree *tree)
{
    return tree->n_tags > 1 && tree->before == BRZ_NO_COLUMN;
}

void put_samples(file *f)
{
    sample s = {.file = f};
    size_t n = (size_t)calls_deepest(f->tree) + 1;
    s.ids = f->ctx->host->alloc(f->ctx, n * sizeof *s.ids, 0);
    s.values = f->ctx->host->alloc(f->ctx, f->tree->n_columns * sizeof *s.values, 0);
    if (is_tagged(f->tree))
        put_tagged(&s);
    else
        put_sums(&s);
}
