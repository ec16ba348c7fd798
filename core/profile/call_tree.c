/* SPDX-License-Identifier: MIT */
/* Builds the call tree of a profile.
 *
 * Stacks are sorted by the ranks of their frames' names, which makes equal stacks adjacent; these
 * are merged. Frames are numbered in the order in which the sorted stacks first use them, so the
 * result does not depend on the order or the number of threads in which the profile was filled. The
 * call tree then needs no lookups: each stack shares a prefix with the previous one, and its
 * remaining frames are new nodes.
 */
#include "profile/call_tree.h"

#include "profile/compare.h"

#include <brazier/symbol.h>

#include "base/mem.h"
#include "profile/call_frames.h"
#include "profile/stack_order.h"
#include "profile/weight.h"

#include <stdlib.h>
#include <string.h>

/* State that the steps share. */
typedef struct builder {
    brz_call_tree *call_tree;
    const brz_profile *profile;
    const brz_call_tree_options *options;
    brz_frame_rank *ranks; /* by profile frame */
    bool names_are_unique; /* no two frames have the same label */
    brz_multikey_item *order;
    size_t n_order;
    brz_frame **chosen; /* by merged stack: the frames of its nodes; NULL: those of the stack */
    uint32_t *places; /* by profile stack: its index in the tree; only for time order and samples */
    size_t most_nodes; /* maximum number of nodes without the root, if stacks are merged */
    uint32_t deepest;  /* largest number of frames in a stack */
    uint32_t counted;  /* column with the counts of samples, if the call tree has counts */
    uint32_t *numbers; /* by profile frame: its number in the tree, from 1; 0: not numbered yet */
    bool saturated;
} builder;

/* ---- memory -------------------------------------------------------------------------------- */

/* Returns whether nodes are in the order of samples. */
static bool is_timeline(const builder *b)
{
    return b->options->time != BRZ_TIME_MERGED;
}

/* Returns whether the tree contains stacks. */
static bool has_stacks(const builder *b)
{
    return !b->options->nodes_only || is_timeline(b);
}

/* Reserves memory for all arrays whose sizes are known in advance. There are at most as many nodes
 * as frames in stacks. More than half of a large page becomes one, which costs one page fault in
 * place of hundreds. */
static void reserve(const builder *b)
{
    const brz_profile *p = b->profile;
    size_t nodes = b->options->nodes ? p->n_ids + 1 : 0;
    size_t ids = has_stacks(b) ? p->n_ids + 1 : 1, infos = has_stacks(b) ? p->n_stacks : 0;
    size_t frames = p->n_frames + 1, alignment = (size_t)16 * 8;
    size_t size = frames * sizeof(brz_frame_info) + ids * sizeof(brz_frame) +
                  infos * sizeof(brz_stack_info) + p->n_stacks * p->n_weights * sizeof(int64_t) +
                  p->n_weights * sizeof(brz_column_info) + nodes * sizeof(brz_node) +
                  (b->options->counts ? nodes * sizeof(int64_t) : 0) + alignment;
    bool is_nearly_large = size > BRZ_LARGE_PAGE / 2 && size < BRZ_LARGE_PAGE;
    brz_arena_reserve(&b->call_tree->memory, is_nearly_large ? BRZ_LARGE_PAGE : size);
}

/* Allocates a zeroed array. */
static void *allocate_array(brz_call_tree *v, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        brz_out_of_memory(SIZE_MAX);
    return brz_arena_alloc(&v->memory, bytes, 0);
}

/* ---- sorting ------------------------------------------------------------------------------- */

/* Returns whether each frame has a label of its own. */
static bool are_unique(const builder *b, size_t n_labels)
{
    unsigned char *seen = brz_calloc(n_labels, 1);
    bool unique = true;
    for (size_t i = 0; i < b->profile->n_frames && unique; i++) {
        unique = seen[b->ranks[i].label] == 0;
        seen[b->ranks[i].label] = 1;
    }
    free(seen);
    return unique;
}

static void rank_frames(builder *b, brz_profile *p)
{
    brz_ranks r;
    brz_ranks_init(&r, p, b->options->order);
    b->ranks = brz_calloc(p->n_frames, sizeof *b->ranks);
    for (size_t i = 0; i < p->n_frames; i++) {
        uint32_t label = r.labels[p->frames[i].name];
        b->ranks[i] = (brz_frame_rank){r.inner[label], r.leaf[label], label};
    }
    b->names_are_unique = are_unique(b, r.n);
    brz_ranks_finish(&r);
}

static void sort_stacks(builder *b)
{
    b->n_order = b->profile->n_stacks;
    b->order = brz_calloc(b->n_order, sizeof *b->order);
    brz_stack_order_sort(b->profile, b->ranks, b->order);
}

/* Prefetches a stack that will be read soon, and the position of a later one: sorted stacks are
 * scattered over memory. */
BRZ_PREFETCHING
static inline void fetch(const builder *b, size_t i)
{
    const size_t soon = 8, later = 16;
    const brz_profile_stack *stacks = b->profile->stacks;
    if (i + later >= b->n_order)
        return;
    const brz_profile_stack *next = &stacks[b->order[i + soon].item];
    __builtin_prefetch(&stacks[b->order[i + later].item]);
    __builtin_prefetch(next->frames);
    __builtin_prefetch(next->frames + 16);
}

/* ---- equal stacks -------------------------------------------------------------------------- */

static uint32_t label_at(const builder *b, const brz_profile_stack *s, uint32_t i)
{
    return b->ranks[s->frames[i]].label;
}

/* The common prefix of two stacks: the number of equal frames and the number of frames with equal
 * names. */
typedef struct prefix {
    uint32_t same, shared;
} prefix;

/* Returns the common prefix of two sorted stacks, given the number of leading frames with equal
 * ranks. The last frame of one stack and an inner one of the other may have the same name. */
static prefix common_prefix(const builder *b, uint32_t x, uint32_t y, uint32_t ranked)
{
    const brz_profile_stack *s = &b->profile->stacks[x], *t = &b->profile->stacks[y];
    uint32_t n = s->n < t->n ? s->n : t->n, same = 0;
    uint32_t shared = s->frames == t->frames ? n : ranked;
    while (shared < n && (s->frames[shared] == t->frames[shared] ||
                          label_at(b, s, shared) == label_at(b, t, shared)))
        shared++;
    if (b->names_are_unique || s->frames == t->frames)
        return (prefix){shared, shared};
    while (same < shared && s->frames[same] == t->frames[same])
        same++;
    return (prefix){same, shared};
}

/* Packs a prefix into a sort key. The lower half alone stands for a prefix whose number of equal
 * frames is unknown, that is, 0. */
static uint64_t prefix_key(prefix p)
{
    return (uint64_t)p.same << 32 | p.shared;
}

/* Returns whether both stacks have exactly `frames` frames. */
static bool is_whole(const builder *b, uint32_t x, uint32_t y, uint32_t frames)
{
    return b->profile->stacks[x].n == frames && b->profile->stacks[y].n == frames;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Compares the attributes that few formats have. */
static int compare_details(const brz_profile *p, const brz_profile_frame *x,
                           const brz_profile_frame *y)
{
    int d = compare_numbers(x->flags, y->flags);
    if (d == 0)
        d = compare_numbers(x->first_line, y->first_line);
    if (d == 0)
        d = compare_numbers(x->column, y->column);
    if (d == 0)
        d = compare_numbers(x->address, y->address);
    if (d == 0)
        d = brz_strings_compare(&p->strings, x->system_name, y->system_name);
    return d != 0 ? d : brz_strings_compare(&p->strings, x->build_id, y->build_id);
}

/* Compares all attributes of two frames. */
static int compare_frames(const brz_profile *p, brz_frame a, brz_frame b)
{
    const brz_profile_frame *x = &p->frames[a], *y = &p->frames[b];
    int d = brz_strings_compare(&p->strings, x->name, y->name);
    if (d == 0)
        d = brz_strings_compare(&p->strings, x->module, y->module);
    if (d == 0)
        d = brz_strings_compare(&p->strings, x->file, y->file);
    if (d == 0)
        d = compare_numbers(x->line, y->line);
    if (d == 0)
        d = compare_numbers(x->kind, y->kind);
    return d != 0 ? d : compare_details(p, x, y);
}

/* Returns whether stack `x` comes before `y`, which has the same names, by the other attributes of
 * their frames. The first of all such stacks represents them. */
static bool sorts_before(const builder *b, uint32_t x, uint32_t y)
{
    const brz_profile *p = b->profile;
    const brz_profile_stack *s = &p->stacks[x], *t = &p->stacks[y];
    bool is_equal = b->names_are_unique || s->frames == t->frames;
    for (uint32_t i = 0; i < s->n && !is_equal; i++) {
        brz_frame f = s->frames[i], g = t->frames[i];
        int d = f == g ? 0 : compare_frames(p, f, g);
        if (d != 0)
            return d < 0;
    }
    return false;
}

/* A stack to be sorted among those with the same names. */
typedef struct detailed_stack {
    const builder *builder;
    uint32_t stack;
} detailed_stack;

static int compare_detailed(const void *a, const void *b)
{
    const detailed_stack *x = a, *y = b;
    if (sorts_before(x->builder, x->stack, y->stack))
        return -1;
    return sorts_before(x->builder, y->stack, x->stack);
}

/* Sorts order[from .. to), which have the same names, by the other attributes of their frames. */
static void sort_run(builder *b, size_t from, size_t to)
{
    detailed_stack *run = brz_calloc(to - from, sizeof *run);
    for (size_t i = from; i < to; i++)
        run[i - from] = (detailed_stack){b, b->order[i].item};
    qsort(run, to - from, sizeof *run, compare_detailed);
    for (size_t i = from; i < to; i++)
        b->order[i].item = run[i - from].stack;
    free(run);
}

/* Sorts stacks with the same names by the other attributes of their frames, so that equal ones are
 * adjacent. */
static void sort_details(builder *b)
{
    size_t from = 0;
    for (size_t i = 1; i <= b->n_order && !b->names_are_unique; i++) {
        uint32_t last = b->order[i - 1].item;
        if (i < b->n_order &&
            is_whole(b, last, b->order[i].item,
                     common_prefix(b, last, b->order[i].item, (uint32_t)b->order[i].key).shared))
            continue;
        if (i - from > 1)
            sort_run(b, from, i);
        from = i;
    }
}

/* Returns whether two stacks are merged, given their common prefix. */
static bool are_merged(const builder *b, uint32_t x, uint32_t y, prefix with)
{
    return is_whole(b, x, y, b->options->exact ? with.same : with.shared);
}

/* Adds the values of a profile's stack to those of a merged stack. */
static void add_values(builder *b, int64_t *values, uint32_t stack)
{
    const brz_profile *p = b->profile;
    for (size_t w = 0; w < p->n_weights; w++)
        values[w] =
            brz_add_saturated(values[w], brz_profile_value(p, stack, (uint32_t)w), &b->saturated);
}

/* Chooses the frames of nodes that several frames of one name share. Stacks keep theirs. `ends` are
 * the ends of merged stacks in `sorted`. */
static void choose_frames(builder *b, const uint32_t *sorted, const size_t *ends)
{
    const brz_stack_groups groups = {b->profile, b->ranks,      b->options->frame_weight,
                                     b->order,   b->n_order,    sorted,
                                     ends,       compare_frames};
    b->chosen = brz_call_frames_choose(&groups, &b->call_tree->memory);
}

/* Merges each run of equal stacks. Stores the sums in call_tree->values, and in `order` the stack
 * that represents the run, with the prefix shared with the previous one as its key. */
static void merge_stacks(builder *b)
{
    brz_call_tree *v = b->call_tree;
    size_t n = 0, n_weights = b->profile->n_weights;
    bool chooses = b->options->nodes && !b->names_are_unique && !is_timeline(b) && b->n_order > 0;
    uint32_t *sorted = chooses ? brz_calloc(b->n_order, sizeof *sorted) : NULL;
    size_t *ends = chooses ? brz_calloc(b->n_order, sizeof *ends) : NULL;
    v->values = allocate_array(v, b->n_order * n_weights, sizeof *v->values);
    for (size_t i = 0; i < b->n_order; i++) {
        uint32_t stack = b->order[i].item;
        if (chooses)
            sorted[i] = stack;
        fetch(b, i);
        prefix with = {0, 0};
        if (n > 0)
            with = common_prefix(b, b->order[n - 1].item, stack, (uint32_t)b->order[i].key);
        if (n == 0 || !are_merged(b, b->order[n - 1].item, stack, with))
            b->order[n++] = (brz_multikey_item){prefix_key(with), stack, 0};
        else if (sorts_before(b, stack, b->order[n - 1].item))
            b->order[n - 1] = (brz_multikey_item){(uint32_t)b->order[n - 1].key, stack, 0};
        add_values(b, v->values + (n - 1) * n_weights, stack);
        b->most_nodes += b->profile->stacks[stack].n - with.shared;
        if (b->profile->stacks[stack].n > b->deepest)
            b->deepest = b->profile->stacks[stack].n;
        if (b->places != NULL)
            b->places[stack] = (uint32_t)n - 1;
        if (chooses)
            ends[n - 1] = i + 1;
    }
    b->n_order = n;
    if (chooses)
        choose_frames(b, sorted, ends);
    free(sorted);
    free(ends);
}

/* ---- the arrays ---------------------------------------------------------------------------- */

static void add_frame(builder *b, brz_frame frame)
{
    uint32_t n = b->call_tree->tree.n_frames++;
    b->call_tree->frames[n] = brz_profile_frame_info(b->profile, frame);
    b->numbers[frame] = n + 1;
}

static inline brz_frame number_frame(builder *b, brz_frame frame)
{
    if (b->numbers[frame] == 0)
        add_frame(b, frame);
    return b->numbers[frame] - 1;
}

/* Adds the root's frame, which has an empty name. */
static uint32_t number_root(builder *b)
{
    b->call_tree->frames[b->call_tree->tree.n_frames] = (brz_frame_info){.name = BRZ_STR("")};
    return b->call_tree->tree.n_frames++;
}

static uint32_t n_frames_of(const builder *b, size_t i)
{
    return b->profile->stacks[b->order[i].item].n;
}

/* Numbers the frames of a stack that the previous one does not share. */
static void number_frames(builder *b, size_t i)
{
    const brz_profile_stack *stack = &b->profile->stacks[b->order[i].item];
    for (uint32_t k = (uint32_t)(b->order[i].key >> 32); k < stack->n; k++)
        number_frame(b, stack->frames[k]);
}

/* Returns how many frames of a stack the call tree stores. A stack that begins with all frames of
 * the previous one shares them with it. */
static size_t n_own_frames(const builder *b, size_t i)
{
    const brz_profile_stack *stacks = b->profile->stacks;
    uint32_t n = stacks[b->order[i].item].n, same = (uint32_t)(b->order[i].key >> 32);
    return i > 0 && same == stacks[b->order[i - 1].item].n ? n - same : n;
}

static size_t count_ids(const builder *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_order; i++)
        n += n_own_frames(b, i);
    return n;
}

static void fill_stacks(builder *b)
{
    brz_call_tree *v = b->call_tree;
    const brz_profile *p = b->profile;
    brz_frame *frames = v->ids, *end = frames; /* of the last stack */
    for (size_t i = 0; i < b->n_order; i++) {
        const brz_profile_stack *stack = &p->stacks[b->order[i].item];
        brz_stack_info *info = &v->stacks[i];
        fetch(b, i);
        uint32_t same = (uint32_t)(b->order[i].key >> 32); /* numbered already */
        info->n = stack->n;
        info->n_common = b->options->exact ? same : (uint32_t)b->order[i].key;
        info->values = v->values + i * p->n_weights;
        if (n_own_frames(b, i) == stack->n) {
            memcpy(end, frames, same * sizeof *frames);
            frames = end;
        }
        info->frames = frames;
        for (uint32_t k = same; k < stack->n; k++)
            frames[k] = number_frame(b, stack->frames[k]);
        end = frames + stack->n;
    }
    v->tree.n_stacks = (uint32_t)b->n_order;
}

static void fill_weights(builder *b)
{
    brz_call_tree *v = b->call_tree;
    const brz_profile *p = b->profile;
    for (size_t w = 0; w < p->n_weights; w++) {
        brz_column_info *info = &v->weights[w];
        *info = brz_column_info_of(p, w);
        for (size_t i = 0; i < b->n_order; i++)
            info->total =
                brz_add_saturated(info->total, v->values[i * p->n_weights + w], &b->saturated);
    }
    v->tree.n_columns = (uint32_t)p->n_weights;
}

/* ---- the call tree ------------------------------------------------------------------------- */

static uint32_t add_node(brz_call_tree *v, uint32_t frame, uint32_t parent, uint32_t depth,
                         bool has_changes)
{
    size_t n = v->tree.n_nodes;
    if (n == v->nodes_cap)
        v->nodes = brz_grow(v->nodes, n, &v->nodes_cap, sizeof *v->nodes);
    v->nodes[n] = (brz_node){.frame = frame, .parent = parent, .subtree = 1, .depth = depth};
    if (has_changes) {
        v->changes = brz_grow(v->changes, n, &v->changes_cap, sizeof *v->changes);
        v->changes[n] = (brz_change){0};
    }
    if (depth > v->tree.max_depth)
        v->tree.max_depth = depth;
    v->tree.n_nodes++;
    return (uint32_t)n;
}

static void close_change(builder *b, uint32_t node, uint32_t parent)
{
    brz_change *to = &b->call_tree->changes[parent];
    const brz_change *from = &b->call_tree->changes[node];
    to->before_total = brz_add_saturated(to->before_total, from->before_total, &b->saturated);
    to->after_total = brz_add_saturated(to->after_total, from->after_total, &b->saturated);
}

/* Closes the nodes that no further stack passes through: adds their sums to those of their
 * parents. */
static void close_nodes(builder *b, uint32_t *open, uint32_t from, uint32_t to)
{
    brz_node *nodes = b->call_tree->nodes;
    for (uint32_t depth = from; depth > to; depth--) {
        const brz_node *n = &nodes[open[depth]];
        brz_node *parent = &nodes[open[depth - 1]];
        parent->subtree += n->subtree;
        parent->total = brz_add_saturated(parent->total, n->total, &b->saturated);
        if (b->call_tree->changes != NULL)
            close_change(b, open[depth], open[depth - 1]);
    }
}

static void add(builder *b, int64_t *sum, int64_t value)
{
    *sum = brz_add_saturated(*sum, value, &b->saturated);
}

static void add_self(builder *b, uint32_t node, const int64_t *values)
{
    brz_node *n = &b->call_tree->nodes[node];
    add(b, &n->self, values[b->options->weight]);
    add(b, &n->total, values[b->options->weight]);
    if (b->call_tree->changes == NULL)
        return;
    brz_change *c = &b->call_tree->changes[node];
    add(b, &c->before_self, values[b->options->before]);
    add(b, &c->before_total, values[b->options->before]);
    add(b, &c->after_self, values[b->options->after]);
    add(b, &c->after_total, values[b->options->after]);
}

static bool is_comparison(const builder *b)
{
    return b->options->before != BRZ_NO_COLUMN && b->options->after != BRZ_NO_COLUMN;
}

/* Returns whether the run's weight is the sum of both sides of a comparison. */
static bool is_sum(const builder *b)
{
    const brz_call_tree_options *o = b->options;
    return is_comparison(b) && o->weight != o->before && o->weight != o->after;
}

/* Returns whether nodes get their changes while samples are added in their order. */
static bool has_changes_in_time(const builder *b)
{
    return is_comparison(b) || b->options->is_signed;
}

/* Returns whether a stack has a nonzero value in any column of the run. */
static bool has_weight(const builder *b, const int64_t *values)
{
    return values[b->options->weight] != 0 ||
           (is_comparison(b) &&
            (values[b->options->before] != 0 || values[b->options->after] != 0));
}

static bool same_name(const brz_call_tree *v, uint32_t a, uint32_t b)
{
    return a == b || brz_str_equal(v->frames[a].name, v->frames[b].name);
}

/* Adds a node that starts after `now` of the input's weight. */
static uint32_t start_node(const builder *b, uint32_t frame, uint32_t parent, uint32_t depth,
                           int64_t now)
{
    brz_call_tree *v = b->call_tree;
    uint32_t n = add_node(v, frame, parent, depth, has_changes_in_time(b));
    v->starts = brz_grow(v->starts, n, &v->starts_cap, sizeof *v->starts);
    v->starts[n] = now;
    return n;
}

/* Returns the width that a sample adds to its node: its value in the run's column. The sum of both
 * sides of a comparison has no samples of its own, so the samples of both sides count. */
static int64_t width_of(const builder *b, const brz_profile_sample *sample)
{
    const brz_call_tree_options *o = b->options;
    int64_t value = o->is_signed ? brz_size_of(sample->value) : sample->value;
    return is_sum(b) || sample->weight == o->weight ? value : 0;
}

/* Returns whether a sample counts in one of the run's columns. */
static bool is_counted(const builder *b, const brz_profile_sample *sample)
{
    const brz_call_tree_options *o = b->options;
    bool is_compared =
        is_comparison(b) && (sample->weight == o->before || sample->weight == o->after);
    return sample->value != 0 && (is_compared || sample->weight == o->weight);
}

static void add_sample(builder *b, uint32_t node, const brz_profile_sample *sample)
{
    brz_call_tree *v = b->call_tree;
    int64_t width = width_of(b, sample);
    add(b, &v->nodes[node].self, width);
    add(b, &v->nodes[node].total, width);
    if (v->changes == NULL)
        return;
    brz_change *c = &v->changes[node];
    bool compares = is_comparison(b);
    bool is_before = compares ? sample->weight == b->options->before : sample->value < 0;
    int64_t value = compares ? sample->value : brz_size_of(sample->value);
    add(b, is_before ? &c->before_self : &c->after_self, value);
    add(b, is_before ? &c->before_total : &c->after_total, value);
}

/* Adds nodes in the order of the samples: the frames that a sample does not share with the previous
 * one are new nodes. Both counts of a compared line are samples of the same nodes; a sample without
 * a width, such as a count "before", takes no time. */
static void fill_nodes_over_time(builder *b)
{
    brz_call_tree *v = b->call_tree;
    const brz_profile *p = b->profile;
    uint32_t depth = 0, *open = brz_calloc((size_t)b->deepest + 1, sizeof *open);
    int64_t now = 0;
    start_node(b, number_root(b), 0, 0, now);
    for (size_t i = 0; i < p->samples.n; i++) {
        const brz_profile_sample *sample =
            &p->samples.items[b->options->time == BRZ_TIME_BACK ? p->samples.n - 1 - i : i];
        const brz_stack_info *s = &v->stacks[b->places[sample->stack]];
        uint32_t shared = 0;
        if (!is_counted(b, sample))
            continue;
        while (shared < depth && shared < s->n &&
               same_name(v, v->nodes[open[shared + 1]].frame, s->frames[shared]))
            shared++;
        close_nodes(b, open, depth, shared);
        for (depth = shared; depth < s->n; depth++)
            open[depth + 1] = start_node(b, s->frames[depth], open[depth], depth + 1, now);
        now = brz_add_saturated(now, width_of(b, sample), &b->saturated);
        add_sample(b, open[depth], sample);
    }
    close_nodes(b, open, depth, 0);
    free(open);
}

/* ---- merged nodes -------------------------------------------------------------------------- */

static const int64_t *values_of(const builder *b, size_t i)
{
    return b->call_tree->values + i * b->profile->n_weights;
}

/* Returns the first stack from `i` on that has a weight, and the number of frames that all stacks
 * up to it share with the one before `i`. */
static size_t next_weighted(builder *b, size_t i, uint32_t *shared)
{
    *shared = UINT32_MAX;
    for (; i < b->n_order; i++) {
        uint32_t with = (uint32_t)b->order[i].key;
        *shared = with < *shared ? with : *shared;
        fetch(b, i);
        if (!has_stacks(b))
            number_frames(b, i);
        if (has_weight(b, values_of(b, i)))
            return i;
    }
    *shared = 0;
    return i;
}

/* Numbers the frames that were chosen for nodes, after those of all stacks, with or without weight:
 * trees of all weights number frames alike. */
static void number_chosen(builder *b)
{
    if (b->chosen == NULL)
        return;
    for (size_t i = 0; i < b->n_order && !has_stacks(b); i++)
        number_frames(b, i);
    for (size_t i = 0; i < b->n_order; i++)
        for (uint32_t k = 0; b->chosen[i] != NULL && k < n_frames_of(b, i); k++)
            number_frame(b, b->chosen[i][k]);
}

/* Returns the frames of a merged stack's nodes. */
static const brz_frame *node_frames(const builder *b, size_t i)
{
    if (b->chosen != NULL && b->chosen[i] != NULL)
        return b->chosen[i];
    return b->profile->stacks[b->order[i].item].frames;
}

/* Adds the nodes of a stack below depth `shared`. Nodes deeper than `kept` get their final sums. */
static void add_nodes(builder *b, uint32_t *open, size_t i, uint32_t shared, uint32_t kept)
{
    brz_call_tree *v = b->call_tree;
    const brz_profile_stack *s = &b->profile->stacks[b->order[i].item];
    int64_t value = values_of(b, i)[b->options->weight];
    const brz_frame *frames = node_frames(b, i);
    uint32_t n = v->tree.n_nodes, parent = open[shared];
    for (uint32_t k = shared; k < s->n; k++) {
        bool is_final = k >= kept;
        v->nodes[n] = (brz_node){.frame = b->numbers[frames[k]] - 1,
                                 .parent = parent,
                                 .subtree = is_final ? s->n - k : 1,
                                 .depth = k + 1,
                                 .self = is_final && k + 1 == s->n ? value : 0,
                                 .total = is_final ? value : 0};
        open[k + 1] = parent = n++;
    }
    v->tree.n_nodes = n;
    if (s->n > v->tree.max_depth)
        v->tree.max_depth = s->n;
}

/* Does the same for the weights of a comparison. The nodes have been added. */
static void add_changes(const builder *b, const uint32_t *open, size_t i, uint32_t shared,
                        uint32_t kept)
{
    const brz_profile_stack *s = &b->profile->stacks[b->order[i].item];
    const int64_t *values = values_of(b, i);
    int64_t before = values[b->options->before], after = values[b->options->after];
    for (uint32_t k = shared > kept ? shared : kept; k < s->n; k++) {
        bool is_leaf = k + 1 == s->n;
        b->call_tree->changes[open[k + 1]] =
            (brz_change){is_leaf ? before : 0, before, is_leaf ? after : 0, after};
    }
}

/* Adds the sums of a stack's final nodes, which begin below depth `depth`, to the node there. */
static void add_final(builder *b, uint32_t node, size_t i, uint32_t n)
{
    brz_call_tree *v = b->call_tree;
    const int64_t *values = values_of(b, i);
    v->nodes[node].subtree += n;
    add(b, &v->nodes[node].total, values[b->options->weight]);
    if (v->changes == NULL)
        return;
    add(b, &v->changes[node].before_total, values[b->options->before]);
    add(b, &v->changes[node].after_total, values[b->options->after]);
}

/* Adds a stack that shares the nodes up to depth `shared` with the previous one, and those up to
 * depth `kept` with the next one. All others are final: most stacks end in nodes of their own,
 * whose sums are known at once. */
static void add_stack(builder *b, uint32_t *open, size_t i, uint32_t shared, uint32_t kept)
{
    uint32_t n = b->profile->stacks[b->order[i].item].n, final = shared > kept ? shared : kept;
    add_nodes(b, open, i, shared, kept);
    if (b->call_tree->changes != NULL)
        add_changes(b, open, i, shared, kept);
    if (n > final)
        add_final(b, open[final], i, n - final);
    else
        add_self(b, open[n], values_of(b, i));
    if (b->call_tree->counts != NULL)
        add(b, &b->call_tree->counts[open[n]], values_of(b, i)[b->counted]);
    close_nodes(b, open, shared, kept);
}

/* Allocates the counts if the call tree is to have them and a column counts samples beside the
 * run's. A column with negative values, and a side of a comparison, counts none. */
static void allocate_counts(builder *b)
{
    const uint32_t compared = BRZ_COLUMN_BEFORE | BRZ_COLUMN_AFTER;
    brz_call_tree *v = b->call_tree;
    for (uint32_t w = 0; w < v->tree.n_columns && b->options->counts; w++) {
        const brz_column_info *info = &v->weights[w];
        bool counts_samples = (info->flags & (BRZ_COLUMN_SAMPLES | compared)) == BRZ_COLUMN_SAMPLES;
        if (w == b->options->weight || info->total <= 0 || !counts_samples ||
            brz_has_losses(b->profile, w))
            continue;
        b->counted = w;
        v->counts = allocate_array(v, v->nodes_cap, sizeof *v->counts);
        return;
    }
}

static void fill_nodes(builder *b)
{
    brz_call_tree *v = b->call_tree;
    uint32_t *open = brz_calloc((size_t)b->deepest + 1, sizeof *open); /* nodes by depth */
    uint32_t shared, kept;
    v->nodes_cap = b->most_nodes + 1;
    v->nodes = allocate_array(v, v->nodes_cap, sizeof *v->nodes);
    allocate_counts(b);
    number_chosen(b);
    if (v->tree.before != BRZ_NO_COLUMN)
        v->changes = brz_calloc(v->nodes_cap, sizeof *v->changes);
    v->nodes[0].subtree = 1;
    v->tree.n_nodes = 1;
    for (size_t i = next_weighted(b, 0, &shared), next; i < b->n_order; i = next, shared = kept) {
        next = next_weighted(b, i + 1, &kept);
        add_stack(b, open, i, shared, kept);
    }
    v->nodes[0].frame = number_root(b);
    free(open);
}

/* ---- signs --------------------------------------------------------------------------------- */

/* Returns the width of a node itself: the size of its weight. Sizes of both sides of a comparison
 * are added, since a gain does not hide a loss. */
static int64_t size_of_node(builder *b, uint32_t i)
{
    const brz_change *c = &b->call_tree->changes[i];
    if (!is_sum(b))
        return brz_size_of(b->call_tree->nodes[i].self);
    return brz_add_saturated(brz_size_of(c->before_self), brz_size_of(c->after_self),
                             &b->saturated);
}

/* Makes widths of signed weights, whose sums could be less than their parts. Without a comparison,
 * losses and gains become the sides of changes. */
static void take_signs(builder *b)
{
    brz_call_tree *v = b->call_tree;
    bool compares = is_comparison(b);
    if (!compares)
        v->changes = brz_calloc(v->tree.n_nodes, sizeof *v->changes);
    for (uint32_t i = 0; i < v->tree.n_nodes; i++) {
        brz_node *n = &v->nodes[i];
        int64_t size = size_of_node(b, i), losses = n->self < 0 ? size : 0;
        if (!compares)
            v->changes[i] = (brz_change){losses, losses, size - losses, size - losses};
        n->self = n->total = size;
    }
    for (uint32_t i = v->tree.n_nodes; i-- > 1;) {
        brz_node *parent = &v->nodes[v->nodes[i].parent];
        add(b, &parent->total, v->nodes[i].total);
        if (!compares)
            close_change(b, i, v->nodes[i].parent);
    }
}

/* ---- the call tree --------------------------------------------------------------------------- */

static void allocate(builder *b)
{
    brz_call_tree *v = b->call_tree;
    const brz_profile *p = b->profile;
    v->frames = allocate_array(v, p->n_frames + 1, sizeof *v->frames);
    v->stacks = allocate_array(v, has_stacks(b) ? b->n_order : 0, sizeof *v->stacks);
    v->ids = allocate_array(v, has_stacks(b) ? count_ids(b) + 1 : 0, sizeof *v->ids);
    v->weights = allocate_array(v, p->n_weights, sizeof *v->weights);
    b->numbers = brz_calloc(p->n_frames + 1, sizeof *b->numbers);
}

/* Copies the settings of the run into the tree. */
static void fill_settings(builder *b)
{
    brz_tree *t = &b->call_tree->tree;
    t->main_column = b->options->weight;
    t->before = is_comparison(b) ? b->options->before : BRZ_NO_COLUMN;
    t->after = is_comparison(b) ? b->options->after : BRZ_NO_COLUMN;
    t->flags = b->options->self_deltas ? BRZ_TREE_SELF_DELTAS : 0;
    t->flags |= is_timeline(b) ? BRZ_TREE_TIME_ORDER : 0;
    t->flags |= b->options->is_signed ? BRZ_TREE_SIGNED : 0;
}

void brz_call_tree_attach(brz_call_tree *v)
{
    v->tree.struct_size = sizeof v->tree;
    v->tree.frame_size = sizeof *v->frames;
    v->tree.node_size = sizeof *v->nodes;
    v->tree.stack_size = sizeof *v->stacks;
    v->tree.column_size = sizeof *v->weights;
    v->tree.change_size = sizeof *v->changes;
    v->tree.frames = v->frames;
    v->tree.nodes = v->nodes;
    v->tree.stacks = v->stacks;
    v->tree.columns = v->weights;
    v->tree.changes = v->changes;
    v->tree.starts = v->starts;
    v->tree.counts = v->counts;
}

bool brz_call_tree_init(brz_call_tree *v, brz_profile *p, const brz_call_tree_options *options)
{
    builder b = {.call_tree = v, .profile = p, .options = options};
    memset(v, 0, sizeof *v);
    reserve(&b);
    rank_frames(&b, p);
    sort_stacks(&b);
    if (options->exact)
        sort_details(&b);
    if (is_timeline(&b) || options->samples != BRZ_SAMPLES_NONE)
        b.places = brz_calloc(p->n_stacks, sizeof *b.places);
    merge_stacks(&b);
    allocate(&b);
    if (has_stacks(&b))
        fill_stacks(&b);
    fill_weights(&b);
    fill_settings(&b);
    brz_tree_extras_init(&v->extras, p, b.places, options->samples, &v->tree);
    if (options->nodes && is_timeline(&b))
        fill_nodes_over_time(&b);
    else if (options->nodes)
        fill_nodes(&b);
    if (options->nodes && !is_timeline(&b) && options->is_signed)
        take_signs(&b);
    brz_call_tree_attach(v);
    free(b.places);
    free(b.ranks);
    free(b.order);
    free(b.chosen);
    free(b.numbers);
    return b.saturated;
}

void brz_call_tree_finish(brz_call_tree *v)
{
    if (v->has_node_pages)
        brz_pages_free(v->nodes, v->nodes_cap * sizeof *v->nodes);
    if (v->starts != NULL)
        free(v->nodes); /* not in the arena: its size was not known in advance */
    free(v->changes);
    brz_tree_extras_finish(&v->extras);
    free(v->starts);
    brz_arena_finish(&v->memory);
    memset(v, 0, sizeof *v);
}
