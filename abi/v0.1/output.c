/* An output as an author of plug-ins for ABI 0.0 may have written it; writes all data that it
 * receives as text. */
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

static void put_weights(brz_writer *w, const brz_tree *t)
{
    for (uint32_t i = 0; i < t->n_weights; i++) {
        const brz_weight_info *info = brz_weight_at(t, i);
        brz_put_text(w, i == t->weight ? "weight* " : "weight ");
        brz_put_json(w, info->name);
        brz_put_char(w, ' ');
        brz_put_str(w, info->unit);
        brz_put_char(w, ' ');
        brz_put_scaled(w, info->total, info->decimals);
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
    for (uint32_t k = 0; k < t->n_weights; k++) {
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
    put_weights(&w, t);
    for (uint32_t i = 0; i < t->n_nodes; i++)
        put_node(ctx, &w, t, i);
    for (uint32_t i = 0; i < t->n_stacks; i++)
        put_stack(&w, t, i);
    if (BRZ_HAS(ctx->host, brz_output_host, legend))
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
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_COLOR,
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

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("frozen-output", "0.0", "MIT", "https://example.org/frozen", components)
