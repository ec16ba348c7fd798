/* Folded text: a line per distinct stack, sorted, frames joined by ";", a blank and the count.
 *
 * A line shares its beginning with the one before, so only what differs is put together anew.
 */
#include <brazier/folded.h>
#include <brazier/plugin.h>
#include <brazier/write.h>

/* The line being put together. */
typedef struct line {
    char *text;
    size_t len, cap;
    size_t *ends; /* of the text of its first 0, 1, … frames */
    size_t ends_cap;
} line;

static void *larger(brz_ctx *ctx, const void *old, size_t used, size_t size)
{
    void *p = ctx->host->alloc(ctx, size, 64);
    if (used > 0)
        memcpy(p, old, used);
    return p;
}

/* Room for a frame's text with its separator, and for the end of that frame. */
static void make_room(brz_ctx *ctx, line *l, uint32_t depth, size_t text)
{
    if (l->cap - l->len < text) {
        l->cap = 2 * (l->len + text) + 4096;
        l->text = larger(ctx, l->text, l->len, l->cap);
    }
    if (depth + 2 > l->ends_cap) {
        size_t used = l->ends_cap * sizeof *l->ends;
        l->ends_cap = 2 * (size_t)depth + 256;
        l->ends = larger(ctx, l->ends, used, l->ends_cap * sizeof *l->ends);
    }
}

static void add_name(line *l, brz_str name)
{
    char *to = l->text + l->len;
    for (size_t i = 0; i < name.len; i++)
        to[i] = brz_folded_byte(name.data[i]);
    l->len += name.len;
}

/* Replaces what follows the frames that the line shares with the one before. */
static void set_line(brz_ctx *ctx, const brz_tree *tree, const brz_stack_info *s, line *l)
{
    make_room(ctx, l, 0, 0);
    l->len = l->ends[s->shared];
    for (uint32_t i = s->shared; i < s->n; i++) {
        brz_str name = brz_frame_at(tree, s->frames[i])->name;
        make_room(ctx, l, i, name.len + 1);
        if (i > 0)
            l->text[l->len++] = ';';
        add_name(l, name);
        l->ends[i + 1] = l->len;
    }
}

static brz_rc write_folded(brz_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_writer w;
    line l = {0};
    uint32_t decimals = brz_weight_at(tree, tree->weight)->decimals;
    brz_writer_init(&w, ctx, sink);
    for (uint32_t i = 0; i < tree->n_stacks && w.rc == BRZ_OK; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        int64_t value = s->values[tree->weight];
        set_line(ctx, tree, s, &l);
        if (value == 0 && tree->n_weights > 1)
            continue; /* the stack is there for another weight */
        brz_put(&w, l.text, l.len);
        brz_put_char(&w, ' ');
        brz_put_scaled(&w, value, decimals);
        brz_put_char(&w, '\n');
    }
    return brz_writer_finish(&w);
}

static const char *const endings[] = {"folded", "collapsed", "txt", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_STACKS,
    .media_type = "text/plain",
    .endings = endings,
    .write = write_folded,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "folded",
    .summary = "folded stacks, a line each, as flame graph tools exchange them",
    .vtable = &output,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("folded-output", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
