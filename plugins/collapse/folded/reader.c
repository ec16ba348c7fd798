/* SPDX-License-Identifier: MIT */
/* Converts lines of folded text to counted stacks.
 *
 * Three properties of real input make this fast. Adjacent lines usually share their first frames,
 * which are not parsed again. Where two lines diverge, the new one usually continues like an
 * earlier line (runs.h). New frames are looked up in batches, so that cache misses overlap; and a
 * stack is counted only after the comparison with the next line, when its table entry has been
 * prefetched.
 *
 * Stacks are sorted in what collapsers write. As long as each stack sorts after the previous one,
 * all of them are distinct, so none is hashed or looked up. The first stack that does not ends
 * that: all stacks so far enter the table.
 *
 * The prelude decides for the whole input whether lines have one count or two (before and after),
 * since a name may end in digits.
 */
#include "reader.h"

#include <brazier/symbol.h>

#include "frame.h"
#include "../../common/sample_count.h"

#include <string.h>

enum { COUNTS_AUTO, COUNTS_ONE, COUNTS_TWO };

/* ---- frames -------------------------------------------------------------------------------- */

/* Adds a frame. Stays out of the loops over known frames. */
__attribute__((noinline)) static brz_frame add_frame(folded *f, brz_ctx *ctx,
                                                     const brz_frame_key *key)
{
    brz_frame_desc d = {.struct_size = sizeof d, .name = key->text};
    folded_frame_classify(&d);
    brz_frame id = ctx->host->frame(ctx, &d);
    brz_frame_cache_put(&f->frames, ctx, key, id);
    return id;
}

static inline brz_frame frame_of(folded *f, brz_ctx *ctx, const brz_frame_key *key)
{
    uint32_t id = brz_frame_cache_find(&f->frames, key);
    return id != BRZ_CACHE_MISS ? id : add_frame(f, ctx, key);
}

/* Pushes a frame that ends at offset `end` of its stack. */
static inline void push_frame(folded *f, brz_ctx *ctx, brz_frame id, size_t end)
{
    brz_path *path = f->stacks.path;
    if (f->merge_recursion && path->n > 0 && path->ids[path->n - 1] == id) {
        f->frame_end[path->n - 1] = end;
        return;
    }
    if (path->n == f->frame_ends_cap)
        f->frame_end =
            brz_stacks_double(ctx, f->frame_end, path->n, &f->frame_ends_cap, sizeof *f->frame_end);
    f->frame_end[path->n] = end;
    brz_path_push(path, ctx, id);
}

/* Skips a quoted text with ';' in it, as in `process:"a;b"`: the quote ends before a ';' or at the
 * end of the stack. If there is no quote, the first ';' is a separator, and `quotes` becomes false:
 * later frames have no quotes either. */
static const char *skip_quote(const char *p, const char *stop, const char *end, bool *quotes)
{
    const char *open = stop;
    while (open > p && !(open[-1] == '"' && open - 1 > p && open[-2] == ':'))
        open--;
    if (open == p || memchr(open, '"', (size_t)(stop - open)) != NULL)
        return stop;
    for (const char *at = stop; (at = memchr(at, '"', (size_t)(end - at))) != NULL; at++)
        if (at + 1 == end || at[1] == ';')
            return at + 1;
    *quotes = false;
    return stop;
}

static inline const char *end_of_frame(const char *p, const char *end, bool *quotes)
{
    const char *stop = memchr(p, ';', (size_t)(end - p));
    if (stop == NULL)
        return end;
    return *quotes ? skip_quote(p, stop, end, quotes) : stop;
}

/* Makes room for `n` more frames. */
static void reserve_frames(folded *f, brz_ctx *ctx, size_t n)
{
    brz_path *path = f->stacks.path;
    while (path->cap - path->n < n)
        brz_path_grow(path, ctx);
    while (f->frame_ends_cap - path->n < n)
        f->frame_end =
            brz_stacks_double(ctx, f->frame_end, path->n, &f->frame_ends_cap, sizeof *f->frame_end);
}

/* Finds the ends of frames that begin at `p`: of all frames, or of the first ones of a long text.
 * Returns their number. */
static size_t find_ends(const folded *f, const char *p, const char *end, uint32_t *ends)
{
    size_t left = (size_t)(end - p), n;
    if (left <= SEMICOLONS_MOST) {
        n = f->semicolons(p, left, ends);
        ends[n] = (uint32_t)left;
        return n + 1;
    }
    n = f->semicolons(p, SEMICOLONS_MOST, ends);
    if (n > 0)
        return n;
    const char *stop = memchr(p, ';', left);
    ends[0] = (uint32_t)((stop == NULL ? end : stop) - p);
    return 1;
}

/* Looks up `n` frames and stores their ids. The first name begins at `p`; `ends` are offsets from
 * there. */
static void look_up(folded *f, brz_ctx *ctx, const char *p, const uint32_t *ends, size_t n,
                    brz_frame *ids)
{
    const char *start = p;
    for (size_t i = 0; i < n; i++) {
        const char *stop = p + ends[i];
        brz_frame_key key = brz_frame_key_of(&f->frames, start, (size_t)(stop - start), 0);
        ids[i] = frame_of(f, ctx, &key);
        start = stop + 1;
    }
}

#if BRZ_HAVE_AVX2
/* Does the same with the table of short names. */
__attribute__((target("avx2"))) static void look_up_short(folded *f, brz_ctx *ctx, const char *p,
                                                          const uint32_t *ends, size_t n,
                                                          brz_frame *ids)
{
    const names table = f->names;
    const char *start = p;
    for (size_t i = 0; i < n; i++) {
        const char *stop = p + ends[i];
        size_t len = (size_t)(stop - start);
        __m256i name = brz_short_name_load(start, len < 32 ? len : 32);
        name_slot *slot = len <= 32 ? names_find(&table, name, len) : NULL;
        if (slot != NULL && slot->id != 0) {
            ids[i] = slot->id - 1;
        } else {
            uint32_t end = (uint32_t)len;
            look_up(f, ctx, start, &end, 1, &ids[i]);
            if (slot != NULL && ids[i] != BRZ_NO_FRAME)
                names_put(slot, name, len, ids[i]);
        }
        start = stop + 1;
    }
}
#endif

static void push_ids(folded *f, brz_ctx *ctx, const char *p, const uint32_t *ends, size_t n)
{
    brz_frame *ids = f->stacks.path->ids + f->stacks.path->n;
#if BRZ_HAVE_AVX2
    if (f->names.slots != NULL && f->is_sorted) {
        look_up_short(f, ctx, p, ends, n, ids);
        return;
    }
#endif
    look_up(f, ctx, p, ends, n, ids);
}

/* Pushes all frames from `p` on, none of which is quoted. The hashes of the path are needed only to
 * look it up. */
static void push_all(folded *f, brz_ctx *ctx, brz_str stack, const char *p)
{
    const char *end = stack.data + stack.len;
    uint32_t ends[SEMICOLONS_MOST + SEMICOLONS_SPARE];
    brz_path *path = f->stacks.path;
    while (p <= end) {
        size_t n = find_ends(f, p, end, ends), offset = (size_t)(p - stack.data);
        reserve_frames(f, ctx, n);
        push_ids(f, ctx, p, ends, n);
        for (size_t i = 0; i < n; i++)
            f->frame_end[path->n + i] = offset + ends[i];
        for (size_t i = path->n; i < path->n + n && !f->is_sorted; i++)
            path->hashes[i + 1] = brz_hash_step(&path->keys, path->hashes[i], path->ids[i]);
        path->n += n;
        p += ends[n - 1] + 1;
    }
}

#define BATCH 4 /* number of frames looked up together */

/* Looks up the next frames, starting at `p`. Returns the position of the remaining frames, or NULL
 * if none remain. */
static const char *push_batch(folded *f, brz_ctx *ctx, brz_str stack, const char *p, bool *quotes)
{
    bool divided_by_all = !*quotes;
    const char *end = stack.data + stack.len;
    brz_frame_key keys[BATCH];
    size_t n = 0;
    while (p != NULL && n < BATCH) {
        const char *stop = end_of_frame(p, end, quotes);
        keys[n] = brz_frame_key_of(&f->frames, p, (size_t)(stop - p), 0);
        brz_frame_cache_fetch_slot(&f->frames, &keys[n++]);
        p = stop < end ? stop + 1 : NULL;
    }
    for (size_t i = 0; i < n; i++) {
        brz_str text = keys[i].text;
        brz_frame id = frame_of(f, ctx, &keys[i]);
        push_frame(f, ctx, id, (size_t)(text.data + text.len - stack.data));
        if (divided_by_all)
            runs_add(&f->runs, ctx, text.data, text.data + text.len, id);
    }
    return p;
}

/* Limit of a comparison, in bytes: longer than most stacks, and short enough not to waste time
 * where text repeats beyond the end of its run, as in "f;f;f;f". */
#define AHEAD 1024

/* Pushes the frames from `p` on that an earlier line of this chunk had in the same order. Returns
 * the position of the remaining frames: `p` if there was no such line, NULL if none remain. */
static const char *push_run(folded *f, brz_ctx *ctx, brz_str stack, const char *p)
{
    const char *end = stack.data + stack.len;
    const run_frame *known = runs_find(&f->runs, p);
    if (known == NULL)
        return p;
    const char *old = f->runs.text + known->start;
    size_t compared = 0, same = 0;
    for (const char *start = p; known != NULL; known = runs_next(&f->runs, known)) {
        size_t n = (size_t)(f->runs.text + known->end - old);
        const char *stop = start + n;
        if (n > (size_t)(end - start))
            break;
        if (n > compared && same == compared) {
            compared = (size_t)(end - start) - n > AHEAD ? n + AHEAD : (size_t)(end - start);
            same += f->common_prefix(start + same, old + same, compared - same);
        }
        if (n > same || (stop < end && *stop != ';'))
            break;
        push_frame(f, ctx, known->id, (size_t)(stop - stack.data));
        if (stop == end)
            return NULL;
        p = stop + 1;
    }
    return p;
}

/* Pushes all frames from `p` on. */
static void push_frames(folded *f, brz_ctx *ctx, brz_str stack, const char *p, bool quotes)
{
    bool is_simple = !quotes && !f->merge_recursion;
    while (p != NULL) {
        const char *before = p;
        if (is_simple && runs_are_useless(&f->runs)) {
            push_all(f, ctx, stack, p);
            return;
        }
        if (!quotes) {
            size_t n = f->stacks.path->n;
            p = push_run(f, ctx, stack, p);
            runs_note(&f->runs, f->stacks.path->n - n);
        }
        if (p == before)
            p = push_batch(f, ctx, stack, p, &quotes);
    }
}

/* ---- counts -------------------------------------------------------------------------------- */

/* Counts the previous line, whose stack is still the path. */
static brz_rc count_waiting(folded *f, brz_ctx *ctx)
{
    brz_rc rc = BRZ_OK;
    brz_stacks_begin_sample(&f->stacks);
    for (size_t i = 0; i < f->n_waiting && rc == BRZ_OK; i++) {
        brz_stacks_entry *e = brz_stacks_entry_of(&f->stacks, ctx, f->weights[i]);
        seen_put(&f->seen, ctx, f->before, f->weights[i], (size_t)(e - f->stacks.entries));
        rc = brz_stacks_add(&f->stacks, ctx, e, f->waiting[i]);
    }
    brz_stacks_end_sample(&f->stacks);
    f->n_waiting = 0;
    return rc;
}

/* Scales a number to the unit of its column, which becomes finer if necessary. Saturates at the
 * limits of int64_t, as earlier values do when the column becomes finer. */
static brz_rc scale(folded *f, brz_ctx *ctx, uint32_t weight, const number *n, int64_t *value)
{
    uint32_t *decimals = &f->decimals[weight];
    if (n->decimals > *decimals) {
        brz_rc rc = brz_stacks_flush(&f->stacks, ctx);
        if (rc != BRZ_OK)
            return rc;
        brz_stacks_rescale(&f->stacks, weight, brz_power_of_ten(n->decimals - *decimals));
        ctx->host->decimals(ctx, weight, n->decimals);
        *decimals = n->decimals;
    }
    if (__builtin_mul_overflow(n->digits, brz_power_of_ten(*decimals - n->decimals), value)) {
        f->stacks.saturated = true;
        *value = n->digits < 0 ? INT64_MIN : INT64_MAX;
    }
    return BRZ_OK;
}

/* Returns the weight of the i-th count from the end of a line: after and before, or the only
 * one. */
static uint32_t weight_of(const folded *f, const folded_line *l, size_t i)
{
    return l->n_counts == 2 ? (uint32_t)(1 - i) : f->two_counts;
}

/* Returns the entry of the path, which is the last stack of sorted ones. */
static brz_stacks_entry *last_entry(folded *f, brz_ctx *ctx, uint32_t weight)
{
    if (f->entry[weight] == SIZE_MAX) {
        brz_stacks_append(&f->stacks, ctx, weight);
        f->entry[weight] = f->stacks.n_entries - 1;
    }
    return &f->stacks.entries[f->entry[weight]];
}

/* Adds the counts of a line, whose stack is the path, to its entries. */
static brz_rc count_sorted(folded *f, brz_ctx *ctx, const folded_line *l)
{
    brz_rc rc = BRZ_OK;
    brz_stacks_begin_sample(&f->stacks);
    for (size_t i = 0; i < l->n_counts && rc == BRZ_OK; i++) {
        uint32_t weight = weight_of(f, l, i);
        int64_t value;
        rc = scale(f, ctx, weight, &l->counts[i], &value);
        if (rc == BRZ_OK)
            rc = brz_stacks_add(&f->stacks, ctx, last_entry(f, ctx, weight), value);
    }
    brz_stacks_end_sample(&f->stacks);
    return rc;
}

/* Stores the counts of a line, whose stack is the path, for later counting. */
static brz_rc take_counts(folded *f, brz_ctx *ctx, const folded_line *l)
{
    brz_rc rc = BRZ_OK;
    if (f->is_sorted)
        return count_sorted(f, ctx, l);
    for (size_t i = 0; i < l->n_counts && rc == BRZ_OK; i++) {
        f->weights[i] = weight_of(f, l, i);
        rc = scale(f, ctx, f->weights[i], &l->counts[i], &f->waiting[i]);
        brz_stacks_fetch(&f->stacks, f->weights[i]);
    }
    f->n_waiting = rc == BRZ_OK ? l->n_counts : 0;
    return rc;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Returns whether all counts of a line have entries in the stack table. */
static bool is_counted(const folded *f, const folded_line *l, const seen_stack *known)
{
    for (size_t i = 0; i < l->n_counts; i++)
        if (known->entry[weight_of(f, l, i)] == SEEN_NO_ENTRY)
            return false;
    return true;
}

/* Counts a line whose stack was counted before; the path stays that of `before`. */
static brz_rc count_again(folded *f, brz_ctx *ctx, const folded_line *l, const seen_stack *known)
{
    brz_rc rc = count_waiting(f, ctx);
    brz_stacks_begin_sample(&f->stacks);
    for (size_t i = 0; i < l->n_counts && rc == BRZ_OK; i++) {
        uint32_t weight = weight_of(f, l, i);
        int64_t value;
        rc = scale(f, ctx, weight, &l->counts[i], &value);
        if (rc == BRZ_OK)
            rc = brz_stacks_add(&f->stacks, ctx, &f->stacks.entries[known->entry[weight]], value);
    }
    brz_stacks_end_sample(&f->stacks);
    return rc;
}

/* Returns whether a stack sorts before the previous one, with which it shares `same` bytes. */
static bool sorts_before(const folded *f, brz_str stack, size_t same)
{
    if (same == f->before.len)
        return false;
    return same == stack.len ||
           (unsigned char)stack.data[same] < (unsigned char)f->before.data[same];
}

/* Continues without sorted stacks: enters all stacks so far in the table. The path, which has no
 * hashes, becomes empty. */
static void end_sorted(folded *f, brz_ctx *ctx)
{
    brz_stacks_index(&f->stacks, ctx);
    f->is_sorted = false;
    f->before = (brz_str){NULL, 0};
}

/* Sets the path to the stack of a line. Keeps the frames shared with the previous line, each
 * including its ';'. Counts the previous line in between. */
static brz_rc take_stack(folded *f, brz_ctx *ctx, brz_str stack)
{
    size_t shorter = stack.len < f->before.len ? stack.len : f->before.len;
    size_t same = shorter == 0 ? 0 : f->common_prefix(stack.data, f->before.data, shorter);
    bool is_equal = same == stack.len && same == f->before.len && f->before.data != NULL;
    if (f->is_sorted && is_equal) {
        f->before = stack;
        return BRZ_OK;
    }
    if (f->is_sorted && sorts_before(f, stack, same)) {
        end_sorted(f, ctx);
        shorter = same = 0;
    }
    f->entry[0] = f->entry[1] = SIZE_MAX;
    brz_rc rc = count_waiting(f, ctx);
    size_t from = same > 0 ? same - 1 : 0;
    bool quotes = f->has_quotes && memchr(stack.data + from, '"', stack.len - from) != NULL;
    /* quotes depend on their end, so nothing is shared */
    size_t frames = shorter == 0 || quotes ? 0 : f->stacks.path->n;
    while (frames > 0 && f->frame_end[frames - 1] >= same)
        frames--;
    brz_path_cut(f->stacks.path, frames);
    size_t start = frames == 0 ? 0 : f->frame_end[frames - 1] + 1;
    push_frames(f, ctx, stack, stack.data + start, quotes);
    f->before = stack;
    return rc;
}

/* Reports a line that is left out. Its weight, which no sum includes, is known if it is a count
 * without a stack. */
static brz_rc leave_out(folded *f, brz_ctx *ctx, brz_str text)
{
    static const char code[] = "folded.line";
    brz_str msg = BRZ_STR("not a stack and a count: line left out");
    number count;
    int64_t weight;
    if (f->two_counts || !folded_line_count(text, &count) || count.digits < 0) {
        brz_report_lost(ctx, code, text.data, text.len, msg);
        return BRZ_OK;
    }
    const number nothing = {0, count.decimals};
    brz_rc rc = count_waiting(f, ctx);
    if (rc == BRZ_OK)
        rc = scale(f, ctx, 0, &nothing, &weight);
    bool saturated = f->stacks.saturated;
    if (rc == BRZ_OK)
        rc = scale(f, ctx, 0, &count, &weight);
    f->stacks.saturated = saturated;
    if (rc == BRZ_OK)
        brz_report_lost_weight(ctx, code, text.data, text.len, msg, weight);
    return rc;
}

static bool names_weight(const folded_prelude_result *r, const folded_weight *w)
{
    return brz_str_equal(r->weight.name, w->name) && brz_str_equal(r->weight.unit, w->unit);
}

/* Checks a comment: the whole text has the weight that its first lines name. */
static brz_rc take_comment(brz_ctx *ctx, brz_str text)
{
    folded_weight w;
    if (!folded_line_weight(text, &w) || names_weight(ctx->prelude_data, &w))
        return BRZ_OK;
    brz_report(
        ctx, BRZ_FATAL, "folded.weight", text.data, text.len,
        BRZ_STR("the counts from here on have another weight than those before, and cannot be "
                "added to them; make a file of each"));
    return BRZ_ERROR;
}

static brz_rc take_line(folded *f, brz_ctx *ctx, brz_str line)
{
    folded_line l;
    brz_str text = folded_line_trim(line);
    if (text.len == 0)
        return BRZ_OK;
    if (folded_line_is_comment(text))
        return take_comment(ctx, text);
    if (!folded_line_parse(text, f->two_counts, &l))
        return leave_out(f, ctx, text);
    if (f->trims && l.stack.len > 0 && brz_is_blank(l.stack.data[l.stack.len - 1]))
        l.stack = brz_trim_end(l.stack);
    const seen_stack *known = f->is_sorted ? NULL : seen_find(&f->seen, l.stack);
    if (known != NULL && is_counted(f, &l, known))
        return count_again(f, ctx, &l, known);
    brz_rc rc = take_stack(f, ctx, l.stack);
    return rc == BRZ_OK ? take_counts(f, ctx, &l) : rc;
}

/* ---- columns ------------------------------------------------------------------------------- */

/* Declares the columns: two counts are those before and after a change. */
static void declare_weights(const folded_prelude_result *r, brz_ctx *ctx)
{
    brz_column_desc d = {
        .struct_size = sizeof d, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples")};
    if (r->weight.name.len > 0) {
        d.name = r->weight.name;
        d.unit = r->weight.unit;
    }
    d.flags = r->two_counts ? 0 : sample_count_flags(d.name);
    if (r->two_counts) {
        d.name = BRZ_STR("before");
        d.flags = BRZ_COLUMN_BEFORE;
        ctx->host->column(ctx, &d);
        d.name = BRZ_STR("after");
        d.flags = BRZ_COLUMN_AFTER;
    }
    ctx->host->column(ctx, &d);
}

/* ---- entry points -------------------------------------------------------------------------- */

/* Finds the weight that a comment in front of the first stack names. */
static void find_weight(brz_ctx *ctx, brz_str text, folded_weight *weight)
{
    brz_str line;
    while (brz_cut_first(text, '\n', &line, &text)) {
        line = brz_trim(line);
        if (line.len > 0 && !folded_line_is_comment(line))
            return;
        if (line.len == 0 || !folded_line_weight(line, weight))
            continue;
        weight->name = brz_text_keep(ctx, weight->name);
        weight->unit = brz_text_keep(ctx, weight->unit);
        return;
    }
}

/* Detects the number of counts: lines have two if every line of the first megabyte has two. */
brz_rc folded_prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    folded_prelude_result *r = ctx->host->alloc(ctx, sizeof *r, 0);
    const folded_options *o = ctx->cfg;
    brz_str text = brz_str_of((const char *)chunk->data, chunk->len), line;
    size_t with_one = 0, with_two = 0;
    *used = 0;
    *prelude_data = r;
    memset(r, 0, sizeof *r);
    find_weight(ctx, text, &r->weight);
    while (with_one == 0 && brz_cut_first(text, '\n', &line, &text)) {
        folded_line l;
        line = brz_trim(line);
        if (line.len == 0 || folded_line_is_comment(line) || !folded_line_parse(line, true, &l))
            continue;
        with_one += l.n_counts == 1;
        with_two += l.n_counts == 2;
    }
    r->two_counts =
        o->counts == COUNTS_AUTO ? with_one == 0 && with_two > 0 : o->counts == COUNTS_TWO;
    return BRZ_OK;
}

size_t folded_boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    (void)prelude_data;
    return brz_line_start(buf, n, from);
}

brz_rc folded_open(brz_ctx *ctx)
{
    folded *f = ctx->inst;
    const folded_options *o = ctx->cfg;
    const folded_prelude_result *r = ctx->prelude_data;
    brz_lines_init(&f->lines, ctx);
    brz_stacks_init(&f->stacks, ctx, 0);
    brz_frame_cache_init(&f->frames, ctx);
    runs_init(&f->runs, ctx);
    f->merge_recursion = o->recursion == MERGE_RECURSION;
    f->two_counts = r->two_counts;
    f->trims = o->trim;
    f->common_prefix = brz_prefix_best();
    f->semicolons = semicolons_best();
    f->is_sorted = true;
    f->frame_ends_cap = 256;
    f->frame_end = ctx->host->alloc(ctx, f->frame_ends_cap * sizeof *f->frame_end, 0);
    declare_weights(r, ctx);
    return BRZ_OK;
}

/* Copies the last stack of a chunk, with which the first one of the next chunk is compared. */
static void keep_stack(folded *f, brz_ctx *ctx)
{
    brz_str last = f->before;
    f->before = (brz_str){NULL, 0};
    if (!f->is_sorted || last.data == NULL)
        return;
    if (f->kept_cap < last.len + BRZ_SLACK_BACK) {
        f->kept_cap = 2 * last.len + 1024;
        f->kept = ctx->host->alloc(ctx, f->kept_cap, 64);
    }
    if (last.data != f->kept)
        memcpy(f->kept, last.data, last.len);
    f->before = brz_str_of(f->kept, last.len);
}

brz_rc folded_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    folded *f = ctx->inst;
    brz_str line;
    brz_rc rc = BRZ_OK;
    f->has_quotes = chunk->len > 0 && memchr(chunk->data, '"', chunk->len) != NULL;
    runs_start(&f->runs, (const char *)chunk->data, chunk->len);
    if (chunk->len >= SEEN_CHUNK && f->names.slots == NULL && brz_cpu_has_avx2())
        names_init(&f->names, ctx);
    if (chunk->len >= SEEN_CHUNK && !f->is_sorted)
        seen_begin(&f->seen, ctx);
    brz_lines_start(&f->lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_next(&f->lines, &line))
        rc = take_line(f, ctx, line);
    line = brz_lines_rest(&f->lines);
    *used = chunk->len - line.len;
    if (rc == BRZ_OK && (chunk->flags & BRZ_CHUNK_LAST)) {
        *used = chunk->len;
        rc = take_line(f, ctx, line);
    }
    if (rc == BRZ_OK)
        rc = count_waiting(f, ctx);
    keep_stack(f, ctx);
    return rc;
}

brz_rc folded_finish(brz_ctx *ctx)
{
    folded *f = ctx->inst;
    return brz_stacks_finish(&f->stacks, ctx);
}

/* Returns whether a line is the row of a table, with columns separated by tabs or several
 * spaces. */
static bool is_row(brz_str line)
{
    return memchr(line.data, '\t', line.len) != NULL ||
           brz_str_find(line, BRZ_STR("    "), 0) != SIZE_MAX;
}

/* Returns whether the head is the beginning of a very long stack: many frames, and no text that is
 * common in other formats. The count lies beyond the head. */
static bool begins_deep_stack(const brz_head *head)
{
    enum { DEEP = 100 };
    brz_str line = brz_str_of((const char *)head->data, head->len);
    size_t frames = 0, odd = 0;
    if (line.len == 0 || (head->flags & BRZ_CHUNK_LAST) || strchr("{[<(!/", line.data[0]) != NULL)
        return false;
    for (size_t i = 0; i < line.len; i++) {
        frames += line.data[i] == ';';
        odd += (unsigned char)line.data[i] < ' ' || line.data[i] == '=';
    }
    return frames >= DEEP && odd == 0 && !is_row(line);
}

int32_t folded_sniff(const brz_head *head)
{
    brz_str text = brz_head_lines(head), line;
    size_t good = 0, bad = 0, deep = 0;
    if (begins_deep_stack(head))
        return BRZ_SNIFF_SHAPE;
    while (good + bad < 100 && brz_take_line(&text, &line)) {
        folded_line l;
        line = brz_trim(line);
        if (line.len == 0 || folded_line_is_comment(line))
            continue;
        bool parsed = folded_line_parse(line, false, &l) && !is_row(line);
        good += parsed;
        bad += !parsed;
        deep += parsed && memchr(l.stack.data, ';', l.stack.len) != NULL;
    }
    bool clean = bad * 10 <= good;
    if (good == 0 || bad * 2 > good || (!clean && deep == 0))
        return BRZ_SNIFF_NO;
    return clean && deep > 0 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_SHAPE;
}

/* ---- options ------------------------------------------------------------------------------- */

static const char *const counts_choices[] = {"auto", "1", "2", NULL};
static const char *const recursion_choices[] = {"keep", "merge", NULL};

const brz_option folded_options_table[FOLDED_OPTIONS] = {
    BRZ_OPTION(folded_options, "counts", ENUM, counts, "auto",
               "number of counts per line; two are those before and after a change",
               .choices = counts_choices),
    BRZ_OPTION(folded_options, "recursion", ENUM, recursion, "keep",
               "consecutive frames of a function that calls itself: keep them, or merge them",
               .choices = recursion_choices),
    BRZ_OPTION(folded_options, "trim", BOOL, trim, "false",
               "remove blanks at the end of a stack: a last frame of blanks has no name then"),
};
