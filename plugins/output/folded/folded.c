/* SPDX-License-Identifier: MIT */
/* Writes the output "folded": folded text, with a sorted line per distinct stack: frames joined by
 * ";", a space and the count; two counts, before and after, in a comparison.
 *
 * A line usually starts like the line before it, so only the differing end is rebuilt.
 */
#include <brazier/digits.h>
#include <brazier/folded.h>
#include <brazier/plugin.h>
#include <brazier/draft/sorted.h>
#include <brazier/write.h>

#include "../common/calls.h"
#include "names.h"

#include <stdlib.h>

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

/* Replaces the frames that the line does not share with the line before it. */
static void set_line(brz_output_ctx *ctx, const brz_stack_info *s, line *l)
{
    make_room(ctx, l, s->n, 0);
    l->len = l->ends[s->n_common];
    for (uint32_t i = s->n_common; i < s->n; i++) {
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

/* The columns whose values are written. */
typedef struct columns {
    uint32_t at[2];
    size_t n;
} columns;

static columns choose_columns(const brz_tree *tree)
{
    if (tree->before == BRZ_NO_COLUMN)
        return (columns){{tree->main_column}, 1};
    return (columns){{tree->before, tree->after}, 2};
}

/* Writes a line with the values of these columns. */
static void put_line(brz_writer *w, const brz_tree *tree, brz_str stack, const columns *c,
                     const int64_t *values)
{
    brz_put(w, stack.data, stack.len);
    for (size_t i = 0; i < c->n; i++) {
        brz_put_char(w, ' ');
        brz_put_scaled(w, values[i], brz_column_at(tree, c->at[i])->decimals);
    }
    brz_put_char(w, '\n');
}

/* Stores the values of a stack in these columns. Returns false if it has values only for other
 * weights. */
static bool take_values(const brz_tree *tree, const brz_stack_info *s, const columns *c,
                        int64_t values[2])
{
    bool has_values = tree->n_columns == c->n;
    for (size_t i = 0; i < c->n; i++) {
        values[i] = s->values[c->at[i]];
        has_values |= values[i] != 0;
    }
    return has_values;
}

/* Writes a text as a line of folded text can hold it. */
static void put_plain(brz_writer *w, brz_str text)
{
    for (size_t i = 0; i < text.len; i++)
        brz_put_char(w, brz_folded_byte(text.data[i]));
}

/* Writes the comment that names the weight. */
static void put_weight(brz_writer *w, const brz_column_info *weight)
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

/* Writes lines in the order of the tree. */
static void put_stacks(brz_output_ctx *ctx, const brz_tree *tree, line *l, const columns *c,
                       brz_writer *w)
{
    int64_t values[2];
    for (uint32_t i = 0; i < tree->n_stacks && w->rc == BRZ_OK; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        set_line(ctx, s, l);
        if (take_values(tree, s, c, values))
            put_line(w, tree, brz_str_of(l->text, l->len), c, values);
    }
}

/* ---- names that move lines ----------------------------------------------------------------- */

/* A line that is sorted. */
typedef struct sorted_line {
    brz_str stack;
    int64_t values[2];
} sorted_line;

static int compare_lines(const void *a, const void *b)
{
    brz_str x = ((const sorted_line *)a)->stack, y = ((const sorted_line *)b)->stack;
    size_t shorter = x.len < y.len ? x.len : y.len;
    int d = shorter == 0 ? 0 : memcmp(x.data, y.data, shorter);
    return d != 0 ? d : (x.len > y.len) - (x.len < y.len);
}

static brz_str copy_text(brz_output_ctx *ctx, brz_str s)
{
    char *copy = ctx->host->alloc(ctx, s.len + 1, 1);
    memcpy(copy, s.data, s.len);
    return brz_str_of(copy, s.len);
}

/* Stores the lines of all stacks, sorted, in `lines`. Returns their number. */
static size_t sort_lines(brz_output_ctx *ctx, const brz_tree *tree, line *l, const columns *c,
                         sorted_line *lines)
{
    size_t n = 0;
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        set_line(ctx, s, l);
        if (take_values(tree, s, c, lines[n].values))
            lines[n++].stack = copy_text(ctx, brz_str_of(l->text, l->len));
    }
    qsort(lines, n, sizeof *lines, compare_lines);
    return n;
}

/* Writes lines in the order of their text, and adds up equal ones. */
static void put_sorted_stacks(brz_output_ctx *ctx, const brz_tree *tree, line *l, const columns *c,
                              brz_writer *w)
{
    sorted_line *lines = ctx->host->alloc(ctx, (tree->n_stacks + 1) * sizeof *lines, 0);
    size_t n = sort_lines(ctx, tree, l, c, lines);
    for (size_t i = 0; i < n && w->rc == BRZ_OK; i++) {
        if (i + 1 < n && compare_lines(&lines[i], &lines[i + 1]) == 0) {
            for (size_t k = 0; k < c->n; k++)
                lines[i + 1].values[k] = add_saturated(lines[i].values[k], lines[i + 1].values[k]);
            continue;
        }
        put_line(w, tree, lines[i].stack, c, lines[i].values);
    }
}

static brz_rc write_folded(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_writer w;
    line l = {0};
    columns c = choose_columns(tree);
    bool reordered;
    brz_writer_init(&w, ctx, sink);
    l.names = folded_names(ctx, tree, &reordered);
    if (((const folded_options *)ctx->cfg)->weight_line)
        put_weight(&w, brz_column_at(tree, c.at[c.n - 1]));
    (reordered ? put_sorted_stacks : put_stacks)(ctx, tree, &l, &c, &w);
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
