/* Writes facts about the recording. */
#include "facts.h"

#include "../../common/pprof_fields.h"

#include <brazier/symbol.h>

#include <string.h>

/* Pairs that have fields of their own: pprof files state them, and the collapser keeps them. */
static const struct {
    const char *key;
    uint32_t field;
} fields[] = {
    {"drop_frames", PROFILE_DROP_FRAMES},
    {"keep_frames", PROFILE_KEEP_FRAMES},
    {"doc_url", PROFILE_DOC_URL},
};

/* Returns the number of the field for a pair, or 0. */
static uint32_t field_of(brz_str key)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(fields); i++)
        if (brz_str_equal(key, brz_str_of(fields[i].key, strlen(fields[i].key))))
            return fields[i].field;
    return 0;
}

/* A list of comments. */
typedef struct comments {
    brz_output_ctx *ctx;
    texts *texts;
    uint64_t *items;
    size_t n;
} comments;

/* Adds a comment, unless there is an equal one. */
static void add(comments *c, brz_str text)
{
    uint64_t number = texts_add(c->texts, text);
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

/* Returns the comments, and facts for which the format has no field. */
static comments comments_of(brz_output_ctx *ctx, texts *t, const brz_metadata *facts)
{
    size_t room = (size_t)(facts->n_comments + facts->n_pairs) + 5;
    comments c = {ctx, t, ctx->host->alloc(ctx, room * sizeof *c.items, 0), 0};
    for (uint64_t i = 0; i < facts->n_comments; i++)
        add(&c, facts->comments[i]);
    add_fact(&c, BRZ_STR("producer"), facts->producer);
    add_fact(&c, BRZ_STR("command"), facts->command);
    add_fact(&c, BRZ_STR("host"), facts->host);
    add_fact(&c, BRZ_STR("architecture"), facts->architecture);
    for (uint64_t i = 0; i < facts->n_pairs; i++)
        if (field_of(brz_pair_at(facts, i)->key) == 0)
            add_fact(&c, brz_pair_at(facts, i)->key, brz_pair_at(facts, i)->value);
    add(&c, BRZ_STR("brazier@" BRZ_SHIPPED_VERSION));
    return c;
}

void facts_add(brz_output_ctx *ctx, texts *t, const brz_metadata *facts, message *profile,
               message *part)
{
    uint32_t numbers[PROFILE_N_FIELDS] = {0};
    bool has_period = facts->period_name.len > 0 || facts->period_unit.len > 0;
    if (has_period) {
        message_number(part, VALUE_TYPE_TYPE, texts_add(t, facts->period_name));
        message_number(part, VALUE_TYPE_UNIT, texts_add(t, facts->period_unit));
    }
    for (uint64_t i = 0; i < facts->n_pairs; i++) {
        const brz_pair *pair = brz_pair_at(facts, i);
        if (field_of(pair->key) != 0)
            numbers[field_of(pair->key)] = texts_add(t, pair->value);
    }
    comments c = comments_of(ctx, t, facts);
    message_number(profile, PROFILE_DROP_FRAMES, numbers[PROFILE_DROP_FRAMES]);
    message_number(profile, PROFILE_KEEP_FRAMES, numbers[PROFILE_KEEP_FRAMES]);
    message_number(profile, PROFILE_TIME, (uint64_t)facts->start);
    message_number(profile, PROFILE_DURATION, (uint64_t)facts->duration);
    if (has_period)
        message_part(profile, PROFILE_PERIOD_TYPE, part);
    message_number(profile, PROFILE_PERIOD, (uint64_t)facts->period);
    message_numbers(profile, PROFILE_COMMENT, c.items, c.n);
    message_number(profile, PROFILE_DOC_URL, numbers[PROFILE_DOC_URL]);
}
