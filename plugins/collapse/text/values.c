/* SPDX-License-Identifier: MIT */
/* Collects the values of lines. */
#include "values.h"

#include <brazier/symbol.h>

void text_values_clear(text_values *v)
{
    memset(v->of, 0, sizeof v->of);
    v->n_labels = 0;
}

brz_str text_values_label(const text_values *v, brz_str key)
{
    for (uint32_t i = 0; i < v->n_labels; i++)
        if (brz_str_equal(v->labels[i].key, key))
            return v->labels[i].text;
    return brz_str_of(NULL, 0);
}

static void add_label(text_values *v, brz_str key, brz_str text)
{
    if (v->n_labels == MOST_LABELS || text_values_label(v, key).data != NULL)
        return;
    v->labels[v->n_labels++] = (brz_label){.key = key, .text = text};
}

void text_values_add(text_values *v, const text_match *match, const matcher *m)
{
    const expression *e = match->expression;
    for (size_t i = 0; i < e->n_groups; i++) {
        const expression_group *g = &e->groups[i];
        brz_str text = expression_group_text(m, match->line, g->number);
        if (text.data == NULL)
            continue;
        if (g->means == GROUP_LABEL)
            add_label(v, g->name, text);
        else if (v->of[g->means].data == NULL)
            v->of[g->means] = text;
    }
}

/* Replaces a text by a copy at the end of the buffer, which has room for it. */
static void move(brz_str *text, brz_text *buffer, brz_ctx *ctx)
{
    size_t at = buffer->len;
    if (text->data == NULL)
        return;
    brz_text_append(buffer, ctx, *text);
    text->data = buffer->data + at;
}

void text_values_keep(text_values *v, brz_text *buffer, brz_ctx *ctx)
{
    size_t size = 0;
    for (size_t i = 0; i < N_GROUPS; i++)
        size += v->of[i].len;
    for (uint32_t i = 0; i < v->n_labels; i++)
        size += v->labels[i].text.len;
    buffer->len = 0;
    brz_text_room(buffer, ctx, size);
    for (size_t i = 0; i < N_GROUPS; i++)
        move(&v->of[i], buffer, ctx);
    for (uint32_t i = 0; i < v->n_labels; i++)
        move(&v->labels[i].text, buffer, ctx);
}
