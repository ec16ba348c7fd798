/* SPDX-License-Identifier: MIT */
/* Builds the call tree of an input that has its stacks in order.
 *
 * Each stack shares its first names with the one before, and the other names are new nodes. A node
 * is final when the first stack without it comes.
 */
#include "sorted/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/weight.h"
#include "sorted/name_numbers.h"

/* Number of levels whose names are found together. */
#define SOME_LEVELS ((size_t)64)

/* Maximum number of nodes. */
#define MOST_NODES ((size_t)UINT32_MAX / 2)

/* Maximum number of nodes for which there is room although they are not expected. */
#define MOST_SPARE ((size_t)1 << 20)

/* Tells what a stack adds to the stack before it. */
typedef struct step {
    uint32_t shared; /* number of levels that both share */
    uint32_t n;      /* number of levels after these */
    uint64_t count;
} step;

/* Stacks that are taken together, from which names are found before they get their numbers. */
typedef struct batch {
    step *steps;
    size_t n, steps_cap;
    brz_found_name *names; /* of the levels that are not shared, stack after stack */
    uint32_t *numbers;
    size_t n_names, names_cap;
} batch;

typedef struct builder {
    brz_call_tree *tree;
    const brz_sorted_source *source;
    brz_name_numbers names;
    brz_name_functions functions;
    batch batch;
    uint64_t total; /* sum of all counts */
    /* The levels of the last stack that was read, from 1 on; level 0 is the root. */
    size_t depth;
    uint32_t *ends; /* offset after the name */
    size_t ends_cap;
    /* The levels of the last stack in the tree. */
    size_t nodes_depth;
    uint32_t *nodes;
    size_t nodes_cap;
} builder;

static void *allocate(brz_call_tree *v, size_t n, size_t size)
{
    return brz_arena_alloc(&v->memory, n * size, 0);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Makes room for levels up to number `n`, and some more. */
static inline void reserve_ends(builder *b, size_t n)
{
    if (b->ends_cap > n + SOME_LEVELS)
        return;
    b->ends_cap = 2 * (n + SOME_LEVELS);
    b->ends = brz_realloc(b->ends, b->ends_cap, sizeof *b->ends);
}

/* Makes room for `n` more names. */
static inline void reserve_names(batch *t, size_t n)
{
    if (t->names_cap >= t->n_names + n)
        return;
    t->names_cap = 2 * (t->n_names + n);
    t->names = brz_realloc(t->names, t->names_cap, sizeof *t->names);
    t->numbers = brz_realloc(t->numbers, t->names_cap, sizeof *t->numbers);
}

/* Returns the number of levels that a stack shares with the one before. */
static size_t shared_levels(const builder *b, const brz_sorted_stack *s)
{
    size_t level = b->depth;
    if (level > 0 && b->ends[level] == s->shared && s->names[s->shared] == ';')
        return level;
    while (level > 0 && b->ends[level] >= s->shared)
        level--;
    return level;
}

/* Returns whether the order BRZ_ORDER_LINES has a stack in front of the one before, whose names it
 * begins with: a blank and a byte less than a digit follow there. */
static bool is_misplaced(const builder *b, const brz_sorted_stack *s)
{
    return b->depth > 0 && s->shared == b->ends[b->depth] && s->len > s->shared + 1 &&
           s->names[s->shared] == ' ' && s->names[s->shared + 1] < '0';
}

/* Finds the names of the levels after `level`. Returns the number of these levels. */
static size_t find_names(builder *b, const brz_sorted_stack *s, size_t level)
{
    size_t last = level, at = level == 0 ? 0 : (size_t)b->ends[level] + 1;
    brz_str names = brz_str_of(s->names, s->len);
    do {
        reserve_ends(b, last);
        reserve_names(&b->batch, SOME_LEVELS);
        size_t n = b->functions.find(&b->names, names, at, b->ends + last + 1,
                                     b->batch.names + b->batch.n_names, SOME_LEVELS);
        b->batch.n_names += n;
        last += n;
        at = (size_t)b->ends[last] + 1;
    } while (at < s->len);
    return last - level;
}

/* Does the same for a sample, whose frames have numbers. */
static size_t take_frames(builder *b, size_t level)
{
    const brz_sample_stack *s = b->source->samples;
    size_t n = s->n - level;
    reserve_ends(b, s->n);
    reserve_names(&b->batch, n);
    memcpy(b->ends + level + 1, s->ends + level, n * sizeof *b->ends);
    memcpy(b->batch.numbers, s->frames + level, n * sizeof *b->batch.numbers);
    b->batch.n_names += n;
    return n;
}

/* Reads a stack into a batch. Returns false if it is misplaced. */
static bool read_stack(builder *b, const brz_sorted_stack *s)
{
    if (is_misplaced(b, s))
        return false;
    size_t level = shared_levels(b, s);
    size_t n = b->source->samples != NULL ? take_frames(b, level) : find_names(b, s, level);
    b->batch.steps[b->batch.n++] = (step){(uint32_t)level, (uint32_t)n, s->count};
    b->depth = level + n;
    return true;
}

/* Reads the stacks that the source takes together, and numbers their names. Returns false if one
 * is misplaced. */
__attribute__((noinline)) static bool read_stacks(builder *b, const brz_sorted_stack *stacks,
                                                  size_t n)
{
    batch *t = &b->batch;
    t->n = t->n_names = 0;
    if (t->steps_cap < n)
        t->steps = brz_realloc(t->steps, t->steps_cap = n, sizeof *t->steps);
    for (size_t i = 0; i < n; i++)
        if (!read_stack(b, &stacks[i]))
            return false;
    if (b->source->samples == NULL)
        b->functions.number(&b->names, t->names, t->n_names, t->numbers);
    return true;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Sets the sums of the nodes of levels after `to`, which are final: all nodes and counts since they
 * were added are below them. */
static void close_levels(builder *b, size_t to)
{
    brz_node *nodes = b->tree->nodes;
    const uint32_t *levels = b->nodes, n_nodes = b->tree->tree.n_nodes;
    const int64_t total = (int64_t)b->total;
    for (size_t level = b->nodes_depth; level > to; level--) {
        brz_node *n = &nodes[levels[level]];
        n->subtree = n_nodes - levels[level];
        n->total = total - n->total;
    }
    b->nodes_depth = to;
}

/* Does the same for the root. */
static void close_root(const builder *b)
{
    b->tree->nodes[0].subtree = b->tree->tree.n_nodes;
    b->tree->nodes[0].total = (int64_t)b->total;
}

/* Returns for how many nodes there should be room, of which `n` are needed: as many as the input
 * has if its rest is like what was taken, and some more, since pages that are not used cost
 * nothing, but moving nodes does. */
static size_t estimate_nodes(const builder *b, size_t n)
{
    uint64_t taken = b->source->at - b->source->rest.len, size = b->source->size;
    size_t least = (b->tree->has_node_pages ? 4 * n : n + n / 2) + 1024;
    if (taken == 0 || size <= taken || size / taken > MOST_NODES / n)
        return least;
    size_t wanted = n * (size_t)(size / taken + 1);
    wanted += wanted < MOST_SPARE ? wanted : MOST_SPARE;
    return wanted < least ? least : wanted;
}

/* Enlarges the room for nodes by at least `n`. If their number cannot be estimated, they have pages
 * of their own, which are freed when they have moved. */
static void enlarge_nodes(builder *b, size_t n)
{
    brz_call_tree *v = b->tree;
    brz_node *old = v->nodes;
    size_t old_size = v->nodes_cap * sizeof *old;
    v->nodes_cap = estimate_nodes(b, v->tree.n_nodes + n);
    v->nodes = v->has_node_pages ? brz_pages_alloc(v->nodes_cap * sizeof *old)
                                 : allocate(v, v->nodes_cap, sizeof *old);
    if (v->tree.n_nodes > 0)
        memcpy(v->nodes, old, v->tree.n_nodes * sizeof *old);
    if (v->has_node_pages && old != NULL)
        brz_pages_free(old, old_size);
}

/* Makes room for `n` more nodes. */
static inline void reserve_nodes(builder *b, size_t n)
{
    if (b->tree->nodes_cap < b->tree->tree.n_nodes + n)
        enlarge_nodes(b, n);
}

/* Makes room for levels up to number `n`. */
static inline void reserve_levels(builder *b, size_t n)
{
    if (b->nodes_cap > n)
        return;
    b->nodes_cap = 2 * n + SOME_LEVELS;
    b->nodes = brz_realloc(b->nodes, b->nodes_cap, sizeof *b->nodes);
}

/* Adds `n` nodes with these frames below the current levels. The last one has the count. Until a
 * node is closed, its total is the sum of all counts before it. */
static void add_nodes(builder *b, const uint32_t *frames, size_t n, int64_t count)
{
    brz_call_tree *v = b->tree;
    reserve_nodes(b, n);
    reserve_levels(b, b->nodes_depth + n);
    const int64_t before = (int64_t)b->total;
    uint32_t node = v->tree.n_nodes, depth = (uint32_t)b->nodes_depth, *level = b->nodes + depth;
    uint32_t parent = *level;
    brz_node *nodes = v->nodes;
    for (size_t i = 0; i < n; i++) {
        nodes[node] =
            (brz_node){.frame = frames[i], .parent = parent, .depth = ++depth, .total = before};
        *++level = parent = node++;
    }
    nodes[parent].self = count;
    v->tree.n_nodes = node;
    v->tree.max_depth = depth > v->tree.max_depth ? depth : v->tree.max_depth;
    b->nodes_depth = depth;
}

/* Adds the stacks of a batch. Returns false if their nodes or counts are too many. */
__attribute__((noinline)) static bool add_stacks(builder *b)
{
    const uint32_t *numbers = b->batch.numbers;
    for (size_t i = 0; i < b->batch.n; i++) {
        const step *s = &b->batch.steps[i];
        close_levels(b, s->shared);
        if (b->tree->tree.n_nodes + (size_t)s->n > MOST_NODES ||
            s->count > (uint64_t)INT64_MAX - b->total)
            return false;
        add_nodes(b, numbers, s->n, (int64_t)s->count);
        b->total += s->count;
        numbers += s->n;
    }
    return true;
}

/* Adds all stacks of the source. Returns false if not all of them were added. */
static bool add_all(builder *b, brz_sorted_source *source, const atomic_bool *stop)
{
    const brz_sorted_stack *stacks;
    for (size_t n; (n = brz_sorted_next_some(source, &stacks)) > 0;) {
        if (!read_stacks(b, stacks, n) || !add_stacks(b)) {
            source->state = BRZ_SORTED_NOT_PLAIN;
            return false;
        }
        if (atomic_load(stop))
            return false;
    }
    close_levels(b, 0);
    close_root(b);
    return source->state == BRZ_SORTED_OVER;
}

/* ---- the tree ------------------------------------------------------------------------------- */

/* Sets a frame of a name in text, of which the reader finds the attributes. They are `d` before
 * that: copying costs less than clearing. */
static void set_frame(brz_frame_info *to, const brz_sorted_reader *reader, brz_frame_desc d,
                      brz_str name)
{
    d.name = name;
    reader->describe(&d);
    to->name = name;
    to->module = d.module;
    to->file = d.file;
    to->line = d.line;
    to->kind = d.kind;
    to->system_name = d.system_name;
    to->build_id = d.build_id;
    to->address = d.address;
    to->column = d.column;
    to->first_line = d.first_line;
    to->flags = d.flags;
    to->reserved = 0;
}

static void list_names(brz_call_tree *v, const builder *b)
{
    const brz_str none = BRZ_STR("");
    const brz_frame_desc unknown = {.struct_size = sizeof unknown,
                                    .module = none,
                                    .file = none,
                                    .system_name = none,
                                    .build_id = none};
    brz_name_cursor at = {0, 0};
    for (size_t i = 0; i < b->names.n; i++)
        set_frame(&v->frames[i], b->source->reader, unknown, brz_name_numbers_next(&b->names, &at));
}

/* Lists the frames: those of all names, which are distinct, or those of the samples. Adds that of
 * the root, which has no name. */
static void list_frames(brz_call_tree *v, const builder *b)
{
    const brz_profile *p = b->source->samples == NULL ? NULL : b->source->samples->profile;
    size_t n = p == NULL ? b->names.n : p->n_frames;
    v->frames = allocate(v, n + 1, sizeof *v->frames);
    for (size_t i = 0; p != NULL && i < n; i++)
        v->frames[i] = brz_profile_frame_info(p, (brz_frame)i);
    if (p == NULL)
        list_names(v, b);
    v->frames[n] = (brz_frame_info){.name = BRZ_STR("")};
    v->tree.n_frames = (uint32_t)n + 1;
    v->nodes[0].frame = (uint32_t)n;
}

static void add_weight(brz_call_tree *v, brz_profile *p, const builder *b)
{
    brz_column_desc d = {.struct_size = sizeof d};
    brz_sorted_source_weight(b->source, &d);
    brz_profile_add_weight(p, d.name, d.unit, 0, 0);
    v->weights = allocate(v, 1, sizeof *v->weights);
    v->weights[0] = brz_column_info_of(p, 0);
    v->weights[0].flags = d.flags & BRZ_COLUMN_SHOWN_FLAGS;
    v->weights[0].total = (int64_t)b->total;
    v->tree.n_columns = 1;
    v->tree.before = v->tree.after = BRZ_NO_COLUMN;
}

/* Adds the root. */
static void begin(builder *b, brz_call_tree *v, const brz_sorted_source *source)
{
    memset(v, 0, sizeof *v);
    v->has_node_pages = source->samples != NULL;
    *b = (builder){.tree = v, .source = source, .functions = brz_name_functions_best()};
    reserve_nodes(b, 1);
    v->nodes[0] = (brz_node){.total = 0};
    v->tree.n_nodes = 1;
    brz_name_numbers_init(&b->names, &v->memory);
    reserve_levels(b, 0);
    b->nodes[0] = 0;
}

static void finish(builder *b)
{
    brz_name_numbers_finish(&b->names);
    free(b->batch.steps);
    free(b->batch.names);
    free(b->batch.numbers);
    free(b->ends);
    free(b->nodes);
}

bool brz_sorted_tree_init(brz_call_tree *v, brz_profile *p, brz_sorted_source *source,
                          const atomic_bool *stop)
{
    builder b;
    begin(&b, v, source);
    bool is_complete = add_all(&b, source, stop);
    add_weight(v, p, &b);
    if (b.names.is_odd) {
        source->state = BRZ_SORTED_NOT_PLAIN;
        is_complete = false;
    }
    list_frames(v, &b);
    brz_tree_extras_init(&v->extras, p, NULL, BRZ_SAMPLES_NONE, &v->tree);
    brz_call_tree_attach(v);
    finish(&b);
    return is_complete;
}
