/* SPDX-License-Identifier: MIT */
/* Checks the numbers of frames. */
#include "block_reader.h"

/* Returns the number of the next frame of the block that has one, or NO_NUMBER. */
static uint32_t next_number(const block_reader *r)
{
    const blocks *b = r->blocks;
    uint32_t number = NO_NUMBER;
    for (size_t i = r->next; i < b->n && number == NO_NUMBER; i++)
        number = blocks_number(r->blocks, &b->lines[i]);
    return number;
}

/* Reports that frames are missing in front of a frame, or leaves that to a note. */
static void note_gap(block_reader *r, brz_str line)
{
    if (block_reader_options(r)->gaps == COUNT_GAPS)
        r->has_gap = true;
    else
        dump_frames_missing(&r->samples->dump, "text.gap", line);
}

/* Ends the block in front of a frame of another one, whose begin is missing. */
static brz_rc begin_again(block_reader *r, brz_str line, uint32_t number)
{
    bool was_orphan = r->is_orphan;
    brz_rc rc = block_end(r);
    if (!block_counts_orphans(&r->samples->format)) {
        block_take_lost(r, line);
        return rc;
    }
    if (!was_orphan)
        BRZ_WARN(
            r->samples->dump.ctx, "text.no-begin", line.data, line.len,
            "a stack begins without the line of its block: counted without the values of that");
    block_begin_orphan(r, line);
    if (number != r->position)
        note_gap(r, line);
    r->position = number + 1;
    return rc;
}

/* Returns whether the numbers of two frames go on from a lower one than that above: they belong to
 * another stack. A single one may be damaged. */
static bool goes_on(const block_reader *r, uint32_t number, uint32_t expected)
{
    return number < expected && dump_depth(&r->samples->dump) > r->roots &&
           next_number(r) == number + 1;
}

/* Returns whether a frame with a number that is lower than that above belongs to a stack whose
 * first frame is missing: it is the damaged line above, or the stack above has no begin, either. */
static bool lacks_first(const block_reader *r, uint32_t number, uint32_t least, uint32_t n_odd)
{
    uint32_t first = (uint32_t)block_reader_options(r)->first_number;
    if (!block_counts_orphans(&r->samples->format) || number <= first || number >= least)
        return false;
    return n_odd > 0 ? number == first + n_odd : r->is_orphan;
}

/* Ends the block in front of a frame of another one, whose begin and whose first frame are missing:
 * it does not count, since it would be another stack. */
static brz_rc skip_headless(block_reader *r, brz_str line, uint32_t number)
{
    brz_rc rc = block_end(r);
    block_begin_orphan(r, line);
    text_report_lost(r->samples, "text.headless", line,
                     BRZ_STR("a stack without its first frame: left out"));
    r->is_headless = true;
    r->position = number + 1;
    return rc;
}

/* Handles a number that does not follow the one above. Either it is damaged, which the one after it
 * shows; or another stack begins; or frames are missing. */
static brz_rc take_gap(block_reader *r, brz_str line, uint32_t number, uint32_t expected,
                       uint32_t n_odd)
{
    dump *d = &r->samples->dump;
    uint32_t first = (uint32_t)block_reader_options(r)->first_number;
    bool may_begin = number == first && dump_depth(d) > r->roots;
    if (!(may_begin && expected == first + 1) && next_number(r) == expected + 1) {
        BRZ_WARN(d->ctx, "text.number", line.data, line.len,
                 "the number of the frame does not follow the one above: it is read as the next");
        r->position = expected + 1;
        return BRZ_OK;
    }
    if (lacks_first(r, number, expected - n_odd, n_odd))
        return skip_headless(r, line, number);
    if (may_begin || goes_on(r, number, expected))
        return begin_again(r, line, number);
    note_gap(r, line);
    r->position = number < LARGEST_NUMBER ? number + 1 : number;
    return BRZ_OK;
}

brz_rc block_check_number(block_reader *r, brz_str line, uint32_t number)
{
    uint32_t least = r->position, most = least + r->n_odd;
    r->n_odd = 0;
    if (!r->blocks->is_numbered)
        return BRZ_OK;
    if (number == NO_NUMBER)
        number = most;
    if (number < least || number > most)
        return take_gap(r, line, number, most, most - least);
    r->position = number + 1;
    return BRZ_OK;
}
