/* Collects functions with the weight at their addresses. */
#include "hot_functions.h"

#include <brazier/symbol.h>

#include <stdlib.h>

#include "../calls.h"
#include "../keys.h"
#include "../texts.h"

/* The end of a stack. */
typedef struct end_of_stack {
    uint32_t function; /* its number */
    hot_place place;
} end_of_stack;

typedef struct collector {
    brz_output_ctx *ctx;
    const brz_tree *tree;
    const brz_code_list *codes; /* NULL: the host has none */
    texts texts;
    keys functions;
    hot_function *items; /* by number */
    size_t cap;
    end_of_stack *ends;
    size_t n_ends;
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
        c->items[i] =
            (hot_function){.name = brz_display_name(f), .module = f->module, .code = code};
    return i;
}

static void add_stack(collector *c, const brz_stack_info *s)
{
    int64_t self = s->n == 0 ? 0 : s->values[c->tree->main_column];
    if (self == 0)
        return;
    const brz_frame_info *leaf = brz_frame_at(c->tree, s->frames[s->n - 1]);
    if (leaf->address == 0 && leaf->line == 0)
        return;
    const brz_code *code = c->codes == NULL ? NULL : c->codes->find(c->ctx, leaf);
    uint32_t function = number_of(c, function_frame(c->tree, s), code);
    c->items[function].self = add_saturated(c->items[function].self, self);
    c->ends[c->n_ends++] = (end_of_stack){function, {leaf->address, leaf->file, leaf->line, self}};
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
    if (size_of_value(x->self) != size_of_value(y->self))
        return size_of_value(x->self) > size_of_value(y->self) ? -1 : 1;
    int order = brz_str_compare(x->name, y->name);
    order = order != 0 ? order : brz_str_compare(x->module, y->module);
    uint64_t left = x->code != NULL ? x->code->shown : 0;
    uint64_t right = y->code != NULL ? y->code->shown : 0;
    return order != 0 ? order : (left > right) - (left < right);
}

/* Adds up ends at the same place, and gives functions their places. */
static void merge_ends(collector *c)
{
    hot_place *places = c->ctx->host->alloc(c->ctx, (c->n_ends + 1) * sizeof *places, 0);
    size_t n = 0;
    if (c->n_ends > 0)
        qsort(c->ends, c->n_ends, sizeof *c->ends, by_place);
    for (size_t i = 0; i < c->n_ends; i++) {
        const end_of_stack *e = &c->ends[i];
        hot_function *f = &c->items[e->function];
        if (f->n_places > 0 && compare_places(&places[n - 1], &e->place) == 0) {
            places[n - 1].self = add_saturated(places[n - 1].self, e->place.self);
            continue;
        }
        if (f->n_places++ == 0)
            f->places = &places[n];
        places[n++] = e->place;
    }
}

void hot_functions_init(hot_functions *h, brz_output_ctx *ctx, const brz_tree *tree)
{
    collector c = {.ctx = ctx, .tree = tree};
    c.codes = ctx->host->extension(ctx, BRZ_CODE_ID);
    c.ends = ctx->host->alloc(ctx, ((size_t)tree->n_stacks + 1) * sizeof *c.ends, 0);
    texts_init(&c.texts, ctx);
    keys_init(&c.functions, ctx);
    *h = (hot_functions){.n = 0};
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        h->total = add_saturated(h->total, s->values[tree->main_column]);
        add_stack(&c, s);
    }
    merge_ends(&c);
    h->items = c.items;
    h->n = c.functions.n;
    if (h->n > 0)
        qsort(h->items, h->n, sizeof *h->items, by_self);
}
