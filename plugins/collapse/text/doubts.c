/* SPDX-License-Identifier: MIT */
/* Finds what is allowed in a format, but probably a mistake. */
#include "doubts.h"

#include <brazier/symbol.h>

#include <stdio.h>

#include "../../common/nearest_word.h"
#include "units.h"

#define LONGEST_MESSAGE 256

/* Letters of a group with a meaning that a label may resemble; edits from a root to a group. */
#define SHORTEST_NAME 6
#define MOST_EDITS    2

/* ---- groups ---------------------------------------------------------------------------------- */

/* Receives a group of an expression. */
typedef void group_fn(void *to, const text_format *f, const text_expressions *of, size_t item,
                      const expression_group *g);

static void for_each_group(const text_format *f, group_fn *take, void *to)
{
    for (size_t s = 0; s < N_SLOTS; s++)
        for (size_t i = 0; i < f->slots[s].n; i++)
            for (size_t k = 0; k < f->slots[s].items[i].n_groups; k++)
                take(to, f, &f->slots[s], i, &f->slots[s].items[i].groups[k]);
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* A root, and the groups that have its name or a similar one. */
typedef struct root {
    brz_str name;
    nearest_word near;
    bool exists;
} root;

static void compare_root(void *to, const text_format *f, const text_expressions *of, size_t item,
                         const expression_group *g)
{
    root *r = to;
    (void)f;
    (void)of;
    (void)item;
    r->exists |= brz_str_equal(r->name, g->name);
    nearest_word_offer(&r->near, r->name, g->name);
}

static void report(brz_option_faults *doubts, const char *option, size_t item, const char *message,
                   int n)
{
    if (n > 0)
        doubts->add(doubts, option, item,
                    brz_str_of(message, (size_t)(n < LONGEST_MESSAGE ? n : LONGEST_MESSAGE - 1)));
}

static void doubt_root(const text_format *f, brz_str name, size_t item, brz_option_faults *doubts)
{
    char message[LONGEST_MESSAGE];
    root r = {.name = name, .near = {.edits = MOST_EDITS + 1}};
    for_each_group(f, compare_root, &r);
    if (r.exists)
        return;
    int shown = name.len < 64 ? (int)name.len : 64;
    bool has_near = r.near.word.len > 0;
    int n = snprintf(message, sizeof message, "no expression has a group '%.*s'%s%.*s%s", shown,
                     name.data, has_near ? "; did you mean '" : "", (int)r.near.word.len,
                     has_near ? r.near.word.data : "", has_near ? "'?" : "");
    report(doubts, "roots", item, message, n);
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Returns whether a word is another one with an "s" at its end. */
static bool is_plural(brz_str word, brz_str of)
{
    return word.len == of.len + 1 && brz_starts_with(word, of) && word.data[of.len] == 's';
}

/* Returns the name of a group with a meaning. */
static brz_str name_of(const text_format *f, size_t group)
{
    return group == GROUP_WEIGHT ? f->options->weight_group
                                 : brz_str_of_text(text_group_name((text_group)group));
}

/* Returns the group with a meaning that a label was probably meant to be, or text without data. */
static brz_str find_meant(const text_format *f, const expression *e, brz_str label)
{
    for (size_t g = GROUP_LABEL + 1; g < N_GROUPS; g++) {
        brz_str name = name_of(f, g);
        if (name.len >= SHORTEST_NAME && !is_plural(label, name) &&
            !expression_has(e, (text_group)g) && word_edits(label, name) == 1)
            return name;
    }
    return brz_str_of(NULL, 0);
}

static void doubt_label(void *to, const text_format *f, const text_expressions *of, size_t item,
                        const expression_group *g)
{
    char message[LONGEST_MESSAGE];
    brz_str meant =
        g->means == GROUP_LABEL ? find_meant(f, &of->items[item], g->name) : brz_str_of(NULL, 0);
    if (meant.data == NULL)
        return;
    int n = snprintf(message, sizeof message, "the group '%.*s' is a label; did you mean '%.*s'?",
                     (int)g->name.len, g->name.data, (int)meant.len, meant.data);
    report(to, of->option, item, message, n);
}

/* ---- weights --------------------------------------------------------------------------------- */

/* Reports a unit of time or size for samples that count 1. */
static void doubt_weight(const text_format *f, brz_option_faults *doubts)
{
    text_unit unit;
    bool is_plain = f->options->weight_factor >= 1 && f->options->weight_factor <= 1;
    if (!f->has_weight && is_plain && text_unit_find(f->options->weight_unit, &unit))
        doubts->add(doubts, "weight-unit", 0,
                    BRZ_STR("no expression has a group 'weight', so each sample counts 1"));
}

void text_doubt(const text_shape *shape, const void *cfg, brz_option_faults *doubts)
{
    text_format f;
    text_fault fault;
    const text_options *o = cfg;
    if (text_format_init(&f, shape, cfg, NULL, false, &fault)) {
        for (size_t i = 0; i < o->roots.count; i++)
            doubt_root(&f, o->roots.items[i], i, doubts);
        for_each_group(&f, doubt_label, doubts);
        if (shape->is_weighted)
            doubt_weight(&f, doubts);
    }
    text_format_finish(&f);
}
