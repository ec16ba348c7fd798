/* Outputs as an author of plug-ins for ABI 1.0 may have written them: they write all data that they
 * receive as text, `frozen` the tree and `frozen-samples` the samples. */
#include <brazier/plugin.h>
#include <brazier/write.h>

typedef struct list {
    brz_legend base; /* first */
    brz_writer *w;
} list;

static void add_to_list(brz_legend *l, uint32_t color, brz_str name)
{
    brz_writer *w = ((list *)l)->w;
    BRZ_PUT(w, "legend ");
    brz_put_u64(w, color);
    brz_put_char(w, ' ');
    brz_put_str(w, name);
    BRZ_PUT(w, "\n");
}

static void put_columns(brz_writer *w, const brz_tree *t)
{
    for (uint32_t i = 0; i < t->n_columns; i++) {
        const brz_column_info *info = brz_column_at(t, i);
        brz_put_text(w, i == t->main_column ? "column* " : "column ");
        brz_put_json(w, info->name);
        brz_put_char(w, ' ');
        brz_put_str(w, info->unit);
        brz_put_char(w, ' ');
        brz_put_scaled(w, info->total, info->decimals);
        brz_put_char(w, ' ');
        brz_put_u64(w, info->flags);
        BRZ_PUT(w, "\n");
    }
}

static void put_node(brz_output_ctx *ctx, brz_writer *w, const brz_tree *t, uint32_t i)
{
    const brz_node *n = brz_node_at(t, i);
    const brz_frame_info *f = brz_frame_at(t, n->frame);
    const uint64_t numbers[] = {n->parent, n->subtree, n->depth, f->line, f->kind};
    BRZ_PUT(w, "node");
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        brz_put_char(w, ' ');
        brz_put_u64(w, numbers[k]);
    }
    brz_put_char(w, ' ');
    brz_put_i64(w, n->self);
    brz_put_char(w, ' ');
    brz_put_i64(w, n->total);
    brz_put_char(w, ' ');
    brz_put_i64(w, brz_delta(t, i));
    brz_put_char(w, ' ');
    brz_put_i64(w, t->counts == NULL ? -1 : t->counts[i]);
    brz_put_char(w, ' ');
    brz_put_u64(w, ctx->host->color(ctx, t, i));
    brz_put_char(w, ' ');
    brz_put_str(w, brz_display_name(f));
    brz_put_char(w, '|');
    brz_put_str(w, f->module);
    brz_put_char(w, '|');
    brz_put_str(w, f->file);
    BRZ_PUT(w, "\n");
}

static void put_stack(brz_writer *w, const brz_tree *t, uint32_t i)
{
    const brz_stack_info *s = brz_stack_at(t, i);
    BRZ_PUT(w, "stack ");
    brz_put_u64(w, s->n_common);
    for (uint32_t k = 0; k < s->n; k++) {
        brz_put_char(w, k == 0 ? ' ' : ';');
        brz_put_str(w, brz_frame_at(t, s->frames[k])->name);
    }
    for (uint32_t k = 0; k < t->n_columns; k++) {
        brz_put_char(w, ' ');
        brz_put_i64(w, s->values[k]);
    }
    BRZ_PUT(w, "\n");
}

static brz_rc write_tree(brz_output_ctx *ctx, const brz_tree *t, brz_sink *sink)
{
    brz_writer w;
    uint32_t background[2];
    list l = {.base = {.struct_size = sizeof(brz_legend), .add = add_to_list}, .w = &w};
    brz_writer_init(&w, ctx, sink);
    ctx->host->background(ctx, background);
    BRZ_PUT(&w, "background ");
    brz_put_u64(&w, background[0]);
    brz_put_char(&w, ' ');
    brz_put_u64(&w, background[1]);
    BRZ_PUT(&w, "\ndepth ");
    brz_put_u64(&w, t->max_depth);
    BRZ_PUT(&w, "\n");
    put_columns(&w, t);
    for (uint32_t i = 0; i < t->n_nodes; i++)
        put_node(ctx, &w, t, i);
    for (uint32_t i = 0; i < t->n_stacks; i++)
        put_stack(&w, t, i);
    ctx->host->legend(ctx, t, &l.base);
    return brz_writer_finish(&w);
}

static const char *const endings[] = {"frozen.txt", NULL};

static void close_output(brz_output_ctx *ctx)
{
    ctx->host->log(ctx, BRZ_DEBUG, BRZ_STR("closed"));
}

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_COLOR | BRZ_OUTPUT_COUNTS,
    .media_type = "text/plain",
    .endings = endings,
    .write = write_tree,
    .close = close_output,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "frozen",
    .summary = "everything as text",
    .vtable = &output,
};

/* ---- frozen-samples ------------------------------------------------------------------------- */

static void put_text(brz_writer *w, const char *key, brz_str value)
{
    if (value.len == 0)
        return;
    brz_put_char(w, ' ');
    brz_put_text(w, key);
    brz_put_char(w, '=');
    brz_put_json(w, value);
}

static void put_number(brz_writer *w, const char *key, int64_t value)
{
    brz_put_char(w, ' ');
    brz_put_text(w, key);
    brz_put_char(w, '=');
    brz_put_i64(w, value);
}

static void put_tag(brz_writer *w, const brz_tag_info *tag)
{
    put_text(w, "process-name", tag->process_name);
    put_text(w, "thread-name", tag->thread_name);
    if (tag->flags & BRZ_TAG_PROCESS)
        put_number(w, "process", tag->process);
    if (tag->flags & BRZ_TAG_THREAD)
        put_number(w, "thread", tag->thread);
    if (tag->flags & BRZ_TAG_CPU)
        put_number(w, "cpu", tag->cpu);
    for (uint32_t i = 0; i < tag->n_labels; i++) {
        const brz_label *label = brz_label_at(tag, i);
        put_text(w, "label", label->key);
        put_text(w, "text", label->text);
        if (label->flags & BRZ_LABEL_NUMBER) {
            brz_put_char(w, ' ');
            brz_put_scaled(w, label->number, label->decimals);
            put_text(w, "unit", label->unit);
        }
    }
    BRZ_PUT(w, "\n");
}

static void put_metadata(brz_writer *w, const brz_metadata *m)
{
    put_text(w, "producer", m->producer);
    put_text(w, "command", m->command);
    put_number(w, "duration", m->duration);
    for (uint64_t i = 0; i < m->n_comments; i++)
        put_text(w, "comment", m->comments[i]);
    for (uint64_t i = 0; i < m->n_pairs; i++) {
        put_text(w, "key", brz_pair_at(m, i)->key);
        put_text(w, "value", brz_pair_at(m, i)->value);
    }
    BRZ_PUT(w, "\n");
}

static void put_sample(brz_writer *w, const brz_tree *t, const brz_sample_info *s)
{
    const brz_stack_info *stack = brz_stack_at(t, s->stack);
    BRZ_PUT(w, "sample");
    if (s->flags & BRZ_TIMED)
        put_number(w, "time", s->time);
    put_number(w, "tag", s->tag);
    for (uint32_t i = 0; i < t->n_columns; i++)
        put_number(w, "value", s->values[i]);
    for (uint32_t i = 0; i < stack->n; i++) {
        const brz_frame_info *f = brz_frame_at(t, stack->frames[i]);
        put_text(w, "frame", f->name);
        put_text(w, "file", f->file);
        put_number(w, "flags", f->flags);
    }
    BRZ_PUT(w, "\n");
}

static brz_rc write_samples(brz_output_ctx *ctx, const brz_tree *t, brz_sink *sink)
{
    brz_writer w;
    brz_writer_init(&w, ctx, sink);
    put_columns(&w, t);
    BRZ_PUT(&w, "facts");
    put_metadata(&w, t->metadata);
    for (uint32_t i = 0; i < t->n_parts; i++) {
        BRZ_PUT(&w, "part");
        put_tag(&w, brz_part_at(t, i)->tag);
        BRZ_PUT(&w, "facts");
        put_metadata(&w, brz_part_at(t, i)->metadata);
    }
    for (uint32_t i = 0; i < t->n_tags; i++) {
        BRZ_PUT(&w, "tag");
        put_tag(&w, brz_tag_at(t, i));
    }
    for (uint64_t i = 0; i < t->n_samples; i++)
        put_sample(&w, t, brz_sample_at(t, i));
    return brz_writer_finish(&w);
}

static const brz_output samples_output = {
    .struct_size = sizeof samples_output,
    .flags = BRZ_OUTPUT_TAGS | BRZ_OUTPUT_TIME | BRZ_OUTPUT_FRAMES,
    .media_type = "text/plain",
    .write = write_samples,
};

static const brz_component samples_component = {
    .struct_size = sizeof samples_component,
    .kind = BRZ_OUTPUT,
    .id = "frozen-samples",
    .summary = "samples as text",
    .vtable = &samples_output,
};

static const brz_component *const components[] = {&component, &samples_component, NULL};

BRZ_PLUGIN("frozen-output", "1.0", "MIT", "https://example.org/frozen", components)
