/* Divides a profile by a part of its samples' tags. */
#include "profile/split.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define UNUSED UINT32_MAX

static size_t count_tags(const brz_profile *p)
{
    return p->tags.n > 0 ? p->tags.n : 1;
}

/* ---- finding values ------------------------------------------------------------------------ */

/* Stores for each tag that a sample has the id of its text. Sets *any_empty if a text is empty, and
 * returns whether any tag has a value. */
static bool name_tags(brz_split *s, const brz_profile *p, const brz_tag_part *by, bool *any_empty)
{
    brz_tag_texts texts;
    brz_buf b = {0};
    bool known = false;
    *any_empty = false;
    brz_tag_texts_init(&texts, p);
    for (size_t i = 0; i < p->samples.n; i++) {
        brz_tag tag = p->samples.items[i].tag;
        if (s->of_tag[tag] != UNUSED)
            continue;
        brz_buf_clear(&b);
        if (brz_tag_texts_add(&texts, &b, tag, by))
            known = true;
        else
            brz_tag_part_add_none(&b, by);
        *any_empty |= b.len == 0;
        s->of_tag[tag] = brz_strings_intern(&s->strings, brz_buf_str(&b));
    }
    brz_buf_finish(&b);
    brz_tag_texts_finish(&texts);
    return known;
}

static int compare_texts(const void *a, const void *b)
{
    return brz_str_compare(*(const brz_str *)a, *(const brz_str *)b);
}

static uint32_t find_text(const brz_split *s, brz_str text)
{
    const brz_str *found = bsearch(&text, s->texts, s->n, sizeof text, compare_texts);
    return (uint32_t)(found - s->texts);
}

/* Sorts the texts from id `first` on, and replaces the ids of the tags' texts by their positions.
 */
static void sort_texts(brz_split *s, size_t n_tags, uint32_t first)
{
    s->n = s->strings.n - first;
    s->texts = brz_calloc(s->n, sizeof *s->texts);
    for (size_t i = 0; i < s->n; i++)
        s->texts[i] = brz_strings_at(&s->strings, (uint32_t)i + first);
    qsort(s->texts, s->n, sizeof *s->texts, compare_texts);
    for (size_t tag = 0; tag < n_tags; tag++)
        if (s->of_tag[tag] != UNUSED)
            s->of_tag[tag] = find_text(s, brz_strings_at(&s->strings, s->of_tag[tag]));
}

bool brz_split_init(brz_split *s, const brz_profile *p, const brz_tag_part *by, size_t most,
                    brz_buf *error)
{
    size_t n_tags = count_tags(p);
    bool any_empty;
    memset(s, 0, sizeof *s);
    s->of_tag = brz_calloc(n_tags, sizeof *s->of_tag);
    memset(s->of_tag, 0xff, n_tags * sizeof *s->of_tag);
    if (!name_tags(s, p, by, &any_empty)) {
        brz_tag_part_explain(error, by);
        return false;
    }
    sort_texts(s, n_tags, any_empty ? 0 : 1); /* id 0 is the empty text */
    if (s->n <= most)
        return true;
    brz_buf_printf(error,
                   "'split-by: %.*s' would write %zu files, more than %zu; choose some with 'only'",
                   (int)by->name.len, by->name.data, s->n, most);
    return false;
}

void brz_split_finish(brz_split *s)
{
    brz_strings_finish(&s->strings);
    free(s->texts);
    free(s->of_tag);
    memset(s, 0, sizeof *s);
}

/* ---- taking parts -------------------------------------------------------------------------- */

/* Copies the samples with the i-th value to `into`, which has room for all. */
static size_t select_samples(const brz_split *s, const brz_profile *p, size_t i,
                             brz_profile_sample *into)
{
    size_t n = 0;
    for (size_t k = 0; k < p->samples.n; k++)
        if (s->of_tag[p->samples.items[k].tag] == i)
            into[n++] = p->samples.items[k];
    return n;
}

/* Copies the stacks of the samples to `into`, which has room for all, and renumbers them. */
static size_t select_stacks(const brz_profile *p, brz_profile_sample *samples, size_t n_samples,
                            brz_profile_stack *into)
{
    size_t n = 0;
    brz_stack *moved = brz_calloc(p->n_stacks, sizeof *moved);
    memset(moved, 0xff, p->n_stacks * sizeof *moved);
    for (size_t k = 0; k < n_samples; k++)
        moved[samples[k].stack] = 0;
    for (size_t k = 0; k < p->n_stacks; k++)
        if (moved[k] != BRZ_NO_STACK) {
            moved[k] = (brz_stack)n;
            into[n++] = p->stacks[k];
        }
    for (size_t k = 0; k < n_samples; k++)
        samples[k].stack = moved[samples[k].stack];
    free(moved);
    return n;
}

/* Copies the columns without their values. */
static brz_profile_weight *copy_columns(const brz_profile *p)
{
    brz_profile_weight *columns = brz_calloc(p->n_weights, sizeof *columns);
    for (size_t k = 0; k < p->n_weights; k++) {
        columns[k] = p->weights[k];
        columns[k].values = NULL;
        columns[k].n_values = 0;
    }
    return columns;
}

brz_profile *brz_split_take(const brz_split *s, const brz_profile *p, size_t i)
{
    brz_profile part = *p; /* shares everything but the arrays below */
    part.samples.items = brz_calloc(p->samples.n, sizeof *part.samples.items);
    part.samples.n = select_samples(s, p, i, part.samples.items);
    part.stacks = brz_calloc(p->n_stacks, sizeof *part.stacks);
    part.n_stacks = select_stacks(p, part.samples.items, part.samples.n, part.stacks);
    part.weights = copy_columns(p);
    brz_profile *taken = brz_profile_create();
    brz_profile_absorb(taken, &part);
    brz_profile_sum_samples(taken);
    free(part.samples.items);
    free(part.stacks);
    free(part.weights);
    return taken;
}
