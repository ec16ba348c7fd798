/* Builds the call tree of plain folded text directly from its lines.
 *
 * Each line shares its first names with the previous one, and the other names are new nodes. The
 * check has counted the names of each part, so the place of each node is known in advance: each
 * thread takes a stretch of the text and writes its nodes. The levels that are open where a stretch
 * begins have nodes of earlier stretches, which the thread does not know; it adds up what they
 * receive, and all stretches are joined in the end.
 */
#include "run/folded_tree.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/text/avx2.h>
#include <brazier/text/find.h>

#include "base/mem.h"
#include "base/thread.h"
#include "input/mapping.h"
#include "run/name_numbers.h"

#define MOST_STRETCHES ((size_t)16)

/* Levels that may be written beyond those that were found. */
#define SPARE_LEVELS ((size_t)72)

/* Bytes of lines whose memory is given back at a time. */
#define DROPPED ((size_t)4 << 20)

/* Number of names that are worth a thread. */
#define WORTH_A_THREAD ((uint64_t)8000)

/* The sums that a level of an earlier stretch receives. */
typedef struct received {
    int64_t total;
    uint32_t subtree;
} received;

/* A node whose parent belongs to an earlier stretch. */
typedef struct orphan {
    uint32_t node, level;
} orphan;

/* A stretch of the text. */
typedef struct stretch {
    brz_str text, before;
    brz_node *nodes;   /* of the tree */
    size_t first, end; /* its nodes */
    size_t used;       /* the next one */
    brz_name_numbers names;
    brz_name_numbers_fn *number_names;
    size_t depth;         /* number of open levels: the frames of the current stack */
    uint32_t *level_ends; /* by level, from 1: offset in the line behind the name */
    uint32_t *level_names;
    uint32_t *level_nodes;
    size_t levels_cap;
    size_t known;       /* levels up to this one have nodes of earlier stretches */
    received *received; /* by level, as many as were known at the beginning, and the root */
    size_t n_received;
    orphan *orphans;
    size_t n_orphans, orphans_cap;
    uint32_t max_depth;
    uint32_t *frames; /* numbers of frames, by name; NULL: they are those of the names */
    bool is_changed;  /* the text is not what was checked */
    bool drops;       /* the memory of lines is given back, see brz_mapping_drop() */
} stretch;

/* ---- lines ---------------------------------------------------------------------------------- */

/* Makes room for levels up to number `n`, and some more. */
static void reserve_levels(stretch *s, size_t n)
{
    if (s->levels_cap > n + SPARE_LEVELS)
        return;
    s->levels_cap = 2 * (n + SPARE_LEVELS);
    s->level_ends = brz_realloc(s->level_ends, s->levels_cap, sizeof *s->level_ends);
    s->level_names = brz_realloc(s->level_names, s->levels_cap, sizeof *s->level_names);
    s->level_nodes = brz_realloc(s->level_nodes, s->levels_cap, sizeof *s->level_nodes);
}

/* Finds the separators of a line from `at` on, and its newline, and stores their offsets as the
 * ends of the levels from `first` on. Returns their number, or 0 if there is no newline. */
typedef size_t find_fn(stretch *s, brz_str line, size_t at, size_t first);

static size_t find_portable(stretch *s, brz_str line, size_t at, size_t first)
{
    for (size_t n = 0; at < line.len; at++) {
        char c = line.data[at];
        if (c != ';' && c != '\n')
            continue;
        reserve_levels(s, first + n);
        s->level_ends[first + n++] = (uint32_t)at;
        if (c == '\n')
            return n;
    }
    return 0;
}

#if BRZ_HAVE_AVX2
/* Always writes as many offsets as most blocks have, which avoids branch mispredictions. */
__attribute__((target("avx2,bmi,popcnt"))) static size_t find_avx2(stretch *s, brz_str line,
                                                                   size_t at, size_t first)
{
    const brz_vec32 separator = brz_fill32(';'), newline = brz_fill32('\n');
    for (size_t n = 0; at < line.len; at += 64) { /* the mapping has readable bytes behind it */
        uint64_t ends = brz_equal_mask64(line.data + at, newline);
        uint64_t mask = brz_equal_mask64(line.data + at, separator) | ends;
        mask &= ends == 0 ? UINT64_MAX : ends ^ (ends - 1);
        reserve_levels(s, first + n);
        uint32_t *out = s->level_ends + first + n;
        size_t count = (size_t)__builtin_popcountll(mask);
        for (size_t k = 0; k < 6 || k < count; k++) {
            out[k] = (uint32_t)at + brz_lowest_bit(mask);
            mask &= mask - 1;
        }
        n += count;
        if (ends != 0)
            return n;
    }
    return 0;
}
#endif

static find_fn *best_find(void)
{
#if BRZ_HAVE_AVX2
    if (brz_cpu_has_avx2())
        return find_avx2;
#endif
    return find_portable;
}

/* Opens the levels of the stack in front of the stretch, whose nodes belong to earlier ones. */
static void open_known(stretch *s)
{
    const char *at = s->before.data, *end = at + s->before.len;
    reserve_levels(s, 0);
    for (; s->before.len > 0 && at <= end; at++) {
        const char *stop = memchr(at, ';', (size_t)(end - at));
        at = stop == NULL ? end : stop;
        reserve_levels(s, ++s->depth);
        s->level_ends[s->depth] = (uint32_t)(at - s->before.data);
    }
    s->known = s->depth;
    s->n_received = s->depth + 1;
    s->received = brz_calloc(s->n_received, sizeof *s->received);
}

/* Returns the number of levels that the next line shares with the current one. */
static size_t shared_levels(const stretch *s, brz_prefix_fn *common_prefix, brz_str text)
{
    size_t most = s->before.len < text.len ? s->before.len : text.len;
    size_t same = common_prefix(s->before.data, text.data, most), shared = s->depth;
    if (same == s->before.len && same < text.len && text.data[same] == ';')
        return shared;
    while (shared > 0 && s->level_ends[shared] >= same)
        shared--;
    return shared;
}

/* Opens the levels of a line behind those that it shares with the previous one. Returns false if it
 * is not a line that was checked. */
static bool open_levels(stretch *s, find_fn *find, size_t shared, brz_folded_line *line)
{
    brz_str text = s->text;
    size_t start = shared == 0 ? 0 : (size_t)s->level_ends[shared] + 1;
    size_t most = text.len < BRZ_FOLDED_LONGEST ? text.len : BRZ_FOLDED_LONGEST;
    size_t n = find(s, brz_str_of(text.data, most), start, shared + 1);
    uint32_t *ends = s->level_ends + shared + 1;
    if (n == 0 || ends[n - 1] >= most ||
        !brz_folded_parse(brz_str_of(text.data, ends[n - 1]), line) || line->stack.len <= start ||
        (n > 1 && ends[n - 2] >= line->stack.len))
        return false;
    s->text = brz_str_of(text.data + ends[n - 1] + 1, text.len - ends[n - 1] - 1);
    ends[n - 1] = (uint32_t)line->stack.len;
    s->depth = shared + n;
    s->number_names(&s->names, text.data, start, ends, n, s->level_names + shared + 1);
    return true;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Adds to the sums of a level. */
static void give(stretch *s, size_t depth, uint32_t subtree, int64_t total)
{
    if (depth <= s->known) {
        s->received[depth].subtree += subtree;
        s->received[depth].total += total;
        return;
    }
    brz_node *n = &s->nodes[s->level_nodes[depth]];
    n->subtree += subtree;
    n->total += total;
}

/* Adds the sums of levels that no further line passes through to those of their callers. */
static void close_levels(stretch *s, size_t from, size_t to)
{
    to = to < s->known ? s->known : to;
    for (size_t depth = from; depth > to; depth--) {
        const brz_node *n = &s->nodes[s->level_nodes[depth]];
        give(s, depth - 1, n->subtree, n->total);
    }
}

/* Returns the node of a level; 0 if an earlier stretch has it. */
static uint32_t node_of(const stretch *s, size_t depth)
{
    return depth <= s->known ? 0 : s->level_nodes[depth];
}

static void add_orphan(stretch *s, uint32_t node, size_t depth)
{
    s->orphans = brz_grow(s->orphans, s->n_orphans, &s->orphans_cap, sizeof *s->orphans);
    s->orphans[s->n_orphans++] = (orphan){node, (uint32_t)depth};
}

/* Adds the nodes of the current line, which shares the levels up to `shared` with the previous line
 * and those up to `kept` with the next one. The levels behind both are final: most stacks end in
 * nodes of their own, whose sums are known at once. */
static void add_nodes(stretch *s, size_t shared, size_t kept, int64_t count)
{
    size_t n = s->depth, final = shared > kept ? shared : kept;
    uint32_t parent = node_of(s, shared), node = (uint32_t)s->used;
    if (shared > 0 && shared <= s->known)
        add_orphan(s, node, shared);
    for (size_t k = shared; k < n; k++) {
        bool is_final = k >= kept;
        s->nodes[node] = (brz_node){.frame = s->level_names[k + 1],
                                    .parent = parent,
                                    .subtree = is_final ? (uint32_t)(n - k) : 1,
                                    .depth = (uint32_t)k + 1,
                                    .self = k + 1 == n ? count : 0,
                                    .total = is_final || k + 1 == n ? count : 0};
        s->level_nodes[k + 1] = parent = node++;
    }
    s->used = node;
    s->max_depth = n > s->max_depth ? (uint32_t)n : s->max_depth;
    if (n > final)
        give(s, final, (uint32_t)(n - final), count);
    close_levels(s, shared, kept);
}

/* Builds the nodes of a stretch. Those of a line are added when its next line is known. */
static void *build(void *arg)
{
    stretch *s = arg;
    find_fn *find = best_find();
    brz_prefix_fn *common_prefix = brz_prefix_best();
    brz_folded_line line = {.count = 0};
    brz_name_numbers_init(&s->names);
    s->number_names = brz_name_numbers_best();
    open_known(s);
    const char *dropped = s->text.data;
    for (size_t shared = 0, kept; !s->is_changed; shared = kept) {
        kept = s->text.len == 0 ? s->depth : shared_levels(s, common_prefix, s->text);
        if (line.count > 0)
            add_nodes(s, shared, kept, line.count);
        if (s->text.len == 0)
            break;
        s->known = kept < s->known ? kept : s->known;
        s->is_changed = !open_levels(s, find, kept, &line) || s->depth - kept > s->end - s->used;
        s->before = line.stack;
        if (s->drops && (size_t)(s->text.data - dropped) >= DROPPED) {
            brz_mapping_drop(dropped, DROPPED);
            dropped += DROPPED;
        }
    }
    s->is_changed |= s->used != s->end;
    return NULL;
}

/* ---- joining -------------------------------------------------------------------------------- */

/* Adds the frame of a name. An annotation such as _[k] has a meaning. */
static uint32_t add_frame(brz_profile *p, brz_str name)
{
    brz_frame_desc d = {.struct_size = sizeof d, .name = name};
    bool is_plain = brz_display_name(name).len == name.len;
    int mark = is_plain ? 0 : name.data[name.len - 2];
    d.kind = mark == 'k' ? BRZ_KIND_KERNEL : d.kind;
    d.flags = mark == 'i' ? BRZ_FRAME_INLINED : mark == 'j' ? BRZ_FRAME_JIT : d.flags;
    d.flags = mark != '\0' && d.kind == 0 && d.flags == 0 ? BRZ_FRAME_WAKER : d.flags;
    return brz_profile_add_frame(p, &d);
}

/* Adds the frames of a stretch after those of the earlier ones. */
static void add_frames(brz_profile *p, stretch *s)
{
    bool is_same = true;
    s->frames = brz_calloc(s->names.n, sizeof *s->frames);
    for (size_t i = 0; i < s->names.n; i++) {
        s->frames[i] = add_frame(p, s->names.names[i]);
        is_same &= s->frames[i] == i;
    }
    if (!is_same)
        return;
    free(s->frames);
    s->frames = NULL;
}

/* Replaces the numbers of names in the nodes of a stretch by those of frames. */
static void *number_frames(void *arg)
{
    const stretch *s = arg;
    if (s->frames == NULL || s->is_changed)
        return NULL;
    for (size_t i = s->first; i < s->end; i++)
        s->nodes[i].frame = s->frames[s->nodes[i].frame];
    return NULL;
}

/* Closes the open levels down to `to`, whose nodes are known. */
static void close_open(brz_node *nodes, const uint32_t *open, size_t from, size_t to)
{
    for (size_t depth = from; depth > to; depth--) {
        nodes[open[depth - 1]].subtree += nodes[open[depth]].subtree;
        nodes[open[depth - 1]].total += nodes[open[depth]].total;
    }
}

/* Adds the sums of each stretch to the nodes of earlier ones, and finds the parents of its orphans.
 * Returns false if a stretch does not begin at the depth at which the previous one ends: the text
 * has changed. */
static bool join(stretch *all, size_t n, brz_node *nodes)
{
    uint32_t *open = brz_calloc(1, sizeof *open); /* nodes by level; that of the root is 0 */
    size_t depth = 0;
    bool fits = true;
    for (stretch *s = all; s < all + n; s++) {
        fits = s->n_received == depth + 1;
        if (!fits)
            break;
        for (size_t at = 0; at < s->n_received; at++) {
            nodes[open[at]].subtree += s->received[at].subtree;
            nodes[open[at]].total += s->received[at].total;
        }
        for (size_t i = 0; i < s->n_orphans; i++)
            nodes[s->orphans[i].node].parent = open[s->orphans[i].level];
        close_open(nodes, open, depth, s->known);
        depth = s->depth;
        open = brz_realloc(open, depth + 1, sizeof *open);
        for (size_t at = s->known + 1; at <= depth; at++)
            open[at] = s->level_nodes[at];
    }
    if (fits)
        close_open(nodes, open, depth, 0);
    free(open);
    return fits;
}

/* ---- stretches ------------------------------------------------------------------------------ */

typedef void *stretch_fn(void *);

/* Calls a function for each stretch, on threads if possible. */
static void for_each(stretch *all, size_t n, stretch_fn *work)
{
    pthread_t threads[MOST_STRETCHES];
    bool is_started[MOST_STRETCHES] = {false};
    for (size_t i = 1; i < n; i++)
        is_started[i] = brz_thread_start(&threads[i], work, &all[i]);
    for (size_t i = 0; i < n; i++)
        if (!is_started[i])
            work(&all[i]);
    for (size_t i = 1; i < n; i++)
        if (is_started[i])
            pthread_join(threads[i], NULL);
}

static brz_folded_totals add_up(const brz_folded_parts *parts)
{
    brz_folded_totals sum = {0};
    for (size_t i = 0; i < parts->n; i++) {
        const brz_folded_totals *t = &parts->items[i].totals;
        sum.names += t->names;
        sum.lines += t->lines;
        sum.misplaced += t->misplaced;
        if (__builtin_add_overflow(sum.count, t->count, &sum.count))
            sum.count = UINT64_MAX;
    }
    return sum;
}

/* Divides the parts into up to `wanted` stretches with about the same number of names. Returns the
 * number of stretches. */
static size_t divide(const brz_folded_parts *parts, uint64_t names, size_t wanted, stretch *all)
{
    size_t n = 0, node = 1;
    uint64_t done = 0;
    for (size_t i = 0; i < parts->n; i++) {
        const brz_folded_part *part = &parts->items[i];
        if (n == 0 || (n < wanted && done >= names / wanted * n)) {
            all[n] = (stretch){.text = brz_str_of(part->text.data, 0), .before = part->before};
            all[n].first = all[n].used = node;
            n++;
        }
        done += part->totals.names;
        node += (size_t)part->totals.names;
        all[n - 1].text.len += part->text.len;
        all[n - 1].end = node;
    }
    return n;
}

static void finish_stretch(stretch *s)
{
    brz_name_numbers_finish(&s->names);
    free(s->level_ends);
    free(s->level_names);
    free(s->level_nodes);
    free(s->received);
    free(s->orphans);
    free(s->frames);
}

/* ---- the tree ------------------------------------------------------------------------------- */

static void *allocate(brz_call_tree *v, size_t n, size_t size)
{
    return brz_arena_alloc(&v->memory, n * size, 0);
}

/* Lists the frames of the profile, and adds that of the root, which has no name. */
static void fill_frames(brz_call_tree *v, const brz_profile *p)
{
    v->frames = allocate(v, p->n_frames + 1, sizeof *v->frames);
    for (size_t i = 0; i < p->n_frames; i++)
        v->frames[i] = brz_profile_frame_info(p, (brz_frame)i);
    v->frames[p->n_frames] = (brz_frame_info){.name = BRZ_STR("")};
    v->tree.n_frames = (uint32_t)p->n_frames + 1;
    v->nodes[0].frame = (uint32_t)p->n_frames;
}

static void fill_weight(brz_call_tree *v, brz_profile *p, uint64_t total)
{
    static const brz_str samples = {"samples", 7};
    v->weights = allocate(v, 1, sizeof *v->weights);
    brz_profile_add_weight(p, samples, samples, 0, 0);
    v->weights[0] = (brz_weight_info){.name = brz_strings_at(&p->strings, p->weights[0].name),
                                      .unit = brz_strings_at(&p->strings, p->weights[0].unit),
                                      .total = (int64_t)total};
    v->tree.n_weights = 1;
}

bool brz_folded_tree_is_possible(const brz_folded_parts *parts)
{
    brz_folded_totals sum = add_up(parts);
    return sum.misplaced == 0 && sum.names < UINT32_MAX / 2 && sum.count <= INT64_MAX;
}

bool brz_folded_tree_init(brz_call_tree *v, brz_profile *p, const brz_folded_parts *parts,
                          size_t threads)
{
    stretch all[MOST_STRETCHES];
    brz_folded_totals sum = add_up(parts);
    size_t wanted = 1 + (size_t)(sum.names / WORTH_A_THREAD);
    wanted = wanted < threads ? wanted : threads;
    wanted = wanted < MOST_STRETCHES ? wanted : MOST_STRETCHES;
    size_t n = divide(parts, sum.names, wanted > 0 ? wanted : 1, all);
    bool is_changed = false;
    memset(v, 0, sizeof *v);
    v->tree.n_nodes = (uint32_t)sum.names + 1;
    v->nodes = allocate(v, v->tree.n_nodes, sizeof *v->nodes);
    v->nodes[0].subtree = 1;
    for (size_t i = 0; i < n; i++) {
        all[i].nodes = v->nodes;
        all[i].drops = parts->drops;
    }
    fill_weight(v, p, sum.count);
    for_each(all, n, build);
    for (size_t i = 0; i < n; i++) {
        is_changed |= all[i].is_changed;
        v->tree.max_depth =
            all[i].max_depth > v->tree.max_depth ? all[i].max_depth : v->tree.max_depth;
        add_frames(p, &all[i]);
    }
    if (!is_changed) {
        for_each(all, n, number_frames);
        is_changed = !join(all, n, v->nodes);
    }
    for (size_t i = 0; i < n; i++)
        finish_stretch(&all[i]);
    fill_frames(v, p);
    v->tree.before = v->tree.after = BRZ_NO_WEIGHT;
    brz_tree_extras_init(&v->extras, p, NULL, BRZ_SAMPLES_NONE, &v->tree);
    brz_call_tree_attach(v);
    return !is_changed;
}
