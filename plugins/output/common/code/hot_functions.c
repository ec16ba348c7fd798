/* SPDX-License-Identifier: MIT */
/* Collects functions with the weight at their addresses. */
#include "hot_functions.h"

#include <brazier/symbol.h>

#include <math.h>
#include <stdlib.h>

#include "../calls.h"
#include "../keys.h"
#include "../texts.h"

/* The end of a stack. */
typedef struct end_of_stack {
    uint32_t function; /* its number */
    hot_place place;
    const int64_t *values; /* of the stack */
} end_of_stack;

typedef struct collector {
    brz_output_ctx *ctx;
    const brz_tree *tree;
    const brz_code_list *codes; /* NULL: the host has none */
    uint32_t n_selves;          /* number of columns that are collected; 0: only the main one */
    texts texts;
    keys functions;
    hot_function *items; /* by number */
    size_t cap;
    end_of_stack *ends;
    size_t n_ends;
    int64_t *totals; /* of the stacks, by column that is collected */
} collector;

/* Returns the frame of the function that contains the code with which a stack ends: functions that
 * are inlined at its address are part of it. */
static const brz_frame_info *function_frame(const brz_tree *tree, const brz_stack_info *s)
{
    uint32_t i = s->n - 1;
    const brz_frame_info *leaf = brz_frame_at(tree, s->frames[i]), *f = leaf;
    while (i > 0 && (f->flags & BRZ_FRAME_INLINED)) {
        const brz_frame_info *caller = brz_frame_at(tree, s->frames[i - 1]);
        if (caller->address != leaf->address || !brz_str_equal(caller->module, leaf->module))
            break;
        f = caller;
        i--;
    }
    return f;
}

/* Returns the number of a function, which is that of its code or else of its name and module. */
static uint32_t number_of(collector *c, const brz_frame_info *f, const brz_code *code)
{
    uint32_t module = texts_add(&c->texts, f->module), name = texts_add(&c->texts, f->name);
    uint64_t by_name = key_of_two(module, name) | UINT64_C(1) << 63;
    uint32_t n = c->functions.n;
    uint32_t i = keys_add(&c->functions, code != NULL ? (uint64_t)(uintptr_t)code : by_name);
    c->items = brz_output_list_room(c->ctx, c->items, n, &c->cap, sizeof *c->items);
    if (i == n)
        c->items[i] = (hot_function){.name = brz_display_name(f),
                                     .module = f->module,
                                     .code = code,
                                     .n_selves = c->n_selves};
    return i;
}

/* Returns whether a stack has a weight that is collected. */
static bool has_weight(const collector *c, const brz_stack_info *s)
{
    for (uint32_t i = 0; i < c->n_selves; i++)
        if (s->values[i] != 0)
            return true;
    return s->values[c->tree->main_column] != 0;
}

static void add_stack(collector *c, const brz_stack_info *s)
{
    if (s->n == 0 || !has_weight(c, s))
        return;
    int64_t self = s->values[c->tree->main_column];
    const brz_frame_info *leaf = brz_frame_at(c->tree, s->frames[s->n - 1]);
    if (leaf->address == 0 && leaf->line == 0)
        return;
    const brz_code *code = c->codes == NULL ? NULL : c->codes->find(c->ctx, leaf);
    uint32_t function = number_of(c, function_frame(c->tree, s), code);
    c->items[function].self = add_saturated(c->items[function].self, self);
    const hot_place place = {leaf->address, leaf->file, leaf->line, self, NULL};
    c->ends[c->n_ends++] = (end_of_stack){function, place, s->values};
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_places(const hot_place *x, const hot_place *y)
{
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    int order = brz_str_compare(x->file, y->file);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static int by_place(const void *a, const void *b)
{
    const end_of_stack *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return compare_places(&x->place, &y->place);
}

static int by_self(const void *a, const void *b)
{
    const hot_function *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    if (size_of_value(x->self) != size_of_value(y->self))
        return size_of_value(x->self) > size_of_value(y->self) ? -1 : 1;
    int order = brz_str_compare(x->name, y->name);
    order = order != 0 ? order : brz_str_compare(x->module, y->module);
    uint64_t left = x->code != NULL ? x->code->shown : 0;
    uint64_t right = y->code != NULL ? y->code->shown : 0;
    return order != 0 ? order : (left > right) - (left < right);
}

static void add_values(const collector *c, int64_t *to, const int64_t *values)
{
    for (uint32_t i = 0; i < c->n_selves; i++)
        to[i] = add_saturated(to[i], values[i]);
}

/* Returns zeros for all columns of so many places, or NULL. */
static int64_t *room_for_selves(const collector *c, size_t places)
{
    size_t n = places * c->n_selves;
    int64_t *selves = n == 0 ? NULL : c->ctx->host->alloc(c->ctx, n * sizeof *selves, 0);
    for (size_t i = 0; i < n; i++)
        selves[i] = 0;
    return selves;
}

/* Adds up ends at the same place, and gives functions their places. */
static void merge_ends(collector *c)
{
    hot_place *places = c->ctx->host->alloc(c->ctx, (c->n_ends + 1) * sizeof *places, 0);
    int64_t *selves = room_for_selves(c, c->n_ends);
    size_t n = 0;
    if (c->n_ends > 0)
        qsort(c->ends, c->n_ends, sizeof *c->ends, by_place);
    for (size_t i = 0; i < c->n_ends; i++) {
        const end_of_stack *e = &c->ends[i];
        hot_function *f = &c->items[e->function];
        if (f->n_places > 0 && compare_places(&places[n - 1], &e->place) == 0) {
            places[n - 1].self = add_saturated(places[n - 1].self, e->place.self);
            add_values(c, places[n - 1].selves, e->values);
            continue;
        }
        if (f->n_places++ == 0)
            f->places = &places[n];
        places[n] = e->place;
        places[n].selves = selves == NULL ? NULL : selves + n * c->n_selves;
        add_values(c, places[n++].selves, e->values);
    }
}

/* Adds up the weights of a function in all columns that are collected. */
static void weigh(const collector *c, hot_function *f)
{
    f->selves = room_for_selves(c, 1);
    for (size_t i = 0; i < f->n_places; i++)
        add_values(c, f->selves, f->places[i].selves);
    for (uint32_t i = 0; i < c->n_selves; i++) {
        double share = c->totals[i] == 0 ? 0 : (double)f->selves[i] / (double)c->totals[i];
        f->share = fabs(share) > f->share ? fabs(share) : f->share;
    }
}

void hot_functions_init(hot_functions *h, brz_output_ctx *ctx, const brz_tree *tree,
                        hot_weights weights)
{
    collector c = {.ctx = ctx, .tree = tree};
    c.n_selves = weights == HOT_ALL ? tree->n_columns : 0;
    c.codes = ctx->host->extension(ctx, BRZ_CODE_ID);
    c.ends = ctx->host->alloc(ctx, ((size_t)tree->n_stacks + 1) * sizeof *c.ends, 0);
    texts_init(&c.texts, ctx);
    keys_init(&c.functions, ctx);
    c.totals = room_for_selves(&c, 1);
    *h = (hot_functions){.n = 0};
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        h->total = add_saturated(h->total, s->values[tree->main_column]);
        add_values(&c, c.totals, s->values);
        add_stack(&c, s);
    }
    merge_ends(&c);
    for (uint32_t i = 0; i < c.functions.n; i++)
        weigh(&c, &c.items[i]);
    h->items = c.items;
    h->n = c.functions.n;
    if (h->n > 0)
        qsort(h->items, h->n, sizeof *h->items, by_self);
}

void hot_functions_report_empty(brz_output_ctx *ctx, const hot_functions *h)
{
    if (h->n == 0)
        brz_output_report(ctx, BRZ_WARNING, "annotate.empty",
                          BRZ_STR("nothing to annotate: the profile has neither addresses nor "
                                  "lines of the functions in which its stacks end; recordings of "
                                  "'brazier record' and perf.data files have addresses"));
}
