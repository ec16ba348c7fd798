/* SPDX-License-Identifier: MIT */
/* Finds how the first stacks of the input end, and recognises stacks of which it shows only a part.
 *
 * perf ends a stack with a blank line. One that has none where others have is a part if its last
 * frame is not that of one of the first stacks: the input may lack its last blank line, too. If all
 * of these have different last frames, this shows nothing, unless the input lacks its last newline.
 */
#include "reader.h"

#include <brazier/symbol.h>

static bool is_root(const perf_prelude *input, const frame_line *frame)
{
    for (uint32_t i = 0; i < input->n_roots; i++)
        if (brz_str_equal(input->roots[i].symbol, frame->symbol) &&
            brz_str_equal(input->roots[i].module, frame->module))
            return true;
    return false;
}

static void add_root(perf_prelude *found, brz_ctx *ctx, brz_str line)
{
    frame_line frame;
    if (!frame_line_parse(line, &frame) || found->n_roots == SEEN_ROOTS || is_root(found, &frame))
        return;
    found->roots[found->n_roots++] = (perf_root){.symbol = brz_text_keep(ctx, frame.symbol),
                                                 .module = brz_text_keep(ctx, frame.module)};
}

/* Keeps a line that may be the last one of a stack. A source line below it begins with a blank. */
static void keep_line(stack_ends *s, brz_str line)
{
    bool is_in_stack = s->line.len > 0 && s->line.data[0] == '\t';
    if (line.data[0] == '\t' || (brz_is_blank(line.data[0]) && !is_in_stack))
        s->line = line;
}

/* Counts a stack that begins with a line, by the line above it. */
static void count_header(stack_ends *s, perf_prelude *found, brz_str line)
{
    if (line.len > 0 && line_is_aside(line))
        return;
    bool begins = line.len > 0 && line.data[0] == '\t' && (s->line.len == 0 || !s->is_below_line);
    s->with_header += begins && s->is_below_line;
    s->without += begins && !s->is_below_line;
    s->is_below_line = line.len > 0;
    found->has_headers = s->with_header > s->without;
}

void stack_ends_take(stack_ends *s, perf_prelude *found, brz_ctx *ctx, brz_str line, bool is_event)
{
    count_header(s, found, line);
    if (line.len > 0 && !is_event) {
        keep_line(s, line);
        return;
    }
    if (s->line.len == 0)
        return;
    s->stacks++;
    s->blank += line.len == 0;
    if (line.len == 0)
        add_root(found, ctx, s->line);
    s->line.len = 0;
    found->ends_blank = s->blank > 0 && 3 * s->blank >= 2 * s->stacks;
    found->shares_roots = 2 * found->n_roots <= s->blank;
}

void stack_ends_check(perf *p, bool is_line_cut)
{
    const perf_prelude *input = p->prelude;
    bool has_stack = p->state == COUNTING && !p->one_line && !p->stop && p->body.n > 0;
    if (has_stack && input->ends_blank && (input->shares_roots || is_line_cut) &&
        !is_root(input, &p->last))
        p->n_parts++;
}

bool stack_ends_in_module(const perf *p, brz_str line)
{
    return p->state == COUNTING && p->body.n > 0 && p->last.module.len > 0 && line.len > 0 &&
           line.data[0] == '\t' && line.data[line.len - 1] != ')';
}
