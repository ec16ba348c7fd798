/* SPDX-License-Identifier: MIT */
/* Numbers sets of labels, and writes them. */
#include "label_sets.h"

#include <brazier/symbol.h>

#include <string.h>

#include "keys.h"
#include "texts.h"

/* ---- sets ---------------------------------------------------------------------------------- */

/* Tables that identify sets step by step. */
typedef struct identities {
    texts texts;
    keys pairs, numbers, decimals, labels, chains, sets;
} identities;

static void identities_init(identities *known, brz_output_ctx *ctx)
{
    keys *tables[] = {&known->pairs,  &known->numbers, &known->decimals,
                      &known->labels, &known->chains,  &known->sets};
    for (size_t i = 0; i < BRZ_COUNT_OF(tables); i++)
        keys_init(tables[i], ctx);
    texts_init(&known->texts, ctx);
}

/* Returns the number of a label, from 0. */
static uint32_t identify(identities *known, const brz_label *l)
{
    bool is_number = (l->flags & BRZ_LABEL_NUMBER) != 0;
    uint32_t key = texts_add(&known->texts, l->key);
    uint32_t text = texts_add(&known->texts, is_number ? l->unit : l->text);
    uint32_t pair = keys_add(&known->pairs, key_of_two(key, text));
    uint32_t digits = is_number ? keys_add(&known->numbers, (uint64_t)l->number) + 1 : 0;
    uint32_t number = keys_add(&known->decimals, key_of_two(digits, l->decimals));
    return keys_add(&known->labels, key_of_two(pair, number));
}

/* Returns the number of a tag's set. Labels of a tag are sorted. */
static uint32_t identify_set(identities *known, const brz_tag_info *tag)
{
    uint32_t chain = 0; /* number of the labels before, in this order, from 1 */
    for (uint32_t i = 0; i < tag->n_labels; i++) {
        uint32_t label = identify(known, brz_label_at(tag, i));
        chain = keys_add(&known->chains, key_of_two(chain, label)) + 1;
    }
    return chain == 0 ? 0 : keys_add(&known->sets, chain) + 1;
}

void label_sets_init(label_sets *s, brz_output_ctx *ctx, const brz_tree *tree)
{
    identities known;
    size_t n = (size_t)tree->n_tags + 1;
    identities_init(&known, ctx);
    s->items = ctx->host->alloc(ctx, n * sizeof *s->items, 0);
    s->of_tags = ctx->host->alloc(ctx, n * sizeof *s->of_tags, 0);
    s->n = 1;
    for (uint32_t i = 0; i < tree->n_tags; i++) {
        const brz_tag_info *tag = brz_tag_at(tree, i);
        s->of_tags[i] = identify_set(&known, tag);
        if (s->of_tags[i] == s->n)
            s->items[s->n++] = tag;
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void put_value(brz_writer *w, const brz_label *l)
{
    if (!(l->flags & BRZ_LABEL_NUMBER)) {
        brz_put_json(w, l->text);
        return;
    }
    if (l->unit.len == 0) {
        brz_put_scaled(w, l->number, l->decimals);
        return;
    }
    BRZ_PUT(w, "{\"value\":");
    brz_put_scaled(w, l->number, l->decimals);
    BRZ_PUT(w, ",\"unit\":");
    brz_put_json(w, l->unit);
    brz_put_char(w, '}');
}

/* Returns the number of labels from one on that have its key. */
static uint32_t count_equal(const brz_tag_info *tag, uint32_t from)
{
    uint32_t end = from + 1;
    while (end < tag->n_labels &&
           brz_str_equal(brz_label_at(tag, end)->key, brz_label_at(tag, from)->key))
        end++;
    return end - from;
}

void label_set_put(brz_writer *w, const brz_tag_info *tag)
{
    brz_put_char(w, '{');
    for (uint32_t i = 0, n; i < tag->n_labels; i += n) {
        n = count_equal(tag, i);
        brz_put_text(w, i > 0 ? "," : "");
        brz_put_json(w, brz_label_at(tag, i)->key);
        brz_put_text(w, n > 1 ? ":[" : ":");
        for (uint32_t k = 0; k < n; k++) {
            brz_put_text(w, k > 0 ? "," : "");
            put_value(w, brz_label_at(tag, i + k));
        }
        brz_put_text(w, n > 1 ? "]" : "");
    }
    brz_put_char(w, '}');
}

/* ---- text ---------------------------------------------------------------------------------- */

static void append(char **to, brz_str text)
{
    if (text.len > 0)
        memcpy(*to, text.data, text.len);
    *to += text.len;
}

/* Returns a number that is not less than the length of a label's text. */
static size_t most_text(const brz_label *l)
{
    return l->key.len + l->text.len + l->unit.len + BRZ_NUMBER_ROOM;
}

static void append_label(char **to, const brz_label *l)
{
    char number[BRZ_NUMBER_ROOM];
    append(to, l->key);
    append(to, BRZ_STR("="));
    if (!(l->flags & BRZ_LABEL_NUMBER)) {
        append(to, l->text);
        return;
    }
    append(to, brz_str_of(number,
                          (size_t)(brz_format_scaled(number, l->number, l->decimals) - number)));
    append(to, l->unit.len > 0 ? BRZ_STR(" ") : BRZ_STR(""));
    append(to, l->unit);
}

brz_str label_text(brz_output_ctx *ctx, const brz_label *label)
{
    char *text = ctx->host->alloc(ctx, most_text(label), 1), *end = text;
    append_label(&end, label);
    return brz_str_of(text, (size_t)(end - text));
}

brz_str label_set_text(brz_output_ctx *ctx, const brz_tag_info *tag)
{
    size_t most = 1;
    for (uint32_t i = 0; i < tag->n_labels; i++)
        most += most_text(brz_label_at(tag, i)) + 2;
    char *text = ctx->host->alloc(ctx, most, 1), *end = text;
    for (uint32_t i = 0; i < tag->n_labels; i++) {
        append(&end, i > 0 ? BRZ_STR(", ") : BRZ_STR(""));
        append_label(&end, brz_label_at(tag, i));
    }
    return brz_str_of(text, (size_t)(end - text));
}
