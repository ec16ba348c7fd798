/* SPDX-License-Identifier: MIT */
/* Declares a column for each type of values. */
#include "columns.h"

#include "../../common/sample_count.h"

/* Returns whether values of a type are readings, such as of memory in use. */
static bool is_gauge(brz_str name)
{
    return brz_starts_with(name, BRZ_STR("inuse_")) || brz_str_is(name, "goroutine") ||
           brz_str_is(name, "threadcreate");
}

static bool has_name(const columns *c, brz_str name)
{
    for (size_t i = 0; i < c->n; i++)
        if (brz_str_equal(c->of[i].name, name))
            return true;
    return false;
}

/* Returns the name of a column. Of two types with the same name, the second one gets its unit as a
 * suffix. */
static brz_str column_name(columns *c, const value_type *type)
{
    if (!has_name(c, type->name))
        return type->name;
    c->scratch.len = 0;
    brz_text_append(&c->scratch, c->ctx, type->name);
    brz_text_append(&c->scratch, c->ctx, BRZ_STR("_"));
    brz_text_append(&c->scratch, c->ctx, type->unit);
    return brz_text_str(&c->scratch);
}

static void declare(columns *c, const value_type *type, bool is_default)
{
    brz_column_desc d = {.struct_size = sizeof d, .unit = type->unit};
    d.name = column_name(c, type);
    d.flags = (is_default ? BRZ_COLUMN_DEFAULT : 0) |
              (is_gauge(type->name) ? BRZ_COLUMN_GAUGE : 0) | sample_count_flags(type->name);
    c->of[c->n].id = c->ctx->host->column(c->ctx, &d);
    c->of[c->n].name = brz_text_keep(c->ctx, type->name);
    c->of[c->n++].unit = brz_text_keep(c->ctx, type->unit);
}

bool columns_find(columns *c, const value_type *given, bool is_default, uint32_t *id)
{
    value_type type = *given;
    if (type.name.len == 0) {
        type.name = BRZ_STR("samples");
        type.unit = type.unit.len > 0 ? type.unit : BRZ_STR("count");
    }
    size_t i = 0;
    while (i < c->n &&
           (!brz_str_equal(c->of[i].name, type.name) || !brz_str_equal(c->of[i].unit, type.unit)))
        i++;
    if (i == MAX_COLUMNS)
        return false;
    if (i == c->n)
        declare(c, &type, is_default);
    *id = c->of[i].id;
    return true;
}
