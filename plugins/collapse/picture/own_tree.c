/* SPDX-License-Identifier: MIT */
/* Reads the call tree that brazier writes into its pictures:
 *
 *     <metadata id="about" fg:countname="samples" fg:decimals="0" …/>
 *     <metadata class="tree">records</metadata>   several, if it is long
 *     <metadata class="names">names, each on a line</metadata>
 *
 * Records come in pre-order. Numbers are written in base 32, the highest digit first, as characters
 * from '?' on; all digits but the last are greater by 32. A record is
 *
 *     number of open frames that end before it * 16 + flags
 *     LOST: the weight of frames that are not listed, and with `counts` their samples
 *     number of the name; the root is "all"
 *     OWN: weight of the frame itself, and with `counts` its samples
 *     MOVED: distance from the frame before it
 *     COLOR: colour
 *     in comparisons: change in the weight
 *     with signed weights: total with its sign
 *
 * Numbers that can be negative are doubled, and 1 less than that doubled value's opposite if
 * negative.
 */
#include "own_tree.h"

#include <brazier/symbol.h>

#include "../../common/sample_count.h"

enum { OWN = 1, MOVED = 2, LOST = 4, COLOR = 8, FLAGS = 16 };

/* A frame that has not ended. */
typedef struct open_frame {
    int64_t net; /* with signed weights: the part of its total that is its own so far */
} open_frame;

typedef struct reading {
    own_tree *t;
    const char *at, *end;
    bool is_bad; /* what follows `at` makes no sense */
    brz_frame *names;
    size_t n_names;
    open_frame *open;
    size_t n_open, cap;
    uint64_t n_lost; /* records of frames that are not listed */
    int64_t counted; /* sizes of weights */
    brz_rc rc;
} reading;

void own_tree_init(own_tree *t, brz_ctx *ctx, brz_stacks *stacks)
{
    *t = (own_tree){.ctx = ctx, .stacks = stacks, .whole = -1};
}

/* ---- elements -------------------------------------------------------------------------------- */

enum { ID, CLASS, COUNT_NAME, UNIT, DECIMALS, COUNTS, COMPARISON, SIGNED, TIMED, N_KEYS };

static uint32_t read_decimals(brz_str s)
{
    uint64_t n;
    return brz_parse_u64(s, &n) && n <= 9 ? (uint32_t)n : 0;
}

static void read_about(own_tree *t, const brz_str *values)
{
    brz_text text = {0};
    markup_decode(&text, t->ctx, values[COUNT_NAME]);
    brz_str name = brz_text_str(&text);
    if (name.len == 0)
        name = BRZ_STR("samples");
    brz_str unit = values[UNIT].len > 0 ? values[UNIT] : name;
    t->is_found = true;
    t->has_counts = values[COUNTS].len > 0 && !brz_str_equal(name, BRZ_STR("samples"));
    t->has_changes = values[COMPARISON].len > 0;
    t->is_signed = brz_str_is(values[SIGNED], "1");
    t->is_timed = brz_str_is(values[TIMED], "1");
    t->weight = BRZ_DECLARE_COLUMN(t->ctx, .name = name, .unit = unit,
                                   .decimals = read_decimals(values[DECIMALS]),
                                   .flags = sample_count_flags(name));
    if (t->has_counts)
        t->samples = BRZ_DECLARE_COLUMN(
            t->ctx, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples"),
            .decimals = read_decimals(values[COUNTS]), .flags = BRZ_COLUMN_SAMPLES);
}

void own_tree_read_whole(own_tree *t, const markup *m)
{
    static const char *const keys[] = {"total_samples"};
    brz_str value;
    int64_t whole;
    markup_attributes(m, keys, 1, &value);
    if (t->whole < 0 && brz_parse_i64(value, &whole))
        t->whole = whole;
}

void own_tree_read(own_tree *t, markup *m)
{
    static const char *const keys[N_KEYS] = {
        "id",        "class",         "fg:countname", "fg:unit", "fg:decimals",
        "fg:counts", "fg:comparison", "fg:signed",    "fg:timed"};
    static const char *const ends[] = {"metadata", "script", "svg"};
    brz_str values[N_KEYS];
    markup_attributes(m, keys, N_KEYS, values);
    if (brz_str_is(values[ID], "about") && !t->is_found)
        read_about(t, values);
    bool is_tree = brz_str_is(values[CLASS], "tree"), is_names = brz_str_is(values[CLASS], "names");
    if (!is_tree && !is_names)
        return;
    brz_str text = markup_content(m, ends, BRZ_COUNT_OF(ends));
    t->at = t->at == NULL ? text.data : t->at;
    brz_text_append(is_tree ? &t->records : &t->names, t->ctx, text);
}

/* ---- numbers --------------------------------------------------------------------------------- */

#define MOST_DIGITS 13 /* of 64 bits */

static uint64_t next_number(reading *r)
{
    uint64_t v = 0;
    for (size_t n = 0; n < MOST_DIGITS && r->at < r->end; n++) {
        unsigned char c = (unsigned char)*r->at++;
        if (c < '?' || c > '~')
            break;
        v = v << 5 | (uint64_t)((c - '?') & 31);
        if (c - '?' < 32)
            return v;
    }
    r->is_bad = true;
    return 0;
}

static int64_t next_signed(reading *r)
{
    uint64_t v = next_number(r);
    return v % 2 == 0 ? (int64_t)(v / 2) : -(int64_t)(v / 2) - 1;
}

static int64_t next_weight(reading *r)
{
    uint64_t v = next_number(r);
    return v <= INT64_MAX ? (int64_t)v : INT64_MAX;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* The first name is the root's, whatever the element contains. */
static void read_names(reading *r)
{
    own_tree *t = r->t;
    brz_frame_list list = {0};
    brz_text name = {0};
    brz_str rest = brz_text_str(&t->names), line;
    while (brz_take_piece(&rest, '\n', &line)) {
        name.len = 0;
        markup_decode(&name, t->ctx, line);
        brz_frame_list_push(&list, t->ctx, t->ctx->host->intern(t->ctx, name.data, name.len));
    }
    r->names = list.ids;
    r->n_names = list.n;
}

/* Returns the frame with a name of the list. Numbers beyond it are damage. */
static brz_frame find_name(reading *r, uint64_t number)
{
    r->is_bad |= number >= r->n_names;
    return r->is_bad ? BRZ_NO_FRAME : r->names[number];
}

/* Counts weight and samples of a frame that is open, the `depth`-th. The root's stack is empty. */
static void count(reading *r, size_t depth, int64_t weight, int64_t samples)
{
    own_tree *t = r->t;
    brz_path_cut(t->stacks->path, depth);
    brz_stacks_begin_sample(t->stacks);
    if (__builtin_add_overflow(r->counted, weight < 0 ? -weight : weight, &r->counted))
        r->counted = INT64_MAX;
    if (weight != 0 && r->rc == BRZ_OK)
        r->rc = brz_stacks_count(t->stacks, t->ctx, t->weight, weight);
    if (t->has_counts && samples != 0 && r->rc == BRZ_OK)
        r->rc = brz_stacks_count(t->stacks, t->ctx, t->samples, samples);
    brz_stacks_end_sample(t->stacks);
}

/* Ends open frames until `depth` are left. Signed weights are complete then. */
static void close_frames(reading *r, size_t depth)
{
    while (r->n_open > depth) {
        const open_frame *f = &r->open[--r->n_open];
        if (r->t->is_signed)
            count(r, r->n_open, f->net, 0);
    }
    if (r->n_open > 0)
        brz_path_cut(r->t->stacks->path, r->n_open - 1);
}

static void read_lost(reading *r)
{
    int64_t weight = next_weight(r), samples = r->t->has_counts ? next_weight(r) : 0;
    if (r->is_bad || r->n_open == 0) {
        r->is_bad = true;
        return;
    }
    r->n_lost++;
    if (!r->t->is_signed)
        count(r, r->n_open - 1, weight, samples);
}

static void open_one(reading *r, brz_frame frame, int64_t net)
{
    if (r->n_open > 0) {
        brz_path_push(r->t->stacks->path, r->t->ctx, frame);
        open_frame *caller = &r->open[r->n_open - 1];
        if (__builtin_sub_overflow(caller->net, net, &caller->net))
            r->is_bad = true;
    }
    r->open = brz_list_room(r->t->ctx, r->open, r->n_open, &r->cap, sizeof *r->open);
    r->open[r->n_open++] = (open_frame){net};
}

static void read_frame(reading *r, uint64_t flags)
{
    own_tree *t = r->t;
    uint64_t name = next_number(r);
    int64_t self = flags & OWN ? next_weight(r) : 0;
    int64_t samples = flags & OWN && t->has_counts ? next_weight(r) : 0;
    if (flags & MOVED)
        next_signed(r);
    if (flags & COLOR)
        next_number(r);
    if (t->has_changes)
        next_signed(r);
    int64_t net = t->is_signed ? next_signed(r) : 0;
    brz_frame frame = find_name(r, name);
    if (r->is_bad)
        return;
    open_one(r, frame, net);
    if (!t->is_signed)
        count(r, r->n_open - 1, self, samples);
}

static void read_record(reading *r)
{
    uint64_t head = next_number(r), ended = head / FLAGS;
    if (r->is_bad || ended > r->n_open || (r->n_open > 0 && ended == r->n_open)) {
        r->is_bad = true;
        return;
    }
    close_frames(r, r->n_open - (size_t)ended);
    if (head & LOST)
        read_lost(r);
    else
        read_frame(r, head % FLAGS);
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* Reports that the rest of the data could not be read, with the weight that is missing. */
static void report_damage(const reading *r, brz_str why)
{
    const own_tree *t = r->t;
    brz_diag d = brz_diag_of(BRZ_WARNING, "picture.record", t->at, 0, why);
    d.records = 1;
    d.weighed = t->whole >= 0;
    d.missing = t->whole > r->counted ? t->whole - r->counted : 0;
    t->ctx->host->diag(t->ctx, &d);
}

/* Reports what the picture does not list. */
static void report(const reading *r)
{
    const own_tree *t = r->t;
    brz_report_count(t->ctx, BRZ_NOTE, "picture.lost", r->n_lost, 0,
                     BRZ_STR("places where the picture lists no narrow frames, whose weight counts "
                             "for their callers: {count}"));
    if (t->has_changes)
        brz_report(t->ctx, BRZ_NOTE, "picture.comparison", NULL, 0,
                   BRZ_STR("a comparison: the weights that it shows count, changes are left out"));
}

brz_rc own_tree_count(own_tree *t)
{
    reading r = {.t = t, .at = t->records.data, .end = t->records.data + t->records.len};
    if (!t->is_found || t->names.len == 0) {
        report_damage(&r, BRZ_STR("the picture lacks a part of its data: all of it is left out"));
        return BRZ_OK;
    }
    read_names(&r);
    while (r.at < r.end && !r.is_bad && r.rc == BRZ_OK)
        read_record(&r);
    close_frames(&r, 0);
    if (r.is_bad)
        report_damage(&r, BRZ_STR("damaged data of the picture: the rest of it is left out"));
    report(&r);
    return r.rc;
}
