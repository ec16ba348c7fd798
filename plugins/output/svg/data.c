/* SPDX-License-Identifier: MIT */
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
 *     with signed weights: its weight with its sign, of which the width is the size
 *
 * Numbers that can be negative are doubled, and 1 less than that doubled value's opposite if
 * negative.
 */
#include "frame_parts.h"

#include "label.h"

enum { OWN = 1, MOVED = 2, LOST = 4, COLOR = 8, FLAGS = 16 };

#define ROOM       (1u << 20) /* estimated size of the narrow frames' records, in bytes */
#define RECORD     7          /* estimated size of one */
#define PIECE_SIZE (4u << 20) /* maximum size of an element: readers of XML limit texts */
#define BUCKETS    512
#define RECORD_MAX ((size_t)8 * BRZ_NUMBER_ROOM) /* maximum size of a record */

/* The number and the colour of a frame's name; 0: none yet. */
typedef struct known_name {
    uint32_t number, color;
} known_name;

/* State while the tree is written. */
typedef struct writing {
    svg_picture *p;
    svg_frames *f;
    uint64_t least;    /* lighter frames are not listed */
    known_name *names; /* indexed by frame */
    uint32_t *used;    /* frames in the order of their names' numbers, from 1 */
    uint32_t n_used;
    uint32_t n_colors;   /* number of colours that were taken from the drawn frames */
    uint64_t *ends;      /* end of the last frame of each depth */
    uint32_t n_open;     /* number of open frames */
    uint64_t lost;       /* weight of unlisted frames that are not written yet */
    uint64_t lost_count; /* samples of these, if they are known */
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
    uint32_t shift = ((uint32_t)__builtin_clzll(w | 8) ^ 63) - 3; /* leaves the highest four bits */
    return shift * 8 + (uint32_t)(w >> shift);
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

/* Returns the smallest weight that is drawn: the comparison is that of svg_walk(). */
static uint64_t least_drawn(const svg_picture *p)
{
    uint64_t low = 0, high = (uint64_t)INT64_MAX;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if ((double)middle < p->m.min_width)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns whether all narrow frames fit, by the estimate of least_within(). */
static bool fits_whole(const svg_picture *p)
{
    uint64_t size = p->n_narrow * RECORD;
    for (uint32_t i = 0; i < p->tree->n_frames && size <= ROOM; i++)
        size += brz_frame_at(p->tree, i)->name.len + 1;
    return size <= ROOM;
}

/* Estimated sizes of the records of narrow frames. */
typedef struct narrow {
    uint64_t sizes[BUCKETS]; /* by the bucket of their weight */
    uint32_t full;           /* the records from this bucket on do not fit; 0: they may */
    uint64_t heavier;        /* sum of the sizes after this bucket */
    uint64_t least;          /* lighter frames are not listed and need not be counted */
} narrow;

/* Counts the record of a frame that is not lighter than r->least. */
static inline void count_record(narrow *r, uint32_t bucket)
{
    r->sizes[bucket] += RECORD;
    r->heavier += RECORD;
    if (r->heavier <= ROOM)
        return;
    do
        r->heavier -= r->sizes[++r->full];
    while (r->heavier > ROOM);
    r->least = bucket_start(r->full + 1);
}

/* Counts the records of all frames, and stores the bucket of the heaviest node of each function;
 * BUCKETS for a node that is drawn. */
static void count_records(narrow *r, const brz_tree *tree, uint64_t drawn, uint16_t *heaviest)
{
    const void *nodes = tree->nodes;
    const uint32_t stride = tree->node_size, n_nodes = tree->n_nodes;
    for (uint32_t i = 1; i < n_nodes;) {
        const brz_node *n = brz_at(nodes, stride, i);
        uint64_t w = weight(n->total);
        if (w < r->least) {
            i += n->subtree; /* its callees are lighter still */
            continue;
        }
        uint32_t bucket = w < drawn ? bucket_of(w) : BUCKETS;
        if (bucket < BUCKETS)
            count_record(r, bucket);
        if (heaviest[n->frame] < bucket)
            heaviest[n->frame] = (uint16_t)bucket;
        i++;
    }
}

/* Returns the weight from which on frames are listed: wide ones always are. */
static uint64_t choose_least(svg_picture *p)
{
    const brz_tree *tree = p->tree;
    uint64_t drawn = least_drawn(p);
    if (p->n_narrow == 0 || fits_whole(p))
        return drawn < 1 ? drawn : 1;
    narrow r = {.least = 1};
    uint16_t *heaviest = p->ctx->host->alloc(p->ctx, (tree->n_frames + 1) * sizeof *heaviest, 0);
    count_records(&r, tree, drawn, heaviest);
    for (uint32_t i = 0; i < tree->n_frames; i++)
        if (heaviest[i] > r.full && heaviest[i] < BUCKETS)
            r.sizes[heaviest[i]] += brz_frame_at(tree, i)->name.len + 1;
    uint64_t least = least_within(r.sizes);
    return least < drawn ? least : drawn;
}

/* ---- records ------------------------------------------------------------------------------- */

/* Returns digit `i` of a number, from the right, as a character: five bits, and a mark of all
 * digits but the last one. */
static inline char digit_of(uint64_t v, uint32_t i)
{
    return (char)((i > 0 ? '_' : '?') + (int)(v >> 5 * i & 31));
}

/* Writes a number, the highest digit first. Most numbers are short. */
static inline char *pen_digits(char *to, uint64_t v)
{
    if (v >= 32) {
        if (v >= UINT64_C(1) << 10) {
            if (v >= UINT64_C(1) << 15)
                for (uint32_t i = (63 - (uint32_t)__builtin_clzll(v)) / 5; i > 2; i--)
                    *to++ = digit_of(v, i);
            *to++ = digit_of(v, 2);
        }
        *to++ = digit_of(v, 1);
    }
    *to++ = digit_of(v, 0);
    return to;
}

static char *pen_signed(char *to, int64_t v)
{
    return pen_digits(to, v < 0 ? 2 * (uint64_t)(-(v + 1)) + 1 : 2 * (uint64_t)v);
}

/* Returns where to write a record of at most RECORD_MAX characters. */
static inline char *open_record(const writing *t)
{
    return brz_writer_room(&t->p->w, RECORD_MAX);
}

/* Moves a record that does not fit into this element, and whose end is `to`, to the next one. */
static void move_record(writing *t, const char *start, size_t size)
{
    char record[RECORD_MAX];
    memcpy(record, start, size);
    BRZ_PUT(&t->p->w, "</metadata>\n<metadata class=\"tree\">");
    brz_put(&t->p->w, record, size);
    t->size = size;
}

static inline void close_record(writing *t, const char *to)
{
    brz_writer *w = &t->p->w;
    const char *start = w->buffer + w->used;
    size_t size = (size_t)(to - start);
    if (t->size + size > PIECE_SIZE) {
        move_record(t, start, size);
        return;
    }
    w->used += size;
    t->size += size;
}

static inline bool has_lost(const writing *t)
{
    return t->lost > 0 || t->lost_count > 0;
}

/* Writes the weight of unlisted frames. */
static void flush_lost(writing *t)
{
    char *to = open_record(t);
    to = pen_digits(to, (uint64_t)(t->n_open - t->lost_depth) * FLAGS + LOST);
    to = pen_digits(to, t->lost);
    if (t->p->counted != NULL)
        to = pen_digits(to, t->lost_count);
    close_record(t, to);
    t->ends[t->lost_depth] += t->lost;
    t->n_open = t->lost_depth;
    t->lost = t->lost_count = 0;
}

/* Adds an unlisted frame with its callees. */
static void add_lost(writing *t, uint32_t i, const brz_node *n)
{
    if (has_lost(t) && t->lost_depth != n->depth)
        flush_lost(t);
    t->lost_depth = n->depth;
    t->lost += weight(n->total);
    if (t->p->counted != NULL)
        t->lost_count += svg_samples_of(t->p, i);
}

/* Returns the name of a frame, with a number. */
static inline known_name *name_of(writing *t, uint32_t frame)
{
    known_name *known = &t->names[frame];
    if (known->number == 0 && frame != t->p->tree->n_frames) {
        t->used[++t->n_used] = frame;
        known->number = t->n_used;
    }
    return known;
}

/* Returns the colour of a node, or 0 if it is not drawn. Nodes are asked for in their order. */
static inline uint32_t color_of(writing *t, uint32_t node)
{
    const svg_drawn *drawn = &t->f->drawn[t->n_colors];
    if (t->n_colors == t->p->n_drawn || drawn->node != node)
        return 0;
    t->n_colors++;
    return drawn->color;
}

/* Returns whether the colour of a frame is to be written; 0 stands for no colour. */
static inline bool has_own_color(known_name *known, uint32_t color)
{
    if (color == 0 || known->color == color)
        return false;
    if (known->color == 0)
        known->color = color;
    return true;
}

static void put_node(writing *t, uint32_t i, const brz_node *n, uint64_t start)
{
    const svg_picture *p = t->p;
    uint32_t color = color_of(t, i);
    uint64_t self = weight(n->self), count = p->counted != NULL ? svg_own_samples(p, i) : 0;
    if (has_lost(t))
        flush_lost(t);
    int64_t moved = (int64_t)(start - t->ends[n->depth]);
    known_name *known = name_of(t, i == 0 ? p->tree->n_frames : n->frame);
    bool is_own = has_own_color(known, color), has_self = self > 0 || count > 0;
    uint32_t flags = (has_self ? OWN : 0) | (moved != 0 ? MOVED : 0) | (is_own ? COLOR : 0);
    char *to = pen_digits(open_record(t), (uint64_t)(t->n_open - n->depth) * FLAGS + flags);
    to = pen_digits(to, known->number);
    to = has_self ? pen_digits(to, self) : to;
    to = has_self && p->counted != NULL ? pen_digits(to, count) : to;
    to = moved != 0 ? pen_signed(to, moved) : to;
    to = is_own ? pen_digits(to, color >> 8) : to;
    to = p->tree->before != BRZ_NO_COLUMN ? pen_signed(to, brz_delta(p->tree, i)) : to;
    to = svg_is_signed(p) ? pen_signed(to, brz_signed_total(p->tree, i)) : to;
    close_record(t, to);
    t->ends[n->depth] = start + weight(n->total);
    t->ends[n->depth + 1] = start + (p->tree->starts == NULL ? self : 0);
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
        if (weight(n->total) >= t->least || i == 0) {
            put_node(t, i, n, time);
            time += weight(n->self);
            i++;
            continue;
        }
        add_lost(t, i, n);
        time += weight(n->total);
        i += n->subtree;
    }
    if (has_lost(t))
        flush_lost(t);
    BRZ_PUT(&t->p->w, "</metadata>\n");
}

/* Writes an escaped name. The number of characters in this element is *size. */
static void put_name(brz_writer *w, brz_str xml, size_t *size)
{
    if (*size + xml.len > PIECE_SIZE) {
        BRZ_PUT(w, "</metadata>\n<metadata class=\"names\">");
        *size = 0;
    }
    brz_put_str(w, xml);
    *size += xml.len;
}

/* Writes a name that is not escaped yet. */
static void put_plain_name(svg_picture *p, brz_str name, size_t *size)
{
    if (name.len > SVG_SHORT || *size + SVG_ESCAPED * name.len > PIECE_SIZE) {
        put_name(&p->w, svg_escaped(p->ctx, name), size);
        return;
    }
    size_t len = svg_escape(name, brz_writer_room(&p->w, SVG_SHORT * SVG_ESCAPED));
    p->w.used += len;
    *size += len;
}

/* Writes the names, each on a line; the first one is the root's. Only drawn frames have labels. */
static void put_names(writing *t)
{
    svg_picture *p = t->p;
    size_t size = 0;
    BRZ_PUT(&p->w, "<metadata class=\"names\">all");
    for (uint32_t i = 1; i <= t->n_used; i++) {
        const svg_label *l = t->f->labels[t->used[i]];
        brz_put_char(&p->w, '\n');
        if (l != NULL)
            put_name(&p->w, l->xml, &size);
        else
            put_plain_name(p, brz_display_name(brz_frame_at(p->tree, t->used[i])), &size);
        size++;
    }
    BRZ_PUT(&p->w, "</metadata>\n");
}

void svg_put_data(svg_picture *p, svg_frames *f)
{
    size_t frames = p->tree->n_frames + 1;
    writing t = {.p = p, .f = f, .least = choose_least(p)};
    t.names = p->ctx->host->alloc(p->ctx, frames * sizeof *t.names, 0);
    t.used = p->ctx->host->alloc(p->ctx, (frames + 1) * sizeof *t.used, 0);
    t.ends = p->ctx->host->alloc(p->ctx, ((size_t)p->tree->max_depth + 2) * sizeof *t.ends, 0);
    put_tree(&t);
    put_names(&t);
}
