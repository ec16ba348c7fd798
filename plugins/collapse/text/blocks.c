/* SPDX-License-Identifier: MIT */
/* Collapses text with one sample per block of lines, whose options describe the format:
 *
 *     input := (header | ignored | blank | section | block | total)*
 *     block := begin (frame attribute* | field | ignored | blank)* [end]
 *
 * A block ends with its end, or where the next one, a section or a total begins. Without an
 * expression for its beginning, it begins with the first frame after an end. Damage shows in
 * the numbers of frames, in what blocks and totals say about them, and where an expression has the
 * groups "odd" and "next".
 */
#include "../../common/shipped.h"

#include "block_reader.h"
#include "explain.h"
#include "options.h"

/* Returns whether samples are kept until the last section is known. Without an expression for
 * sections, all samples are in one. */
static bool keeps(const block_options *o)
{
    return o->sections == LAST_SECTION && o->section.len > 0;
}

static const uint8_t total_groups[] = {GROUP_TOTAL, GROUP_LABEL};

static const text_source sources[] = {
    TEXT_COMMON_SOURCES,
    TEXT_SOURCE(SLOT_SECTION, block_options, section, "section", false, NULL),
    TEXT_SOURCE(SLOT_BEGIN, block_options, begin, "begin", false, NULL),
    TEXT_SOURCE(SLOT_END, block_options, end, "end", false, NULL),
    TEXT_SOURCE(SLOT_DETAIL, block_options, details, "attribute", true, NULL),
    TEXT_SOURCE(SLOT_FIELD, block_options, fields, "field", true, NULL),
    TEXT_SOURCE(SLOT_TOTAL, block_options, total, "total", false, total_groups),
    TEXT_SOURCE(SLOT_STOP, block_options, stop, "stop", false, NULL),
    TEXT_SOURCE(SLOT_PARTIAL, block_options, partial, "partial", false, NULL),
};

static const text_shape shape = {sources, BRZ_COUNT_OF(sources), true, false};

static int32_t classify(text_format *f, brz_str line, bool *inside, text_match *match)
{
    return block_role(f, line, false, inside, match);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **shared)
{
    const block_options *o = ctx->cfg;
    *used = 0;
    if (keeps(o) || o->total.len > 0 || o->stop.len > 0)
        ctx->host->in_order(ctx);
    return text_read_header(ctx, chunk, &shape, o->begin.len > 0 ? SLOT_BEGIN : SLOT_FRAME, shared);
}

static brz_rc open_instance(brz_ctx *ctx)
{
    const block_options *o = ctx->cfg;
    blocks *b = ctx->inst;
    b->samples.keeps = keeps(o);
    brz_rc rc = text_open(ctx, &shape, o->order == LEAF_FIRST ? BRZ_LEAF_FIRST : BRZ_NESTED);
    if (rc == BRZ_OK && text_format_uses(&b->samples.format, SLOT_DETAIL) &&
        !matcher_init(&b->ahead, &b->samples.format.memory, !(ctx->flags & BRZ_CTX_CONFINED)))
        return BRZ_ERROR;
    b->is_numbered = text_format_has(&b->samples.format, SLOT_FRAME, GROUP_NUMBER);
    return rc;
}

static void close_instance(brz_ctx *ctx)
{
    blocks *b = ctx->inst;
    matcher_finish(&b->ahead);
    text_close(ctx);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    blocks *b = ctx->inst;
    const char *text = (const char *)chunk->data;
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    brz_rc rc = BRZ_OK;
    size_t at = 0;
    while (rc == BRZ_OK && blocks_take(b, text, chunk->len, &at, last))
        rc = blocks_read(b);
    *used = at;
    return rc;
}

static void validate(const void *cfg, brz_option_faults *faults)
{
    const block_options *o = cfg;
    text_format_validate(&shape, cfg, faults);
    if (o->begin.len == 0 && o->end.len == 0)
        faults->add(
            faults, "begin", 0,
            BRZ_STR("blocks need an expression for their first line, or one for their end"));
}

TEXT_OFFER

SHIPPED_READER(blocks, .flags = BRZ_SPLITTABLE, .prelude = prelude, .boundary = blocks_boundary,
               .open = open_instance, .finish = text_finish, .close = close_instance,
               .offer = offer)

static const char *const orders[] = {"leaf-first", "root-first", NULL};
static const char *const which_sections[] = {"all", "last", NULL};
static const char *const orphan_choices[] = {"leave-out", "count", NULL};
static const char *const places[] = {"block", "orphan", NULL};
static const char *const gap_choices[] = {"report", "count", NULL};
static const char *const outside_choices[] = {"report", "ignore", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(
        block_options, "begin", STR, begin, "^\\S",
        "expression for the line with which a block begins; '': the first frame after an end"),
    BRZ_OPTION(block_options, "frame", STR, text.frame, "^\\s++(?<function>\\S(?:.*\\S)?)",
               "expression for the lines of frames: groups function, module, file, line"),
    BRZ_OPTION(block_options, "end", STR, end, "",
               "expression for the line with which a block ends [the next block]"),
    BRZ_OPTION(block_options, "attribute", LIST, details, NULL,
               "expressions for lines after a frame with more about it: module, file, line"),
    BRZ_OPTION(block_options, "field", LIST, fields, NULL,
               "expressions for lines of a block with its weight, thread or labels"),
    BRZ_OPTION(block_options, "order", ENUM, order, "leaf-first", "order of the frames",
               .choices = orders),
    BRZ_OPTION(block_options, "section", STR, section, "",
               "expression for lines with values for the blocks that follow"),
    BRZ_OPTION(block_options, "sections", ENUM, sections, "all", "sections that count",
               .choices = which_sections),
    BRZ_OPTION(block_options, "total", STR, total, "",
               "expression for lines with the sum of the weights above, in the group total"),
    BRZ_OPTION(block_options, "stop", STR, stop, "",
               "expression for lines after which one frame alone is the place of the program, and "
               "no stack"),
    BRZ_OPTION(block_options, "place", ENUM, place, "block",
               "where the frame after a stop is: in the next block, or without a line that begins "
               "one",
               .choices = places),
    BRZ_OPTION(block_options, "partial", STR, partial, "",
               "expression for lines that say that frames of a stack are missing"),
    BRZ_OPTION(
        block_options, "orphans", ENUM, orphans, "leave-out",
        "frames without the line that begins a block: leave them out with a warning, or count "
        "them as a block of their own",
        .choices = orphan_choices),
    BRZ_OPTION(block_options, "outside", ENUM, outside, "report",
               "other lines outside of blocks: report or ignore them", .choices = outside_choices),
    BRZ_OPTION(block_options, "first-number", INT, first_number, "0",
               "number of the first frame of a block, if the group number counts them",
               .range = "0..1000"),
    BRZ_OPTION(
        block_options, "gaps", ENUM, gaps, "report",
        "frames that their numbers show to be missing: report them, or count the stacks in a "
        "note, since some are hidden",
        .choices = gap_choices),
    TEXT_LINE_OPTIONS(block_options),
    TEXT_WEIGHT_OPTIONS(block_options),
};

BRZ_HINTS("")

SHIPPED_COLLAPSER("blocks",
                  .summary = "text with a sample in each block of lines, which options describe",
                  .help = "A format in the configuration gives these options a name.",
                  BRZ_OPTIONS(option_table, block_options), .validate = validate)
