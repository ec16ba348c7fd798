/* SPDX-License-Identifier: MIT */
/* The weights of a profile: finding their columns, bringing them to the same unit,
 * and naming them in messages. */
#ifndef BRZ_WEIGHT_H
#define BRZ_WEIGHT_H

#include "base/buf.h"
#include "profile/profile.h"

/* Flags of columns that outputs see; the others are for tracers. */
#define BRZ_COLUMN_SHOWN_FLAGS                                                                     \
    (BRZ_COLUMN_DEFAULT | BRZ_COLUMN_GAUGE | BRZ_COLUMN_SAMPLES | BRZ_COLUMN_BEFORE |              \
     BRZ_COLUMN_AFTER)

/* Returns whether a column counts samples. */
static inline bool brz_weight_counts_samples(const brz_profile *p, size_t column)
{
    return (p->weights[column].flags & BRZ_COLUMN_SAMPLES) != 0;
}

static inline brz_str brz_weight_name(const brz_profile *p, size_t column)
{
    return brz_strings_at(&p->strings, p->weights[column].name);
}

static inline brz_str brz_weight_unit(const brz_profile *p, size_t column)
{
    return brz_strings_at(&p->strings, p->weights[column].unit);
}

/* Returns what outputs and transforms see of a column, with a total of 0. */
static inline brz_column_info brz_column_info_of(const brz_profile *p, size_t column)
{
    return (brz_column_info){.name = brz_weight_name(p, column),
                             .unit = brz_weight_unit(p, column),
                             .decimals = p->weights[column].decimals,
                             .flags = p->weights[column].flags & BRZ_COLUMN_SHOWN_FLAGS};
}

/* Finds the column of a name. If no column has the name, removes the last colon and the text after
 * it, since users know events with their modifiers. Returns BRZ_NO_COLUMN if that fails, too.
 * `name` may be NULL. */
uint32_t brz_weight_find(const brz_profile *p, const char *name);

/* Returns the first column that is marked as the default one, or else the first one. */
uint32_t brz_weight_default(const brz_profile *p);

/* Returns whether a column, which may be BRZ_NO_COLUMN, has values other than 0. */
bool brz_weight_has_values(const brz_profile *p, uint32_t column);

/* Returns whether any column of a profile, which may be NULL, has such values. */
bool brz_weights_have_values(const brz_profile *p);

/* Appends "'NAME' in UNIT"; the unit may be empty. */
void brz_weight_describe(brz_str name, brz_str unit, brz_buf *b);

/* Appends the same for each weight that has values. */
void brz_weights_describe(const brz_profile *p, brz_buf *b);

/* Brings column `i` of `a` and column `k` of `b` to the same unit: converts the one in the longer
 * unit of time, such as milliseconds, to the shorter one, such as nanoseconds. Values saturate.
 * Plain numbers, such as samples, fit to any unit, because folded text does not name its unit.
 * Returns false and changes nothing if the units differ in another way. */
bool brz_weight_match_units(brz_profile *a, size_t i, brz_profile *b, size_t k);

#endif
