/* SPDX-License-Identifier: MIT */
/* Reads the lines of a block. */
#include "block_reader.h"

#include <brazier/draft/text_format.h>
#include <brazier/text/trim.h>

/* Lines that one damaged line can consist of. */
#define MOST_JOINED 16

/* ---- frames ---------------------------------------------------------------------------------- */

/* Returns whether a match has attributes of a frame, and not only damaged text. */
static bool has_frame(const block_reader *r, const text_match *match)
{
    for (size_t i = 0; text_frame_groups[i] != GROUP_LABEL; i++)
        if (block_group(r, match, (text_group)text_frame_groups[i]).data != NULL)
            return true;
    return false;
}

/* Takes a line that is damaged so that nothing of a frame is left. */
static void take_broken_frame(block_reader *r, brz_str line, bool was_inside)
{
    r->inside = was_inside;
    r->n_odd++;
    text_report_unmatched(r->samples, line);
}

/* Takes the line of a frame. `was_inside`: it belongs to a block that is open. */
static brz_rc take_frame(block_reader *r, const text_match *match, bool was_inside)
{
    bool is_joined = block_group(r, match, GROUP_NEXT).data != NULL;
    bool is_odd = block_group(r, match, GROUP_ODD).data != NULL;
    uint32_t number = blocks_parse_number(block_group(r, match, GROUP_NUMBER));
    if (is_odd && !has_frame(r, match)) {
        take_broken_frame(r, match->line, was_inside);
        return BRZ_OK;
    }
    block_report_odd(r, match);
    if (!was_inside)
        block_begin_orphan(r, match->line);
    brz_rc rc = block_check_number(r, match->line, number);
    if (rc != BRZ_OK || !r->inside)
        return rc;
    r->n_cut += is_odd;
    if (is_odd || is_joined)
        block_push_frame(r, match->line, SLOT_FRAME);
    else
        block_push_sound_frame(r, match->line, number);
    return BRZ_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Remembers a short line within a block that is the same in many blocks. */
static void remember_role(const block_reader *r, const text_match *match, int32_t role)
{
    enum { SHORT = 32 };
    if (match->line.len > SHORT)
        return;
    if (role == BRZ_LINE_END && match->expression->n_groups == 0)
        blocks_remember(r->blocks, match->line, IS_END);
    else if (role == BRZ_LINE_IGNORED || role == BRZ_LINE_BLANK)
        blocks_remember(r->blocks, match->line, IS_NOTHING);
}

/* Sets the rest of a line that consists of several, whose line ends are damaged. */
static void set_rest(block_reader *r, const text_match *match)
{
    brz_str rest =
        match->expression == NULL ? brz_str_of(NULL, 0) : block_group(r, match, GROUP_NEXT);
    if (rest.len == 0)
        return;
    if (r->n_joined++ < MOST_JOINED) {
        r->rest = rest;
        BRZ_WARN(r->samples->dump.ctx, "text.joined", match->line.data, match->line.len,
                 "two lines in one: they are read apart");
    } else {
        text_report_unmatched(r->samples, rest);
    }
}

static void take_field(block_reader *r, const text_match *match)
{
    text_samples *t = r->samples;
    text_values_add(&t->values, match, &t->format.matcher);
    if (text_match_is_of(match, &t->format, SLOT_STOP))
        block_take_stop(r);
    t->dump.n_incomplete += text_match_is_of(match, &t->format, SLOT_PARTIAL);
}

/* Forgets a stop at a blank line: the place of the program follows it directly. */
static void forget_stop(block_reader *r, brz_str line)
{
    if (r->blocks->has_stopped && brz_trim(line).len == 0)
        r->blocks->has_stopped = false;
}

static brz_rc take_role(block_reader *r, int32_t role, text_match *match, bool was_inside)
{
    text_samples *t = r->samples;
    switch (role) {
    case BRZ_LINE_TOTAL:
        return block_take_total(r, match);
    case BRZ_LINE_SECTION:
        return block_begin_section(r, match);
    case BRZ_LINE_BEGIN:
        return block_take_begin(r, match);
    case BRZ_LINE_END:
        return block_take_end(r, match);
    case BRZ_LINE_FRAME:
        return take_frame(r, match, was_inside);
    case BRZ_LINE_FIELD:
        take_field(r, match);
        return BRZ_OK;
    case BRZ_LINE_HEADER:
        text_take_header(t, match);
        return BRZ_OK;
    case BRZ_LINE_UNMATCHED:
        block_take_unmatched(r, match->line);
        return BRZ_OK;
    default:
        forget_stop(r, match->line);
        r->lost &= match->expression != NULL; /* a line that is ignored may be within a stack */
        return BRZ_OK;
    }
}

static brz_rc take_line(block_reader *r, brz_str line, bool is_plain)
{
    text_match match = {NULL, line};
    bool was_inside = r->inside;
    text_format_forget(&r->samples->format);
    int32_t role = block_role(&r->samples->format, line, is_plain, &r->inside, &match);
    if (r->samples->format.failed)
        return BRZ_ERROR;
    if (was_inside)
        remember_role(r, &match, role);
    set_rest(r, &match);
    return take_role(r, role, &match, was_inside);
}

/* Takes a line within a block that is known. */
static brz_rc take_known(block_reader *r, const block_line *line)
{
    dump *d = &r->samples->dump;
    known_line known = blocks_known(r->blocks, line->value);
    if (known.frame == IS_END)
        return block_end(r);
    if (known.frame == IS_NOTHING) {
        forget_stop(r, line->text);
        return BRZ_OK;
    }
    brz_rc rc = block_check_number(r, line->text, known.number);
    if (rc != BRZ_OK || !r->inside)
        return rc;
    if (known.frame == IS_FRAME)
        block_push_frame(r, line->text, SLOT_FRAME);
    else
        brz_path_push(d->stacks.path, d->ctx, known.frame);
    return BRZ_OK;
}

/* Takes the next line of the block, or the next one of several in a line. */
static brz_rc take_next(block_reader *r)
{
    brz_str rest = r->rest;
    r->rest.len = 0;
    if (rest.len > 0)
        return take_line(r, rest, false);
    const block_line *line = &r->blocks->lines[r->next++];
    r->blocks->current = line;
    bool known = r->inside && line->value != BRZ_CACHE_MISS && line->value != IS_ATTRIBUTE;
    r->n_joined = 0;
    return known ? take_known(r, line) : take_line(r, line->text, line->is_plain);
}

brz_rc blocks_read(blocks *b)
{
    block_reader r = {.blocks = b, .samples = &b->samples};
    brz_rc rc = BRZ_OK;
    brz_path_cut(b->samples.dump.stacks.path, 0);
    while (rc == BRZ_OK && !b->samples.format.failed && (r.next < b->n || r.rest.len > 0))
        rc = take_next(&r);
    if (rc == BRZ_OK && r.is_open)
        rc = block_end(&r);
    return rc == BRZ_OK ? text_status(&b->samples) : rc;
}
