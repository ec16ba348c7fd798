/* SPDX-License-Identifier: MIT */
/** @file
 * Implements collapsers for formats with one sample per line, from a function that parses a line.
 *
 * The author writes one function, which classifies a line and passes on the frames and the value of
 * a sample:
 *
 *     static int32_t read_line(brz_line_sample *sample, brz_str line)
 *     {
 *         brz_str stack, count, frame;
 *         if (!brz_cut_last(line, ' ', &stack, &count) || !brz_parse_i64(count, &sample->value))
 *             return BRZ_LINE_ODD;
 *         while (brz_take_piece(&stack, ';', &frame))
 *             brz_line_frame(sample, frame);
 *         return BRZ_LINE_SAMPLE;
 *     }
 *
 *     BRZ_LINE_COLLAPSER(collapser, read_line, 0)
 *
 * The result is a splittable collapser with a sniffer, built on the text kit. If lines have times,
 * processes, threads or labels, the function passes them on with brz_line_time() and
 * brz_line_tag(), and the collapser has the tags and times that a run asks for. A collapser that
 * declares columns uses BRZ_LINE_COLLAPSER_OPENED(); one with file name patterns fills in its own
 * brz_collapser, using BRZ_LINE_FUNCTIONS() and the functions of this header. A format in which the
 * meaning of a line depends on other lines needs its own `parse`.
 */
#ifndef BRAZIER_LINE_FORMAT_H
#define BRAZIER_LINE_FORMAT_H

#include <brazier/collapser.h>
#include <brazier/text.h>

/** Result of `read_line`: the line is a sample, whose frames and value have been set. */
#define BRZ_LINE_SAMPLE 0
/** Result of `read_line`: a valid line without a sample, such as an empty line, a comment or a
 * heading. */
#define BRZ_LINE_NONE 1
/** Result of `read_line`: the line is not valid in this format. It is skipped with a warning. */
#define BRZ_LINE_ODD 2

/** Number of samples after which a sniffer accepts the input. */
#define BRZ_LINE_SNIFFED 20
/** Maximum number of lines that a sniffer reads; it has less than a millisecond. */
#define BRZ_LINE_LOOKED_AT 2000

/** A line and the sample parsed from it. */
typedef struct brz_line_sample {
    int64_t value;   /**< value; 1 unless `read_line` sets it */
    uint32_t column; /**< index from host->column; 0 unless `read_line` sets it */
    uint32_t depth;  /**< number of frames added so far */
    brz_ctx *ctx;    /**< the instance, which leads to the options; NULL while sniffing */
    brz_str line;    /**< the line without its line ending, including leading and trailing spaces */
    /** @privatesection */
    brz_lines lines;        /**< cursor over the chunk */
    brz_stacks stacks;      /**< current stack and previous stacks */
    brz_frame_cache frames; /**< cache of known frames */
} brz_line_sample;

/** Parses a line (without "\n" or "\r\n") and returns BRZ_LINE_SAMPLE, BRZ_LINE_NONE or
 * BRZ_LINE_ODD. The result must depend only on the line and the options. Called while sniffing,
 * too, and from several threads. */
typedef int32_t brz_read_line(brz_line_sample *sample, brz_str line);

/** Fills in the attributes of a frame. `frame` is zeroed except for `struct_size` and `name`, which
 * is `text`. Called once for each text that an instance encounters, so the result must depend only
 * on the text and the options. */
typedef void brz_describe_frame(brz_ctx *ctx, brz_str text, brz_frame_desc *frame);

/** Creates a frame; `describe` may be NULL. */
static inline brz_frame brz_line_new_frame(brz_ctx *ctx, brz_str text, brz_describe_frame *describe)
{
    brz_frame_desc d;
    if (describe == NULL)
        return ctx->host->intern(ctx, text.data, text.len);
    memset(&d, 0, sizeof d);
    d.struct_size = (uint32_t)sizeof d;
    d.name = text;
    describe(ctx, text, &d);
    return ctx->host->frame(ctx, &d);
}

/** Returns the frame of a text. Caches it if the text is part of the line, where vector loads
 * beyond its end are safe. */
static inline brz_frame brz_line_frame_of(brz_line_sample *s, brz_str text,
                                          brz_describe_frame *describe)
{
    uintptr_t at = (uintptr_t)text.data, line = (uintptr_t)s->line.data;
    if (at < line || at > line + s->line.len)
        return brz_line_new_frame(s->ctx, text, describe);
    brz_frame_key key = brz_frame_key_of(&s->frames, text.data, text.len, describe != NULL);
    uint32_t id = brz_frame_cache_find(&s->frames, &key);
    if (id == BRZ_CACHE_MISS) {
        id = brz_line_new_frame(s->ctx, text, describe);
        brz_frame_cache_put(&s->frames, s->ctx, &key, id);
    }
    return id;
}

/** Adds the next frame of the sample, with attributes; called by `read_line`. `describe` must be
 * the same function, or NULL, for all frames of a format. */
static inline void brz_line_described_frame(brz_line_sample *s, brz_str text,
                                            brz_describe_frame *describe)
{
    s->depth++;
    if (s->ctx != NULL)
        brz_path_push(s->stacks.path, s->ctx, brz_line_frame_of(s, text, describe));
}

/** Adds the next frame of the sample; called by `read_line`. Any text is accepted; one that is part
 * of the line is fastest. */
static inline void brz_line_frame(brz_line_sample *s, brz_str name)
{
    brz_line_described_frame(s, name, NULL);
}

/** Sets the time of the sample, in nanoseconds on a clock of the format's choice; called by
 * `read_line`. */
static inline void brz_line_time(brz_line_sample *s, int64_t time)
{
    s->stacks.time = time;
    s->stacks.timed = BRZ_TIMED;
}

/** Sets where the sample was taken: its process, thread, processor and labels; called by
 * `read_line`. Costs nothing if the run does not use tags. */
static inline void brz_line_tag(brz_line_sample *s, const brz_tag_desc *tag)
{
    if (s->ctx != NULL && (s->ctx->flags & BRZ_CTX_WANTS_TAGS) != 0)
        s->stacks.tag = s->ctx->host->tag(s->ctx, tag);
}

/** Sets the thread of the sample, with its name or an empty text, likewise. */
static inline void brz_line_thread(brz_line_sample *s, int64_t thread, brz_str name)
{
    brz_tag_desc tag = brz_tag_of_thread(thread, name);
    brz_line_tag(s, &tag);
}

/** Resets the sample for another line: no frames, tag or time, and the value 1. */
static inline void brz_line_begin(brz_line_sample *s, brz_str line)
{
    s->line = line;
    s->value = 1;
    s->column = 0;
    s->depth = 0;
    brz_stacks_place(&s->stacks, BRZ_NO_TAG, 0, 0);
}

/** Parses a line. Treats a sample without frames as odd. */
static inline int32_t brz_line_read(brz_line_sample *s, brz_str line, brz_read_line *read)
{
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    brz_line_begin(s, line);
    int32_t what = read(s, line);
    return what == BRZ_LINE_SAMPLE && s->depth == 0 ? BRZ_LINE_ODD : what;
}

/** Parses a line and counts its sample, or warns about it. */
static inline brz_rc brz_line_take(brz_line_sample *s, brz_str line, brz_read_line *read)
{
    brz_path_cut(s->stacks.path, 0);
    int32_t what = brz_line_read(s, line, read);
    if (what == BRZ_LINE_SAMPLE)
        return brz_stacks_count(&s->stacks, s->ctx, s->column, s->value);
    if (what != BRZ_LINE_NONE)
        brz_report_lost(s->ctx, "line-format.odd", line.data, line.len,
                        BRZ_STR("not a line of this format: left out"));
    return BRZ_OK;
}

/** Implements brz_collapser.open; `flags` is BRZ_LEAF_FIRST or 0. */
static inline brz_rc brz_line_format_open(brz_ctx *ctx, uint32_t flags)
{
    brz_line_sample *s = (brz_line_sample *)ctx->inst;
    s->ctx = ctx;
    brz_lines_init(&s->lines, ctx);
    brz_stacks_init(&s->stacks, ctx, flags);
    brz_frame_cache_init(&s->frames, ctx);
    return BRZ_OK;
}

/** Implements brz_collapser.parse. */
static inline brz_rc brz_line_format_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used,
                                           brz_read_line *read)
{
    brz_line_sample *s = (brz_line_sample *)ctx->inst;
    brz_str line;
    brz_rc rc = BRZ_OK;
    brz_lines_start(&s->lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_take(&s->lines, chunk, &line))
        rc = brz_line_take(s, line, read);
    *used = chunk->len - brz_lines_rest(&s->lines).len;
    return rc;
}

/** Implements brz_collapser.finish. */
static inline brz_rc brz_line_format_finish(brz_ctx *ctx)
{
    return brz_stacks_finish(&((brz_line_sample *)ctx->inst)->stacks, ctx);
}

/** Implements brz_collapser.boundary: a record starts after any newline. */
static inline size_t brz_line_format_boundary(const void *prelude_data, const uint8_t *buf,
                                              size_t n, size_t from)
{
    (void)prelude_data;
    return brz_line_start(buf, n, from);
}

/** Implements brz_collapser.sniff: returns BRZ_SNIFF_RECORDS if there are samples and no odd lines.
 */
static inline int32_t brz_line_format_sniff(const brz_head *head, brz_read_line *read)
{
    brz_str rest = brz_head_lines(head), line;
    brz_line_sample s;
    uint32_t samples = 0, lines = 0;
    memset(&s, 0, sizeof s);
    while (samples < BRZ_LINE_SNIFFED && lines++ < BRZ_LINE_LOOKED_AT &&
           brz_take_line(&rest, &line)) {
        int32_t what = brz_line_read(&s, line, read);
        if (what != BRZ_LINE_SAMPLE && what != BRZ_LINE_NONE)
            return BRZ_SNIFF_NO;
        samples += what == BRZ_LINE_SAMPLE;
    }
    return samples > 0 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

/** Defines name_sniff() and name_parse() from a brz_read_line, for a collapser with its own `open`,
 * which declares its columns before it calls brz_line_format_open(). */
#define BRZ_LINE_FUNCTIONS(name_, read_)                                                           \
    static int32_t name_##_sniff(const brz_head *head)                                             \
    {                                                                                              \
        return brz_line_format_sniff(head, (read_));                                               \
    }                                                                                              \
    static brz_rc name_##_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)                \
    {                                                                                              \
        return brz_line_format_parse(ctx, chunk, used, (read_));                                   \
    }

/** Defines the brz_collapser of a collapser of lines or blocks, whose functions are defined
 * already.
 */
#define BRZ_TEXT_COLLAPSER(name_, boundary_, open_)                                                \
    static const brz_collapser name_ = {(uint32_t)sizeof(brz_collapser),                           \
                                        BRZ_SPLITTABLE,                                            \
                                        sizeof(brz_line_sample),                                   \
                                        NULL,                                                      \
                                        NULL,                                                      \
                                        0,                                                         \
                                        (uint32_t)sizeof(brz_magic),                               \
                                        name_##_sniff,                                             \
                                        NULL,                                                      \
                                        boundary_,                                                 \
                                        open_,                                                     \
                                        name_##_parse,                                             \
                                        NULL,                                                      \
                                        brz_line_format_finish,                                    \
                                        NULL,                                                      \
                                        0,                                                         \
                                        NULL};

/** Defines `open` of a collapser that declares no columns. */
#define BRZ_TEXT_OPEN(name_, flags_)                                                               \
    static brz_rc name_##_open(brz_ctx *ctx)                                                       \
    {                                                                                              \
        return brz_line_format_open(ctx, (flags_));                                                \
    }

/** Defines a brz_collapser named `name_` from a brz_read_line. `flags` is BRZ_LEAF_FIRST if frames
 * are added from leaf to root, or else 0. */
#define BRZ_LINE_COLLAPSER(name_, read_, flags_)                                                   \
    BRZ_TEXT_OPEN(name_, flags_)                                                                   \
    BRZ_LINE_COLLAPSER_OPENED(name_, read_, name_##_open)

/** The same for a collapser that declares columns: `open_` does that, and then returns
 * brz_line_format_open(). */
#define BRZ_LINE_COLLAPSER_OPENED(name_, read_, open_)                                             \
    BRZ_LINE_FUNCTIONS(name_, read_)                                                               \
    BRZ_TEXT_COLLAPSER(name_, brz_line_format_boundary, open_)

#endif
