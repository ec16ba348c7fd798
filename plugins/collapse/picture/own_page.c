/* SPDX-License-Identifier: MIT */
/* Reads the data of brazier's own pages:
 *
 *     {"weights": [{"name", "unit", "decimals", "countsSamples"}, …], "weight": the selected one,
 *      "before", "after": the compared ones, "texts": [text, …],
 *      "frames": {"name", "module", "file": columns of numbers of texts, "line", "kind"},
 *      "calls": {"frame", "up"}, "selves": [column, …], "losses": [column or 0, …], …}
 *
 * Calls are in pre-order without the root; `up` is the number of levels that a call lies further
 * out than a callee of the call before. `selves` have a column for each weight, which includes the
 * root; they are sizes, of which `losses` is the part that is negative.
 *
 * A column is a text of numbers. Of its 90 digits, the first LAST_DIGITS end a number; the other 32
 * hold five bits of it, lowest first.
 */
#include "own_page.h"

#include <brazier/symbol.h>

#include "../../common/json/members.h"
#include "../../common/json/text.h"

#define LAST_DIGITS  58
#define MOST_WEIGHTS 64

/* ---- columns of numbers ---------------------------------------------------------------------- */

typedef struct numbers {
    const char *at, *end;
    bool is_bad;
} numbers;

static numbers numbers_of(const brz_json_token *t)
{
    if (t->kind != BRZ_JSON_STRING)
        return (numbers){"", "", false};
    return (numbers){t->text.data, t->text.data + t->text.len, false};
}

/* Returns the value of a digit: printable characters without those that HTML or JSON escapes. */
static uint32_t digit_of(unsigned char c)
{
    static const char left_out[] = "\"&<>\\";
    uint32_t digit = (uint32_t)c - ' ';
    for (size_t i = 0; i + 1 < sizeof left_out; i++)
        digit -= c > left_out[i];
    return digit;
}

/* Reads the next number. Returns false at the end and at invalid digits. */
static bool next(numbers *n, uint64_t *v)
{
    *v = 0;
    for (uint32_t shift = 0; n->at < n->end && shift < 64; shift += 5) {
        unsigned char c = (unsigned char)*n->at++;
        if (c < ' ' || c > '~' || strchr("\"&<>\\", c) != NULL)
            break;
        uint32_t digit = digit_of(c);
        if (digit < LAST_DIGITS) {
            *v += (uint64_t)digit << shift;
            return true;
        }
        *v += (uint64_t)(digit - LAST_DIGITS) << shift;
    }
    n->is_bad = n->at < n->end;
    n->end = n->at;
    return false;
}

static uint64_t next_or(numbers *n, uint64_t otherwise)
{
    uint64_t v;
    return next(n, &v) ? v : otherwise;
}

/* ---- frames ---------------------------------------------------------------------------------- */

typedef struct page {
    brz_ctx *ctx;
    brz_stacks *stacks;
    brz_str *texts;
    size_t n_texts, texts_cap;
    brz_frame_list frames;
    uint32_t columns[MOST_WEIGHTS];
    numbers selves[MOST_WEIGHTS], losses[MOST_WEIGHTS];
    size_t n_weights, n_selves;
    brz_frame unknown;
    bool is_bad; /* some numbers are those of no text */
} page;

static void read_texts(page *p, const brz_json_token *texts)
{
    cursor c;
    if (!members_open(&c, p->ctx, texts, BRZ_JSON_ARRAY))
        return;
    while (cursor_element(&c)) {
        p->texts = brz_list_room(p->ctx, p->texts, p->n_texts, &p->texts_cap, sizeof *p->texts);
        p->texts[p->n_texts++] = json_text(p->ctx, &c.token);
        cursor_skip(&c);
    }
}

static brz_str text_at(page *p, uint64_t i)
{
    p->is_bad |= i >= p->n_texts;
    return i < p->n_texts ? p->texts[i] : brz_str_of(NULL, 0);
}

static void set_kind(brz_frame_desc *d, uint64_t kind)
{
    static const struct {
        uint32_t kind, flags;
    } kinds[] = {{0, 0},
                 {BRZ_KIND_PROCESS, 0},
                 {BRZ_KIND_USER, 0},
                 {BRZ_KIND_KERNEL, 0},
                 {0, BRZ_FRAME_JIT},
                 {0, BRZ_FRAME_INLINED},
                 {0, BRZ_FRAME_WAKER}};
    if (kind < BRZ_COUNT_OF(kinds)) {
        d->kind = kinds[kind].kind;
        d->flags = kinds[kind].flags;
    }
}

static void read_frames(page *p, const brz_json_token *frames)
{
    static const char *const keys[] = {"name", "module", "file", "line", "kind"};
    brz_json_token columns[5] = {{0}};
    uint64_t name;
    members_of(p->ctx, frames, keys, 5, columns);
    numbers names = numbers_of(&columns[0]), modules = numbers_of(&columns[1]);
    numbers files = numbers_of(&columns[2]), lines = numbers_of(&columns[3]);
    numbers kinds = numbers_of(&columns[4]);
    while (next(&names, &name)) {
        brz_frame_desc d = {.struct_size = sizeof d};
        d.name = text_at(p, name);
        d.module = text_at(p, next_or(&modules, 0));
        d.file = text_at(p, next_or(&files, 0));
        uint64_t line = next_or(&lines, 0);
        d.line = line <= UINT32_MAX ? (uint32_t)line : 0;
        set_kind(&d, next_or(&kinds, 0));
        brz_frame_list_push(&p->frames, p->ctx, p->ctx->host->frame(p->ctx, &d));
    }
}

/* ---- weights --------------------------------------------------------------------------------- */

/* The weights that a page selects. */
typedef struct selection {
    uint64_t shown, before, after; /* numbers of weights, or UINT64_MAX */
} selection;

static uint64_t index_of(const brz_json_token *t)
{
    uint64_t n;
    return t->kind == BRZ_JSON_NUMBER && brz_parse_u64(t->text, &n) ? n : UINT64_MAX;
}

static uint32_t flags_of(const selection *s, uint64_t i, const brz_json_token *counts_samples)
{
    bool is_side = i == s->before || i == s->after;
    bool is_sum = i == s->shown && !is_side && s->before != UINT64_MAX;
    return (i == s->shown ? BRZ_COLUMN_DEFAULT : 0) |
           (counts_samples->kind == BRZ_JSON_TRUE ? BRZ_COLUMN_SAMPLES : 0) |
           (i == s->before || is_sum ? BRZ_COLUMN_BEFORE : 0) |
           (i == s->after || is_sum ? BRZ_COLUMN_AFTER : 0);
}

static void declare(page *p, const brz_json_token *weights, const selection *s)
{
    static const char *const keys[] = {"name", "unit", "decimals", "countsSamples"};
    cursor c;
    if (!members_open(&c, p->ctx, weights, BRZ_JSON_ARRAY))
        return;
    while (cursor_element(&c) && p->n_weights < MOST_WEIGHTS) {
        brz_json_token values[4] = {{0}};
        members_enter(&c, keys, 4, values);
        uint32_t decimals = members_number(&values[2], 0);
        p->columns[p->n_weights] = BRZ_DECLARE_COLUMN(
            p->ctx, .name = json_text(p->ctx, &values[0]), .unit = json_text(p->ctx, &values[1]),
            .decimals = decimals <= 9 ? decimals : 0,
            .flags = flags_of(s, p->n_weights, &values[3]));
        p->n_weights++;
    }
}

/* Opens the columns of an array, one for each weight. Returns their number. */
static size_t open_columns(page *p, const brz_json_token *array, numbers *columns)
{
    size_t n = 0;
    cursor c;
    if (!members_open(&c, p->ctx, array, BRZ_JSON_ARRAY))
        return 0;
    while (cursor_element(&c) && n < MOST_WEIGHTS) {
        columns[n++] = numbers_of(&c.token);
        cursor_skip(&c);
    }
    return n;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Counts the current stack: the next number of each column. */
static brz_rc count(page *p)
{
    brz_rc rc = BRZ_OK;
    brz_stacks_begin_sample(p->stacks);
    for (size_t i = 0; i < p->n_weights && rc == BRZ_OK; i++) {
        uint64_t size = next_or(&p->selves[i], 0), loss = next_or(&p->losses[i], 0);
        if (size > INT64_MAX)
            size = INT64_MAX;
        int64_t value = (int64_t)size - 2 * (int64_t)(loss <= size ? loss : 0);
        if (value != 0)
            rc = brz_stacks_count(p->stacks, p->ctx, p->columns[i], value);
    }
    brz_stacks_end_sample(p->stacks);
    return rc;
}

/* Reports that the columns of a page do not belong together. */
static void check_ends(page *p, const char *at, numbers *frames, bool is_bad)
{
    uint64_t v;
    bool more = next(frames, &v);
    for (size_t i = 0; i < p->n_weights; i++) {
        more |= next(&p->selves[i], &v);
        is_bad |= p->selves[i].is_bad || p->losses[i].is_bad;
    }
    if (more || is_bad || frames->is_bad || p->n_selves != p->n_weights)
        brz_report_lost(p->ctx, "page.data", at, 0,
                        BRZ_STR("damaged data of the page: what does not fit is left out"));
}

static brz_rc read_calls(page *p, const brz_json_token *calls)
{
    static const char *const keys[] = {"frame", "up"};
    brz_json_token columns[2] = {{0}};
    size_t depth = 0; /* of the last call; the root's is 0 */
    uint64_t frame, up;
    bool is_bad = false;
    members_of(p->ctx, calls, keys, 2, columns);
    numbers frames = numbers_of(&columns[0]), ups = numbers_of(&columns[1]);
    brz_rc rc = count(p);
    while (rc == BRZ_OK && next(&ups, &up) && next(&frames, &frame)) {
        if (up > depth) {
            is_bad = true;
            break;
        }
        depth = depth + 1 - (size_t)up;
        is_bad |= frame >= p->frames.n;
        brz_path_cut(p->stacks->path, depth - 1);
        brz_path_push(p->stacks->path, p->ctx,
                      frame < p->frames.n ? p->frames.ids[frame] : p->unknown);
        rc = count(p);
    }
    check_ends(p, calls->text.data, &frames, is_bad || ups.is_bad || p->is_bad);
    return rc;
}

enum { WEIGHTS, WEIGHT, BEFORE, AFTER, TEXTS, FRAMES, CALLS, SELVES, LOSSES, N_KEYS };

brz_rc own_page_read(brz_stacks *stacks, brz_ctx *ctx, brz_str data)
{
    static const char *const codes[] = {"page.json", "page.cut-off"};
    static const char *const keys[N_KEYS] = {"weights", "weight", "before", "after", "texts",
                                             "frames",  "calls",  "selves", "losses"};
    brz_json_token values[N_KEYS] = {{0}};
    page p = {.ctx = ctx, .stacks = stacks};
    cursor c;
    cursor_start(&c, ctx, data);
    if (cursor_next(&c))
        members_enter(&c, keys, N_KEYS, values);
    cursor_report(&c, codes);
    p.unknown = ctx->host->intern(ctx, "[unknown]", 9);
    selection s = {index_of(&values[WEIGHT]), index_of(&values[BEFORE]), index_of(&values[AFTER])};
    declare(&p, &values[WEIGHTS], &s);
    read_texts(&p, &values[TEXTS]);
    read_frames(&p, &values[FRAMES]);
    p.n_selves = open_columns(&p, &values[SELVES], p.selves);
    open_columns(&p, &values[LOSSES], p.losses);
    return read_calls(&p, &values[CALLS]);
}
