/* SPDX-License-Identifier: MIT */
/* Explains texts. */
#include "explain.h"

#include "../../common/dump/dump.h"

/* Named groups of a line that are shown. */
#define MOST_SHOWN 64

static void show(const text_format *f, const text_match *match, int32_t role, brz_str line,
                 brz_text_lines *to, bool *goes_on)
{
    brz_text_group groups[MOST_SHOWN];
    brz_text_line l = {.struct_size = sizeof l, .group_size = sizeof *groups};
    const expression *e = match->expression;
    for (size_t i = 0; e != NULL && i < e->n_groups && l.n_groups < MOST_SHOWN; i++) {
        brz_str text = expression_group_text(&f->matcher, match->line, e->groups[i].number);
        if (text.data != NULL)
            groups[l.n_groups++] = (brz_text_group){e->groups[i].name, text};
    }
    l.role = role;
    l.line = line;
    l.groups = groups;
    *goes_on = to->take(to, &l);
}

void text_explain(const text_explainer *by, const void *cfg, brz_str text, brz_text_lines *to)
{
    text_format f;
    text_fault fault;
    brz_str line;
    bool goes_on = text_format_init(&f, by->shape, cfg, NULL, true, &fault), inside = false;
    while (goes_on && !f.failed && brz_block_line(&text, &line)) {
        text_match match = {NULL, line};
        int32_t role = by->classify(&f, line, &inside, &match);
        show(&f, &match, role, line, to, &goes_on);
    }
    text_format_finish(&f);
}

/* Limit on the steps of a match of a guess: a configuration that was found may have many formats,
 * each of which looks at many lines. */
#define STEPS_PER_LINE 1000
#define STEPS_PER_BYTE 32

static uint32_t steps_for(brz_str line)
{
    size_t bytes = line.len < UINT32_MAX / STEPS_PER_BYTE / 2 ? line.len : 0;
    return STEPS_PER_LINE + STEPS_PER_BYTE * (uint32_t)bytes;
}

/* The lines of each role among the first ones. */
typedef struct counts {
    size_t samples, frames, sections, unmatched, lines;
} counts;

/* Returns whether a part of a line is damaged. */
static bool is_odd(const text_format *f, const text_match *match)
{
    return match->expression != NULL &&
           expression_text(match->expression, &f->matcher, match->line, GROUP_ODD).data != NULL;
}

static counts count_roles(const text_explainer *by, text_format *f, brz_str text)
{
    counts c = {0};
    brz_str line;
    bool inside = false;
    while (c.samples < BRZ_LINE_SNIFFED && c.lines < BRZ_LINE_LOOKED_AT && !f->failed &&
           brz_block_line(&text, &line)) {
        text_match match = {NULL, line};
        matcher_limit(&f->matcher, steps_for(line));
        int32_t role = by->classify(f, line, &inside, &match);
        c.samples += role == BRZ_LINE_WHOLE || role == BRZ_LINE_BEGIN;
        c.frames += role == BRZ_LINE_FRAME;
        c.sections += role == BRZ_LINE_SECTION;
        c.unmatched += role == BRZ_LINE_UNMATCHED || is_odd(f, &match);
        c.lines++;
    }
    return c;
}

/* Returns whether blocks begin with a word, which few other texts have. */
static bool begins_with_word(const text_format *f)
{
    enum { SHORTEST_WORD = 6 };
    const text_expressions *begin = &f->slots[SLOT_BEGIN];
    return begin->n > 0 && begin->items->anchored && begin->items->prefix.len >= SHORTEST_WORD;
}

/* Returns whether enough kinds of lines fit: the beginning of a block alone may be any text. */
static bool is_framed(const text_format *f, const text_shape *shape, const counts *c)
{
    return text_format_uses(f, SLOT_SAMPLE) || shape->begins_records || c->frames > 0 ||
           (c->samples > 0 && (c->sections > 0 || begins_with_word(f)));
}

int32_t text_sniff(const text_explainer *by, const void *cfg, const brz_head *head)
{
    text_format f;
    text_fault fault;
    counts c = {0};
    if (text_format_init(&f, by->shape, cfg, NULL, false, &fault))
        c = count_roles(by, &f, dump_head_lines(head));
    bool failed = f.failed, framed = is_framed(&f, by->shape, &c);
    text_format_finish(&f);
    if (failed || c.samples + c.frames == 0 || !framed || 10 * c.unmatched > c.lines)
        return BRZ_SNIFF_NO;
    return c.unmatched == 0 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_SHAPE;
}
