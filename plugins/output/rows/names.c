/* SPDX-License-Identifier: MIT */
/* Names the columns of weights. */
#include "names.h"

#include <brazier/digits.h>
#include <brazier/symbol.h>

#include <string.h>

static bool is_taken(brz_str name, const brz_str *taken, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (brz_str_equal(name, taken[i]))
            return true;
    return false;
}

static void append(brz_str *to, char *room, brz_str text)
{
    if (text.len > 0)
        memcpy(room + to->len, text.data, text.len);
    *to = brz_str_of(room, to->len + text.len);
}

/* Returns "NAME", "NAME_UNIT", or one of these with the first suffix "_2", "_3", … that makes it
 * distinct from the names before it. */
static brz_str name_of(brz_output_ctx *ctx, const brz_column_info *weight, bool unit,
                       const brz_str *before, size_t n_before, const brz_str *taken, size_t n)
{
    size_t most = weight->name.len + 1 + weight->unit.len + 1 + BRZ_NUMBER_ROOM;
    char *room = ctx->host->alloc(ctx, most, 1);
    brz_str name = brz_str_of(room, 0);
    append(&name, room, weight->name);
    if (unit && weight->unit.len > 0 && !brz_str_equal(weight->unit, weight->name)) {
        append(&name, room, BRZ_STR("_"));
        append(&name, room, weight->unit);
    }
    size_t stem = name.len;
    for (uint64_t i = 2; is_taken(name, taken, n) || is_taken(name, before, n_before); i++) {
        room[stem] = '_';
        name.len = (size_t)(brz_format_u64(room + stem + 1, i) - room);
    }
    return name;
}

brz_str *rows_weight_names(brz_output_ctx *ctx, const brz_tree *tree, bool units,
                           const brz_str *taken, size_t n)
{
    brz_str *names = ctx->host->alloc(ctx, ((size_t)tree->n_columns + 1) * sizeof *names, 0);
    for (uint32_t i = 0; i < tree->n_columns; i++)
        names[i] = name_of(ctx, brz_column_at(tree, i), units, names, i, taken, n);
    return names;
}
