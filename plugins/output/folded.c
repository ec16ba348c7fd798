/* Writes the output "folded": folded text, with a sorted line per distinct stack: frames joined by
 * ";", a space and the count; two counts, before and after, in a comparison.
 *
 * A line usually starts like the line before it, so only the differing end is rebuilt.
 */
#include <brazier/folded.h>
#include <brazier/digits.h>
#include <brazier/plugin.h>
#include <brazier/sorted.h>
#include <brazier/write.h>

typedef struct folded_options {
    bool weight_line;
} folded_options;

/* The line being built. */
typedef struct line {
    char *text;
    size_t len, cap;
    size_t *ends; /* text length after its first 0, 1, … frames */
    size_t ends_cap;
    brz_str *names; /* indexed by frame: the name as folded text can hold it */
} line;

static void *larger(brz_output_ctx *ctx, const void *old, size_t used, size_t size)
{
    void *p = ctx->host->alloc(ctx, size, 64);
    if (used > 0)
        memcpy(p, old, used);
    return p;
}

/* Makes room for more than `text` bytes of text and for the ends of `depth` frames. */
static void make_room(brz_output_ctx *ctx, line *l, uint32_t depth, size_t text)
{
    if (l->cap - l->len <= text) {
        l->cap = 2 * (l->len + text) + 4096;
        l->text = larger(ctx, l->text, l->len, l->cap);
    }
    if ((size_t)depth + 2 > l->ends_cap) {
        size_t used = l->ends_cap * sizeof *l->ends;
        l->ends_cap = 2 * (size_t)depth + 256;
        l->ends = larger(ctx, l->ends, used, l->ends_cap * sizeof *l->ends);
    }
}

/* Returns a name as folded text can hold it. */
static brz_str foldable(brz_output_ctx *ctx, brz_str name)
{
    if (brz_is_foldable(name))
        return name;
    char *copy = ctx->host->alloc(ctx, name.len, 0);
    for (size_t i = 0; i < name.len; i++)
        copy[i] = brz_folded_byte(name.data[i]);
    return brz_str_of(copy, name.len);
}

static void prepare_names(brz_output_ctx *ctx, const brz_tree *tree, line *l)
{
    l->names = ctx->host->alloc(ctx, tree->n_frames * sizeof *l->names, 64);
    for (uint32_t i = 0; i < tree->n_frames; i++)
        l->names[i] = foldable(ctx, brz_frame_at(tree, i)->name);
}

/* Replaces the frames that the line does not share with the line before it. */
static void set_line(brz_output_ctx *ctx, const brz_stack_info *s, line *l)
{
    make_room(ctx, l, s->n, 0);
    l->len = l->ends[s->shared];
    for (uint32_t i = s->shared; i < s->n; i++) {
        brz_str name = l->names[s->frames[i]];
        if (l->cap - l->len <= name.len)
            make_room(ctx, l, s->n, name.len + 1);
        if (i > 0)
            l->text[l->len++] = ';';
        memcpy(l->text + l->len, name.data, name.len);
        l->len += name.len;
        l->ends[i + 1] = l->len;
    }
}

/* Stores the weights that lines end with in `columns`. Returns their number. */
static size_t choose_columns(const brz_tree *tree, uint32_t columns[2])
{
    columns[0] = tree->weight;
    if (tree->before == BRZ_NO_WEIGHT)
        return 1;
    columns[0] = tree->before;
    columns[1] = tree->after;
    return 2;
}

static void put_counts(brz_writer *w, const brz_tree *tree, const brz_stack_info *s,
                       const uint32_t *columns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        brz_put_char(w, ' ');
        brz_put_scaled(w, s->values[columns[i]], brz_weight_at(tree, columns[i])->decimals);
    }
    brz_put_char(w, '\n');
}

/* Returns false if the stack has values only for other weights. */
static bool has_counts(const brz_tree *tree, const brz_stack_info *s, const uint32_t *columns,
                       size_t n)
{
    return tree->n_weights == n || s->values[columns[0]] != 0 ||
           (n > 1 && s->values[columns[1]] != 0);
}

/* Writes a text as a line of folded text can hold it. */
static void put_plain(brz_writer *w, brz_str text)
{
    for (size_t i = 0; i < text.len; i++)
        brz_put_char(w, brz_folded_byte(text.data[i]));
}

/* Writes the comment that names the weight. */
static void put_weight(brz_writer *w, const brz_weight_info *weight)
{
    BRZ_PUT(w, "# weight: ");
    put_plain(w, weight->name);
    bool ends_like_unit = weight->name.len > 0 && weight->name.data[weight->name.len - 1] == ')';
    if (weight->unit.len > 0 || ends_like_unit) {
        BRZ_PUT(w, " (");
        put_plain(w, weight->unit);
        brz_put_char(w, ')');
    }
    brz_put_char(w, '\n');
}

static brz_rc write_folded(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_writer w;
    line l = {0};
    uint32_t columns[2];
    size_t n_columns = choose_columns(tree, columns);
    brz_writer_init(&w, ctx, sink);
    prepare_names(ctx, tree, &l);
    if (((const folded_options *)ctx->cfg)->weight_line)
        put_weight(&w, brz_weight_at(tree, columns[n_columns - 1]));
    for (uint32_t i = 0; i < tree->n_stacks && w.rc == BRZ_OK; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        set_line(ctx, s, &l);
        if (!has_counts(tree, s, columns, n_columns))
            continue;
        brz_put(&w, l.text, l.len);
        put_counts(&w, tree, s, columns, n_columns);
    }
    return brz_writer_finish(&w);
}

static const brz_option options[] = {
    BRZ_OPTION(folded_options, "weight-line", BOOL, weight_line, "false",
               "begin with the comment '# weight: NAME (UNIT)', which merges check"),
};

static const char *const endings[] = {"folded", "collapsed", "txt", NULL};

/* Implements brz_sorted_writer.put. */
static char *put_sorted(char *to, brz_str names, const uint64_t *counts, size_t n)
{
    memcpy(to, names.data, names.len);
    to += names.len;
    for (size_t i = 0; i < n; i++) {
        *to++ = ' ';
        to = brz_format_u64(to, counts[i]);
    }
    *to++ = '\n';
    return to;
}

static const brz_sorted_writer sorted_writer = {
    .struct_size = sizeof sorted_writer, .room = 64, .put = put_sorted};

/* Implements brz_output.offer. */
static const void *offer(const char *id)
{
    return strcmp(id, BRZ_SORTED_ID) == 0 ? &sorted_writer : NULL;
}

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_STACKS | BRZ_OUTPUT_FUNCTIONS,
    .media_type = "text/plain",
    .endings = endings,
    .write = write_folded,
    .offer = offer,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "folded",
    .summary = "folded stacks, a line each, as flame graph tools exchange them",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .option_size = sizeof(brz_option),
    .cfg_size = sizeof(folded_options),
    .vtable = &output,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("folded-output", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
