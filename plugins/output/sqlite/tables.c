/* SPDX-License-Identifier: MIT */
/* Adds the rows of a profile. */
#include "tables.h"

#include "bulk.h"
#include "frames.h"

/* Rows after which the run is asked whether it is to stop. */
#define BATCH 4096

/* A profile being added: the ids of its rows. */
typedef struct adder {
    database *d;
    const brz_tree *tree;
    const profile_options *options;
    stack_rows stacks;
    int64_t profile, first_weight, first_tag;
} adder;

static bool is_stopped(adder *a, uint64_t i)
{
    return a->d->failed || (i % BATCH == 0 && a->d->ctx->host->stopped(a->d->ctx));
}

/* ---- the profile --------------------------------------------------------------------------- */

static void add_profile(adder *a)
{
    const brz_metadata *m = a->tree->metadata;
    statement s = statement_of(a->d, "INSERT INTO profiles VALUES "
                                     "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    put_number(&s, a->profile);
    put_text(&s, a->options->name);
    put_text(&s, a->options->host.len > 0 ? a->options->host : m->host);
    put_text(&s, m->command);
    put_text(&s, m->producer);
    put_text(&s, m->architecture);
    put_known(&s, m->start != 0, m->start);
    put_known(&s, m->start != 0, m->clock_start);
    put_known(&s, m->duration != 0, m->duration);
    put_known(&s, m->period != 0, m->period);
    put_text(&s, m->period_name);
    put_text(&s, m->period_unit);
    statement_add(&s);
    statement_finish(&s);
}

static void add_fact(adder *a, statement *s, uint64_t number, brz_str key, brz_str value)
{
    put_number(s, a->profile);
    put_number(s, (int64_t)number);
    put_text(s, key);
    put_text(s, value);
    statement_add(s);
}

static void add_facts(adder *a)
{
    const brz_metadata *m = a->tree->metadata;
    statement s = statement_of(a->d, "INSERT INTO facts VALUES (?, ?, ?, ?)");
    for (uint64_t i = 0; i < m->n_pairs && !is_stopped(a, i); i++)
        add_fact(a, &s, i + 1, brz_pair_at(m, i)->key, brz_pair_at(m, i)->value);
    for (uint64_t i = 0; i < m->n_comments && !is_stopped(a, i); i++)
        add_fact(a, &s, m->n_pairs + i + 1, BRZ_STR("comment"), m->comments[i]);
    statement_finish(&s);
}

/* Returns 10^decimals, which a column has at most 18 of. */
static int64_t divisor_of(uint32_t decimals)
{
    int64_t divisor = 1;
    for (uint32_t i = 0; i < decimals && i < 18; i++)
        divisor *= 10;
    return divisor;
}

static void add_weights(adder *a)
{
    statement s = statement_of(a->d, "INSERT INTO weights VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < a->tree->n_columns && !a->d->failed; i++) {
        const brz_column_info *c = brz_column_at(a->tree, i);
        put_number(&s, a->first_weight + i);
        put_number(&s, a->profile);
        put_text(&s, c->name);
        put_text(&s, c->unit);
        put_number(&s, divisor_of(c->decimals));
        put_number(&s, i == a->tree->main_column);
        put_number(&s, c->total);
        statement_add(&s);
    }
    statement_finish(&s);
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* Adds the sums of a weight, except those of stacks that have none. */
static void add_sums_of(adder *a, bulk *b, uint32_t weight)
{
    const stack_tree *t = &a->stacks.tree;
    size_t n_weights = a->tree->n_columns;
    for (uint32_t i = 0; i <= t->paths.items.n && !is_stopped(a, i); i++) {
        int64_t self = path_self(&t->paths, i, weight), total = t->total[i * n_weights + weight];
        if (self == 0 && total == 0)
            continue;
        bulk_put(b, a->first_weight + weight);
        bulk_put(b, a->stacks.ids[i]);
        bulk_put(b, self);
        bulk_put(b, total);
        bulk_end_row(b);
    }
}

static void add_sums(adder *a)
{
    bulk b;
    bulk_init(&b, a->d, "stack_weights", 4);
    for (uint32_t w = 0; w < a->tree->n_columns; w++)
        add_sums_of(a, &b, w);
    bulk_finish(&b);
}

/* ---- samples ------------------------------------------------------------------------------- */

static void add_label(adder *a, statement *s, uint32_t tag, uint32_t number, const brz_label *l)
{
    put_number(s, a->first_tag + tag);
    put_number(s, number);
    put_text(s, l->key);
    if (l->flags & BRZ_LABEL_NUMBER)
        put_decimal(s, l->number, divisor_of(l->decimals));
    else
        put_text(s, l->text);
    put_text(s, l->unit);
    statement_add(s);
}

static void add_tag(adder *a, statement *s, uint32_t i, const brz_tag_info *tag)
{
    put_number(s, a->first_tag + i);
    put_number(s, a->profile);
    put_known(s, (tag->flags & BRZ_TAG_PROCESS) != 0, tag->process);
    put_text(s, tag->process_name);
    put_known(s, (tag->flags & BRZ_TAG_THREAD) != 0, tag->thread);
    put_text(s, tag->thread_name);
    put_known(s, (tag->flags & BRZ_TAG_CPU) != 0, tag->cpu);
    statement_add(s);
}

/* Adds the tags, except tag 0, which is empty. */
static void add_tags(adder *a)
{
    statement s = statement_of(a->d, "INSERT INTO tags VALUES (?, ?, ?, ?, ?, ?, ?)");
    statement labels = statement_of(a->d, "INSERT INTO labels VALUES (?, ?, ?, ?, ?)");
    for (uint32_t i = 1; i < a->tree->n_tags && !is_stopped(a, i); i++) {
        const brz_tag_info *tag = brz_tag_at(a->tree, i);
        add_tag(a, &s, i, tag);
        for (uint32_t k = 0; k < tag->n_labels && !a->d->failed; k++)
            add_label(a, &labels, i, k + 1, brz_label_at(tag, k));
    }
    statement_finish(&s);
    statement_finish(&labels);
}

/* Returns whether samples say more than the sums of their stacks. */
static bool have_more(const brz_tree *tree)
{
    uint64_t i = 0;
    while (i < tree->n_samples && brz_sample_at(tree, i)->tag == 0 &&
           !(brz_sample_at(tree, i)->flags & BRZ_TIMED))
        i++;
    return i < tree->n_samples;
}

static void add_samples_of(adder *a, bulk *b, uint32_t weight)
{
    for (uint64_t i = 0; i < a->tree->n_samples && !is_stopped(a, i); i++) {
        const brz_sample_info *s = brz_sample_at(a->tree, i);
        if (s->values[weight] == 0)
            continue;
        bulk_put(b, a->first_weight + weight);
        bulk_put(b, (int64_t)i + 1);
        bulk_put(b, a->stacks.ids[a->stacks.tree.paths.of_stack[s->stack]]);
        bulk_put_known(b, s->tag != 0, a->first_tag + s->tag);
        bulk_put_known(b, (s->flags & BRZ_TIMED) != 0, s->time);
        bulk_put(b, s->values[weight]);
        bulk_end_row(b);
    }
}

static void add_samples(adder *a)
{
    bulk b;
    bulk_init(&b, a->d, "samples", 6);
    for (uint32_t w = 0; w < a->tree->n_columns; w++)
        add_samples_of(a, &b, w);
    bulk_finish(&b);
}

/* ---- all ----------------------------------------------------------------------------------- */

bool tables_add_profile(database *d, const brz_tree *tree, const profile_options *o, bool is_new)
{
    adder a = {.d = d, .tree = tree, .options = o};
    a.profile = database_number(d, "SELECT max(profile_id) + 1 FROM profiles", 1);
    a.first_weight = database_number(d, "SELECT max(weight_id) + 1 FROM weights", 1);
    a.first_tag = database_number(d, "SELECT max(tag_id) FROM tags", 0);
    add_profile(&a);
    add_facts(&a);
    add_weights(&a);
    if (!stack_rows_add(&a.stacks, d, tree, !is_new))
        return false;
    add_sums(&a);
    if (o->samples && have_more(tree)) {
        add_tags(&a);
        add_samples(&a);
    }
    return !d->failed && !d->ctx->host->stopped(d->ctx);
}
