/* Writes samples. */
#include "file.h"

#include <string.h>

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
    message_numbers(&f->part, SAMPLE_VALUE, s->values, f->tree->n_weights);
    if (tag != NULL)
        labels_add(&f->part, &f->item, &f->functions.texts, tag);
    put_part(f, PROFILE_SAMPLE);
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* Fills in the values of a stack. Returns whether any of them is not 0. */
static bool fill_values(sample *s, const brz_stack_info *stack)
{
    const file *f = s->file;
    bool any = false;
    for (uint32_t w = 0; w < f->tree->n_weights; w++) {
        s->values[w] = (uint64_t)sample_type_value(&f->types[w], stack->values[f->order[w]]);
        any |= s->values[w] != 0;
    }
    return any;
}

static void put_sums(sample *s)
{
    file *f = s->file;
    for (uint32_t i = 0; i < f->tree->n_stacks && f->w.rc == BRZ_OK; i++) {
        const brz_stack_info *stack = brz_stack_at(f->tree, i);
        if (!fill_values(s, stack))
            continue;
        s->n_ids = locations_of_stack(&f->locations, stack, s->ids);
        put_sample(s, NULL);
    }
}

/* ---- tags ---------------------------------------------------------------------------------- */

/* Fills in the values of the same stack and tag as those of sample `at`, which is the first of
 * them. Returns the first sample after them. Sets *any if any value is not 0. */
static uint64_t take_values(sample *s, uint64_t at, bool *any)
{
    const file *f = s->file;
    const brz_sample_info *first = brz_sample_at(f->tree, at);
    memset(s->values, 0, f->tree->n_weights * sizeof *s->values);
    *any = false;
    for (; at < f->tree->n_samples; at++) {
        const brz_sample_info *next = brz_sample_at(f->tree, at);
        if (next->stack != first->stack || next->tag != first->tag)
            break;
        uint32_t at_type = f->position[next->weight];
        s->values[at_type] = (uint64_t)sample_type_value(&f->types[at_type], next->value);
        *any |= next->value != 0;
    }
    return at;
}

static void put_tagged(sample *s)
{
    file *f = s->file;
    uint32_t stack = UINT32_MAX;
    uint64_t end;
    for (uint64_t at = 0; at < f->tree->n_samples && f->w.rc == BRZ_OK; at = end) {
        const brz_sample_info *first = brz_sample_at(f->tree, at);
        bool any;
        end = take_values(s, at, &any);
        if (!any)
            continue;
        if (first->stack != stack)
            s->n_ids =
                locations_of_stack(&f->locations, brz_stack_at(f->tree, first->stack), s->ids);
        stack = first->stack;
        put_sample(s, brz_tag_at(f->tree, first->tag));
    }
}

/* ---- both ---------------------------------------------------------------------------------- */

/* Returns whether samples have tags. A comparison has only sums. */
static bool is_tagged(const brz_tree *tree)
{
    return tree->n_tags > 1 && tree->before == BRZ_NO_WEIGHT;
}

void put_samples(file *f)
{
    sample s = {.file = f};
    size_t n = (size_t)calls_deepest(f->tree) + 1;
    s.ids = f->ctx->host->alloc(f->ctx, n * sizeof *s.ids, 0);
    s.values = f->ctx->host->alloc(f->ctx, f->tree->n_weights * sizeof *s.values, 0);
    if (is_tagged(f->tree))
        put_tagged(&s);
    else
        put_sums(&s);
}
