/* SPDX-License-Identifier: MIT */
/* Recognises the columns of formats that count samples. */
#ifndef COMMON_SAMPLE_COUNT_H
#define COMMON_SAMPLE_COUNT_H

#include <brazier/host.h>
#include <brazier/symbol.h>

/* Returns the flags of a column that has its name from a format: "samples" is the word of all of
 * them for the number of samples. */
static inline uint32_t sample_count_flags(brz_str name)
{
    return brz_str_is(name, "samples") ? BRZ_COLUMN_SAMPLES : 0;
}

#endif
