/* SPDX-License-Identifier: MIT */
/* Scores the beginning of an input for the formats that configurations define. */
#include "collapse/format_score.h"

#include <stddef.h>
#include <string.h>

#include "collapse/hints.h"
#include "plugin/calls.h"

/* The name of a file settles which of two formats with equal expressions it has. */
#define SCORE_OF_NAME 15

const brz_text_format *brz_text_format_of(const brz_loaded *l)
{
    const brz_collapser *c = brz_loaded_plain(l)->vtable;
    const brz_text_format *t = c->offer == NULL ? NULL : c->offer(BRZ_TEXT_FORMAT_ID);
    return t != NULL && t->struct_size >= offsetof(brz_text_format, doubt) ? t : NULL;
}

void brz_format_explain(const brz_loaded *format, brz_str text, brz_text_lines *to)
{
    brz_call_enter(format, "explain", NULL, 0, 0);
    brz_text_format_of(format)->explain(format->format->cfg, text, to);
    brz_call_leave();
}

bool brz_format_replaces(const brz_loaded *format)
{
    return strcmp(format->component->id, brz_loaded_plain(format)->component->id) == 0;
}

static bool has_name(const brz_format *f, const brz_head *head)
{
    for (brz_text_list glob = f->files; glob != NULL && *glob != NULL; glob++)
        if (brz_name_matches(head->name, *glob))
            return true;
    return false;
}

static bool contains_one(const brz_format *f, const brz_head *head)
{
    for (brz_text_list text = f->contains; *text != NULL; text++)
        if (memmem(head->data, head->len, *text, strlen(*text)) != NULL)
            return true;
    return false;
}

/* Returns the score by the expressions. */
static int32_t sniff(const brz_loaded *l, const brz_head *head, const char *input)
{
    const brz_text_format *text = brz_text_format_of(l);
    const brz_format *f = l->format;
    if (text == NULL || f->cfg == NULL || (f->contains != NULL && !contains_one(f, head)))
        return BRZ_SNIFF_NO;
    brz_call_enter(l, "sniff", input, 0, head->len);
    int32_t score = text->sniff(f->cfg, head);
    brz_call_leave();
    return f->contains != NULL && score >= BRZ_SNIFF_RECORDS ? BRZ_SNIFF_HEADER : score;
}

int32_t brz_format_score(const brz_loaded *format, const brz_head *head, const char *input)
{
    int32_t score = sniff(format, head, input);
    if (!has_name(format->format, head))
        return score;
    if (score <= 0)
        return BRZ_SNIFF_NAME;
    score += SCORE_OF_NAME;
    return score < BRZ_SNIFF_MAGIC ? score : BRZ_SNIFF_MAGIC;
}
