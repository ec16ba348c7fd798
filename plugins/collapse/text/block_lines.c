/* SPDX-License-Identifier: MIT */
/* Divides texts into blocks of lines. */
#include "block_lines.h"

#include "block_roles.h"

#include <brazier/text/integer.h>

/* ---- finding blocks -------------------------------------------------------------------------- */

/* The result of matching a line with the expressions of a slot. */
typedef enum fit { FITS_NOT, FITS_DAMAGED, FITS } fit;

static fit fit_of(const text_format *f, text_slot slot, const matcher *m, brz_str line,
                  text_failure *failure)
{
    const expression *e = text_format_test(f, slot, m, line, failure);
    if (e == NULL)
        return FITS_NOT;
    return expression_text(e, m, line, GROUP_ODD).data == NULL ? FITS : FITS_DAMAGED;
}

/* Returns whether a section or a block begins with a line. Sets *is_plain if the line fits the
 * expressions of neither. */
static bool begins(const text_format *f, const matcher *m, brz_str line, bool *is_plain,
                   text_failure *failure)
{
    fit begin = fit_of(f, SLOT_BEGIN, m, line, failure);
    fit section = begin == FITS ? FITS_NOT : fit_of(f, SLOT_SECTION, m, line, failure);
    *is_plain = begin == FITS_NOT && section == FITS_NOT;
    return (begin == FITS || section == FITS) &&
           text_format_test(f, SLOT_IGNORE, m, line, failure) == NULL;
}

/* Returns whether blocks are divided after a line. */
static bool ends(const text_format *f, const matcher *m, brz_str line, text_failure *failure)
{
    return fit_of(f, SLOT_END, m, line, failure) == FITS &&
           text_format_test(f, SLOT_IGNORE, m, line, failure) == NULL;
}

/* Returns whether a range of the text may begin with a line, or after it if ends divide the text.
 * In a text with sections, only they begin ranges. */
static bool is_seam(const text_format *f, const matcher *m, brz_str line, bool after,
                    text_failure *failure)
{
    bool is_plain;
    if (after)
        return ends(f, m, line, failure);
    text_slot slot = text_format_uses(f, SLOT_SECTION) ? SLOT_SECTION : SLOT_BEGIN;
    return begins(f, m, line, &is_plain, failure) && fit_of(f, slot, m, line, failure) == FITS;
}

/* Returns the offset of the first seam at or after `from`, the start of a line, or `n`. The line of
 * the seam is complete within text[0..n). A search that fails ends it: the run will fail, too. */
static size_t find_seam(const text_format *f, const matcher *m, const char *text, size_t n,
                        size_t from)
{
    bool after = block_is_divided_by_ends(f) && !text_format_uses(f, SLOT_SECTION);
    text_failure failure = {0};
    while (from < n && failure.expression == NULL) {
        const char *newline = memchr(text + from, '\n', n - from);
        if (newline == NULL)
            return n;
        size_t next = (size_t)(newline - text) + 1;
        if (is_seam(f, m, brz_block_trim_line(brz_str_of(text + from, next - 1 - from)), after,
                    &failure))
            return after ? next : from;
        from = next;
    }
    return n;
}

size_t blocks_boundary(const void *shared, const uint8_t *buf, size_t n, size_t from)
{
    const text_header *h = shared;
    const text_format *f = &h->format;
    expression_memory memory;
    matcher m = {0};
    size_t at = n;
    if (expression_memory_init(&memory, NULL) && matcher_init(&m, &memory, false))
        at = find_seam(f, &m, (const char *)buf, n, brz_line_start(buf, n, from));
    matcher_finish(&m);
    expression_memory_finish(&memory);
    return at;
}

/* ---- known lines ----------------------------------------------------------------------------- */

static brz_frame_key line_key(const blocks *b, brz_str line)
{
    const block_line *l = b->current;
    if (l != NULL && l->text.data == line.data && l->text.len == line.len)
        return l->key;
    return brz_frame_key_of(&b->samples.dump.frames, line.data, line.len, SLOT_FRAME);
}

void blocks_remember(blocks *b, brz_str line, block_value value)
{
    dump *d = &b->samples.dump;
    brz_frame_key key = line_key(b, line);
    if (brz_frame_cache_find(&d->frames, &key) == BRZ_CACHE_MISS)
        brz_frame_cache_put(&d->frames, d->ctx, &key, value);
}

void blocks_remember_frame(blocks *b, brz_str line, brz_frame frame, uint32_t number)
{
    dump *d = &b->samples.dump;
    brz_frame_key key = line_key(b, line);
    if (brz_frame_cache_find(&d->frames, &key) != BRZ_CACHE_MISS)
        return;
    b->numbered =
        brz_list_room(d->ctx, b->numbered, b->n_numbered, &b->numbered_cap, sizeof *b->numbered);
    b->numbered[b->n_numbered] = (known_line){frame, number};
    brz_frame_cache_put(&d->frames, d->ctx, &key, (block_value)b->n_numbered++);
}

known_line blocks_known(const blocks *b, block_value value)
{
    if (!b->is_numbered || value >= IS_NOTHING)
        return (known_line){value, NO_NUMBER};
    return b->numbered[value];
}

uint32_t blocks_parse_number(brz_str text)
{
    uint64_t number;
    if (!brz_parse_u64(text, &number))
        return NO_NUMBER;
    return number < LARGEST_NUMBER ? (uint32_t)number : LARGEST_NUMBER;
}

uint32_t blocks_number(blocks *b, const block_line *line)
{
    text_format *f = &b->samples.format;
    text_match match;
    if (line->value != BRZ_CACHE_MISS)
        return blocks_known(b, line->value).number;
    if (!text_format_find(f, SLOT_FRAME, line->text, &match))
        return NO_NUMBER;
    return blocks_parse_number(
        expression_text(match.expression, &f->matcher, line->text, GROUP_NUMBER));
}

/* ---- taking blocks --------------------------------------------------------------------------- */

/* Returns whether the block ends with a line, which is part of it, and ends divide the text. */
static bool ends_block(blocks *b, const block_line *line, text_failure *failure)
{
    text_format *f = &b->samples.format;
    if (!block_is_divided_by_ends(f))
        return false;
    return line->value == BRZ_CACHE_MISS ? ends(f, &f->matcher, line->text, failure)
                                         : line->value == IS_END;
}

/* Adds a line to the block. Returns false for a line with which the next block begins. Sets
 * *is_last if the block ends with the line. */
static bool add_line(blocks *b, brz_str line, bool is_complete, bool *is_last)
{
    text_format *f = &b->samples.format;
    brz_frame_key key = line_key(b, line);
    block_line l = {line, key, brz_frame_cache_find(&b->samples.dump.frames, &key), false};
    text_failure failure = {0};
    text_format_forget(f);
    if (l.value == BRZ_CACHE_MISS && begins(f, &f->matcher, line, &l.is_plain, &failure) &&
        b->n > 0 && is_complete)
        return false;
    b->lines = brz_list_room(b->samples.dump.ctx, b->lines, b->n, &b->cap, sizeof *b->lines);
    b->lines[b->n++] = l;
    *is_last = is_complete && ends_block(b, &l, &failure);
    if (failure.expression == NULL)
        return true;
    text_format_fail(f, &failure, line);
    *is_last = true;
    return true;
}

bool blocks_take(blocks *b, const char *text, size_t n, size_t *at, bool last)
{
    size_t from = *at;
    bool is_last = false;
    b->current = NULL;
    for (b->n = 0; from < n && !is_last;) {
        const char *newline = memchr(text + from, '\n', n - from);
        size_t end = newline == NULL ? n : (size_t)(newline - text);
        if (newline == NULL && !last)
            return false;
        brz_str line = brz_block_trim_line(brz_str_of(text + from, end - from));
        if (!add_line(b, line, newline != NULL, &is_last))
            break;
        from = newline == NULL ? n : end + 1;
    }
    if (from == *at || (from == n && !last && !is_last))
        return false;
    *at = from;
    return true;
}
