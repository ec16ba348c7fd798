/* Writes facts about the recording. */
#include "facts.h"

#include <brazier/symbol.h>

#include <string.h>

typedef Brazier__Pprof__Profile Message;

/* Pairs that have fields of their own: pprof files state them, and the collapser keeps them. */
static const struct {
    const char *key;
    size_t offset;
} fields[] = {
    {"drop_frames", offsetof(Message, drop_frames)},
    {"keep_frames", offsetof(Message, keep_frames)},
    {"doc_url", offsetof(Message, doc_url)},
};

/* Returns the field for a pair, or NULL. */
static int64_t *field_of(Message *m, brz_str key)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(fields); i++)
        if (brz_str_equal(key, brz_str_of(fields[i].key, strlen(fields[i].key))))
            return (int64_t *)(void *)((char *)m + fields[i].offset);
    return NULL;
}

void facts_fill(texts *t, const brz_metadata *facts, Message *m, Brazier__Pprof__ValueType *period)
{
    m->time_nanos = facts->start;
    m->duration_nanos = facts->duration;
    m->period = facts->period;
    if (facts->period_name.len > 0 || facts->period_unit.len > 0) {
        period->type = texts_add(t, facts->period_name);
        period->unit = texts_add(t, facts->period_unit);
        m->period_type = period;
    }
    for (uint64_t i = 0; i < facts->n_pairs; i++) {
        const brz_pair *pair = brz_pair_at(facts, i);
        int64_t *field = field_of(m, pair->key);
        if (field != NULL)
            *field = texts_add(t, pair->value);
    }
}

/* A list of comments. */
typedef struct comments {
    brz_output_ctx *ctx;
    texts *texts;
    int64_t *items;
    size_t n;
} comments;

/* Adds a comment, unless there is an equal one. */
static void add(comments *c, brz_str text)
{
    int64_t number = texts_add(c->texts, text);
    for (size_t i = 0; i < c->n; i++)
        if (c->items[i] == number)
            return;
    c->items[c->n++] = number;
}

/* Adds "key: value". */
static void add_fact(comments *c, brz_str key, brz_str value)
{
    char *text = c->ctx->host->alloc(c->ctx, key.len + value.len + 2, 1);
    if (value.len == 0)
        return;
    memcpy(text, key.data, key.len);
    memcpy(text + key.len, ": ", 2);
    memcpy(text + key.len + 2, value.data, value.len);
    add(c, brz_str_of(text, key.len + 2 + value.len));
}

int64_t *facts_comments(brz_output_ctx *ctx, texts *t, const brz_metadata *facts, size_t *n)
{
    size_t room = (size_t)(facts->n_comments + facts->n_pairs) + 5;
    comments c = {ctx, t, ctx->host->alloc(ctx, room * sizeof(int64_t), 0), 0};
    Message unused;
    for (uint64_t i = 0; i < facts->n_comments; i++)
        add(&c, facts->comments[i]);
    add_fact(&c, BRZ_STR("producer"), facts->producer);
    add_fact(&c, BRZ_STR("command"), facts->command);
    add_fact(&c, BRZ_STR("host"), facts->host);
    add_fact(&c, BRZ_STR("architecture"), facts->architecture);
    for (uint64_t i = 0; i < facts->n_pairs; i++)
        if (field_of(&unused, brz_pair_at(facts, i)->key) == NULL)
            add_fact(&c, brz_pair_at(facts, i)->key, brz_pair_at(facts, i)->value);
    add(&c, BRZ_STR("brazier@" BRZ_SHIPPED_VERSION));
    *n = c.n;
    return c.items;
}
