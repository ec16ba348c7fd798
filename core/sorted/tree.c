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

/* Number of levels that are found together. */
#define SOME_LEVELS ((size_t)64)

/* Maximum number of nodes. */
#define MOST_NODES ((size_t)UINT32_MAX / 2)

/* Number of stacks between two looks at whether the run is to end. */
#define LOOK_EVERY 4096

typedef struct builder {
    brz_call_tree *tree;
    const brz_sorted_source *source;
    brz_name_numbers names;
    brz_name_numbers_fn *number_names;
    uint64_t total; /* sum of all counts */
    /* The levels of the current stack, from 1 on; level 0 is the root. */
    size_t depth;
    uint32_t *ends; /* offset after the name */
    uint32_t *numbers, *nodes;
    size_t levels_cap;
} builder;

static void *allocate(brz_call_tree *v, size_t n, size_t size)
{
    return brz_arena_alloc(&v->memory, n * size, 0);
}

/* ---- names ---------------------------------------------------------------------------------- */

static void enlarge_levels(builder *b, size_t n)
{
    b->levels_cap = 2 * (n + SOME_LEVELS);
    b->ends = brz_realloc(b->ends, b->levels_cap, sizeof *b->ends);
    b->numbers = brz_realloc(b->numbers, b->levels_cap, sizeof *b->numbers);
    b->nodes = brz_realloc(b->nodes, b->levels_cap, sizeof *b->nodes);
}

/* Makes room for levels up to number `n`, and some more. */
static inline void reserve_levels(builder *b, size_t n)
{
    if (b->levels_cap <= n + SOME_LEVELS)
        enlarge_levels(b, n);
}

/* Returns the number of levels that a stack shares with the current one. */
static size_t shared_levels(const builder *b, const brz_sorted_stack *s)
{
    size_t level = b->depth;
    if (level > 0 && b->ends[level] == s->shared && s->names[s->shared] == ';')
        return level;
    while (level > 0 && b->ends[level] >= s->shared)
        level--;
    return level;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Sets the sums of a node, which is final: all nodes and counts since it was added are below it. */
static inline void close_node(const builder *b, uint32_t i)
{
    brz_node *n = &b->tree->nodes[i];
    n->subtree = b->tree->tree.n_nodes - i;
    n->total = (int64_t)b->total - n->total;
}

static void close_levels(builder *b, size_t to)
{
    for (size_t level = b->depth; level > to; level--)
        close_node(b, b->nodes[level]);
    b->depth = to < b->depth ? to : b->depth;
}

/* Returns for how many nodes there should be room, of which `n` are needed: as many as the input
 * has if its rest is like what was read. */
static size_t estimate_nodes(const builder *b, size_t n)
{
    uint64_t read = b->source->at, size = b->source->size;
    size_t least = (b->tree->has_node_pages ? 4 * n : n + n / 2) + 1024;
    if (read == 0 || size <= read || size / read > MOST_NODES / n)
        return least;
    size_t wanted = n * (size_t)(size / read + 1);
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

/* Adds the nodes of levels up to `n` below the current ones. The last one has the count. Until a
 * node is closed, its total is the sum of all counts before it. */
static void add_nodes(builder *b, size_t n, int64_t count)
{
    brz_call_tree *v = b->tree;
    int64_t before = (int64_t)b->total;
    reserve_nodes(b, n - b->depth);
    uint32_t node = v->tree.n_nodes, parent = b->nodes[b->depth];
    for (size_t level = b->depth + 1; level <= n; level++) {
        v->nodes[node] = (brz_node){.frame = b->numbers[level],
                                    .parent = parent,
                                    .depth = (uint32_t)level,
                                    .total = before};
        b->nodes[level] = parent = node++;
    }
    v->nodes[parent].self = count;
    v->tree.n_nodes = node;
    v->tree.max_depth = n > v->tree.max_depth ? (uint32_t)n : v->tree.max_depth;
    b->depth = n;
}

/* Returns whether the order BRZ_ORDER_LINES has a stack in front of the one before, whose names it
 * begins with: a blank and a byte less than a digit follow there. */
static bool is_misplaced(const builder *b, const brz_sorted_stack *s)
{
    return b->depth > 0 && s->shared == b->ends[b->depth] && s->len > s->shared + 1 &&
           s->names[s->shared] == ' ' && s->names[s->shared + 1] < '0';
}

/* Sets the levels after `level`, whose names begin at `start`. Returns their number. */
static size_t set_levels(builder *b, const brz_sorted_stack *s, size_t level, size_t start)
{
    size_t last = level, at = start;
    do {
        reserve_levels(b, last);
        last += b->number_names(&b->names, brz_str_of(s->names, s->len), at, b->ends + last + 1,
                                b->numbers + last + 1, SOME_LEVELS);
        at = (size_t)b->ends[last] + 1;
    } while (at < s->len);
    return last - level;
}

/* Does the same for a sample, whose frames have numbers. */
static size_t set_levels_of_sample(builder *b, size_t level)
{
    const brz_sample_stack *s = b->source->samples;
    size_t n = s->n - level;
    reserve_levels(b, s->n);
    memcpy(b->ends + level + 1, s->ends + level, n * sizeof *b->ends);
    memcpy(b->numbers + level + 1, s->frames + level, n * sizeof *b->numbers);
    return n;
}

/* Adds a stack. Returns false if its nodes are too many, or it is misplaced. */
static bool add_stack(builder *b, const brz_sorted_stack *s)
{
    if (is_misplaced(b, s))
        return false;
    size_t level = shared_levels(b, s), start = level == 0 ? 0 : (size_t)b->ends[level] + 1;
    close_levels(b, level);
    size_t n = b->source->samples != NULL ? set_levels_of_sample(b, level)
                                          : set_levels(b, s, level, start);
    if (b->tree->tree.n_nodes + n > MOST_NODES || s->count > (uint64_t)INT64_MAX - b->total)
        return false;
    add_nodes(b, level + n, (int64_t)s->count);
    b->total += s->count;
    return true;
}

/* Adds all stacks. Returns false if not all of them were added. */
static bool add_stacks(builder *b, brz_sorted_source *source, const atomic_bool *stop)
{
    const brz_sorted_stack *s;
    for (size_t i = 1; (s = brz_sorted_next(source)) != NULL; i++) {
        if (!add_stack(b, s)) {
            source->state = BRZ_SORTED_NOT_PLAIN;
            return false;
        }
        if (i % LOOK_EVERY == 0 && atomic_load(stop))
            return false;
    }
    close_levels(b, 0);
    close_node(b, 0);
    return source->state == BRZ_SORTED_OVER && !atomic_load(stop);
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
    for (size_t i = 0; i < b->names.n; i++)
        set_frame(&v->frames[i], b->source->reader, unknown, b->names.names[i].text);
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
    *b = (builder){.tree = v, .source = source, .number_names = brz_name_numbers_best()};
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
    free(b->ends);
    free(b->numbers);
    free(b->nodes);
}

bool brz_sorted_tree_init(brz_call_tree *v, brz_profile *p, brz_sorted_source *source,
                          const atomic_bool *stop)
{
    builder b;
    begin(&b, v, source);
    bool is_complete = add_stacks(&b, source, stop);
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
