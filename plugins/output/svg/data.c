/* Writes the tree of frames for the script: the frames that are drawn, and narrower ones, which a
 * search counts.
 *
 * Narrow frames are listed from the heaviest on, as far as there is room; a record stands for the
 * weight of those that are not. Records come in pre-order. Numbers are written in base 32, the
 * highest digit first, as characters from '?' on; all digits but the last are greater by 32. A
 * record is
 *
 *     number of open frames that end before it * 16 + flags
 *     LOST: the weight of unlisted frames, and nothing else
 *     number of the name, in the order of first use
 *     OWN: self weight
 *     MOVED: distance from the end of the frame before it
 *     COLOR: colour, if it is not that of the first drawn frame of the name
 *     in comparisons: the change in its weight
 *
 * Numbers that can be negative are doubled, and 1 less than that doubled value's opposite if
 * negative.
 */
#include "data.h"

#include "../common/memory.h"
#include "label.h"

enum { OWN = 1, MOVED = 2, LOST = 4, COLOR = 8, FLAGS = 16 };

#define ROOM       (1u << 20) /* estimated size of the narrow frames' records, in bytes */
#define RECORD     7          /* estimated size of one */
#define PIECE_SIZE (4u << 20) /* maximum size of an element: readers of XML limit texts */
#define BUCKETS    512

/* State while the tree is written. */
typedef struct writing {
    svg_picture *p;
    svg_frames *f;
    uint64_t least;   /* lighter frames are not listed */
    uint32_t *names;  /* number of each frame's name; 0: not used yet */
    uint32_t *colors; /* colour of each frame's name; 0: none yet */
    uint32_t *used;   /* frames in the order of their names' numbers, from 1 */
    uint32_t n_used;
    uint64_t *ends; /* end of the last frame of each depth */
    size_t ends_cap;
    uint32_t n_open; /* number of open frames */
    uint64_t lost;   /* weight of unlisted frames that are not written yet */
    uint32_t lost_depth;
    size_t size; /* characters in this element */
} writing;

/* ---- frames that are listed ---------------------------------------------------------------- */

static uint64_t weight(int64_t v)
{
    return v > 0 ? (uint64_t)v : 0;
}

/* Returns the bucket of a weight: there are eight per power of two. */
static uint32_t bucket_of(uint64_t w)
{
    if (w < 8)
        return (uint32_t)w;
    uint32_t log = 63 - (uint32_t)__builtin_clzll(w);
    return (log - 2) * 8 + (uint32_t)(w >> (log - 3) & 7);
}

/* Returns the smallest weight of a bucket. */
static uint64_t bucket_start(uint32_t bucket)
{
    if (bucket < 8)
        return bucket;
    return (uint64_t)(8 + bucket % 8) << (bucket / 8 - 1);
}

/* Returns the weight from which on narrow frames are listed. `sizes` are the estimated sizes of the
 * records by bucket. */
static uint64_t least_within(const uint64_t *sizes)
{
    uint64_t sum = 0;
    for (uint32_t b = BUCKETS - 1; b > 0; b--) {
        sum += sizes[b];
        if (sum > ROOM)
            return bucket_start(b + 1);
    }
    return 1;
}

static uint64_t choose_least(svg_picture *p)
{
    const brz_tree *tree = p->tree;
    uint64_t sizes[BUCKETS] = {0};
    uint64_t *heaviest = p->ctx->host->alloc(p->ctx, (tree->n_frames + 1) * sizeof *heaviest, 0);
    for (uint32_t i = 1; i < tree->n_nodes; i++) {
        const brz_node *n = brz_node_at(tree, i);
        uint64_t w = weight(n->total);
        if ((double)w < p->m.min_width)
            sizes[bucket_of(w)] += RECORD;
        if (heaviest[n->frame] < w)
            heaviest[n->frame] = w;
    }
    for (uint32_t i = 0; i < tree->n_frames; i++)
        if ((double)heaviest[i] < p->m.min_width)
            sizes[bucket_of(heaviest[i])] += brz_frame_at(tree, i)->name.len + 1;
    return least_within(sizes);
}

static bool is_listed(const writing *t, uint32_t node)
{
    uint64_t w = weight(brz_node_at(t->p->tree, node)->total);
    return node == 0 || (double)w >= t->p->m.min_width || w >= t->least;
}

/* ---- records ------------------------------------------------------------------------------- */

static char *pen_digits(char *to, uint64_t v)
{
    uint32_t shift = 0;
    while (shift < 60 && v >> shift >= 32)
        shift += 5;
    for (; shift > 0; shift -= 5)
        *to++ = (char)('?' + 32 + (v >> shift & 31));
    *to++ = (char)('?' + (v & 31));
    return to;
}

static char *pen_signed(char *to, int64_t v)
{
    return pen_digits(to, v < 0 ? 2 * (uint64_t)(-(v + 1)) + 1 : 2 * (uint64_t)v);
}

static void put_record(writing *t, const char *record, size_t size)
{
    if (t->size + size > PIECE_SIZE) {
        BRZ_PUT(&t->p->w, "</metadata>\n<metadata class=\"tree\">");
        t->size = 0;
    }
    brz_put(&t->p->w, record, size);
    t->size += size;
}

/* Writes the weight of unlisted frames. */
static void flush_lost(writing *t)
{
    char record[2 * BRZ_NUMBER_ROOM];
    if (t->lost == 0)
        return;
    char *to = pen_digits(record, (uint64_t)(t->n_open - t->lost_depth) * FLAGS + LOST);
    to = pen_digits(to, t->lost);
    put_record(t, record, (size_t)(to - record));
    t->ends[t->lost_depth] += t->lost;
    t->n_open = t->lost_depth;
    t->lost = 0;
}

static void add_lost(writing *t, uint32_t depth, uint64_t w)
{
    if (t->lost > 0 && t->lost_depth != depth)
        flush_lost(t);
    t->lost_depth = depth;
    t->lost += w;
}

/* Returns the number of a frame's name. */
static uint32_t name_of(writing *t, uint32_t frame)
{
    if (t->names[frame] == 0) {
        t->used[++t->n_used] = frame;
        t->names[frame] = t->n_used;
    }
    return t->names[frame];
}

/* Returns whether the colour of a frame is to be written; 0 stands for no colour. */
static bool has_own_color(writing *t, uint32_t frame, uint32_t color)
{
    if (color == 0 || t->colors[frame] == color)
        return false;
    if (t->colors[frame] == 0)
        t->colors[frame] = color;
    return true;
}

/* Makes room for the ends of the frames of a depth and of their callees. */
static void make_room(writing *t, uint32_t depth)
{
    while (t->ends == NULL || depth + 2 > t->ends_cap)
        t->ends = memory_list_room(t->p->ctx, t->ends, t->ends_cap, &t->ends_cap, sizeof *t->ends);
}

static void put_node(writing *t, uint32_t i, uint64_t start, uint64_t total)
{
    const brz_tree *tree = t->p->tree;
    const brz_node *n = brz_node_at(tree, i);
    char record[8 * BRZ_NUMBER_ROOM], *to = record;
    uint32_t color = t->f->colors[i], frame = i == 0 ? tree->n_frames : n->frame;
    uint64_t self = weight(n->self);
    flush_lost(t);
    make_room(t, n->depth);
    int64_t moved = (int64_t)(start - t->ends[n->depth]);
    bool is_own = has_own_color(t, frame, color);
    uint32_t flags = (self > 0 ? OWN : 0) | (moved != 0 ? MOVED : 0) | (is_own ? COLOR : 0);
    to = pen_digits(to, (uint64_t)(t->n_open - n->depth) * FLAGS + flags);
    to = pen_digits(to, i == 0 ? 0 : name_of(t, frame));
    to = self > 0 ? pen_digits(to, self) : to;
    to = moved != 0 ? pen_signed(to, moved) : to;
    to = is_own ? pen_digits(to, color >> 8) : to;
    to = tree->changes != NULL ? pen_signed(to, brz_delta(tree, i)) : to;
    put_record(t, record, (size_t)(to - record));
    t->ends[n->depth] = start + total;
    t->ends[n->depth + 1] = start + (tree->starts == NULL ? self : 0);
    t->n_open = n->depth + 1;
}

static void put_tree(writing *t)
{
    const brz_tree *tree = t->p->tree;
    uint64_t time = 0;
    BRZ_PUT(&t->p->w, "<metadata class=\"tree\">");
    for (uint32_t i = 0; i < tree->n_nodes;) {
        const brz_node *n = brz_node_at(tree, i);
        if (tree->starts != NULL)
            time = weight(tree->starts[i]);
        if (is_listed(t, i)) {
            put_node(t, i, time, weight(n->total));
            time += weight(n->self);
            i++;
            continue;
        }
        add_lost(t, n->depth, weight(n->total));
        time += weight(n->total);
        i += n->subtree;
    }
    flush_lost(t);
    BRZ_PUT(&t->p->w, "</metadata>\n");
}

/* Writes the names, each on a line; the first one is the root's. */
static void put_names(writing *t)
{
    svg_picture *p = t->p;
    size_t size = 0;
    BRZ_PUT(&p->w, "<metadata class=\"names\">all");
    for (uint32_t i = 1; i <= t->n_used; i++) {
        const svg_label *l = svg_label_of(p, t->f, t->used[i]);
        brz_put_char(&p->w, '\n');
        if (size + l->xml.len > PIECE_SIZE) {
            BRZ_PUT(&p->w, "</metadata>\n<metadata class=\"names\">");
            size = 0;
        }
        brz_put_str(&p->w, l->xml);
        size += l->xml.len + 1;
    }
    BRZ_PUT(&p->w, "</metadata>\n");
}

void svg_put_data(svg_picture *p, svg_frames *f)
{
    size_t frames = p->tree->n_frames + 1;
    writing t = {.p = p, .f = f, .least = choose_least(p)};
    t.names = p->ctx->host->alloc(p->ctx, frames * sizeof *t.names, 0);
    t.colors = p->ctx->host->alloc(p->ctx, frames * sizeof *t.colors, 0);
    t.used = p->ctx->host->alloc(p->ctx, (frames + 1) * sizeof *t.used, 0);
    put_tree(&t);
    put_names(&t);
}
