/* SPDX-License-Identifier: MIT */
/** @file
 * Implements collapsers for formats with one sample per block of lines, such as the threads of a
 * dump, from two functions: one recognises the line with which a block begins, the other parses a
 * block.
 *
 *     static bool begins(brz_str line)
 *     {
 *         return brz_starts_with(line, BRZ_STR("ticks "));
 *     }
 *
 *     static int32_t read_block(brz_line_sample *sample, brz_str block)
 *     {
 *         brz_str line;
 *         if (!brz_block_line(&block, &line) || !begins(line) ||
 *             !brz_parse_i64(brz_str_of(line.data + 6, line.len - 6), &sample->value))
 *             return BRZ_LINE_ODD;
 *         while (brz_block_indented_line(sample, &block, &line))
 *             brz_line_frame(sample, brz_trim(line));
 *         return BRZ_LINE_SAMPLE;
 *     }
 *
 *     BRZ_BLOCK_COLLAPSER(collapser, begins, read_block, BRZ_LEAF_FIRST)
 *
 * The result is a splittable collapser with a sniffer, built on the text kit. A block extends to
 * the beginning of the next one or to the end of the input. The text before the first beginning is
 * a block, too, unless it is blank: `read_block` returns BRZ_LINE_NONE if it is a heading. A block
 * whose first line is damaged becomes a part of the block before it: `read_block` has to notice the
 * line and to report that a record is left out, as brz_block_indented_line() does. A collapser that
 * declares columns uses BRZ_BLOCK_COLLAPSER_OPENED(); one with file name patterns fills in its own
 * brz_collapser, using BRZ_BLOCK_FUNCTIONS() and the functions of this header and of
 * <brazier/line_format.h>.
 *
 * A format in which the meaning of a block depends on other blocks needs its own `parse`.
 */
#ifndef BRAZIER_BLOCK_FORMAT_H
#define BRAZIER_BLOCK_FORMAT_H

#include <brazier/line_format.h>

/** Returns whether a block begins with this line, which has no line ending. Must be a pure function
 * of the line. Called from several threads. */
typedef bool brz_block_begins(brz_str line);

/** Parses a block and returns BRZ_LINE_SAMPLE, BRZ_LINE_NONE or BRZ_LINE_ODD. Adds frames with
 * brz_line_frame() or brz_line_described_frame(), and sets the value of `sample`, and its time and
 * tag with brz_line_time() and brz_line_tag(). The result must depend only on the block and the
 * options. Called while sniffing, too, and from several threads.
 */
typedef int32_t brz_read_block(brz_line_sample *sample, brz_str block);

/** The functions of a block format. */
typedef struct brz_block_format {
    brz_block_begins *begins; /**< recognises the first line of a block */
    brz_read_block *read;     /**< parses a block */
} brz_block_format;

/** Returns a line without its carriage return. */
static inline brz_str brz_block_trim_line(brz_str line)
{
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    return line;
}

/** Removes the first line from a block and stores it, without its line ending, in *line. Returns
 * false if no line is left. */
static inline bool brz_block_line(brz_str *block, brz_str *line)
{
    if (!brz_take_line(block, line))
        return false;
    *line = brz_block_trim_line(*line);
    return true;
}

/** Returns the first line of a block that is not blank. */
static inline brz_str brz_block_first_line(brz_str block)
{
    brz_str line = brz_str_of(block.data, 0);
    while (brz_block_line(&block, &line) && brz_trim(line).len == 0)
        ;
    return line;
}

/** Warns about a part of a block that is skipped. `msg` says so in one line; `code` is static text
 * that counts equal warnings. Does nothing while sniffing. */
static inline void brz_block_warn(const brz_line_sample *s, const char *code, brz_str part,
                                  brz_str msg)
{
    if (s->ctx != NULL)
        brz_report(s->ctx, BRZ_WARNING, code, part.data, part.len, msg);
}

/** Reports a part of a block that stands for a sample and is left out, such as another block whose
 * first line is damaged. The weight that is missing is unknown. Does nothing while sniffing. */
static inline void brz_block_lost(const brz_line_sample *s, const char *code, brz_str part,
                                  brz_str msg)
{
    if (s->ctx != NULL)
        brz_report_lost(s->ctx, code, part.data, part.len, msg);
}

/** The same if the weight is known, in units of the first column: see brz_diag.missing. */
static inline void brz_block_lost_weight(const brz_line_sample *s, const char *code, brz_str part,
                                         brz_str msg, int64_t weight)
{
    if (s->ctx != NULL)
        brz_report_lost_weight(s->ctx, code, part.data, part.len, msg, weight);
}

/** Removes the next indented line from a block and stores it, without its line ending, in *line.
 * Skips blank lines. For formats that indent each line of a block but the first one: a line that is
 * not indented is then the damaged first line of another block, which is part of this one because
 * nothing has recognised it. Reports each such line as a record that is left out, and returns false
 * there, or if no line is left. */
static inline bool brz_block_indented_line(const brz_line_sample *s, brz_str *block, brz_str *line)
{
    bool is_lost = false;
    while (brz_block_line(block, line)) {
        if (brz_trim(*line).len == 0)
            continue;
        bool is_indented = line->data[0] == ' ' || line->data[0] == '\t';
        if (is_indented && !is_lost)
            return true;
        if (!is_indented)
            brz_block_lost(s, "block-format.beginning", *line,
                           BRZ_STR("begins no block of this format: left out"));
        is_lost = true;
    }
    return false;
}

/* ---- finding blocks -------------------------------------------------------------------------- */

/** Returns the offset of the first line at or after `from` that is complete within text[0..n) and
 * begins a block, or `n` if there is none. `from` is the start of a line. */
static inline size_t brz_block_find(const char *text, size_t n, size_t from,
                                    brz_block_begins *begins)
{
    while (from < n) {
        const char *newline = (const char *)memchr(text + from, '\n', n - from);
        if (newline == NULL)
            return n;
        size_t next = (size_t)(newline - text) + 1;
        if (begins(brz_block_trim_line(brz_str_of(text + from, next - 1 - from))))
            return from;
        from = next;
    }
    return n;
}

/** Returns the offset of the line after the one at `from`, or `n`. */
static inline size_t brz_block_next_line(const char *text, size_t n, size_t from)
{
    return from < n ? brz_line_start((const uint8_t *)text, n, from + 1) : n;
}

/** Returns the offset of the last line if it has no newline, is at or after `from`, and begins a
 * block, or `n`. */
static inline size_t brz_block_find_cut(const char *text, size_t n, size_t from,
                                        brz_block_begins *begins)
{
    size_t at = n;
    while (at > from && text[at - 1] != '\n')
        at--;
    return at < n && begins(brz_block_trim_line(brz_str_of(text + at, n - at))) ? at : n;
}

/** Takes the next block off text[*at..n), moves *at past it, and stores it in *block. If the text
 * does not end there (`last` is false), a block whose end is not in sight is left where it is.
 * Returns false if no block is left.
 *
 * A line that ends with the input but without a newline can begin a block, too: it is no boundary,
 * but without it the block that it begins would be lost silently. */
static inline bool brz_block_take(const char *text, size_t n, size_t *at, bool last,
                                  brz_block_begins *begins, brz_str *block)
{
    size_t from = *at;
    if (from == n)
        return false;
    size_t next = brz_block_next_line(text, n, from), end = brz_block_find(text, n, next, begins);
    if (end == n && !last)
        return false;
    if (end == n)
        end = brz_block_find_cut(text, n, next, begins);
    *block = brz_str_of(text + from, end - from);
    *at = end;
    return true;
}

/* ---- the functions of a collapser ------------------------------------------------------------ */

/** Result of brz_block_read(): a sample without frames. */
#define BRZ_BLOCK_EMPTY 3

/** Parses a block. Blank text is no sample. */
static inline int32_t brz_block_read(brz_line_sample *s, brz_str block, brz_read_block *read)
{
    if (brz_trim(block).len == 0)
        return BRZ_LINE_NONE;
    brz_line_begin(s, block);
    int32_t what = read(s, block);
    return what == BRZ_LINE_SAMPLE && s->depth == 0 ? BRZ_BLOCK_EMPTY : what;
}

/** Warns about a block that is left out. The weight of one without frames is known, unless the end
 * of the input has cut the number, or other columns have it. */
static inline void brz_block_report(const brz_line_sample *s, brz_str block, int32_t what)
{
    brz_str first = brz_block_first_line(block);
    if (what != BRZ_BLOCK_EMPTY)
        brz_block_lost(s, "block-format.odd", first,
                       BRZ_STR("not a block of this format: left out"));
    else if (block.data[block.len - 1] != '\n' || s->column != 0)
        brz_block_lost(s, "block-format.empty", first, BRZ_STR("a block without frames: left out"));
    else
        brz_block_lost_weight(s, "block-format.empty", first,
                              BRZ_STR("a block without frames: left out"), s->value);
}

/** Parses a block and counts its sample, or warns about it. */
static inline brz_rc brz_block_count(brz_line_sample *s, brz_str block, brz_read_block *read)
{
    brz_path_cut(s->stacks.path, 0);
    int32_t what = brz_block_read(s, block, read);
    if (what == BRZ_LINE_SAMPLE)
        return brz_stacks_count(&s->stacks, s->ctx, s->column, s->value);
    if (what != BRZ_LINE_NONE)
        brz_block_report(s, block, what);
    return BRZ_OK;
}

/** Implements brz_collapser.parse. */
static inline brz_rc brz_block_format_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used,
                                            const brz_block_format *format)
{
    brz_line_sample *s = (brz_line_sample *)ctx->inst;
    const char *text = (const char *)chunk->data;
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    brz_str block;
    brz_rc rc = BRZ_OK;
    size_t at = 0;
    while (rc == BRZ_OK && brz_block_take(text, chunk->len, &at, last, format->begins, &block))
        rc = brz_block_count(s, block, format->read);
    *used = at;
    return rc;
}

/** Implements brz_collapser.boundary: a record starts with each block. */
static inline size_t brz_block_format_boundary(const uint8_t *buf, size_t n, size_t from,
                                               brz_block_begins *begins)
{
    return brz_block_find((const char *)buf, n, brz_line_start(buf, n, from), begins);
}

/** Returns whether the end of the input cuts the block before text[at]. */
static inline bool brz_block_is_cut(const brz_head *head, size_t at)
{
    return at == head->len && head->data[at - 1] != '\n';
}

/** Implements brz_collapser.sniff: returns BRZ_SNIFF_RECORDS if there are samples and no odd
 * blocks but one that the end of the input cuts. */
static inline int32_t brz_block_format_sniff(const brz_head *head, const brz_block_format *format)
{
    bool last = (head->flags & BRZ_CHUNK_LAST) != 0;
    brz_str block;
    brz_line_sample s;
    uint32_t samples = 0;
    size_t at = 0;
    memset(&s, 0, sizeof s);
    while (samples < BRZ_LINE_SNIFFED &&
           brz_block_take((const char *)head->data, head->len, &at, last, format->begins, &block)) {
        int32_t what = brz_block_read(&s, block, format->read);
        if (what != BRZ_LINE_SAMPLE && what != BRZ_LINE_NONE && !brz_block_is_cut(head, at))
            return BRZ_SNIFF_NO;
        samples += what == BRZ_LINE_SAMPLE;
    }
    return samples > 0 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

/** Defines name_sniff(), name_boundary() and name_parse() from a brz_block_begins and a
 * brz_read_block, for a collapser with its own `open`, which declares its columns before it calls
 * brz_line_format_open(). */
#define BRZ_BLOCK_FUNCTIONS(name_, begins_, read_)                                                 \
    static const brz_block_format name_##_format = {(begins_), (read_)};                           \
    static int32_t name_##_sniff(const brz_head *head)                                             \
    {                                                                                              \
        return brz_block_format_sniff(head, &name_##_format);                                      \
    }                                                                                              \
    static size_t name_##_boundary(const void *prelude_data, const uint8_t *buf, size_t n,         \
                                   size_t from)                                                    \
    {                                                                                              \
        (void)prelude_data;                                                                        \
        return brz_block_format_boundary(buf, n, from, (begins_));                                 \
    }                                                                                              \
    static brz_rc name_##_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)                \
    {                                                                                              \
        return brz_block_format_parse(ctx, chunk, used, &name_##_format);                          \
    }

/** Defines a brz_collapser named `name_` from a brz_block_begins and a brz_read_block. `flags_` is
 * BRZ_LEAF_FIRST if frames are added from leaf to root, or else 0. */
#define BRZ_BLOCK_COLLAPSER(name_, begins_, read_, flags_)                                         \
    BRZ_TEXT_OPEN(name_, flags_)                                                                   \
    BRZ_BLOCK_COLLAPSER_OPENED(name_, begins_, read_, name_##_open)

/** The same for a collapser that declares columns: `open_` does that, and then returns
 * brz_line_format_open(). */
#define BRZ_BLOCK_COLLAPSER_OPENED(name_, begins_, read_, open_)                                   \
    BRZ_BLOCK_FUNCTIONS(name_, begins_, read_)                                                     \
    BRZ_TEXT_COLLAPSER(name_, name_##_boundary, open_)

#endif
