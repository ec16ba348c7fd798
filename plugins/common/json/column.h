/* SPDX-License-Identifier: MIT */
/* A column whose values are JSON numbers: its precision grows with the fractions that occur. */
#ifndef COMMON_JSON_COLUMN_H
#define COMMON_JSON_COLUMN_H

#include <brazier/json.h>
#include <brazier/text.h>

typedef struct column {
    brz_str name, unit;
    uint32_t weight;   /* id of the host */
    uint32_t decimals; /* values count units of 10^-decimals */
    uint32_t most;     /* decimals that are kept: further digits are rounded */
} column;

/* A number in units of 10^-decimals of a column. It may have been read before the column became
 * more precise. */
typedef struct amount {
    int64_t value;
    uint32_t decimals;
} amount;

/* Returns the number of decimals down to nanoseconds, or to billionths of other units. */
uint32_t column_most(brz_str unit);

void column_declare(column *c, brz_ctx *ctx, uint32_t flags);

/* Reads a number, which may be written as a text. Returns false if the token is not a number, or if
 * that is too large. */
bool column_read(const column *c, brz_ctx *ctx, const brz_json_token *t, amount *a);

/* Makes the column as precise as an amount, with all that was counted in it. */
brz_rc column_refine(column *c, brz_ctx *ctx, brz_stacks *stacks, uint32_t decimals);

/* Returns an amount in units of 10^-`decimals`, which are no fewer than its own; saturates. */
int64_t amount_in(amount a, uint32_t decimals);

/* Returns the time that passed from one time to another. Returns a number below 0 if it went
 * backwards, and the largest number if it is out of range. */
static inline int64_t time_passed(int64_t from, int64_t to)
{
    int64_t passed;
    if (__builtin_sub_overflow(to, from, &passed))
        return to < from ? -1 : INT64_MAX;
    return passed;
}

#endif
