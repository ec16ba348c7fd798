/* SPDX-License-Identifier: MIT */
/* Tests call trees against a simple model, which joins lines, sorts bytes and merges neighbours,
 * with random profiles. */
#include "unit.h"

#include <brazier/folded.h>

#include "profile/call_tree.h"

#define MOST_STACKS 40
#define DEEPEST     5
#define WEIGHTS     2

typedef struct sample {
    brz_frame_desc frames[DEEPEST];
    size_t n;
    int64_t values[WEIGHTS];
} sample;

/* ---- model --------------------------------------------------------------------------------- */

/* A distinct stack. */
typedef struct line {
    char labels[DEEPEST][32];
    char sort[DEEPEST * 32 + 8]; /* sort key for FOLDED and LINES */
    sample sample;               /* represents the stack; its values are the sums */
} line;

static void label_of(brz_str name, char *to)
{
    for (size_t i = 0; i < name.len; i++)
        to[i] = brz_folded_byte(name.data[i]);
    to[name.len] = '\0';
}

static void make_line(const sample *s, brz_order order, line *l)
{
    l->sample = *s;
    l->sort[0] = '\0';
    for (size_t i = 0; i < s->n; i++) {
        label_of(s->frames[i].name, l->labels[i]);
        strcat(l->sort, i > 0 ? ";" : "");
        strcat(l->sort, l->labels[i]);
    }
    if (order == BRZ_ORDER_LINES) /* the smallest byte that a count can begin with */
        strcat(l->sort, " 0");
}

static bool same_stack(const line *a, const line *b)
{
    bool same = a->sample.n == b->sample.n;
    for (size_t i = 0; same && i < a->sample.n; i++)
        same = strcmp(a->labels[i], b->labels[i]) == 0;
    return same;
}

static int compare_text(brz_str a, brz_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int d = n == 0 ? 0 : memcmp(a.data, b.data, n);
    return d != 0 ? d : (a.len > b.len) - (a.len < b.len);
}

static int compare_frames(const sample *a, const sample *b)
{
    for (size_t i = 0; i < a->n; i++) {
        const brz_frame_desc *x = &a->frames[i], *y = &b->frames[i];
        int d = compare_text(x->name, y->name);
        d = d != 0 ? d : compare_text(x->module, y->module);
        d = d != 0 ? d : compare_text(x->file, y->file);
        d = d != 0 ? d : (x->line > y->line) - (x->line < y->line);
        d = d != 0 ? d : (x->kind > y->kind) - (x->kind < y->kind);
        if (d != 0)
            return d;
    }
    return 0;
}

static int by_text(const void *a, const void *b)
{
    const line *x = a, *y = b;
    int d = strcmp(x->sort, y->sort);
    return d != 0                      ? d
           : x->sample.n < y->sample.n ? -1
                                       : 1; /* no frame before a frame without a name */
}

static int by_names(const void *a, const void *b)
{
    const line *x = a, *y = b;
    for (size_t i = 0; i < x->sample.n && i < y->sample.n; i++) {
        int d = strcmp(x->labels[i], y->labels[i]);
        if (d != 0)
            return d;
    }
    return (x->sample.n > y->sample.n) - (x->sample.n < y->sample.n);
}

static size_t make_lines(const sample *samples, size_t n, brz_order order, line *lines)
{
    size_t n_lines = 0;
    for (size_t i = 0; i < n; i++) {
        line l;
        size_t at = 0;
        make_line(&samples[i], order, &l);
        while (at < n_lines && !same_stack(&lines[at], &l))
            at++;
        if (at == n_lines) {
            lines[n_lines++] = l;
            continue;
        }
        line *known = &lines[at];
        for (size_t w = 0; w < WEIGHTS; w++)
            known->sample.values[w] += l.sample.values[w];
        if (compare_frames(&l.sample, &known->sample) < 0)
            memcpy(known->sample.frames, l.sample.frames, sizeof l.sample.frames);
    }
    qsort(lines, n_lines, sizeof *lines, order == BRZ_ORDER_MERGED ? by_names : by_text);
    return n_lines;
}

static size_t shared_frames(const line *a, const line *b)
{
    size_t i = 0;
    while (i < a->sample.n && i < b->sample.n && strcmp(a->labels[i], b->labels[i]) == 0)
        i++;
    return i;
}

/* ---- conversion to text -------------------------------------------------------------------- */

static void print_frame(brz_buf *b, brz_str name, brz_str module, brz_str file, uint32_t number,
                        uint32_t kind)
{
    brz_buf_printf(b, "%.*s|%.*s|%.*s|%u|%u;", (int)name.len, name.data, (int)module.len,
                   module.len > 0 ? module.data : "", (int)file.len, file.len > 0 ? file.data : "",
                   number, kind);
}

static void print_desc(brz_buf *b, const brz_frame_desc *d)
{
    print_frame(b, d->name, d->module, d->file, d->line, d->kind);
}

static void print_model_stacks(brz_buf *b, const line *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < lines[i].sample.n; k++)
            print_desc(b, &lines[i].sample.frames[k]);
        brz_buf_printf(b, " shared %zu", i == 0 ? 0 : shared_frames(&lines[i - 1], &lines[i]));
        for (size_t w = 0; w < WEIGHTS; w++)
            brz_buf_printf(b, " %lld", (long long)lines[i].sample.values[w]);
        brz_buf_add_char(b, '\n');
    }
}

typedef struct model_samples {
    const sample *items;
    size_t n;
    brz_order order;
} model_samples;

typedef struct model_node {
    const brz_frame_desc *frame;
    size_t parent, depth, line; /* line: the first with a weight */
    int64_t self[WEIGHTS], total[WEIGHTS];
} model_node;

/* Builds nodes from lines: frames shared with the previous line stay open, the others are opened. A
 * line without weight opens no frames, but closes those it does not share. */
static size_t make_nodes(const line *lines, size_t n, bool based, model_node *nodes)
{
    size_t n_nodes = 1, still_open = 0, open[DEEPEST + 1] = {0};
    memset(nodes, 0, sizeof *nodes);
    for (size_t i = 0; i < n; i++) {
        const line *l = &lines[i];
        const int64_t *v = l->sample.values;
        size_t shared = i == 0 ? 0 : shared_frames(l - 1, l);
        still_open = shared < still_open ? shared : still_open;
        if (v[0] == 0 && (!based || v[1] == 0))
            continue;
        for (size_t k = still_open; k < l->sample.n; k++) {
            nodes[n_nodes] = (model_node){
                .frame = &l->sample.frames[k], .parent = open[k], .depth = k + 1, .line = i};
            open[k + 1] = n_nodes++;
        }
        for (size_t w = 0; w < WEIGHTS; w++) {
            nodes[open[l->sample.n]].self[w] += v[w];
            for (size_t k = 0; k <= l->sample.n; k++)
                nodes[open[k]].total[w] += v[w];
        }
        still_open = l->sample.n;
    }
    return n_nodes;
}

static int compare_frame(const brz_frame_desc *x, const brz_frame_desc *y)
{
    sample a = {.n = 1}, b = {.n = 1};
    a.frames[0] = *x;
    b.frames[0] = *y;
    return compare_frames(&a, &b);
}

/* Returns the weight of a frame at a depth of the samples in lines [first, last]; its size. */
static int64_t model_weight(const model_samples *m, const line *lines, size_t first, size_t last,
                            size_t k, const brz_frame_desc *frame)
{
    int64_t sum = 0;
    for (size_t i = 0; i < m->n; i++) {
        line l;
        make_line(&m->items[i], m->order, &l);
        for (size_t at = first; at <= last; at++)
            if (same_stack(&lines[at], &l) && compare_frame(&l.sample.frames[k], frame) == 0)
                sum += l.sample.values[0];
    }
    return sum < 0 ? -sum : sum;
}

/* Gives a node the heaviest of the frames that it merges, of equally heavy ones the first. */
static void choose_model_frame(model_node *node, const model_samples *m, const line *lines,
                               size_t n)
{
    size_t first = node->line, last = node->line, k = node->depth - 1;
    int64_t most = -1;
    while (first > 0 && shared_frames(&lines[first - 1], &lines[first]) > k)
        first--;
    while (last + 1 < n && shared_frames(&lines[last], &lines[last + 1]) > k)
        last++;
    for (size_t i = 0; i < m->n; i++) {
        line l;
        make_line(&m->items[i], m->order, &l);
        bool is_in = false;
        for (size_t at = first; at <= last; at++)
            is_in |= same_stack(&lines[at], &l);
        if (!is_in)
            continue;
        const brz_frame_desc *frame = &m->items[i].frames[k];
        int64_t weight = model_weight(m, lines, first, last, k, frame);
        if (weight > most || (weight == most && compare_frame(frame, node->frame) < 0))
            node->frame = frame;
        most = weight > most ? weight : most;
    }
}

static void print_node(brz_buf *b, size_t parent, size_t depth, size_t subtree,
                       const int64_t numbers[4])
{
    brz_buf_printf(b, " parent %zu depth %zu subtree %zu: %lld %lld %lld %lld\n", parent, depth,
                   subtree, (long long)numbers[0], (long long)numbers[1], (long long)numbers[2],
                   (long long)numbers[3]);
}

static void print_model_nodes(brz_buf *b, const line *lines, size_t n, bool based,
                              const model_samples *samples)
{
    static model_node nodes[MOST_STACKS * DEEPEST + 1];
    static const brz_frame_desc root = {.name = {"", 0}};
    size_t n_nodes = make_nodes(lines, n, based, nodes);
    for (size_t i = 0; i < n_nodes; i++) {
        model_node *m = &nodes[i];
        size_t end = i + 1;
        if (i > 0)
            choose_model_frame(m, samples, lines, n);
        while (end < n_nodes && nodes[end].depth > m->depth)
            end++;
        print_desc(b, i == 0 ? &root : m->frame);
        print_node(b, m->parent, m->depth, end - i,
                   (const int64_t[]){m->self[0], m->total[0], based ? m->self[1] : 0,
                                     based ? m->total[1] : 0});
    }
}

static void print_info(brz_buf *b, const brz_tree *t, uint32_t frame)
{
    const brz_frame_info *f = brz_frame_at(t, frame);
    print_frame(b, f->name, f->module, f->file, f->line, f->kind);
}

static void print_view(brz_buf *b, const brz_tree *t)
{
    for (uint32_t i = 0; i < t->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(t, i);
        for (uint32_t k = 0; k < s->n; k++)
            print_info(b, t, s->frames[k]);
        brz_buf_printf(b, " shared %u", s->n_common);
        for (uint32_t w = 0; w < t->n_columns; w++)
            brz_buf_printf(b, " %lld", (long long)s->values[w]);
        brz_buf_add_char(b, '\n');
    }
    for (uint32_t i = 0; i < t->n_nodes; i++) {
        const brz_node *n = brz_node_at(t, i);
        brz_change c = {0};
        if (t->changes != NULL)
            c = *brz_change_at(t, i);
        print_info(b, t, n->frame);
        print_node(b, n->parent, n->depth, n->subtree,
                   (const int64_t[]){n->self, n->total, c.before_self, c.before_total});
    }
}

/* ---- random profiles ----------------------------------------------------------------------- */

#define NAMES 14

/* Generates names that begin alike and continue with characters around ";", " " and digits. */
static void roll_samples(dice *d, sample *samples, size_t n, size_t shallowest,
                         char names[NAMES][8])
{
    static const char *const modules[] = {"", "libc", "vmlinux"};
    for (size_t i = 0; i < NAMES; i++)
        roll_text(d, i % 2 == 0 ? "a!" : "aa :;<09\001\303", 4, names[i]);
    for (size_t i = 0; i < n; i++) {
        sample *s = &samples[i];
        memset(s, 0, sizeof *s);
        s->n = shallowest + roll_below(d, DEEPEST + 1 - shallowest);
        for (size_t k = 0; k < s->n; k++) {
            brz_frame_desc *f = &s->frames[k];
            f->name = str_of(names[roll_below(d, k < 2 ? 4 : NAMES)]);
            if (roll_below(d, 4) == 0)
                f->module = str_of(modules[roll_below(d, 3)]);
            if (roll_below(d, 8) == 0)
                f->file = BRZ_STR("x.c");
            f->line = roll_below(d, 8) == 0;
            f->kind = roll_below(d, 8) == 0;
        }
        for (size_t w = 0; w < WEIGHTS; w++)
            s->values[w] = (int64_t)roll_below(d, 6) - (roll_below(d, 3) == 0 ? 3 : 0);
    }
}

/* Replaces the names by what the profile turns them into. */
static void repair_names(char names[NAMES][8], char repaired[NAMES][32])
{
    for (size_t i = 0; i < NAMES; i++) {
        size_t n = 0;
        for (const char *p = names[i]; *p != '\0'; p++) {
            const char *with = *p == '\303' ? "\xef\xbf\xbd" : NULL;
            memcpy(repaired[i] + n, with != NULL ? with : p, with != NULL ? 3 : 1);
            n += with != NULL ? 3 : 1;
        }
        repaired[i][n] = '\0';
    }
}

static void add_sample(brz_profile *p, const sample *s, bool intern)
{
    brz_frame ids[DEEPEST];
    for (size_t k = 0; k < s->n; k++)
        ids[k] = brz_profile_add_frame(p, &s->frames[k]);
    brz_stack stack =
        intern ? brz_profile_intern_stack(p, ids, s->n, 0) : brz_profile_add_stack(p, ids, s->n, 0);
    for (uint32_t w = 0; w < WEIGHTS; w++)
        brz_profile_add_value(p, stack, w, s->values[w]);
}

static brz_profile *new_profile(void)
{
    brz_profile *p = brz_profile_create();
    brz_profile_add_weight(p, BRZ_STR("one"), BRZ_STR("u"), 0, 0);
    brz_profile_add_weight(p, BRZ_STR("two"), BRZ_STR("u"), 0, 1);
    return p;
}

/* Adds the samples in random order, some of them to a second profile that is merged at the end. */
static brz_profile *roll_profile(dice *d, const sample *samples, size_t n)
{
    brz_profile *p = new_profile(), *q = new_profile();
    size_t order[MOST_STACKS] = {0};
    for (size_t i = 0; i < n; i++) {
        size_t k = roll_below(d, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (size_t i = 0; i < n; i++)
        add_sample(roll_below(d, 3) == 0 ? q : p, &samples[order[i]], roll_below(d, 2) == 0);
    brz_profile_absorb(p, q);
    brz_profile_destroy(q);
    return p;
}

/* ---- properties ---------------------------------------------------------------------------- */

/* Checks that frames are numbered in the order in which stacks use them, then those that only nodes
 * show, the root's frame last. */
static void check_numbers(const brz_tree *t)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < t->n_stacks; i++)
        for (uint32_t k = 0; k < brz_stack_at(t, i)->n; k++) {
            assert_true(brz_stack_at(t, i)->frames[k] <= next);
            next += brz_stack_at(t, i)->frames[k] == next;
        }
    for (uint32_t i = 1; i < t->n_nodes; i++)
        next = brz_node_at(t, i)->frame >= next ? brz_node_at(t, i)->frame + 1 : next;
    if (t->n_nodes > 0)
        assert_true(brz_node_at(t, 0)->frame >= next);
    if (t->n_nodes > 0)
        next = brz_node_at(t, 0)->frame + 1;
    assert_int_equal(t->n_frames, next);
}

static bool equal(brz_str a, brz_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* Checks that the call tree of another weight, with nodes alone, numbers frames alike. */
static void check_other_weight(const brz_tree *t, brz_profile *p, brz_call_tree_options options)
{
    brz_call_tree other;
    options.weight = 1;
    options.nodes_only = true;
    brz_call_tree_init(&other, p, &options);
    assert_int_equal(other.tree.n_frames, t->n_frames);
    for (uint32_t i = 0; i < t->n_frames; i++) {
        const brz_frame_info *a = brz_frame_at(t, i), *b = brz_frame_at(&other.tree, i);
        assert_true(equal(a->name, b->name) && equal(a->module, b->module));
        assert_true(equal(a->file, b->file) && a->line == b->line && a->kind == b->kind);
    }
    brz_call_tree_finish(&other);
}

static void check_totals(const brz_tree *t, const sample *samples, size_t n)
{
    for (uint32_t w = 0; w < WEIGHTS; w++) {
        int64_t sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += samples[i].values[w];
        assert_int_equal(brz_column_at(t, w)->total, sum);
        if (t->n_nodes > 0 && w == t->main_column)
            assert_int_equal(brz_node_at(t, 0)->total, sum);
        if (t->changes != NULL && w == t->before)
            assert_int_equal(brz_change_at(t, 0)->before_total, sum);
        if (t->changes != NULL && w == t->after)
            assert_int_equal(brz_change_at(t, 0)->after_total, sum);
    }
}

/* Prints the lines around the first difference. */
static void fail_at_line(int round, const char *got, const char *want)
{
    size_t same = 0, start;
    while (got[same] == want[same])
        same++;
    for (start = same; start > 0 && same - start < 120; start--)
        ;
    fail_msg("round %d:\n%.400s\n--- is not ---\n%.400s", round, got + start, want + start);
}

static void compare_with_model(brz_order order, bool nodes, bool based, uint64_t seed)
{
    dice d = {seed};
    for (int round = 0; round < 1200; round++) {
        static line lines[MOST_STACKS];
        static sample samples[MOST_STACKS], modelled[MOST_STACKS];
        char names[NAMES][8], repaired[NAMES][32];
        size_t n = roll_below(&d, MOST_STACKS + 1);
        brz_buf want = {0}, got = {0};
        roll_samples(&d, samples, n, order == BRZ_ORDER_LINES, names); /* no line is empty */
        repair_names(names, repaired);
        memcpy(modelled, samples, sizeof samples);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < modelled[i].n; k++)
                for (size_t m = 0; m < NAMES; m++)
                    if (samples[i].frames[k].name.data == names[m])
                        modelled[i].frames[k].name = str_of(repaired[m]);
        size_t n_lines = make_lines(modelled, n, order, lines);
        print_model_stacks(&want, lines, n_lines);
        if (nodes)
            print_model_nodes(&want, lines, n_lines, based, &(model_samples){modelled, n, order});
        brz_profile *p = roll_profile(&d, samples, n);
        brz_call_tree_options options = {.weight = 0,
                                         .before = based ? 1 : BRZ_NO_COLUMN,
                                         .after = based ? 0 : BRZ_NO_COLUMN,
                                         .order = order,
                                         .nodes = nodes};
        brz_call_tree v;
        assert_false(brz_call_tree_init(&v, p, &options));
        print_view(&got, &v.tree);
        if (strcmp(brz_buf_text(&got), brz_buf_text(&want)) != 0)
            fail_at_line(round, brz_buf_text(&got), brz_buf_text(&want));
        check_numbers(&v.tree);
        if (nodes)
            check_other_weight(&v.tree, p, options);
        check_totals(&v.tree, samples, n);
        brz_call_tree_finish(&v);
        brz_profile_destroy(p);
        brz_buf_finish(&want);
        brz_buf_finish(&got);
    }
}

static void folded_order_is_that_of_joined_names(void **state)
{
    (void)state;
    compare_with_model(BRZ_ORDER_FOLDED, false, false, 1);
    compare_with_model(BRZ_ORDER_FOLDED, true, false, 2);
}

static void line_order_is_that_of_folded_lines(void **state)
{
    (void)state;
    compare_with_model(BRZ_ORDER_LINES, true, false, 3);
    compare_with_model(BRZ_ORDER_LINES, true, true, 4);
}

static void merged_order_gives_each_name_one_node_among_its_siblings(void **state)
{
    (void)state;
    compare_with_model(BRZ_ORDER_MERGED, true, false, 5);
    compare_with_model(BRZ_ORDER_MERGED, true, true, 6);
}

/* ---- examples ------------------------------------------------------------------------------ */

/* Adds a stack such as "a;b;c". */
static void add(brz_profile *p, const char *stack, int64_t value)
{
    sample s = {.values = {value, 0}};
    for (const char *at = stack; *at != '\0'; at += strcspn(at, ";"), at += *at == ';')
        s.frames[s.n++].name = brz_str_of(at, strcspn(at, ";"));
    add_sample(p, &s, false);
}

static char *names_of(brz_profile *p, brz_order order)
{
    brz_call_tree v;
    brz_buf b = {0};
    brz_call_tree_options options = {.before = BRZ_NO_COLUMN, .order = order, .nodes = true};
    brz_call_tree_init(&v, p, &options);
    for (uint32_t i = 1; i < v.tree.n_nodes; i++) {
        const brz_node *n = brz_node_at(&v.tree, i);
        brz_str name = brz_frame_at(&v.tree, n->frame)->name;
        brz_buf_printf(&b, "%*s%.*s %lld/%lld\n", (int)n->depth - 1, "", (int)name.len, name.data,
                       (long long)n->self, (long long)n->total);
    }
    brz_call_tree_finish(&v);
    return b.data;
}

static void a_name_between_a_leaf_and_its_callees_divides_them_in_line_order(void **state)
{
    (void)state;
    brz_profile *p = new_profile();
    add(p, "foo;bar", 4);
    add(p, "foo2", 2);
    add(p, "foo", 1);
    char *lines = names_of(p, BRZ_ORDER_LINES), *merged = names_of(p, BRZ_ORDER_MERGED);
    assert_string_equal(lines, "foo 1/1\nfoo2 2/2\nfoo 0/4\n bar 4/4\n");
    assert_string_equal(merged, "foo 1/5\n bar 4/4\nfoo2 2/2\n");
    free(lines);
    free(merged);
    brz_profile_destroy(p);
}

static void stacks_without_weight_have_no_nodes(void **state)
{
    (void)state;
    brz_profile *p = new_profile();
    add(p, "a;b", 0);
    add(p, "a;c", 3);
    add(p, "a;c;d", 0);
    add(p, "a;e", 1);
    char *text = names_of(p, BRZ_ORDER_MERGED);
    assert_string_equal(text, "a 0/4\n c 3/3\n e 1/1\n");
    free(text);
    brz_profile_destroy(p);
}

/* Returns the names and counts of nodes, or "none". */
static char *counts_of(brz_profile *p, uint32_t weight, brz_time_order time)
{
    brz_call_tree v;
    brz_buf b = {0};
    brz_call_tree_options options = {.weight = weight,
                                     .before = BRZ_NO_COLUMN,
                                     .order = BRZ_ORDER_LINES,
                                     .time = time,
                                     .nodes = true,
                                     .nodes_only = true,
                                     .counts = true};
    brz_call_tree_init(&v, p, &options);
    for (uint32_t i = 1; i < v.tree.n_nodes && v.tree.counts != NULL; i++) {
        brz_str name = brz_frame_at(&v.tree, brz_node_at(&v.tree, i)->frame)->name;
        brz_buf_printf(&b, "%.*s %lld\n", (int)name.len, name.data, (long long)v.tree.counts[i]);
    }
    if (v.tree.counts == NULL)
        brz_buf_printf(&b, "none");
    brz_call_tree_finish(&v);
    return b.data;
}

/* Adds a stack with a time and a number of samples. */
static void add_timed(brz_profile *p, const char *stack, int64_t time, int64_t samples)
{
    add(p, stack, time);
    brz_profile_add_value(p, (brz_stack)(p->n_stacks - 1), 1, samples);
}

static void nodes_have_counts_of_samples_beside_a_time(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    brz_profile_add_weight(p, BRZ_STR("cpu"), BRZ_STR("nanoseconds"), 0, 0);
    brz_profile_add_weight(p, BRZ_STR("ticks"), BRZ_STR("count"), 0, 1);
    p->weights[1].flags = BRZ_COLUMN_SAMPLES;
    add_timed(p, "a;b", 400, 4);
    add_timed(p, "a", 100, 2);
    add_timed(p, "a;b;c", 300, 0);
    add_timed(p, "a;b;c;d", 0, 7); /* without a weight: no node */
    char *beside = counts_of(p, 0, BRZ_TIME_MERGED), *same = counts_of(p, 1, BRZ_TIME_MERGED);
    char *timed = counts_of(p, 0, BRZ_TIME_ORDER);
    assert_string_equal(beside, "a 2\nb 4\nc 0\n");
    assert_string_equal(same, "none");
    assert_string_equal(timed, "none");
    free(beside);
    free(same);
    free(timed);
    brz_profile_destroy(p);
}

static void a_profile_without_stacks_is_a_root(void **state)
{
    (void)state;
    brz_profile *p = new_profile();
    brz_call_tree v;
    brz_call_tree_options options = {
        .before = 1, .after = 0, .order = BRZ_ORDER_MERGED, .nodes = true};
    assert_false(brz_call_tree_init(&v, p, &options));
    assert_int_equal(v.tree.n_nodes, 1);
    assert_int_equal(v.tree.n_stacks, 0);
    assert_int_equal(v.tree.max_depth, 0);
    assert_int_equal(brz_frame_at(&v.tree, 0)->name.len, 0);
    brz_call_tree_finish(&v);
    brz_profile_destroy(p);
}

static void a_saturated_sum_is_reported(void **state)
{
    (void)state;
    brz_profile *p = new_profile();
    add(p, "a;b", INT64_MAX);
    add(p, "a;c", 5);
    brz_call_tree v;
    brz_call_tree_options options = {
        .before = BRZ_NO_COLUMN, .order = BRZ_ORDER_MERGED, .nodes = true};
    assert_true(brz_call_tree_init(&v, p, &options));
    assert_true(brz_node_at(&v.tree, 0)->total == INT64_MAX);
    assert_true(brz_node_at(&v.tree, 1)->total == INT64_MAX);
    assert_true(brz_column_at(&v.tree, 0)->total == INT64_MAX);
    brz_call_tree_finish(&v);
    brz_profile_destroy(p);
}

static void stacks_of_a_hundred_thousand_frames_need_no_recursion(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    brz_profile *p = new_profile();
    brz_frame *ids = calloc(DEPTH, sizeof *ids);
    brz_frame_desc f = {.name = BRZ_STR("f")}, g = {.name = BRZ_STR("g")};
    for (size_t i = 0; i < DEPTH; i++)
        ids[i] = brz_profile_add_frame(p, &f);
    for (size_t i = 0; i < 40; i++) { /* they differ only in their leaves */
        ids[DEPTH - 1] = brz_profile_add_frame(p, i % 2 == 0 ? &f : &g);
        brz_profile_add_value(p, brz_profile_add_stack(p, ids, DEPTH, 0), 0, 1);
    }
    brz_call_tree v;
    brz_call_tree_options options = {
        .before = BRZ_NO_COLUMN, .order = BRZ_ORDER_LINES, .nodes = true};
    assert_false(brz_call_tree_init(&v, p, &options));
    assert_int_equal(v.tree.n_stacks, 2);
    assert_int_equal(v.tree.n_nodes, DEPTH + 2);
    assert_int_equal(v.tree.max_depth, DEPTH);
    assert_int_equal(brz_node_at(&v.tree, 0)->total, 40);
    assert_int_equal(brz_node_at(&v.tree, 0)->subtree, DEPTH + 2);
    brz_call_tree_finish(&v);
    brz_profile_destroy(p);
    free(ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_order_is_that_of_joined_names),
        cmocka_unit_test(line_order_is_that_of_folded_lines),
        cmocka_unit_test(merged_order_gives_each_name_one_node_among_its_siblings),
        cmocka_unit_test(a_name_between_a_leaf_and_its_callees_divides_them_in_line_order),
        cmocka_unit_test(stacks_without_weight_have_no_nodes),
        cmocka_unit_test(nodes_have_counts_of_samples_beside_a_time),
        cmocka_unit_test(a_profile_without_stacks_is_a_root),
        cmocka_unit_test(a_saturated_sum_is_reported),
        cmocka_unit_test(stacks_of_a_hundred_thousand_frames_need_no_recursion),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
