/* SPDX-License-Identifier: MIT */
/* The call graph below a row of `perf report`. */
#include "branches.h"

#include "../../common/call_graph/share.h"
#include "../../common/table/decimal.h"

#include <brazier/symbol.h>

/* Columns from the names of a branch to those of its branches. */
#define STEP 11

/* Difference of sums that rounding explains, in hundredths of a per cent. */
#define ROUNDED 4

void branches_add(branches *b, size_t level, int64_t value, bool is_percent)
{
    branch one = {.level = level, .value = value, .is_percent = is_percent, .first = b->frames.n};
    if (b->n > 0) {
        one.parent = b->n - 1;
        while (b->items[one.parent].level >= level)
            one.parent = b->items[one.parent].parent;
        branch *above = &b->items[one.parent];
        above->last = b->n;
        if (__builtin_add_overflow(above->sum, value, &above->sum))
            above->sum = INT64_MAX;
    }
    b->items = brz_list_room(b->ctx, b->items, b->n, &b->cap, sizeof *b->items);
    b->items[b->n++] = one;
}

void branches_begin(branches *b, brz_ctx *ctx, brz_str function)
{
    b->ctx = ctx;
    b->function.len = 0;
    brz_text_append(&b->function, ctx, function);
    b->n = b->frames.n = b->chain.n = 0;
    b->has_base = false;
    branches_add(b, 0, -1, false);
}

/* Returns the digits of an address, without zeros in front of them; or an empty text. */
static brz_str address_of(brz_str name)
{
    brz_str_take(&name, "0x");
    if (name.len == 0 || !brz_all_hex(name.data, name.len))
        return brz_str_of("", 0);
    while (name.len > 1 && *name.data == '0')
        name = brz_str_from(name, 1);
    return name;
}

/* Returns whether a name is that of the row's function. Code without a name has an address in its
 * file there, and one in the process here: these end alike. */
static bool is_function(const branches *b, brz_str name)
{
    brz_str function = brz_text_str(&b->function);
    if (brz_str_equal(name, function))
        return true;
    brz_str one = address_of(function), other = address_of(name);
    if (one.len == 0 || other.len == 0)
        return false;
    if (one.len >= 3 && other.len >= 3)
        return memcmp(one.data + one.len - 3, other.data + other.len - 3, 3) == 0;
    return brz_str_equal(one, other);
}

void branches_frame(branches *b, brz_frame frame, brz_str name)
{
    branch *one = &b->items[b->n - 1];
    brz_frame_list_push(&b->frames, b->ctx, frame);
    one->ends = is_function(b, name);
    one->begins |= one->n == 0 && one->ends;
    one->n++;
}

void branches_put_first(branches *b, brz_frame frame)
{
    branch *one = &b->items[0];
    size_t first = b->frames.n;
    brz_frame_list_push(&b->frames, b->ctx, frame);
    for (size_t i = 0; i < one->n; i++)
        brz_frame_list_push(&b->frames, b->ctx, b->frames.ids[one->first + i]);
    one->first = first;
    one->n++;
}

bool branches_begin_alike(const branches *b)
{
    for (size_t i = 1; i < b->n && b->items[0].n == 0; i++)
        if (b->items[i].level == 1 && !b->items[i].begins)
            return false;
    return b->items[0].n == 0 || b->items[0].begins;
}

bool branches_end_alike(const branches *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].last == 0 && !b->items[i].ends)
            return false;
    return true;
}

bool branches_amount(brz_str *s, int64_t *value, bool *is_percent)
{
    brz_str after = *s;
    decimal d;
    if (after.len == 0 || !brz_is_digit(*after.data) || !decimal_take(&after, false, &d))
        return false;
    *is_percent = brz_str_take(&after, "%");
    if ((!*is_percent && d.decimals > 0) || !decimal_scale(&d, *is_percent ? 2 : 0, value))
        return false;
    *s = after;
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Adds a branch: `at` is the column of "--12.34%--name". */
static bool take_branch(branches *b, brz_str text, size_t at, brz_str *name)
{
    int64_t value;
    bool is_percent;
    if (at == 0 || !brz_str_take(&text, "--") || !branches_amount(&text, &value, &is_percent) ||
        !brz_str_take(&text, "--"))
        return false;
    if (!b->has_base)
        b->base = at - 1;
    b->has_base = true;
    size_t column = at - 1, level = column < b->base ? 0 : (column - b->base) / STEP + 1;
    if (level == 0 || (column - b->base) % STEP != 0 || level > b->items[b->n - 1].level + 1)
        return false;
    branches_add(b, level, value, is_percent);
    *name = text;
    return true;
}

bool branches_take(branches *b, brz_str line, brz_frame (*frame)(void *self, brz_str name),
                   void *self)
{
    size_t at = 0;
    while (at < line.len && (line.data[at] == ' ' || line.data[at] == '|'))
        at++;
    brz_str text = brz_trim(brz_str_from(line, at)), name = text;
    if (text.len == 0)
        return true; /* a line of bars */
    if (!b->has_base && b->n == 1 && brz_str_take(&name, "---")) {
        b->base = at + 3;
        b->has_base = true;
    } else if (brz_starts_with(text, BRZ_STR("--"))) {
        if (!take_branch(b, text, at, &name))
            return false;
    } else if (!b->has_base || at != b->base + STEP * b->items[b->n - 1].level) {
        return false;
    }
    branches_frame(b, frame(self, name), name);
    return true;
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* Returns whether percentages are shares of the branch above: those of all would be too large. */
static bool is_relative(const branches *b, int64_t whole)
{
    for (size_t i = 0; i < b->n; i++) {
        const branch *one = &b->items[i];
        int64_t limit = i == 0 ? whole : one->value;
        if (one->last != 0 && b->items[one->last].is_percent && one->sum > limit + ROUNDED)
            return true;
    }
    return false;
}

static int64_t divide(int64_t weight, int64_t part, int64_t whole)
{
    if (whole <= 0 || part >= whole)
        return weight;
    return (int64_t)share_of((uint64_t)weight, (uint64_t)(part > 0 ? part : 0), (uint64_t)whole);
}

/* Returns of what the values of a branch's branches are parts. */
static int64_t whole_of(const branches *b, size_t i, int64_t whole, bool relative)
{
    const branch *one = &b->items[i];
    int64_t all = i == 0 ? whole : one->value;
    if (one->last != 0 && !b->items[one->last].is_percent && i == 0)
        return one->sum; /* the number of samples of the row is not known */
    if (relative)
        all = 10000;
    /* Values are rounded: what they lack of the whole is nothing if it is that small. */
    return one->sum > all || all - one->sum <= ROUNDED ? one->sum : all;
}

void branches_divide(branches *b, int64_t weight, int64_t whole)
{
    bool relative = is_relative(b, whole);
    b->items[0].weight = weight;
    for (size_t i = 1; i < b->n; i++) {
        branch *one = &b->items[i], *above = &b->items[one->parent];
        int64_t left = above->weight - above->used;
        int64_t part = divide(above->weight, one->value, whole_of(b, one->parent, whole, relative));
        bool is_rest = above->last == i && left - part <= ROUNDED;
        one->weight = part > left || is_rest ? left : part;
        above->used += one->weight;
    }
}

void branches_chain(branches *b, size_t index)
{
    const branch *one = &b->items[index];
    while (b->n_starts <= one->level + 1) {
        b->starts =
            brz_list_room(b->ctx, b->starts, b->n_starts, &b->starts_cap, sizeof *b->starts);
        b->starts[b->n_starts++] = 0;
    }
    b->chain.n = one->level == 0 ? 0 : b->starts[one->level];
    for (size_t i = 0; i < one->n; i++)
        brz_frame_list_push(&b->chain, b->ctx, b->frames.ids[one->first + i]);
    b->starts[one->level + 1] = b->chain.n;
}
