/* SPDX-License-Identifier: MIT */
/* Opens and ends blocks, and reports what is missing of them. */
#include "block_reader.h"

#include <brazier/text/integer.h>

brz_str block_group(const block_reader *r, const text_match *match, text_group g)
{
    return expression_text(match->expression, &r->samples->format.matcher, match->line, g);
}

bool block_report_odd(const block_reader *r, const text_match *match)
{
    dump *d = &r->samples->dump;
    brz_str odd = block_group(r, match, GROUP_ODD), line = match->line;
    if (odd.len > 0)
        dump_left_out(d, "text.odd", odd, BRZ_STR("damaged text in a line: left out"), 0);
    else if (odd.data != NULL)
        BRZ_WARN(d->ctx, "text.cut-off", line.data, line.len, "the line breaks off");
    return odd.data != NULL;
}

/* Returns whether a line adds to the frame above. Remembers those that do. */
static bool is_attribute(block_reader *r, const block_line *line)
{
    text_format *f = &r->samples->format;
    text_match match;
    text_failure failure = {0};
    if (line->value != BRZ_CACHE_MISS)
        return line->value == IS_ATTRIBUTE;
    if (text_format_test(f, SLOT_DETAIL, &r->blocks->ahead, line->text, &failure) == NULL &&
        failure.expression == NULL)
        return false;
    if (text_format_find(f, SLOT_IGNORE, line->text, &match) ||
        text_format_find(f, SLOT_END, line->text, &match) ||
        !text_format_find(f, SLOT_DETAIL, line->text, &match))
        return false;
    if (!block_report_odd(r, &match))
        blocks_remember(r->blocks, line->text, IS_ATTRIBUTE);
    return true;
}

/* Returns a frame with the lines after it that add to it. */
static brz_str with_attributes(block_reader *r, brz_str frame)
{
    const blocks *b = r->blocks;
    if (!text_format_uses(&r->samples->format, SLOT_DETAIL))
        return frame;
    for (; r->next < b->n && is_attribute(r, &b->lines[r->next]); r->next++) {
        brz_str line = b->lines[r->next].text;
        frame.len = (size_t)(line.data + line.len - frame.data);
    }
    return frame;
}

brz_frame block_push_frame(block_reader *r, brz_str line, text_slot slot)
{
    text_samples *t = r->samples;
    brz_str frame = slot == SLOT_FRAME ? with_attributes(r, line) : line;
    t->frame_slot = slot;
    dump_push(&t->dump, frame, (uint32_t)slot + N_SLOTS, text_describe);
    return t->dump.stacks.path->ids[t->dump.stacks.path->n - 1];
}

/* Pushes a frame whose line is remembered. The cache of frames need not have it, too: with lines
 * that add to it, it comes there when the line occurs again. */
static brz_frame push_line(block_reader *r, brz_str line)
{
    text_samples *t = r->samples;
    brz_str frame = with_attributes(r, line);
    t->frame_slot = SLOT_FRAME;
    dump_push_once(&t->dump, frame, text_describe);
    return t->dump.stacks.path->ids[t->dump.stacks.path->n - 1];
}

void block_push_sound_frame(block_reader *r, brz_str line, uint32_t number)
{
    brz_frame frame = push_line(r, line);
    if (text_format_uses(&r->samples->format, SLOT_DETAIL))
        frame = IS_FRAME;
    if (r->blocks->is_numbered)
        blocks_remember_frame(r->blocks, line, frame, number);
    else
        blocks_remember(r->blocks, line, frame);
}

static void open_block(block_reader *r, brz_str line)
{
    text_samples *t = r->samples;
    r->begin = line;
    r->is_open = r->inside = true;
    r->is_vague = r->has_gap = r->is_orphan = r->is_headless = false;
    r->is_place = r->blocks->has_stopped;
    r->blocks->has_stopped = false;
    r->position = (uint32_t)block_reader_options(r)->first_number;
    r->n_odd = r->n_cut = 0;
    if (!t->roots_last)
        text_push_roots(t);
    r->roots = dump_depth(&t->dump);
}

static void block_begin(block_reader *r, const text_match *match)
{
    text_samples *t = r->samples;
    text_values_clear(&t->values);
    text_values_add(&t->values, match, &t->format.matcher);
    if (block_reader_options(r)->place == PLACE_IS_ORPHAN)
        r->blocks->has_stopped = false;
    open_block(r, match->line);
    for (size_t i = 0; text_frame_groups[i] != GROUP_LABEL; i++)
        if (t->values.of[text_frame_groups[i]].len > 0) {
            block_push_frame(r, match->line, SLOT_BEGIN);
            return;
        }
}

void block_begin_orphan(block_reader *r, brz_str frame)
{
    text_values_clear(&r->samples->values);
    open_block(r, frame);
    r->is_orphan = true;
}

/* Reports a sample that is lost, at a line of it. A total that follows knows its weight. */
static void report_lost(block_reader *r, const char *code, brz_str line, brz_str msg)
{
    text_samples *t = r->samples;
    if (!text_format_uses(&t->format, SLOT_TOTAL)) {
        text_report_lost(t, code, line, msg);
        return;
    }
    t->total.n_lost++;
    brz_report(t->dump.ctx, BRZ_WARNING, code, line.data, line.len, msg);
}

/* Compares the number of frames with the one that the block says. Leaves out frames that are too
 * many: they follow the damaged line with which another block begins. */
static void check_depth(block_reader *r)
{
    text_samples *t = r->samples;
    size_t depth = dump_depth(&t->dump) - r->roots;
    uint64_t said;
    if (!brz_parse_u64(t->values.of[GROUP_DEPTH], &said) || depth == said)
        return;
    if (depth > said && depth - said > r->n_cut) {
        report_lost(r, "text.depth", r->begin,
                    BRZ_STR("more frames than the block says: those of another one are left out"));
        brz_path_cut(t->dump.stacks.path, r->roots + (size_t)said);
        return;
    }
    BRZ_WARN(t->dump.ctx, "text.frames", r->begin.data, r->begin.len,
             "the block has another number of frames than it says");
}

/* Reports a block without a frame, unless the line that began it has been reported. */
static brz_rc report_empty(block_reader *r)
{
    static const brz_str msg = {"a block without a frame: left out", 33};
    text_samples *t = r->samples;
    int64_t value;
    brz_path_cut(t->dump.stacks.path, 0);
    if (r->is_vague)
        return BRZ_OK;
    if (r->is_place) {
        dump_left_out(&t->dump, "text.stack", r->begin, msg, 0);
    } else if (text_own_weight(t, &value)) {
        text_total_add(&t->total, &t->weight, &t->dump.stacks, value);
        brz_report_lost_weight(t->dump.ctx, "text.stack", r->begin.data, r->begin.len, msg, value);
    } else {
        brz_report_lost(t->dump.ctx, "text.stack", r->begin.data, r->begin.len, msg);
    }
    return t->weight.status;
}

brz_rc block_end(block_reader *r)
{
    text_samples *t = r->samples;
    r->inside = r->is_open = false;
    check_depth(r);
    if (dump_depth(&t->dump) == r->roots)
        return report_empty(r);
    bool is_place = r->is_place && dump_depth(&t->dump) == r->roots + 1;
    if (is_place || r->is_headless) {
        brz_path_cut(t->dump.stacks.path, 0);
        return BRZ_OK;
    }
    if (t->roots_last)
        text_push_roots(t);
    t->dump.n_incomplete += r->has_gap;
    return text_count(t, r->begin);
}

brz_rc block_take_end(block_reader *r, const text_match *match)
{
    text_samples *t = r->samples;
    if (!r->is_open && !expression_has(match->expression, GROUP_WEIGHT))
        return BRZ_OK;
    if (!r->is_open)
        block_begin_orphan(r, match->line);
    text_values_add(&t->values, match, &t->format.matcher);
    return block_end(r);
}

/* Ends a block that is open in front of a line that belongs to none, or begins one. The line is
 * matched again. */
static brz_rc block_end_before(block_reader *r, text_slot slot, text_match *match)
{
    if (!r->is_open)
        return BRZ_OK;
    brz_rc rc = block_end(r);
    text_format_find(&r->samples->format, slot, match->line, match);
    return rc;
}

/* Returns the number of groups that took part in a match. */
static size_t count_groups(const block_reader *r, const text_match *match)
{
    const expression *e = match->expression;
    size_t n = 0;
    for (size_t i = 0; i < e->n_groups; i++)
        n += expression_group_text(&r->samples->format.matcher, match->line, e->groups[i].number)
                 .data != NULL;
    return n;
}

brz_rc block_take_begin(block_reader *r, text_match *match)
{
    bool is_odd = block_report_odd(r, match);
    bool is_vague = is_odd && count_groups(r, match) == 1;
    if (is_vague && r->is_open && dump_depth(&r->samples->dump) == r->roots)
        return BRZ_OK;
    brz_rc rc = block_end_before(r, SLOT_BEGIN, match);
    block_begin(r, match);
    r->is_vague = is_vague;
    return rc;
}

brz_rc block_begin_section(block_reader *r, text_match *match)
{
    text_samples *t = r->samples;
    block_report_odd(r, match);
    brz_rc rc = block_end_before(r, SLOT_SECTION, match);
    text_values_clear(&t->section);
    text_values_add(&t->section, match, &t->format.matcher);
    text_values_keep(&t->section, &t->section_copies, t->dump.ctx);
    text_forget_kept(t);
    return rc;
}

brz_rc block_take_total(block_reader *r, text_match *match)
{
    text_samples *t = r->samples;
    int64_t total = 0;
    brz_rc rc = block_end_before(r, SLOT_TOTAL, match);
    brz_str text = block_group(r, match, GROUP_TOTAL);
    brz_str unit = block_group(r, match, GROUP_UNIT);
    bool is_known = text_weight_read(&t->weight, &t->dump.stacks, t->dump.ctx, text, unit, &total);
    text_total_compare(&t->total, &t->weight, &t->dump.stacks, t->dump.ctx, match->line, is_known,
                       total);
    return rc == BRZ_OK ? t->weight.status : rc;
}

void block_take_stop(block_reader *r)
{
    if (r->is_open && dump_depth(&r->samples->dump) == r->roots)
        r->is_place = true;
    else
        r->blocks->has_stopped = true;
}

void block_take_lost(block_reader *r, brz_str line)
{
    if (!r->lost)
        report_lost(r, "text.begin", line,
                    BRZ_STR("frames without the line that begins their block: left out"));
    r->lost = true;
    r->blocks->has_stopped = false;
}

void block_take_unmatched(block_reader *r, brz_str line)
{
    text_match match;
    text_samples *t = r->samples;
    if (!r->inside && block_is_frame(&t->format, line, &match)) {
        block_take_lost(r, line);
        return;
    }
    text_report_unmatched(t, line);
    r->lost = false;
    r->n_odd++;
}
