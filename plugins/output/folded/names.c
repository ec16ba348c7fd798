/* SPDX-License-Identifier: MIT */
/* Adapts the names of a profile to folded text. */
#include "names.h"

#include <brazier/folded.h>
#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/trim.h>

#include <string.h>

/* Flags of a name: what readers of folded text take it for. */
enum { OPENS = 1, CLOSES = 2, HASH = 4, CHANGES = 8 };

/* The names of a tree. */
typedef struct table {
    brz_str *names;
    uint8_t *flags; /* by frame */
} table;

/* Returns a name without the bytes that divide a line. */
static brz_str foldable(brz_output_ctx *ctx, brz_str name)
{
    if (brz_is_foldable(name))
        return name;
    char *copy = ctx->host->alloc(ctx, name.len, 0);
    for (size_t i = 0; i < name.len; i++)
        copy[i] = brz_folded_byte(name.data[i]);
    return brz_str_of(copy, name.len);
}

/* Returns whether the last quote of a name opens a quoted text, which later frames may end. */
static bool opens_quote(brz_str name, const char *last)
{
    return last > name.data && last[-1] == ':';
}

/* Returns whether a name ends in a quote. The blanks at the end of a line are not read. */
static bool closes_quote(brz_str name, const char *last)
{
    const char *end = name.data + name.len;
    while (end > last + 1 && end[-1] == ' ')
        end--;
    return end == last + 1;
}

/* Returns whether a line that begins with a name may be a comment. The blanks in front are not
 * read. */
static bool begins_comment(brz_str name)
{
    brz_str text = brz_trim(name);
    return text.len > 0 && text.data[0] == '#' && (text.len == 1 || text.data[1] == ' ');
}

static uint8_t flags_of(brz_str name)
{
    uint8_t flags = begins_comment(name) ? HASH : 0;
    if (name.len == 0 || memchr(name.data, '"', name.len) == NULL)
        return flags;
    const char *last = brz_rfind(name, '"');
    return (uint8_t)(flags | (opens_quote(name, last) ? OPENS : 0) |
                     (closes_quote(name, last) ? CLOSES : 0));
}

/* Marks the frames of a stack whose names would be read with those after them. */
static void mark_opened(table *t, const brz_stack_info *s)
{
    bool is_closed = false;
    for (uint32_t i = s->n; i > 0; i--) {
        uint8_t *flags = &t->flags[s->frames[i - 1]];
        if (is_closed && (*flags & OPENS))
            *flags |= CHANGES;
        is_closed |= (*flags & CLOSES) != 0;
    }
}

/* Marks the first frame of a stack if its line would be a comment, which begins with "# ". */
static void mark_comment(table *t, const brz_stack_info *s)
{
    uint32_t first = s->frames[0];
    if ((t->flags[first] & HASH) && (s->n == 1 || t->names[first].len > 1))
        t->flags[first] |= CHANGES;
}

static void mark(table *t, const brz_tree *tree, uint8_t flags)
{
    const uint8_t quotes = OPENS | CLOSES;
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        if (s->n > 0 && (flags & HASH))
            mark_comment(t, s);
        if ((flags & quotes) == quotes)
            mark_opened(t, s);
    }
}

/* Returns a name without quotes that open a text, and without the "#" of a comment. */
static brz_str changed(brz_output_ctx *ctx, brz_str name, uint8_t flags)
{
    char *copy = ctx->host->alloc(ctx, name.len, 0);
    for (size_t i = 0; i < name.len; i++)
        copy[i] = name.data[i] == '"' && i > 0 && name.data[i - 1] == ':' ? '\'' : name.data[i];
    if (flags & HASH)
        *(char *)memchr(copy, '#', name.len) = ':';
    return brz_str_of(copy, name.len);
}

brz_str *folded_names(brz_output_ctx *ctx, const brz_tree *tree, bool *reordered)
{
    table t = {ctx->host->alloc(ctx, tree->n_frames * sizeof *t.names, 64),
               ctx->host->alloc(ctx, tree->n_frames, 0)};
    uint8_t all = 0;
    *reordered = false;
    for (uint32_t i = 0; i < tree->n_frames; i++) {
        t.names[i] = foldable(ctx, brz_frame_at(tree, i)->name);
        all |= t.flags[i] = flags_of(t.names[i]);
    }
    if (all & (OPENS | HASH))
        mark(&t, tree, all);
    for (uint32_t i = 0; i < tree->n_frames; i++) {
        if (!(t.flags[i] & CHANGES))
            continue;
        t.names[i] = changed(ctx, t.names[i], t.flags[i]);
        *reordered = true;
    }
    return t.names;
}
