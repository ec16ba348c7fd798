/* SPDX-License-Identifier: MIT */
/* Adds frames and stacks. */
#include "frames.h"

#include "../common/frame_kind.h"
#include "../common/keys.h"
#include "bulk.h"

/* ---- frames -------------------------------------------------------------------------------- */

/* The frames of the profile as rows. Several frames of the tree may be one row. */
typedef struct frame_rows {
    uint32_t *numbers; /* by frame of the tree: a number for its row */
    keys ids;          /* frame_id, by number */
} frame_rows;

static void put_frame(statement *s, const brz_frame_info *f)
{
    put_text(s, brz_display_name(f));
    put_text(s, f->module);
    put_text(s, f->file);
    put_number(s, f->line);
    put_number(s, f->first_line);
    put_text(s, f->kind <= BRZ_KIND_KERNEL ? frame_kind_word(f->kind) : BRZ_STR(""));
    put_number(s, (f->flags & BRZ_FRAME_INLINED) != 0);
    put_number(s, (f->flags & BRZ_FRAME_JIT) != 0);
    put_number(s, (f->flags & BRZ_FRAME_WAKER) != 0);
}

/* Returns the row of a frame. Adds it with the id `next` if the table lacks it. */
static int64_t frame_row(statement *find, statement *add, const brz_frame_info *f, int64_t next)
{
    put_frame(find, f);
    int64_t id = statement_find(find);
    if (id >= 0)
        return id;
    put_number(add, next);
    put_frame(add, f);
    statement_add(add);
    return next;
}

static bool add_frames(frame_rows *r, database *d, const brz_tree *tree)
{
    const bool *used = stack_tree_used(d->ctx, tree);
    int64_t next = database_number(d, "SELECT max(frame_id) + 1 FROM frames", 1);
    statement find = statement_of(d, "SELECT frame_id FROM frames WHERE name = ? AND module = ? "
                                     "AND file = ? AND line = ? AND first_line = ? AND kind = ? "
                                     "AND is_inlined = ? AND is_jit = ? AND is_waker = ?");
    statement add = statement_of(d, "INSERT INTO frames VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    r->numbers = d->ctx->host->alloc(d->ctx, ((size_t)tree->n_frames + 1) * sizeof *r->numbers, 0);
    keys_init(&r->ids, d->ctx);
    for (uint32_t i = 0; i < tree->n_frames && !d->failed; i++) {
        if (!used[i])
            continue;
        int64_t id = frame_row(&find, &add, brz_frame_at(tree, i), next);
        next += id == next;
        r->numbers[i] = keys_add(&r->ids, (uint64_t)id);
    }
    statement_finish(&find);
    statement_finish(&add);
    return !d->failed;
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* The statements that add stacks, and the ids of the next one and of the first new one. */
typedef struct stack_adder {
    statement find;
    bulk add;
    int64_t next, first;
} stack_adder;

/* Returns the stack with this caller and frame, or -1. A new caller has none. */
static int64_t find_stack(stack_adder *a, int64_t parent, int64_t frame)
{
    if (parent >= a->first)
        return -1;
    put_number(&a->find, parent);
    put_number(&a->find, frame);
    return statement_find(&a->find);
}

static int64_t add_stack(stack_adder *a, const stack_rows *r, const frame_rows *frames, uint32_t i)
{
    int64_t parent = r->ids[path_caller(&r->tree.paths, i)];
    int64_t frame = (int64_t)frames->ids.items[path_frame(&r->tree.paths, i)];
    int64_t id = find_stack(a, parent, frame);
    if (id >= 0)
        return id;
    bulk_put(&a->add, a->next);
    bulk_put(&a->add, parent);
    bulk_put(&a->add, frame);
    bulk_put(&a->add, r->tree.depth[i + 1]);
    bulk_put(&a->add, r->tree.is_recursive[i + 1]);
    bulk_end_row(&a->add);
    return a->next++;
}

static bool add_stacks(stack_rows *r, database *d, const frame_rows *frames, bool may_exist)
{
    stack_adder a;
    uint32_t n = r->tree.paths.items.n;
    a.find = statement_of(d, "SELECT stack_id FROM stacks WHERE parent_id = ? AND frame_id = ?");
    a.next = database_number(d, "SELECT max(stack_id) + 1 FROM stacks", 1);
    a.first = may_exist ? a.next : 0;
    bulk_init(&a.add, d, "stacks", 5);
    r->ids = d->ctx->host->alloc(d->ctx, ((size_t)n + 1) * sizeof *r->ids, 0);
    for (uint32_t i = 0; i < n && !d->failed; i++)
        r->ids[i + 1] = add_stack(&a, r, frames, i);
    statement_finish(&a.find);
    return bulk_finish(&a.add);
}

bool stack_rows_add(stack_rows *r, database *d, const brz_tree *tree, bool may_exist)
{
    frame_rows frames;
    if (!may_exist)
        database_run(d, "INSERT INTO stacks VALUES (0, NULL, NULL, 0, 0)");
    if (!add_frames(&frames, d, tree))
        return false;
    stack_tree_init(&r->tree, d->ctx, tree, frames.numbers);
    return add_stacks(r, d, &frames, may_exist);
}
