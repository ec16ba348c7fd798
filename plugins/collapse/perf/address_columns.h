/* SPDX-License-Identifier: MIT */
/* Recognises the columns in which `perf script` prints an address. */
#ifndef PERF_ADDRESS_COLUMNS_H
#define PERF_ADDRESS_COLUMNS_H

#include <brazier/base.h>
#include <brazier/text/find.h>

/* Returns whether 16 columns have blanks and then at least one hexadecimal digit. */
static inline bool is_address_columns(const char *column)
{
#if BRZ_HAVE_SSE2
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)column);
    uint32_t digits = brz_hex_mask16(x);
    uint32_t blanks = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(' ')));
    return (digits | blanks) == 0xffff && (blanks & (blanks + 1)) == 0 && blanks != 0xffff;
#else
    size_t i = 0;
    while (i < 15 && column[i] == ' ')
        i++;
    return brz_all_hex_near(column + i, 16 - i);
#endif
}

/* Returns whether a text has a tab or a byte in its place, an address in these columns, and other
 * text after a blank. */
static inline bool is_stack_columns(brz_str text)
{
    return text.len > 18 && text.data[17] == ' ' && is_address_columns(text.data + 1);
}

#endif
