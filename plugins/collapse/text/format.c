/* SPDX-License-Identifier: MIT */
/* Compiles the expressions of options. */
#include "format.h"

#include "weight.h"

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>
#include <brazier/text/trim.h>

#include <stdio.h>

const uint8_t text_frame_groups[] = {GROUP_FUNCTION, GROUP_MODULE, GROUP_FILE, GROUP_ADDRESS,
                                     GROUP_LABEL};

/* ---- compiling ------------------------------------------------------------------------------- */

/* Returns the expressions of an option; an empty text gives an empty list. */
static brz_strlist expressions_of(const text_source *s, const void *cfg)
{
    const char *member = (const char *)cfg + s->offset;
    brz_strlist list;
    if (s->is_list)
        return *(const brz_strlist *)(const void *)member;
    list.items = (const brz_str *)(const void *)member;
    list.count = list.items->len > 0;
    return list;
}

static bool has_needed(const expression *e, const uint8_t *needs)
{
    if (needs == NULL)
        return true;
    for (; *needs != GROUP_LABEL; needs++)
        if (expression_has(e, (text_group)*needs))
            return true;
    return false;
}

/* Describes the groups of which an expression needs one. */
static void describe_needed(const uint8_t *needs, char what[EXPRESSION_FAULT])
{
    int n = snprintf(what, EXPRESSION_FAULT, "the expression needs a group (?<%s>...)",
                     text_group_name((text_group)*needs));
    for (needs++; *needs != GROUP_LABEL && n > 0 && n < EXPRESSION_FAULT; needs++)
        n += snprintf(what + n, (size_t)(EXPRESSION_FAULT - n), "%s%s",
                      needs[1] == GROUP_LABEL ? " or " : ", ", text_group_name((text_group)*needs));
}

static bool compile_one(text_format *f, const text_source *s, brz_str text, text_fault *fault)
{
    text_expressions *to = &f->slots[s->slot];
    expression *e = &to->items[to->n++];
    if (!expression_compile(e, text, f->options->weight_group, &f->memory, fault->what))
        return false;
    if (!has_needed(e, s->needs)) {
        describe_needed(s->needs, fault->what);
        return false;
    }
    f->has_weight |= expression_has(e, GROUP_WEIGHT);
    f->has_unit |= expression_has(e, GROUP_UNIT);
    return true;
}

static bool compile_source(text_format *f, const text_source *s, const void *cfg, text_fault *fault)
{
    brz_strlist list = expressions_of(s, cfg);
    text_expressions *to = &f->slots[s->slot];
    to->option = fault->option = s->option;
    fault->item = 0;
    if (list.count == 0)
        return true;
    to->items = expression_memory_take(&f->memory, list.count * sizeof *to->items);
    if (to->items == NULL) {
        snprintf(fault->what, sizeof fault->what, "there is not enough memory");
        return false;
    }
    for (; fault->item < list.count; fault->item++)
        if (!compile_one(f, s, list.items[fault->item], fault))
            return false;
    return true;
}

bool text_format_init(text_format *f, const text_shape *shape, const void *cfg, brz_ctx *ctx,
                      bool machine, text_fault *fault)
{
    *f = (text_format){.options = cfg, .ctx = ctx};
    *fault = (text_fault){.option = shape->sources[0].option};
    snprintf(fault->what, sizeof fault->what, "there is not enough memory");
    if (!expression_memory_init(&f->memory, ctx) || !matcher_init(&f->matcher, &f->memory, machine))
        return false;
    for (size_t i = 0; i < shape->n_sources; i++)
        if (!compile_source(f, &shape->sources[i], cfg, fault))
            return false;
    for (size_t i = 0; i < N_SLOTS && machine; i++)
        for (size_t k = 0; k < f->slots[i].n; k++)
            expression_to_machine_code(&f->slots[i].items[k]);
    return true;
}

void text_format_finish(text_format *f)
{
    for (size_t i = 0; i < N_SLOTS; i++) {
        for (size_t k = 0; k < f->slots[i].n; k++)
            expression_finish(&f->slots[i].items[k], &f->memory);
        expression_memory_give(&f->memory, f->slots[i].items);
        f->slots[i].n = 0;
    }
    matcher_finish(&f->matcher);
    expression_memory_finish(&f->memory);
}

/* ---- checking -------------------------------------------------------------------------------- */

/* Compiles each expression on its own, to find the faults of all. */
static void validate_source(text_format *f, const text_source *s, const void *cfg,
                            brz_option_faults *faults)
{
    brz_strlist list = expressions_of(s, cfg);
    text_fault fault;
    expression one;
    for (size_t i = 0; i < list.count; i++) {
        f->slots[s->slot] = (text_expressions){.items = &one};
        one = (expression){0};
        if (!compile_one(f, s, list.items[i], &fault))
            faults->add(faults, s->option, i, brz_str_of_text(fault.what));
        expression_finish(&one, &f->memory);
        f->slots[s->slot] = (text_expressions){0};
    }
}

/* Limits on the option `name`: each distinct frame has a copy of it, with its groups. */
#define LONGEST_NAME 256
#define NAME_GROUPS  16

/* Limit on the option `roots`, which each sample has. */
#define MOST_ROOTS 16

/* Returns the number of groups of a name. */
static size_t count_groups(brz_str name)
{
    size_t n = 0;
    for (size_t i = 0; i < name.len; i++)
        n += name.data[i] == '{';
    return n;
}

/* Adds a fault for a group of the option `name` that no expression of frames has, and for too many
 * of them. */
static void validate_name(const text_options *o, brz_option_faults *faults)
{
    char group[64];
    brz_str rest = o->name, before, name;
    if (o->name.len > LONGEST_NAME || count_groups(o->name) > NAME_GROUPS) {
        faults->add(faults, "name", 0, BRZ_STR("a name has at most 256 bytes and 16 groups"));
        return;
    }
    while (brz_cut_first(rest, '{', &before, &rest) && brz_cut_first(rest, '}', &name, &rest)) {
        int n =
            snprintf(group, sizeof group, "<%.*s>", name.len < 40 ? (int)name.len : 40, name.data);
        if (!brz_str_has(o->frame, brz_str_of(group, (size_t)n)))
            faults->add(faults, "name", 0,
                        BRZ_STR("the expression for frames lacks a group of it"));
    }
}

void text_format_validate(const text_shape *shape, const void *cfg, brz_option_faults *faults)
{
    const text_options *o = cfg;
    text_format f = {.options = o};
    text_weight weight;
    if (shape->is_weighted && !text_weight_init(&weight, o))
        faults->add(faults, "weight-factor", 0,
                    BRZ_STR("a factor is more than 0 and has at most 9 decimals"));
    validate_name(o, faults);
    if (o->roots.count > MOST_ROOTS)
        faults->add(faults, "roots", MOST_ROOTS, BRZ_STR("there are at most 16 roots"));
    if (!expression_memory_init(&f.memory, NULL))
        return;
    for (size_t i = 0; i < shape->n_sources; i++)
        validate_source(&f, &shape->sources[i], cfg, faults);
    if (shape->is_weighted && !brz_str_is(o->weight_group, "weight") && !f.has_weight)
        faults->add(faults, "weight-group", 0, BRZ_STR("no expression has a group of this name"));
    if (shape->is_weighted && f.has_weight && f.has_unit && !weight.has_unit)
        faults->add(
            faults, "weight-unit", 0,
            BRZ_STR("the group unit is converted to this unit, which is one of " TEXT_UNIT_WORDS));
    expression_memory_finish(&f.memory);
}

/* ---- matching -------------------------------------------------------------------------------- */

void text_format_fail(text_format *f, const text_failure *failure, brz_str line)
{
    char why[EXPRESSION_FAULT], message[2 * EXPRESSION_FAULT];
    bool is_first = !f->failed;
    f->failed = true;
    if (!is_first || f->ctx == NULL)
        return;
    expression_describe_failure(failure->expression, failure->error, why);
    int n = snprintf(message, sizeof message,
                     "the expression of %s %s on this line: simplify its repetitions",
                     f->slots[failure->slot].option, why);
    brz_report(f->ctx, BRZ_FATAL, "text.limit", line.data, line.len,
               brz_str_of(message, (size_t)n));
}

/* Returns whether the last match is one of a line with these expressions. */
static bool is_found(const text_format *f, const text_expressions *of, brz_str line)
{
    const text_match *last = &f->last;
    return last->expression != NULL && last->line.data == line.data && last->line.len == line.len &&
           last->expression >= of->items && last->expression < of->items + of->n;
}

bool text_format_find(text_format *f, text_slot slot, brz_str line, text_match *match)
{
    const text_expressions *of = &f->slots[slot];
    int error;
    if (of->n == 0)
        return false;
    if (is_found(f, of, line)) {
        *match = f->last;
        return true;
    }
    f->last.expression = NULL;
    for (size_t i = 0; i < of->n; i++) {
        match_result found = expression_search(&of->items[i], &f->matcher, line, &error);
        if (found == MATCH_NONE)
            continue;
        if (found == MATCH_FAILED) {
            text_format_fail(f, &(text_failure){&of->items[i], slot, error}, line);
            return false;
        }
        *match = f->last = (text_match){&of->items[i], line};
        return true;
    }
    return false;
}

const expression *text_format_test(const text_format *f, text_slot slot, const matcher *m,
                                   brz_str line, text_failure *failure)
{
    const text_expressions *of = &f->slots[slot];
    int error;
    for (size_t i = 0; i < of->n && failure->expression == NULL; i++) {
        match_result found = expression_search(&of->items[i], m, line, &error);
        if (found == MATCH_FOUND)
            return &of->items[i];
        if (found == MATCH_FAILED)
            *failure = (text_failure){&of->items[i], slot, error};
    }
    return NULL;
}

bool text_format_has(const text_format *f, text_slot slot, text_group means)
{
    for (size_t i = 0; i < f->slots[slot].n; i++)
        if (expression_has(&f->slots[slot].items[i], means))
            return true;
    return false;
}
