/* SPDX-License-Identifier: MIT */
/* Finds the roles of lines in formats of blocks. */
#include "block_roles.h"

#include <brazier/draft/text_format.h>
#include <brazier/text/trim.h>

/* Classifies a line that is no part of a block, unless it begins one. `is_plain`: it begins none.
 */
static int32_t classify_outside(text_format *f, brz_str line, bool is_plain, bool *inside,
                                text_match *match)
{
    if (text_format_find(f, SLOT_STOP, line, match) ||
        text_format_find(f, SLOT_PARTIAL, line, match))
        return BRZ_LINE_FIELD;
    if (text_format_find(f, SLOT_IGNORE, line, match))
        return BRZ_LINE_IGNORED;
    if (text_format_find(f, SLOT_TOTAL, line, match)) {
        *inside = false;
        return BRZ_LINE_TOTAL;
    }
    if (!is_plain && text_format_find(f, SLOT_SECTION, line, match)) {
        *inside = false;
        return BRZ_LINE_SECTION;
    }
    if (!is_plain && text_format_find(f, SLOT_BEGIN, line, match)) {
        *inside = true;
        return BRZ_LINE_BEGIN;
    }
    if (!*inside && text_format_find(f, SLOT_HEADER, line, match))
        return BRZ_LINE_HEADER;
    return BRZ_LINE_UNMATCHED;
}

bool block_is_frame(text_format *f, brz_str line, text_match *match)
{
    text_match other;
    return !text_format_find(f, SLOT_END, line, &other) &&
           !text_format_find(f, SLOT_DETAIL, line, &other) &&
           text_format_find(f, SLOT_FRAME, line, match);
}

/* Classifies a line that begins nothing and follows no begin: it may be a frame nevertheless, or
 * the end of a block without frames if ends divide the text. */
static int32_t classify_orphan(text_format *f, brz_str line, bool *inside, text_match *match)
{
    const block_options *o = block_options_of(f);
    if (!block_counts_orphans(f) && o->outside == REPORT_OUTSIDE)
        return BRZ_LINE_UNMATCHED;
    if (block_is_divided_by_ends(f) && text_format_find(f, SLOT_END, line, match))
        return BRZ_LINE_END;
    if (!block_is_frame(f, line, match))
        return o->outside == REPORT_OUTSIDE ? BRZ_LINE_UNMATCHED : BRZ_LINE_IGNORED;
    if (!block_counts_orphans(f))
        return BRZ_LINE_UNMATCHED;
    *inside = true;
    return BRZ_LINE_FRAME;
}

static int32_t classify_inside(text_format *f, brz_str line, bool *inside, text_match *match)
{
    if (text_format_find(f, SLOT_END, line, match)) {
        *inside = false;
        return BRZ_LINE_END;
    }
    if (text_format_find(f, SLOT_DETAIL, line, match))
        return BRZ_LINE_FIELD;
    if (text_format_find(f, SLOT_FRAME, line, match))
        return BRZ_LINE_FRAME;
    if (text_format_find(f, SLOT_FIELD, line, match))
        return BRZ_LINE_FIELD;
    return BRZ_LINE_UNMATCHED;
}

int32_t block_role(text_format *f, brz_str line, bool is_plain, bool *inside, text_match *match)
{
    bool was_inside = *inside;
    int32_t role = classify_outside(f, line, is_plain, inside, match);
    if (role != BRZ_LINE_UNMATCHED)
        return role;
    role =
        *inside ? classify_inside(f, line, inside, match) : classify_orphan(f, line, inside, match);
    bool is_nothing = role == BRZ_LINE_UNMATCHED || role == BRZ_LINE_IGNORED ||
                      (role == BRZ_LINE_END && !was_inside);
    return is_nothing && brz_trim(line).len == 0 ? BRZ_LINE_BLANK : role;
}
