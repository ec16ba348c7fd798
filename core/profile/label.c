/* Labels all samples of a profile. */
#include "profile/label.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Returns the tag with the label in addition to its own ones, or the same tag if it has one with
 * this key. */
static brz_tag labelled(brz_profile *p, brz_tag tag, const brz_tag_label *label)
{
    brz_tag_entry e = p->tags.items[tag];
    size_t n = (size_t)e.n_labels;
    brz_tag_label *labels = brz_calloc(n + 1, sizeof *labels);
    if (n > 0)
        memcpy(labels, p->tags.labels + e.first_label, n * sizeof *labels);
    bool has_key = false;
    for (size_t i = 0; i < n; i++)
        has_key |= labels[i].key == label->key;
    labels[n] = *label;
    if (!has_key)
        tag = brz_tags_intern(&p->tags, &p->strings, &e, labels, n + 1);
    free(labels);
    return tag;
}

void brz_profile_label(brz_profile *p, brz_str key, brz_str text)
{
    const brz_tag_label label = {.key = brz_strings_intern(&p->strings, key),
                                 .text = brz_strings_intern(&p->strings, text)};
    if (p->tags.n == 0) /* the tag that says nothing */
        brz_tags_intern(&p->tags, &p->strings, &(brz_tag_entry){0}, NULL, 0);
    size_t n = p->tags.n;
    brz_tag *moved = brz_calloc(n, sizeof *moved);
    for (size_t i = 0; i < n; i++)
        moved[i] = labelled(p, (brz_tag)i, &label);
    for (size_t i = 0; i < p->samples.n; i++)
        p->samples.items[i].tag = moved[p->samples.items[i].tag] & 0xffffff;
    brz_samples_rehash(&p->samples);
    free(moved);
}
