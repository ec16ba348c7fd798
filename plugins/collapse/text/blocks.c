/* Collapses text with one sample per block of lines, whose options describe the format:
 *
 *     input := (header | ignored | blank | section | block | total)*
 *     block := begin (frame attribute* | field | ignored | blank)* [end]
 *
 * A block ends with its end, or where the next one, a section or a total begins. Damage shows in
 * the numbers of frames, in what blocks and totals say about them, and where an expression has the
 * groups "odd" and "next".
 */
#include "../../common/shipped.h"

#include <brazier/text/integer.h>

#include "block_lines.h"
#include "explain.h"
#include "options.h"

typedef struct options {
    text_options text;
    brz_str begin, end, section;
    brz_str total;
    brz_strlist fields, details;
    int32_t order, sections, orphans, outside;
    int64_t first_number;
} options;

enum { LEAF_FIRST, ROOT_FIRST };
enum { ALL_SECTIONS, LAST_SECTION };
enum { LEAVE_ORPHANS_OUT, COUNT_ORPHANS };
enum { REPORT_OUTSIDE, IGNORE_OUTSIDE };

/* Returns whether samples are kept until the last section is known. Without an expression for
 * sections, all samples are in one. */
static bool keeps(const options *o)
{
    return o->sections == LAST_SECTION && o->section.len > 0;
}

static const uint8_t total_groups[] = {GROUP_TOTAL, GROUP_LABEL};

static const text_source sources[] = {
    TEXT_COMMON_SOURCES,
    TEXT_SOURCE(SLOT_SECTION, options, section, "section", false, NULL),
    TEXT_SOURCE(SLOT_BEGIN, options, begin, "begin", false, NULL),
    TEXT_SOURCE(SLOT_END, options, end, "end", false, NULL),
    TEXT_SOURCE(SLOT_DETAIL, options, details, "attribute", true, NULL),
    TEXT_SOURCE(SLOT_FIELD, options, fields, "field", true, NULL),
    TEXT_SOURCE(SLOT_TOTAL, options, total, "total", false, total_groups),
};

static const text_shape shape = {sources, BRZ_COUNT_OF(sources), true, false};

/* ---- lines ----------------------------------------------------------------------------------- */

static const options *options_of(const text_format *f)
{
    return (const options *)(const void *)f->options;
}

/* Classifies a line that is no part of a block, unless it begins one. `is_plain`: it begins none.
 */
static int32_t classify_outside(text_format *f, brz_str line, bool is_plain, bool *inside,
                                text_match *match)
{
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

/* Classifies a line that begins nothing and follows no begin: it may be a frame nevertheless. */
static int32_t classify_orphan(text_format *f, brz_str line, bool *inside, text_match *match)
{
    const options *o = options_of(f);
    if (o->orphans != COUNT_ORPHANS && o->outside == REPORT_OUTSIDE)
        return BRZ_LINE_UNMATCHED;
    if (!text_format_find(f, SLOT_FRAME, line, match))
        return o->outside == REPORT_OUTSIDE ? BRZ_LINE_UNMATCHED : BRZ_LINE_IGNORED;
    if (o->orphans != COUNT_ORPHANS)
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

static int32_t classify_line(text_format *f, brz_str line, bool is_plain, bool *inside,
                             text_match *match)
{
    int32_t role = classify_outside(f, line, is_plain, inside, match);
    if (role != BRZ_LINE_UNMATCHED)
        return role;
    role =
        *inside ? classify_inside(f, line, inside, match) : classify_orphan(f, line, inside, match);
    bool is_nothing = role == BRZ_LINE_UNMATCHED || role == BRZ_LINE_IGNORED;
    return is_nothing && brz_trim(line).len == 0 ? BRZ_LINE_BLANK : role;
}

static int32_t classify(text_format *f, brz_str line, bool *inside, text_match *match)
{
    return classify_line(f, line, false, inside, match);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Lines that one damaged line can consist of. */
#define MOST_JOINED 16

/* A block that is being read. */
typedef struct block_reader {
    blocks *blocks;
    text_samples *samples;
    size_t next;       /* index of the line that follows */
    brz_str begin;     /* the line with which the block began */
    brz_str rest;      /* the rest of a line that consists of several, or empty */
    size_t n_joined;   /* lines of which it consists, so far */
    size_t roots;      /* frames that are no frames of the block */
    uint32_t position; /* number of the next frame */
    uint32_t n_odd;    /* lines since the last frame that may be damaged frames */
    uint32_t n_cut;    /* frames of the block that are damaged */
    bool inside;       /* lines are part of a block */
    bool is_open;      /* a block has not been counted */
    bool is_vague;     /* nothing but damaged text began it */
    bool lost;         /* frames outside of a block have been reported */
} block_reader;

static const options *reader_options(const block_reader *r)
{
    return options_of(&r->samples->format);
}

static brz_str group_of(const block_reader *r, const text_match *match, text_group g)
{
    return expression_text(match->expression, &r->samples->format.matcher, match->line, g);
}

/* Reports the damaged text of a line, which is read without it. Returns whether there is some. */
static bool report_odd(const block_reader *r, const text_match *match)
{
    dump *d = &r->samples->dump;
    brz_str odd = group_of(r, match, GROUP_ODD), line = match->line;
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
    if (line->value != BRZ_CACHE_MISS)
        return line->value == IS_ATTRIBUTE;
    if (text_format_find(f, SLOT_IGNORE, line->text, &match) ||
        text_format_find(f, SLOT_END, line->text, &match) ||
        !text_format_find(f, SLOT_DETAIL, line->text, &match))
        return false;
    if (!report_odd(r, &match))
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

/* Appends the frame of a line, with those that add to it. Equal texts are one frame: in the cache,
 * they have another context than lines. */
static brz_frame push_frame(block_reader *r, brz_str line, text_slot slot)
{
    text_samples *t = r->samples;
    brz_str frame = slot == SLOT_FRAME ? with_attributes(r, line) : line;
    t->frame_slot = slot;
    dump_push(&t->dump, frame, (uint32_t)slot + N_SLOTS, text_describe);
    return t->dump.stacks.path->ids[t->dump.stacks.path->n - 1];
}

/* Appends the frame of a sound line, which it remembers. */
static void push_sound_frame(block_reader *r, brz_str line, uint32_t number)
{
    bool may_have = text_format_uses(&r->samples->format, SLOT_DETAIL);
    brz_frame frame = push_frame(r, line, SLOT_FRAME);
    frame = may_have ? IS_FRAME : frame;
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
    r->is_vague = false;
    r->position = (uint32_t)reader_options(r)->first_number;
    r->n_odd = r->n_cut = 0;
    if (!t->roots_last)
        text_push_roots(t);
    r->roots = dump_depth(&t->dump);
}

static void begin_block(block_reader *r, const text_match *match)
{
    text_samples *t = r->samples;
    text_values_clear(&t->values);
    text_values_add(&t->values, match, &t->format.matcher);
    open_block(r, match->line);
    for (size_t i = 0; text_frame_groups[i] != GROUP_LABEL; i++)
        if (t->values.of[text_frame_groups[i]].len > 0) {
            push_frame(r, match->line, SLOT_BEGIN);
            return;
        }
}

/* Begins a block with a frame, since the line that begins it is missing. */
static void begin_orphan(block_reader *r, brz_str frame)
{
    text_values_clear(&r->samples->values);
    open_block(r, frame);
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
    if (text_own_weight(t, &value)) {
        text_total_add(&t->total, &t->weight, value);
        brz_report_lost_weight(t->dump.ctx, "text.stack", r->begin.data, r->begin.len, msg, value);
    } else {
        brz_report_lost(t->dump.ctx, "text.stack", r->begin.data, r->begin.len, msg);
    }
    return t->weight.status;
}

static brz_rc end_block(block_reader *r)
{
    text_samples *t = r->samples;
    r->inside = r->is_open = false;
    check_depth(r);
    if (dump_depth(&t->dump) == r->roots)
        return report_empty(r);
    if (t->roots_last)
        text_push_roots(t);
    return text_count(t, r->begin);
}

/* Ends a block that is open in front of a line that belongs to none, or begins one. The line is
 * matched again. */
static brz_rc end_before(block_reader *r, text_slot slot, text_match *match)
{
    if (!r->is_open)
        return BRZ_OK;
    brz_rc rc = end_block(r);
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

/* Begins a block. One may be open: blocks_take() does not divide in front of a damaged line, nor in
 * front of a last one without a line end. A damaged line without values after the one that began a
 * block is a part of that. */
static brz_rc take_begin(block_reader *r, text_match *match)
{
    bool is_odd = report_odd(r, match);
    bool is_vague = is_odd && count_groups(r, match) == 1;
    if (is_vague && r->is_open && dump_depth(&r->samples->dump) == r->roots)
        return BRZ_OK;
    brz_rc rc = end_before(r, SLOT_BEGIN, match);
    begin_block(r, match);
    r->is_vague = is_vague;
    return rc;
}

static brz_rc begin_section(block_reader *r, text_match *match)
{
    text_samples *t = r->samples;
    report_odd(r, match);
    brz_rc rc = end_before(r, SLOT_SECTION, match);
    text_values_clear(&t->section);
    text_values_add(&t->section, match, &t->format.matcher);
    text_values_keep(&t->section, &t->section_copies, t->dump.ctx);
    text_forget_kept(t);
    return rc;
}

static brz_rc take_total(block_reader *r, text_match *match)
{
    text_samples *t = r->samples;
    int64_t total = 0;
    brz_rc rc = end_before(r, SLOT_TOTAL, match);
    brz_str text = group_of(r, match, GROUP_TOTAL);
    brz_str unit = group_of(r, match, GROUP_UNIT);
    bool is_known = text_weight_read(&t->weight, &t->dump.stacks, t->dump.ctx, text, unit, &total);
    text_total_compare(&t->total, &t->weight, t->dump.ctx, match->line, is_known, total);
    return rc == BRZ_OK ? t->weight.status : rc;
}

/* Reports a frame without the line that begins its block. A stack of them is one record. */
static void take_lost(block_reader *r, brz_str line)
{
    if (!r->lost)
        report_lost(r, "text.begin", line,
                    BRZ_STR("frames without the line that begins their block: left out"));
    r->lost = true;
}

/* Reports a line that is neither part of a block nor known outside of one. */
static void take_unmatched(block_reader *r, brz_str line)
{
    text_match match;
    text_samples *t = r->samples;
    if (!r->inside && text_format_find(&t->format, SLOT_FRAME, line, &match)) {
        take_lost(r, line);
        return;
    }
    text_report_unmatched(t, line);
    r->lost = false;
    r->n_odd++;
}

/* ---- numbers of frames ----------------------------------------------------------------------- */

/* Returns the number of the next frame of the block that has one, or NO_NUMBER. */
static uint32_t next_number(const block_reader *r)
{
    const blocks *b = r->blocks;
    uint32_t number = NO_NUMBER;
    for (size_t i = r->next; i < b->n && number == NO_NUMBER; i++)
        number = blocks_number(r->blocks, &b->lines[i]);
    return number;
}

/* Ends the block in front of the first frame of another one, whose begin is missing. */
static brz_rc begin_again(block_reader *r, brz_str line)
{
    brz_rc rc = end_block(r);
    if (reader_options(r)->orphans != COUNT_ORPHANS) {
        take_lost(r, line);
        return rc;
    }
    BRZ_WARN(r->samples->dump.ctx, "text.no-begin", line.data, line.len,
             "a stack begins without the line of its block: counted without the values of that");
    begin_orphan(r, line);
    r->position++;
    return rc;
}

/* Handles a number that does not follow the one above. Either it is damaged, which the one after it
 * shows; or another stack begins; or frames are missing. */
static brz_rc take_gap(block_reader *r, brz_str line, uint32_t number, uint32_t expected)
{
    dump *d = &r->samples->dump;
    uint32_t first = (uint32_t)reader_options(r)->first_number;
    bool may_begin = number == first && dump_depth(d) > r->roots;
    if (!(may_begin && expected == first + 1) && next_number(r) == expected + 1) {
        BRZ_WARN(d->ctx, "text.number", line.data, line.len,
                 "the number of the frame does not follow the one above: it is read as the next");
        r->position = expected + 1;
        return BRZ_OK;
    }
    if (may_begin)
        return begin_again(r, line);
    dump_frames_missing(d, "text.gap", line);
    r->position = number < LARGEST_NUMBER ? number + 1 : number;
    return BRZ_OK;
}

/* Compares the number of a frame with that of the one above. Lines between them that are damaged
 * may be frames. May end the block. */
static brz_rc check_number(block_reader *r, brz_str line, uint32_t number)
{
    uint32_t least = r->position, most = least + r->n_odd;
    r->n_odd = 0;
    if (!r->blocks->is_numbered)
        return BRZ_OK;
    if (number == NO_NUMBER)
        number = most;
    if (number < least || number > most)
        return take_gap(r, line, number, most);
    r->position = number + 1;
    return BRZ_OK;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Returns whether a match has attributes of a frame, and not only damaged text. */
static bool has_frame(const block_reader *r, const text_match *match)
{
    for (size_t i = 0; text_frame_groups[i] != GROUP_LABEL; i++)
        if (group_of(r, match, (text_group)text_frame_groups[i]).data != NULL)
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
    bool is_joined = group_of(r, match, GROUP_NEXT).data != NULL;
    bool is_odd = group_of(r, match, GROUP_ODD).data != NULL;
    uint32_t number = blocks_parse_number(group_of(r, match, GROUP_NUMBER));
    if (is_odd && !has_frame(r, match)) {
        take_broken_frame(r, match->line, was_inside);
        return BRZ_OK;
    }
    report_odd(r, match);
    if (!was_inside)
        begin_orphan(r, match->line);
    brz_rc rc = check_number(r, match->line, number);
    if (rc != BRZ_OK || !r->inside)
        return rc;
    r->n_cut += is_odd;
    if (is_odd || is_joined)
        push_frame(r, match->line, SLOT_FRAME);
    else
        push_sound_frame(r, match->line, number);
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
    brz_str rest = match->expression == NULL ? brz_str_of(NULL, 0) : group_of(r, match, GROUP_NEXT);
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

static brz_rc take_role(block_reader *r, int32_t role, text_match *match, bool was_inside)
{
    text_samples *t = r->samples;
    switch (role) {
    case BRZ_LINE_TOTAL:
        return take_total(r, match);
    case BRZ_LINE_SECTION:
        return begin_section(r, match);
    case BRZ_LINE_BEGIN:
        return take_begin(r, match);
    case BRZ_LINE_END:
        text_values_add(&t->values, match, &t->format.matcher);
        return end_block(r);
    case BRZ_LINE_FRAME:
        return take_frame(r, match, was_inside);
    case BRZ_LINE_FIELD:
        text_values_add(&t->values, match, &t->format.matcher);
        return BRZ_OK;
    case BRZ_LINE_HEADER:
        text_take_header(t, match);
        return BRZ_OK;
    case BRZ_LINE_UNMATCHED:
        take_unmatched(r, match->line);
        return BRZ_OK;
    default:
        r->lost &= match->expression != NULL; /* a line that is ignored may be within a stack */
        return BRZ_OK;
    }
}

static brz_rc take_line(block_reader *r, brz_str line, bool is_plain)
{
    text_match match = {NULL, line};
    bool was_inside = r->inside;
    text_format_forget(&r->samples->format);
    int32_t role = classify_line(&r->samples->format, line, is_plain, &r->inside, &match);
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
        return end_block(r);
    if (known.frame == IS_NOTHING)
        return BRZ_OK;
    brz_rc rc = check_number(r, line->text, known.number);
    if (rc != BRZ_OK || !r->inside)
        return rc;
    if (known.frame == IS_FRAME)
        push_frame(r, line->text, SLOT_FRAME);
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
    bool known = r->inside && line->value != BRZ_CACHE_MISS && line->value != IS_ATTRIBUTE;
    r->n_joined = 0;
    return known ? take_known(r, line) : take_line(r, line->text, line->is_plain);
}

static brz_rc read_block(blocks *b)
{
    block_reader r = {.blocks = b, .samples = &b->samples};
    brz_rc rc = BRZ_OK;
    brz_path_cut(b->samples.dump.stacks.path, 0);
    while (rc == BRZ_OK && !b->samples.format.failed && (r.next < b->n || r.rest.len > 0))
        rc = take_next(&r);
    if (rc == BRZ_OK && r.is_open)
        rc = end_block(&r);
    return rc == BRZ_OK ? text_status(&b->samples) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **shared)
{
    const options *o = ctx->cfg;
    *used = 0;
    if (keeps(o) || o->total.len > 0)
        ctx->host->in_order(ctx);
    return text_read_header(ctx, chunk, &shape, SLOT_BEGIN, shared);
}

static brz_rc open_instance(brz_ctx *ctx)
{
    const options *o = ctx->cfg;
    blocks *b = ctx->inst;
    b->samples.keeps = keeps(o);
    brz_rc rc = text_open(ctx, &shape, o->order == LEAF_FIRST ? BRZ_LEAF_FIRST : BRZ_NESTED);
    b->is_numbered = text_format_has(&b->samples.format, SLOT_FRAME, GROUP_NUMBER);
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    blocks *b = ctx->inst;
    const char *text = (const char *)chunk->data;
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    brz_rc rc = BRZ_OK;
    size_t at = 0;
    while (rc == BRZ_OK && blocks_take(b, text, chunk->len, &at, last))
        rc = read_block(b);
    *used = at;
    return rc;
}

static void validate(const void *cfg, brz_option_faults *faults)
{
    const options *o = cfg;
    text_format_validate(&shape, cfg, faults);
    if (o->begin.len == 0)
        faults->add(faults, "begin", 0,
                    BRZ_STR("an expression for the first line of a block is needed"));
}

TEXT_OFFER

SHIPPED_READER(blocks, .flags = BRZ_SPLITTABLE, .prelude = prelude, .boundary = blocks_boundary,
               .open = open_instance, .finish = text_finish, .close = text_close, .offer = offer)

static const char *const orders[] = {"leaf-first", "root-first", NULL};
static const char *const which_sections[] = {"all", "last", NULL};
static const char *const orphan_choices[] = {"leave-out", "count", NULL};
static const char *const outside_choices[] = {"report", "ignore", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "begin", STR, begin, "^\\S",
               "expression for the line with which a block begins"),
    BRZ_OPTION(options, "frame", STR, text.frame, "^\\s++(?<function>\\S(?:.*\\S)?)",
               "expression for the lines of frames: groups function, module, file, line"),
    BRZ_OPTION(options, "end", STR, end, "",
               "expression for the line with which a block ends [the next block]"),
    BRZ_OPTION(options, "attribute", LIST, details, NULL,
               "expressions for lines after a frame with more about it: module, file, line"),
    BRZ_OPTION(options, "field", LIST, fields, NULL,
               "expressions for lines of a block with its weight, thread or labels"),
    BRZ_OPTION(options, "order", ENUM, order, "leaf-first", "order of the frames",
               .choices = orders),
    BRZ_OPTION(options, "section", STR, section, "",
               "expression for lines with values for the blocks that follow"),
    BRZ_OPTION(options, "sections", ENUM, sections, "all", "sections that count",
               .choices = which_sections),
    BRZ_OPTION(options, "total", STR, total, "",
               "expression for lines with the sum of the weights above, in the group total"),
    BRZ_OPTION(
        options, "orphans", ENUM, orphans, "leave-out",
        "frames without the line that begins a block: leave them out with a warning, or count "
        "them as a block of their own",
        .choices = orphan_choices),
    BRZ_OPTION(options, "outside", ENUM, outside, "report",
               "other lines outside of blocks: report or ignore them", .choices = outside_choices),
    BRZ_OPTION(options, "first-number", INT, first_number, "0",
               "number of the first frame of a block, if the group number counts them",
               .range = "0..1000"),
    TEXT_LINE_OPTIONS(options),
    TEXT_WEIGHT_OPTIONS(options),
};

BRZ_HINTS("")

SHIPPED_COLLAPSER("blocks",
                  .summary = "text with a sample in each block of lines, which options describe",
                  .help = "A format in the configuration gives these options a name.",
                  BRZ_OPTIONS(option_table, options), .validate = validate)
