/* SPDX-License-Identifier: MIT */
/* Collects facts about a recording. */
#include "profile/facts.h"

#include <brazier/tree.h>

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>
#include <string.h>

/* ---- adding -------------------------------------------------------------------------------- */

static void add_single(brz_facts *f, brz_fact_subject subject, const brz_fact *fact)
{
    uint32_t bit = 1u << subject;
    if (!(f->known & bit) || fact->position < f->single[subject].position)
        f->single[subject] = *fact;
    f->known |= bit;
}

/* Replaces the fact with the highest position in a full list, if that is higher than the new one's.
 * The facts that remain are then the same, whatever the order in which instances state them. */
static void replace_last(brz_facts *f, size_t list, const brz_fact *fact)
{
    brz_fact *facts = f->lists[list];
    size_t last = 0, n = f->n[list];
    for (size_t i = 1; i < n; i++)
        if (facts[i].position >= facts[last].position)
            last = i;
    f->left_out++;
    if (fact->position >= facts[last].position)
        return;
    memmove(&facts[last], &facts[last + 1], (n - 1 - last) * sizeof *facts);
    facts[n - 1] = *fact;
}

static void add_to_list(brz_facts *f, size_t list, const brz_fact *fact)
{
    for (size_t i = 0; i < f->n[list]; i++) {
        brz_fact *known = &f->lists[list][i];
        if (known->key != fact->key || known->text != fact->text)
            continue;
        if (fact->position < known->position)
            known->position = fact->position;
        return;
    }
    if (f->n[list] == BRZ_MAX_FACTS) {
        replace_last(f, list, fact);
        return;
    }
    f->lists[list] = brz_grow(f->lists[list], f->n[list], &f->caps[list], sizeof *fact);
    f->lists[list][f->n[list]++] = *fact;
}

void brz_facts_add(brz_facts *f, brz_fact_subject subject, const brz_fact *fact)
{
    if (subject < BRZ_FACT_SINGLE)
        add_single(f, subject, fact);
    else
        add_to_list(f, (size_t)subject - BRZ_FACT_SINGLE, fact);
}

static void state_number(brz_facts *f, brz_fact_subject subject, int64_t number, uint64_t position)
{
    if (number != 0)
        brz_facts_add(f, subject, &(brz_fact){.position = position, .number = number});
}

static void state_text(brz_facts *f, brz_strings *strings, brz_fact_subject subject, brz_str text,
                       uint64_t position)
{
    if (text.len > 0)
        brz_facts_add(f, subject,
                      &(brz_fact){.position = position, .text = brz_strings_intern(strings, text)});
}

void brz_facts_state(brz_facts *f, brz_strings *strings, const brz_metadata *m, uint64_t position)
{
    state_number(f, BRZ_FACT_START, m->start, position);
    state_number(f, BRZ_FACT_CLOCK_START, m->clock_start, position);
    state_number(f, BRZ_FACT_DURATION, m->duration, position);
    state_number(f, BRZ_FACT_PERIOD, m->period, position);
    state_text(f, strings, BRZ_FACT_PERIOD_NAME, m->period_name, position);
    state_text(f, strings, BRZ_FACT_PERIOD_UNIT, m->period_unit, position);
    state_text(f, strings, BRZ_FACT_PRODUCER, m->producer, position);
    state_text(f, strings, BRZ_FACT_COMMAND, m->command, position);
    state_text(f, strings, BRZ_FACT_HOST, m->host, position);
    state_text(f, strings, BRZ_FACT_ARCHITECTURE, m->architecture, position);
    for (uint64_t i = 0; i < m->n_comments; i++)
        state_text(f, strings, BRZ_FACT_COMMENT, m->comments[i], position);
    for (uint64_t i = 0; i < m->n_pairs; i++) {
        const brz_pair *p = brz_at(m->pairs, m->pair_size, (size_t)i);
        brz_fact fact = {.position = position,
                         .key = brz_strings_intern(strings, p->key),
                         .text = brz_strings_intern(strings, p->value)};
        brz_facts_add(f, BRZ_FACT_PAIR, &fact);
    }
}

/* ---- merging ------------------------------------------------------------------------------- */

static void absorb_fact(brz_facts *into, brz_strings *strings, brz_fact_subject subject,
                        const brz_fact *fact, const brz_strings *from_strings)
{
    brz_fact own = *fact;
    own.key = own.key == 0 ? 0 : brz_strings_intern(strings, brz_strings_at(from_strings, own.key));
    own.text =
        own.text == 0 ? 0 : brz_strings_intern(strings, brz_strings_at(from_strings, own.text));
    brz_facts_add(into, subject, &own);
}

void brz_facts_absorb(brz_facts *into, brz_strings *strings, const brz_facts *from,
                      const brz_strings *from_strings)
{
    for (int s = 0; s < BRZ_FACT_SINGLE; s++)
        if (from->known & 1u << s)
            absorb_fact(into, strings, (brz_fact_subject)s, &from->single[s], from_strings);
    for (int list = 0; list < BRZ_FACT_SUBJECTS - BRZ_FACT_SINGLE; list++)
        for (size_t i = 0; i < from->n[list]; i++)
            absorb_fact(into, strings, (brz_fact_subject)(BRZ_FACT_SINGLE + list),
                        &from->lists[list][i], from_strings);
    into->left_out += from->left_out;
}

/* ---- several inputs ------------------------------------------------------------------------ */

static bool knows(const brz_facts *f, brz_fact_subject subject)
{
    return (f->known & 1u << subject) != 0;
}

static void forget(brz_facts *f, brz_fact_subject subject)
{
    f->known &= ~(1u << subject);
}

/* Keeps a text only if both inputs state it. */
static void reconcile_text(brz_facts *a, const brz_strings *a_strings, brz_facts *b,
                           const brz_strings *b_strings, brz_fact_subject subject)
{
    bool is_same = knows(a, subject) && knows(b, subject) &&
                   brz_str_equal(brz_strings_at(a_strings, a->single[subject].text),
                                 brz_strings_at(b_strings, b->single[subject].text));
    if (!is_same)
        forget(a, subject);
    forget(b, subject);
}

static void reconcile_durations(brz_facts *into, brz_facts *from, bool adds)
{
    bool saturated = false;
    int64_t *sum = &into->single[BRZ_FACT_DURATION].number;
    int64_t other = from->single[BRZ_FACT_DURATION].number;
    bool known = knows(into, BRZ_FACT_DURATION) && knows(from, BRZ_FACT_DURATION);
    if (known && adds)
        *sum = brz_add_saturated(*sum, other, &saturated);
    else if (!known || *sum != other)
        forget(into, BRZ_FACT_DURATION);
    forget(from, BRZ_FACT_DURATION);
}

void brz_facts_reconcile(brz_facts *into, const brz_strings *strings, brz_facts *from,
                         const brz_strings *from_strings, bool adds)
{
    static const brz_fact_subject texts[] = {BRZ_FACT_PRODUCER, BRZ_FACT_COMMAND, BRZ_FACT_HOST,
                                             BRZ_FACT_ARCHITECTURE};
    brz_fact *start = &into->single[BRZ_FACT_START];
    for (size_t i = 0; i < BRZ_COUNT_OF(texts); i++)
        reconcile_text(into, strings, from, from_strings, texts[i]);
    reconcile_durations(into, from, adds);
    if (knows(into, BRZ_FACT_START) && knows(from, BRZ_FACT_START) &&
        from->single[BRZ_FACT_START].number < start->number)
        start->number = from->single[BRZ_FACT_START].number;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Sorts by insertion, which is stable; facts are few and nearly sorted. */
static void sort_list(brz_fact *facts, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        brz_fact fact = facts[i];
        size_t at = i;
        for (; at > 0 && facts[at - 1].position > fact.position; at--)
            facts[at] = facts[at - 1];
        facts[at] = fact;
    }
}

void brz_facts_sort(brz_facts *f)
{
    for (size_t list = 0; list < BRZ_FACT_SUBJECTS - BRZ_FACT_SINGLE; list++)
        sort_list(f->lists[list], f->n[list]);
}

const brz_fact *brz_facts_find(const brz_facts *f, brz_fact_subject subject)
{
    return f->known & 1u << subject ? &f->single[subject] : NULL;
}

void brz_facts_finish(brz_facts *f)
{
    for (size_t list = 0; list < BRZ_FACT_SUBJECTS - BRZ_FACT_SINGLE; list++)
        free(f->lists[list]);
}
