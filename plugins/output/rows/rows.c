/* SPDX-License-Identifier: MIT */
/* Writes a row per distinct stack, or one per sample. */
#include "rows.h"

#include "names.h"

/* The columns before those of the weights. "cpu" and "time" are names that weights have. */
enum { TIME, PROCESS, PROCESS_NAME, THREAD, THREAD_NAME, PROCESSOR, LABELS, STACK, N_NAMES };

static const brz_str names[N_NAMES] = {
    [TIME] = {"timestamp", 9},
    [PROCESS] = {"process", 7},
    [PROCESS_NAME] = {"process_name", 12},
    [THREAD] = {"thread", 6},
    [THREAD_NAME] = {"thread_name", 11},
    [PROCESSOR] = {"processor", 9},
    [LABELS] = {"labels", 6},
    [STACK] = {"stack", 5},
};

/* Returns the column of the tree that is weight number `i` of a row: that of the run is first,
 * except in a comparison. */
static uint32_t weight_at(const brz_tree *tree, size_t i)
{
    if (tree->before != BRZ_NO_COLUMN)
        return (uint32_t)i;
    return i == 0 ? tree->main_column : (uint32_t)(i - (i <= tree->main_column));
}

/* Initialises a table, and writes its header, whose columns are `names` from `first` on and the
 * weights. */
static void begin(rows *r, const row_format *f, brz_output_ctx *ctx, const brz_tree *tree,
                  brz_sink *sink, size_t first)
{
    size_t n = N_NAMES - first, n_columns = n + tree->n_columns;
    *r = (rows){.ctx = ctx, .tree = tree, .options = ctx->cfg};
    brz_writer_init(&r->w, ctx, sink);
    r->frames = ctx->host->alloc(ctx, ((size_t)tree->n_frames + 1) * sizeof *r->frames, 0);
    for (uint32_t i = 0; i < tree->n_frames; i++)
        r->frames[i] = f->frame(r, brz_frame_at(tree, i)->name);
    r->weights = rows_weight_names(ctx, tree, r->options->units, names + first, n);
    brz_str *all = ctx->host->alloc(ctx, n_columns * sizeof *all, 0);
    for (size_t i = 0; i < n_columns; i++)
        all[i] = i < n ? names[first + i] : r->weights[weight_at(tree, i - n)];
    f->header(r, all, n_columns);
}

static void put_values(rows *r, const row_format *f, const int64_t *values)
{
    for (uint32_t i = 0; i < r->tree->n_columns; i++) {
        uint32_t w = weight_at(r->tree, i);
        f->number(r, r->weights[w], values[w], brz_column_at(r->tree, w)->decimals);
    }
}

brz_rc rows_write_stacks(const row_format *f, brz_output_ctx *ctx, const brz_tree *tree,
                         brz_sink *sink)
{
    rows r;
    begin(&r, f, ctx, tree, sink, STACK);
    for (uint32_t i = 0; i < tree->n_stacks && r.w.rc == BRZ_OK; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        f->begin(&r);
        f->stack(&r, names[STACK], s);
        put_values(&r, f, s->values);
        f->end(&r);
    }
    return brz_writer_finish(&r.w);
}

/* Writes a number of a tag if it is known. */
static void put_id(rows *r, const row_format *f, brz_str name, bool known, int64_t id)
{
    if (known)
        f->number(r, name, id, 0);
    else
        f->absent(r, name);
}

static void put_tag(rows *r, const row_format *f, uint32_t i)
{
    const brz_tag_info *tag = brz_tag_at(r->tree, i);
    put_id(r, f, names[PROCESS], (tag->flags & BRZ_TAG_PROCESS) != 0, tag->process);
    f->text(r, names[PROCESS_NAME], tag->process_name);
    put_id(r, f, names[THREAD], (tag->flags & BRZ_TAG_THREAD) != 0, tag->thread);
    f->text(r, names[THREAD_NAME], tag->thread_name);
    put_id(r, f, names[PROCESSOR], (tag->flags & BRZ_TAG_CPU) != 0, tag->cpu);
    if (tag->n_labels > 0)
        f->labels(r, names[LABELS], i);
    else
        f->absent(r, names[LABELS]);
}

static void put_sample(rows *r, const row_format *f, const brz_sample_info *s)
{
    f->begin(r);
    put_id(r, f, names[TIME], (s->flags & BRZ_TIMED) != 0, s->time);
    put_tag(r, f, s->tag);
    f->stack(r, names[STACK], brz_stack_at(r->tree, s->stack));
    put_values(r, f, s->values);
    f->end(r);
}

/* Writes a stack of a profile without samples, such as folded text or a comparison. */
static void put_sum(rows *r, const row_format *f, const brz_stack_info *s)
{
    f->begin(r);
    for (size_t i = TIME; i < STACK; i++)
        f->absent(r, names[i]);
    f->stack(r, names[STACK], s);
    put_values(r, f, s->values);
    f->end(r);
}

brz_rc rows_write_samples(const row_format *f, brz_output_ctx *ctx, const brz_tree *tree,
                          brz_sink *sink)
{
    rows r;
    begin(&r, f, ctx, tree, sink, TIME);
    r.labels = ctx->host->alloc(ctx, ((size_t)tree->n_tags + 1) * sizeof *r.labels, 0);
    for (uint64_t i = 0; i < tree->n_samples && r.w.rc == BRZ_OK; i++)
        put_sample(&r, f, brz_sample_at(tree, i));
    for (uint32_t i = 0; tree->n_samples == 0 && i < tree->n_stacks && r.w.rc == BRZ_OK; i++)
        put_sum(&r, f, brz_stack_at(tree, i));
    return brz_writer_finish(&r.w);
}
