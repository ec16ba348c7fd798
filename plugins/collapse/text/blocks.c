/* Collapses text with one sample per block of lines, whose options describe the format:
 *
 *     input := (header | ignored | blank | section | block)*
 *     block := begin (frame attribute* | field | ignored | blank)* [end]
 *
 * A block ends with its end, or where the next one or a section begins.
 */
#include "../../common/shipped.h"

#include "explain.h"
#include "options.h"
#include "samples.h"

typedef struct options {
    text_options text;
    brz_str begin, end, section;
    brz_strlist fields, details;
    int32_t order, sections;
} options;

enum { LEAF_FIRST, ROOT_FIRST };
enum { ALL_SECTIONS, LAST_SECTION };

/* Returns whether samples are kept until the last section is known. Without an expression for
 * sections, all samples are in one. */
static bool keeps(const options *o)
{
    return o->sections == LAST_SECTION && o->section.len > 0;
}

static const text_source sources[] = {
    TEXT_COMMON_SOURCES,
    TEXT_SOURCE(SLOT_SECTION, options, section, "section", false, NULL),
    TEXT_SOURCE(SLOT_BEGIN, options, begin, "begin", false, NULL),
    TEXT_SOURCE(SLOT_END, options, end, "end", false, NULL),
    TEXT_SOURCE(SLOT_DETAIL, options, details, "attribute", true, NULL),
    TEXT_SOURCE(SLOT_FIELD, options, fields, "field", true, NULL),
};

static const text_shape shape = {sources, BRZ_COUNT_OF(sources), true};

/* ---- finding blocks -------------------------------------------------------------------------- */

/* Returns whether a section or a block begins with a line. */
static bool begins(const text_format *f, const matcher *m, brz_str line)
{
    return (text_format_test(f, SLOT_BEGIN, m, line) ||
            text_format_test(f, SLOT_SECTION, m, line)) &&
           !text_format_test(f, SLOT_IGNORE, m, line);
}

/* Returns the offset of the first line at or after `from` that is complete within text[0..n) and
 * begins a block, or `n`. `from` is the start of a line. */
static size_t find_block(const text_format *f, const matcher *m, const char *text, size_t n,
                         size_t from)
{
    while (from < n) {
        const char *newline = memchr(text + from, '\n', n - from);
        if (newline == NULL)
            return n;
        size_t next = (size_t)(newline - text) + 1;
        if (begins(f, m, brz_block_trim_line(brz_str_of(text + from, next - 1 - from))))
            return from;
        from = next;
    }
    return n;
}

/* A line of a block. */
typedef struct block_line {
    brz_str text;
    uint32_t id; /* the frame of a line that is known, or another value of the cache */
} block_line;

/* Values in the cache of frames for lines within blocks: one that adds to the frame above, a frame
 * to which lines may add, an end without values, and a line that means nothing. */
#define IS_ATTRIBUTE (UINT32_MAX - 1)
#define IS_FRAME     (UINT32_MAX - 2)
#define IS_END       (UINT32_MAX - 3)
#define IS_NOTHING   (UINT32_MAX - 4)

typedef struct blocks {
    text_samples samples;
    block_line *lines; /* of the block that is being read */
    size_t n, cap;
} blocks;

static brz_frame_key line_key(const blocks *b, brz_str line)
{
    return brz_frame_key_of(&b->samples.dump.frames, line.data, line.len, SLOT_FRAME);
}

/* Adds a line to the block. Returns false for a line with which the next block begins. */
static bool add_line(blocks *b, brz_str line, bool is_complete)
{
    const text_format *f = &b->samples.format;
    brz_frame_key key = line_key(b, line);
    uint32_t id = brz_frame_cache_find(&b->samples.dump.frames, &key);
    if (id == BRZ_CACHE_MISS && b->n > 0 && is_complete && begins(f, &f->matcher, line))
        return false;
    b->lines = brz_list_room(b->samples.dump.ctx, b->lines, b->n, &b->cap, sizeof *b->lines);
    b->lines[b->n++] = (block_line){line, id};
    return true;
}

/* Takes the lines of the next block off text[*at..n), like brz_block_take(). Known lines of frames
 * begin no block, so only others are matched. */
static bool take_block(blocks *b, const char *text, size_t n, size_t *at, bool last)
{
    size_t from = *at;
    for (b->n = 0; from < n;) {
        const char *newline = memchr(text + from, '\n', n - from);
        size_t end = newline == NULL ? n : (size_t)(newline - text);
        if (newline == NULL && !last)
            return false;
        if (!add_line(b, brz_block_trim_line(brz_str_of(text + from, end - from)), newline != NULL))
            break;
        from = newline == NULL ? n : end + 1;
    }
    if (from == *at || (from == n && !last))
        return false;
    *at = from;
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int32_t classify_outside(text_format *f, brz_str line, bool *inside, text_match *match)
{
    if (text_format_find(f, SLOT_IGNORE, line, match))
        return BRZ_LINE_IGNORED;
    if (text_format_find(f, SLOT_SECTION, line, match)) {
        *inside = false;
        return BRZ_LINE_SECTION;
    }
    if (text_format_find(f, SLOT_BEGIN, line, match)) {
        *inside = true;
        return BRZ_LINE_BEGIN;
    }
    if (!*inside && text_format_find(f, SLOT_HEADER, line, match))
        return BRZ_LINE_HEADER;
    return BRZ_LINE_UNMATCHED;
}

static int32_t classify(text_format *f, brz_str line, bool *inside, text_match *match)
{
    int32_t role = classify_outside(f, line, inside, match);
    if (role == BRZ_LINE_UNMATCHED && *inside) {
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
    }
    return role == BRZ_LINE_UNMATCHED && brz_trim(line).len == 0 ? BRZ_LINE_BLANK : role;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* A block that is being read. */
typedef struct block_reader {
    blocks *blocks;
    text_samples *samples;
    size_t next;   /* index of the line that follows */
    brz_str begin; /* the line with which the block began */
    size_t roots;  /* frames that are no frames of the block */
    bool inside;   /* lines are part of a block */
    bool is_open;  /* a block has not been counted */
    bool lost;     /* frames outside of a block have been reported */
} block_reader;

/* Remembers what a line is, unless it is known. */
static void remember(const block_reader *r, brz_str line, uint32_t value)
{
    dump *d = &r->samples->dump;
    brz_frame_key key = line_key(r->blocks, line);
    if (brz_frame_cache_find(&d->frames, &key) == BRZ_CACHE_MISS)
        brz_frame_cache_put(&d->frames, d->ctx, &key, value);
}

/* Returns whether a line adds to the frame above. Remembers those that do. */
static bool is_attribute(block_reader *r, const block_line *line)
{
    text_format *f = &r->samples->format;
    text_match match;
    if (line->id != BRZ_CACHE_MISS)
        return line->id == IS_ATTRIBUTE;
    if (text_format_find(f, SLOT_IGNORE, line->text, &match) ||
        text_format_find(f, SLOT_END, line->text, &match) ||
        !text_format_find(f, SLOT_DETAIL, line->text, &match))
        return false;
    remember(r, line->text, IS_ATTRIBUTE);
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

/* Appends the frame of a line, with those that add to it. The cache has a frame without such lines
 * under the line, unless others add to it elsewhere. */
static void push_frame(block_reader *r, brz_str line, text_slot slot)
{
    text_samples *t = r->samples;
    bool may_have = text_format_uses(&t->format, SLOT_DETAIL);
    brz_str frame = with_attributes(r, line);
    t->frame_slot = slot;
    if (may_have && slot == SLOT_FRAME)
        remember(r, line, IS_FRAME);
    dump_push(&t->dump, frame, (uint32_t)slot + (may_have ? N_SLOTS : 0), text_describe);
}

static void begin_block(block_reader *r, const text_match *match)
{
    text_samples *t = r->samples;
    text_values_clear(&t->values);
    text_values_add(&t->values, match, &t->format.matcher);
    r->begin = match->line;
    r->is_open = true;
    if (!t->roots_last)
        text_push_roots(t);
    r->roots = dump_depth(&t->dump);
    for (size_t i = 0; text_frame_groups[i] != GROUP_LABEL; i++)
        if (t->values.of[text_frame_groups[i]].len > 0) {
            push_frame(r, match->line, SLOT_BEGIN);
            return;
        }
}

static brz_rc end_block(block_reader *r)
{
    text_samples *t = r->samples;
    r->inside = r->is_open = false;
    if (dump_depth(&t->dump) > r->roots) {
        if (t->roots_last)
            text_push_roots(t);
        return text_count(t, r->begin);
    }
    text_report_lost(t, "text.stack", r->begin, BRZ_STR("a block without a frame: left out"));
    brz_path_cut(t->dump.stacks.path, 0);
    return BRZ_OK;
}

/* Begins a block. One may be open: take_block() does not divide in front of a last line without a
 * line end. */
static brz_rc take_begin(block_reader *r, text_match *match)
{
    brz_rc rc = BRZ_OK;
    if (r->is_open) {
        rc = end_block(r);
        text_format_find(&r->samples->format, SLOT_BEGIN, match->line, match);
        r->inside = true;
    }
    begin_block(r, match);
    return rc;
}

static brz_rc begin_section(text_samples *t, const text_match *match)
{
    text_values_clear(&t->section);
    text_values_add(&t->section, match, &t->format.matcher);
    text_values_keep(&t->section, &t->section_copies, t->dump.ctx);
    text_forget_kept(t);
    return BRZ_OK;
}

/* Reports a line that is neither part of a block nor known outside of one. A stack without its
 * first line is one record. */
static void take_unmatched(block_reader *r, brz_str line)
{
    text_match match;
    text_samples *t = r->samples;
    bool is_frame = !r->inside && text_format_find(&t->format, SLOT_FRAME, line, &match);
    if (!is_frame)
        text_report_unmatched(t, line);
    else if (!r->lost)
        text_report_lost(t, "text.begin", line,
                         BRZ_STR("frames without the line that begins their block: left out"));
    r->lost = is_frame;
}

/* Remembers a short line within a block that is the same in many blocks. */
static void remember_role(const block_reader *r, const text_match *match, int32_t role)
{
    enum { SHORT = 32 };
    if (match->line.len > SHORT)
        return;
    if (role == BRZ_LINE_END && match->expression->n_groups == 0)
        remember(r, match->line, IS_END);
    else if (role == BRZ_LINE_IGNORED || role == BRZ_LINE_BLANK)
        remember(r, match->line, IS_NOTHING);
}

static brz_rc take_line(block_reader *r, brz_str line)
{
    text_samples *t = r->samples;
    text_match match = {NULL, line};
    bool was_inside = r->inside;
    int32_t role = classify(&t->format, line, &r->inside, &match);
    if (t->format.failed)
        return BRZ_ERROR;
    if (was_inside)
        remember_role(r, &match, role);
    switch (role) {
    case BRZ_LINE_SECTION:
        return begin_section(t, &match);
    case BRZ_LINE_BEGIN:
        return take_begin(r, &match);
    case BRZ_LINE_END:
        text_values_add(&t->values, &match, &t->format.matcher);
        return end_block(r);
    case BRZ_LINE_FRAME:
        push_frame(r, line, SLOT_FRAME);
        return BRZ_OK;
    case BRZ_LINE_FIELD:
        text_values_add(&t->values, &match, &t->format.matcher);
        return BRZ_OK;
    case BRZ_LINE_HEADER:
        text_take_header(t, &match);
        return BRZ_OK;
    case BRZ_LINE_UNMATCHED:
        take_unmatched(r, line);
        return BRZ_OK;
    default:
        return BRZ_OK;
    }
}

/* Takes a line within a block that is known. */
static brz_rc take_known(block_reader *r, const block_line *line)
{
    dump *d = &r->samples->dump;
    if (line->id == IS_END)
        return end_block(r);
    if (line->id == IS_FRAME)
        push_frame(r, line->text, SLOT_FRAME);
    else if (line->id != IS_NOTHING)
        brz_path_push(d->stacks.path, d->ctx, line->id);
    return BRZ_OK;
}

static brz_rc read_block(blocks *b)
{
    block_reader r = {.blocks = b, .samples = &b->samples};
    brz_rc rc = BRZ_OK;
    brz_path_cut(b->samples.dump.stacks.path, 0);
    while (rc == BRZ_OK && !b->samples.format.failed && r.next < b->n) {
        const block_line *line = &b->lines[r.next++];
        bool known = r.inside && line->id != BRZ_CACHE_MISS && line->id != IS_ATTRIBUTE;
        rc = known ? take_known(&r, line) : take_line(&r, line->text);
    }
    if (rc == BRZ_OK && r.is_open)
        rc = end_block(&r);
    return rc == BRZ_OK ? text_status(&b->samples) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **shared)
{
    const options *o = ctx->cfg;
    *used = 0;
    if (keeps(o))
        ctx->host->in_order(ctx);
    return text_read_header(ctx, chunk, &shape, SLOT_BEGIN, shared);
}

/* Finds a section if the format has them, or else a block. */
static size_t boundary(const void *shared, const uint8_t *buf, size_t n, size_t from)
{
    const text_header *h = shared;
    const text_format *f = &h->format;
    expression_memory memory;
    matcher m = {0};
    size_t at = n;
    bool ready = expression_memory_init(&memory, NULL) && matcher_init(&m, &memory, false);
    text_slot slot = text_format_uses(f, SLOT_SECTION) ? SLOT_SECTION : SLOT_BEGIN;
    from = brz_line_start(buf, n, from);
    while (ready && from < n && at == n) {
        size_t found = find_block(f, &m, (const char *)buf, n, from);
        size_t next = brz_block_next_line((const char *)buf, n, found);
        brz_str line = brz_str_of((const char *)buf + found, next - found), first = line;
        if (found < n && brz_block_line(&line, &first) && text_format_test(f, slot, &m, first))
            at = found;
        from = next;
    }
    matcher_finish(&m);
    expression_memory_finish(&memory);
    return at;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    const options *o = ctx->cfg;
    text_samples *t = ctx->inst;
    t->keeps = keeps(o);
    return text_open(ctx, &shape, o->order == LEAF_FIRST ? BRZ_LEAF_FIRST : BRZ_NESTED);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    blocks *b = ctx->inst;
    const char *text = (const char *)chunk->data;
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    brz_rc rc = BRZ_OK;
    size_t at = 0;
    while (rc == BRZ_OK && take_block(b, text, chunk->len, &at, last))
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

SHIPPED_READER(blocks, .flags = BRZ_SPLITTABLE, .prelude = prelude, .boundary = boundary,
               .open = open_instance, .finish = text_finish, .close = text_close, .offer = offer)

static const char *const orders[] = {"leaf-first", "root-first", NULL};
static const char *const which_sections[] = {"all", "last", NULL};

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
    TEXT_LINE_OPTIONS(options),
    TEXT_WEIGHT_OPTIONS(options),
};

BRZ_HINTS("")

SHIPPED_COLLAPSER("blocks",
                  .summary = "text with a sample in each block of lines, which options describe",
                  .help = "A format in the configuration gives these options a name.",
                  BRZ_OPTIONS(option_table, options), .validate = validate)
