/* SPDX-License-Identifier: MIT */
/* Numbers of tables as texts: amounts, shares and changes. */
#ifndef OUTPUT_COMMON_NUMBER_TEXT_H
#define OUTPUT_COMMON_NUMBER_TEXT_H

#include "amount.h"
#include "rows.h"

/* A number formatted as text. */
typedef struct number_text {
    char bytes[AMOUNT_ROOM];
    uint32_t len;
} number_text;

static inline brz_str number_str(const number_text *n)
{
    return brz_str_of(n->bytes, n->len);
}

/* Formats a value in the units of its scale. */
number_text number_amount(const amount_scale *scale, int64_t value);

/* Formats a share of a whole in percent. */
number_text number_share(double whole, int64_t value);

/* Puts a plus sign in front of the text of a positive change. */
number_text number_signed(number_text text, int64_t change);

/* Formats a change as a share of the weight before, or names a row of one side only. */
number_text number_change_share(const row *r, int64_t before, int64_t after);

#endif
