/* SPDX-License-Identifier: MIT */
/* Assembles samples: collects frames, processes and delimiters in the order printed, and builds the
 * stack from them. From the root:
 *
 *     process  user frames  "-"  kernel frames  [ "--"  frames of the waker  its process ]
 *
 * Folded lines have this order, blocks the reverse one. Without delimiters, the kind of a frame
 * follows from its address or annotation, if present.
 */
#include "reader.h"

void sample_begin(bcc *b)
{
    b->n_items = 0;
    b->indent = SIZE_MAX;
    b->has_process = b->has_waker = b->needs_count = b->is_uneven = false;
    memset(b->has_roles, 0, sizeof b->has_roles);
}

void sample_item(bcc *b, brz_ctx *ctx, enum line_sort sort, uint32_t id)
{
    if (sort == LINE_KERNEL_DELIMITER && b->n_items == 0) /* a block without kernel frames */
        return;
    b->items = brz_list_room(ctx, b->items, b->n_items, &b->items_cap, sizeof *b->items);
    b->items[b->n_items++] = (item){.sort = sort, .id = id};
    b->has_process |= sort == LINE_PROCESS;
    b->has_waker |= sort == LINE_WAKER_DELIMITER;
}

static const item *item_at(const bcc *b, bool leaf_first, size_t i)
{
    return &b->items[leaf_first ? b->n_items - 1 - i : i];
}

/* Finds the process that becomes the root: the outermost one in the sample. Returns SIZE_MAX if
 * there is no process. */
static size_t root_process(const bcc *b, bool leaf_first)
{
    for (size_t i = 0; i < b->n_items; i++)
        if (item_at(b, leaf_first, i)->sort == LINE_PROCESS)
            return i;
    return SIZE_MAX;
}

/* Returns the part that the frames before the first delimiter belong to. */
static enum part first_part(const bcc *b, bool leaf_first)
{
    for (size_t i = 0; i < b->n_items; i++) {
        enum line_sort sort = item_at(b, leaf_first, i)->sort;
        if (sort == LINE_KERNEL_DELIMITER)
            return PART_USER;
        if (sort == LINE_WAKER_DELIMITER)
            break;
    }
    return PART_UNKNOWN;
}

static void push_delimiter(bcc *b, brz_ctx *ctx, bool waker)
{
    brz_str name = waker ? BRZ_STR("--") : BRZ_STR("-");
    if (b->options->delimiters)
        brz_path_push(b->stacks.path, ctx, ctx->host->intern(ctx, name.data, name.len));
}

/* Counts the sample. */
brz_rc sample_end(bcc *b, brz_ctx *ctx, bool leaf_first, int64_t count)
{
    size_t root = root_process(b, leaf_first);
    enum part part = first_part(b, leaf_first);
    brz_path_cut(b->stacks.path, 0);
    if (root != SIZE_MAX)
        brz_path_push(b->stacks.path, ctx, item_at(b, leaf_first, root)->id);
    for (size_t i = 0; i < b->n_items; i++) {
        const item *it = item_at(b, leaf_first, i);
        if (it->sort == LINE_FRAME) {
            brz_path_push(b->stacks.path, ctx, symbol_frame(b, ctx, it->id, part));
        } else if (it->sort == LINE_PROCESS) {
            if (i != root)
                brz_path_push(b->stacks.path, ctx, it->id);
        } else {
            bool waker = it->sort == LINE_WAKER_DELIMITER;
            part = waker ? PART_WAKER : part == PART_WAKER ? part : PART_KERNEL;
            push_delimiter(b, ctx, waker);
        }
    }
    sample_begin(b);
    return brz_stacks_count(&b->stacks, ctx, 0, count);
}
