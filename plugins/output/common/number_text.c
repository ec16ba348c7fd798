/* SPDX-License-Identifier: MIT */
/* Formats the numbers of tables. */
#include "number_text.h"

#include <math.h>
#include <string.h>

number_text number_amount(const amount_scale *scale, int64_t value)
{
    number_text n;
    n.len = (uint32_t)(amount_format(n.bytes, scale, value) - n.bytes);
    return n;
}

number_text number_share(double whole, int64_t value)
{
    number_text t;
    char *end = amount_share(t.bytes, whole == 0 ? 0 : 100.0 * (double)value / whole);
    *end++ = '%';
    t.len = (uint32_t)(end - t.bytes);
    return t;
}

number_text number_signed(number_text text, int64_t change)
{
    number_text signed_one = {.bytes = "+", .len = 1};
    if (change <= 0)
        return text;
    memcpy(signed_one.bytes + 1, text.bytes,
           text.len < AMOUNT_ROOM - 1 ? text.len : AMOUNT_ROOM - 1);
    signed_one.len += text.len;
    return signed_one;
}

static number_text word_text(const char *word)
{
    number_text t = {.len = (uint32_t)strlen(word)};
    memcpy(t.bytes, word, t.len);
    return t;
}

number_text number_change_share(const row *r, int64_t before, int64_t after)
{
    number_text t;
    int64_t change = rows_change(before, after);
    if (row_is_new(r) || row_is_vanished(r))
        return word_text(row_is_new(r) ? "new" : "vanished");
    if (before == 0)
        return word_text(change == 0 ? "0.00%" : "");
    t.bytes[0] = '+';
    char *end = amount_share(t.bytes + (change > 0), 100.0 * (double)change / fabs((double)before));
    *end++ = '%';
    t.len = (uint32_t)(end - t.bytes);
    return t;
}
