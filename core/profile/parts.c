/* SPDX-License-Identifier: MIT */
/* Collects facts about several profiles that one input contains. */
#include "profile/parts.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void brz_parts_reserve(brz_parts *p)
{
    while (p->cap < p->tags.n) {
        size_t n = p->cap;
        p->facts = brz_grow(p->facts, n, &p->cap, sizeof *p->facts);
        memset(p->facts + n, 0, (p->cap - n) * sizeof *p->facts);
    }
}

/* Returns the facts about the part with an id, or NULL for BRZ_NO_TAG. */
static brz_facts *facts_of(brz_parts *p, brz_tag part)
{
    brz_parts_reserve(p);
    return part == BRZ_NO_TAG ? NULL : &p->facts[part];
}

void brz_parts_state(brz_parts *p, brz_strings *strings, const brz_metadata *m, uint64_t position)
{
    p->tags.most = BRZ_MAX_PARTS + 1;
    brz_facts *f = facts_of(p, brz_tags_add(&p->tags, strings, m->of));
    if (f != NULL)
        brz_facts_state(f, strings, m, position);
}

void brz_parts_absorb(brz_parts *into, brz_strings *strings, const brz_parts *from,
                      const brz_strings *from_strings)
{
    if (from->tags.n == 0)
        return;
    into->tags.most = BRZ_MAX_PARTS + 1;
    brz_tag *map = brz_tags_absorb(&into->tags, strings, &from->tags, from_strings);
    for (size_t i = 1; i < from->tags.n; i++) {
        brz_facts *f = facts_of(into, map[i]);
        if (f != NULL)
            brz_facts_absorb(f, strings, &from->facts[i], from_strings);
    }
    free(map);
}

/* ---- samples ------------------------------------------------------------------------------- */

static bool is_same_label(const brz_tag_label *a, const brz_tag_label *b)
{
    return a->key == b->key && a->text == b->text && a->unit == b->unit && a->flags == b->flags &&
           a->decimals == b->decimals && a->number == b->number;
}

static bool has_label(const brz_tags *tags, const brz_tag_entry *e, const brz_tag_label *label)
{
    for (uint64_t i = 0; i < e->n_labels; i++)
        if (is_same_label(&tags->labels[e->first_label + i], label))
            return true;
    return false;
}

static bool has_numbers(const brz_tag_entry *e, const brz_tag_entry *part)
{
    if ((e->flags & part->flags) != part->flags)
        return false;
    return (!(part->flags & BRZ_TAG_PROCESS) || e->process == part->process) &&
           (!(part->flags & BRZ_TAG_THREAD) || e->thread == part->thread) &&
           (!(part->flags & BRZ_TAG_CPU) || e->cpu == part->cpu);
}

bool brz_parts_have(const brz_parts *p, size_t part, const brz_tags *tags, brz_tag tag)
{
    static const brz_tag_entry none = {0};
    const brz_tag_entry *own = &p->tags.items[part], *e = tag < tags->n ? &tags->items[tag] : &none;
    if (!has_numbers(e, own) || (own->process_name != 0 && e->process_name != own->process_name) ||
        (own->thread_name != 0 && e->thread_name != own->thread_name))
        return false;
    for (uint64_t i = 0; i < own->n_labels; i++)
        if (!has_label(tags, e, &p->tags.labels[own->first_label + i]))
            return false;
    return true;
}

void brz_parts_finish(brz_parts *p)
{
    for (size_t i = 0; i < p->cap; i++)
        brz_facts_finish(&p->facts[i]);
    free(p->facts);
    brz_tags_finish(&p->tags);
}
