/* SPDX-License-Identifier: MIT */
/* Roles of lines in formats of blocks, and the options of these formats. */
#ifndef TEXT_BLOCK_ROLES_H
#define TEXT_BLOCK_ROLES_H

#include "format.h"

typedef struct block_options {
    text_options text;
    brz_str begin, end, section;
    brz_str total, stop, partial;
    brz_strlist fields, details;
    int32_t order, sections, orphans, outside, gaps, place;
    int64_t first_number;
} block_options;

enum { LEAF_FIRST, ROOT_FIRST };
enum { ALL_SECTIONS, LAST_SECTION };
enum { LEAVE_ORPHANS_OUT, COUNT_ORPHANS };
enum { REPORT_OUTSIDE, IGNORE_OUTSIDE };
enum { REPORT_GAPS, COUNT_GAPS };
enum { PLACE_IS_BLOCK, PLACE_IS_ORPHAN };

/* Returns the options of a format of blocks. */
static inline const block_options *block_options_of(const text_format *f)
{
    return (const block_options *)(const void *)f->options;
}

/* Returns whether ends divide the text: without an expression for its beginning, a block begins
 * with the first frame after an end. */
static inline bool block_is_divided_by_ends(const text_format *f)
{
    return block_options_of(f)->begin.len == 0;
}

/* Returns whether frames without the line that begins a block are a block. */
static inline bool block_counts_orphans(const text_format *f)
{
    return block_options_of(f)->orphans == COUNT_ORPHANS || block_is_divided_by_ends(f);
}

/* Returns the role of a line, like text_classify. `is_plain`: it begins neither a block nor a
 * section. */
int32_t block_role(text_format *f, brz_str line, bool is_plain, bool *inside, text_match *match);

/* Returns whether a line is a frame, whatever stands around it: what is known of lines within
 * blocks must hold for each of them. */
bool block_is_frame(text_format *f, brz_str line, text_match *match);

#endif
