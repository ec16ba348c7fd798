/* SPDX-License-Identifier: MIT */
/* Collapses files of speedscope: profiles of samples or of events, which share their frames. */
#include <brazier/plugin.h>
#include <brazier/draft/sorted.h>
#include <brazier/symbol.h>

#include "../../common/json/text.h"
#include "../../common/shipped.h"
#include "file.h"

/* A profile being read. */
typedef struct reading {
    speedscope *s;
    brz_ctx *ctx;
    column *column;
    amount at;  /* time of the next sample, or of the last event */
    bool begun; /* an event has been read */
    brz_tag tag;
    int32_t digits; /* the unit is 10^-digits seconds; negative: no time, or not wanted */
} reading;

/* ---- what the run wants to know of samples ------------------------------------------------- */

static int32_t digits_of(brz_str unit)
{
    static const char *const units[] = {"seconds", "milliseconds", "microseconds", "nanoseconds"};
    for (int32_t i = 0; i < 4; i++)
        if (brz_str_equal(unit, brz_str_of(units[i], strlen(units[i]))))
            return 3 * i;
    return -1;
}

/* Returns the tag of a profile's samples. In a file that brazier wrote, the profile's origin states
 * the thread; otherwise its name is the thread's. */
static brz_tag tag_of(brz_ctx *ctx, const speedscope *s, const outline *o)
{
    brz_tag_desc d = {.struct_size = sizeof d, .label_size = sizeof(brz_label)};
    d.thread_name = o->name;
    if (s->own) {
        d.flags = o->origin.flags;
        d.process = o->origin.process;
        d.thread = o->origin.thread;
        d.process_name = o->origin.process_name;
        d.thread_name = o->origin.thread_name;
    }
    return ctx->host->tag(ctx, &d);
}

static reading reading_of(speedscope *s, brz_ctx *ctx, const outline *o)
{
    reading r = {.s = s, .ctx = ctx, .column = &s->columns[o->column], .digits = -1};
    if (ctx->flags & BRZ_CTX_WANTS_TAGS)
        r.tag = tag_of(ctx, s, o);
    if ((ctx->flags & BRZ_CTX_WANTS_TIME) && (!s->own || o->origin.timed))
        r.digits = digits_of(r.column->unit);
    if (!column_read(r.column, ctx, &o->start, &r.at))
        r.at = (amount){0, 0};
    return r;
}

/* Returns a time in nanoseconds. */
static int64_t nanoseconds(const reading *r)
{
    return amount_in(r->at, 9 - (uint32_t)r->digits);
}

/* Counts the path at the current time. */
static brz_rc count(reading *r, int64_t value)
{
    bool timed = r->digits >= 0;
    brz_stacks_place(&r->s->stacks, r->tag, timed ? BRZ_TIMED : 0, timed ? nanoseconds(r) : 0);
    return brz_stacks_count(&r->s->stacks, r->ctx, r->column->weight, value);
}

/* Converts an amount to the column's precision, which grows if necessary. */
static brz_rc refine(reading *r, amount *a)
{
    uint32_t most = a->decimals > r->at.decimals ? a->decimals : r->at.decimals;
    brz_rc rc = column_refine(r->column, r->ctx, &r->s->stacks, most);
    uint32_t decimals = r->column->decimals;
    *a = (amount){amount_in(*a, decimals), decimals};
    r->at = (amount){amount_in(r->at, decimals), decimals};
    return rc;
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Reads a frame's index. */
static bool index_of(const speedscope *s, const brz_json_token *t, uint32_t *index)
{
    uint64_t n;
    if (t->kind != BRZ_JSON_NUMBER || !brz_parse_u64(t->text, &n) || n >= s->frames.n ||
        (t->text.len > 1 && t->text.data[0] == '0'))
        return false;
    *index = (uint32_t)n;
    return true;
}

/* Reads the indices of an array whose bracket is open, up to the closing bracket, if all are plain
 * numbers of frames without blanks. Otherwise does nothing, and the cursor has to read them. */
static void list_plain(speedscope *s, cursor *c)
{
    const char *at = c->at;
    uint64_t index = 0;
    while (at < c->end && *at != ']') {
        const char *start = at;
        for (index = 0; at < c->end && brz_is_digit(*at) && at - start < 9; at++)
            index = 10 * index + (uint64_t)(*at - '0');
        bool is_plain = at > start && (*start != '0' || at == start + 1) && index < s->frames.n;
        bool has_more = at + 1 < c->end && *at == ',' && brz_is_digit(at[1]);
        if (!is_plain || at == c->end || (*at != ']' && !has_more)) {
            s->list.n = 0;
            return;
        }
        brz_frame_list_push(&s->list, c->ctx, s->frames.ids[index]);
        at += has_more;
    }
    c->at = at;
}

/* Reads a sample into the list. Returns the fault in it, or an empty text. */
static brz_str list_stack(speedscope *s, cursor *c)
{
    brz_str bad = {0};
    uint32_t index;
    s->list.n = 0;
    if (c->token.kind != BRZ_JSON_ARRAY)
        return cursor_skip(c);
    list_plain(s, c);
    while (cursor_element(c)) {
        brz_json_token t = c->token;
        if (index_of(s, &t, &index))
            brz_frame_list_push(&s->list, c->ctx, s->frames.ids[index]);
        else
            bad = t.text;
        cursor_skip(c);
    }
    return bad;
}

/* Reads a sample into the path, likewise. */
static brz_str read_stack(reading *r, cursor *c)
{
    brz_path *path = r->s->stacks.path;
    brz_str bad = list_stack(r->s, c);
    brz_path_cut(path, 0);
    for (size_t i = 0; i < r->s->list.n; i++)
        brz_path_push(path, r->ctx, r->s->list.ids[i]);
    return bad;
}

/* Reports a sample that is left out. */
static void leave_out(const reading *r, brz_str bad, int64_t weight)
{
    static const char code[] = "speedscope.sample";
    brz_str message = BRZ_STR("not the number of a frame: the sample is left out");
    if (r->column->weight == 0)
        brz_report_lost_weight(r->ctx, code, bad.data, bad.len, message, weight);
    else
        brz_report_lost(r->ctx, code, bad.data, bad.len, message);
}

static brz_rc count_sample(reading *r, const brz_json_token *weight, brz_str bad)
{
    amount a;
    if (!column_read(r->column, r->ctx, weight, &a)) {
        brz_report_lost(r->ctx, "speedscope.weight", weight->text.data, weight->text.len,
                        BRZ_STR("not a number, or too large: the sample is left out"));
        return BRZ_OK;
    }
    brz_rc rc = refine(r, &a);
    if (bad.len > 0)
        leave_out(r, bad, a.value);
    else if (rc == BRZ_OK && r->s->stacks.path->n > 0)
        rc = count(r, a.value);
    brz_stacks_sum(&r->s->stacks, &r->at.value, a.value);
    return rc;
}

static brz_rc read_samples(reading *r, const outline *o)
{
    cursor samples, weights;
    uint64_t unweighted = 0, unused = 0;
    brz_rc rc = BRZ_OK;
    cursor_start(&samples, r->ctx, o->samples);
    cursor_start(&weights, r->ctx, o->weights);
    cursor_next(&samples);
    bool more = o->weights.len > 0 && cursor_next(&weights);
    while (rc == BRZ_OK && cursor_element(&samples)) {
        brz_str bad = read_stack(r, &samples);
        if (samples.cut || samples.failed)
            break;
        more = more && cursor_element(&weights);
        brz_json_token weight = weights.token;
        if (more) {
            cursor_skip(&weights);
            rc = count_sample(r, &weight, bad);
        }
        unweighted += !more;
    }
    while (rc == BRZ_OK && more && cursor_element(&weights)) {
        cursor_skip(&weights);
        unused++;
    }
    brz_report_count(r->ctx, BRZ_WARNING, "speedscope.weights", unweighted, unweighted,
                     BRZ_STR("samples without a weight are left out ({count})"));
    brz_report_count(r->ctx, BRZ_WARNING, "speedscope.samples", unused, unused,
                     BRZ_STR("weights without a sample are left out ({count})"));
    return rc;
}

/* ---- events -------------------------------------------------------------------------------- */

typedef struct event {
    bool opens, closes;
    bool has_frame, has_time;
    uint32_t frame;
    amount at;
} event;

static event read_event(reading *r, cursor *c)
{
    event e = {0};
    brz_str key;
    while (cursor_member(c, &key)) {
        if (brz_json_text_is(key, BRZ_STR("type"))) {
            e.opens = brz_json_text_is(c->token.text, BRZ_STR("O"));
            e.closes = brz_json_text_is(c->token.text, BRZ_STR("C"));
        } else if (brz_json_text_is(key, BRZ_STR("frame"))) {
            e.has_frame = index_of(r->s, &c->token, &e.frame);
        } else if (brz_json_text_is(key, BRZ_STR("at"))) {
            e.has_time = column_read(r->column, r->ctx, &c->token, &e.at);
        }
        cursor_skip(c);
    }
    return e;
}

/* Counts the time since the last event. */
static brz_rc advance(reading *r, amount to, brz_str where)
{
    brz_rc rc = refine(r, &to);
    int64_t passed = time_passed(r->at.value, to.value);
    if (passed < 0) {
        BRZ_WARN(r->ctx, "speedscope.time", where.data, where.len,
                 "an event with an earlier time than the one before it: it gets that time");
        return rc;
    }
    if (rc == BRZ_OK && passed > 0 && r->s->stacks.path->n > 0)
        rc = count(r, passed);
    r->at = to;
    return rc;
}

static void open_frame(reading *r, uint32_t frame)
{
    speedscope *s = r->s;
    brz_path *path = s->stacks.path;
    s->opened = brz_list_room(r->ctx, s->opened, path->n, &s->opened_cap, sizeof *s->opened);
    s->opened[path->n] = frame;
    s->open[frame]++;
    brz_path_push(path, r->ctx, s->frames.ids[frame]);
}

static void close_top(reading *r)
{
    brz_path *path = r->s->stacks.path;
    brz_path_cut(path, path->n - 1);
    r->s->open[r->s->opened[path->n]]--;
}

/* Closes a frame, and those that it called and that are still open. */
static void close_frame(reading *r, uint32_t frame, brz_str where)
{
    const brz_path *path = r->s->stacks.path;
    if (r->s->open[frame] == 0) {
        BRZ_WARN(r->ctx, "speedscope.close", where.data, where.len,
                 "the end of a frame that is not open: left out");
        return;
    }
    if (r->s->opened[path->n - 1] != frame)
        BRZ_WARN(r->ctx, "speedscope.nesting", where.data, where.len,
                 "a frame ends before those it called: they end with it");
    while (r->s->opened[path->n - 1] != frame)
        close_top(r);
    close_top(r);
}

/* Lets the profile start with its first event if that has an earlier time. */
static void check_start(reading *r, amount first, brz_str where)
{
    if (!r->begun && amount_in(first, 9) < amount_in(r->at, 9)) {
        BRZ_WARN(r->ctx, "speedscope.start", where.data, where.len,
                 "an event before the start of its profile: the profile starts with it");
        r->at = first;
    }
    r->begun = true;
}

static brz_rc take_event(reading *r, cursor *c)
{
    brz_str where = c->token.text;
    event e = {0};
    if (cursor_enter(c, BRZ_JSON_OBJECT))
        e = read_event(r, c);
    if (c->cut || c->failed)
        return BRZ_OK;
    if (!(e.opens || e.closes) || !e.has_frame || !e.has_time) {
        brz_report_lost(r->ctx, "speedscope.event", where.data, where.len,
                        BRZ_STR("not an event with type, frame and time: left out"));
        return BRZ_OK;
    }
    check_start(r, e.at, where);
    brz_rc rc = advance(r, e.at, where);
    if (e.opens)
        open_frame(r, e.frame);
    else
        close_frame(r, e.frame, where);
    return rc;
}

/* Lets the frames that are open last until the end of the profile. */
static brz_rc close_all(reading *r, const outline *o)
{
    size_t n = r->s->stacks.path->n;
    amount end;
    brz_rc rc = BRZ_OK;
    brz_report_count(
        r->ctx, BRZ_WARNING, "speedscope.open", n, 0,
        BRZ_STR("frames without an end last until the end of their profile ({count})"));
    bool has_end = n > 0 && column_read(r->column, r->ctx, &o->end, &end);
    if (n > 0 && !has_end)
        brz_report_lost(r->ctx, "speedscope.end", o->end.text.data, o->end.text.len,
                        BRZ_STR("a profile without endValue: frames that are open end with the "
                                "last event"));
    if (has_end && amount_in(end, 9) > amount_in(r->at, 9))
        rc = advance(r, end, o->end.text);
    while (r->s->stacks.path->n > 0)
        close_top(r);
    return rc;
}

static brz_rc read_events(reading *r, const outline *o)
{
    cursor c;
    brz_rc rc = BRZ_OK;
    cursor_start(&c, r->ctx, o->events);
    cursor_next(&c);
    brz_path_cut(r->s->stacks.path, 0);
    while (rc == BRZ_OK && cursor_element(&c))
        rc = take_event(r, &c);
    return rc == BRZ_OK ? close_all(r, o) : rc;
}

static brz_rc read_profile(speedscope *s, brz_ctx *ctx, const outline *o)
{
    reading r = reading_of(s, ctx, o);
    return o->samples.len > 0 ? read_samples(&r, o) : read_events(&r, o);
}

/* ---- entry points ---------------------------------------------------------------------------- */

static brz_rc open_instance(brz_ctx *ctx)
{
    speedscope *s = ctx->inst;
    brz_stacks_init(&s->stacks, ctx, BRZ_NESTED);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    speedscope *s = ctx->inst;
    *used = chunk->len;
    file_read(s, ctx, brz_str_of((const char *)chunk->data, chunk->len));
    brz_rc rc = file_declare(s, ctx);
    for (size_t i = 0; i < s->n_outlines && rc == BRZ_OK; i++)
        rc = read_profile(s, ctx, &s->outlines[i]);
    return rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    speedscope *s = ctx->inst;
    return brz_stacks_finish(&s->stacks, ctx);
}

/* ---- sorted samples -------------------------------------------------------------------------- */

/* Returns whether brazier wrote a file, which sorts samples. */
static bool is_likely(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len);
    return brz_starts_with(text, BRZ_STR("{\"$schema\"")) &&
           brz_str_find(text, BRZ_STR("\"exporter\":\"brazier@"), 0) != SIZE_MAX;
}

static bool begin(brz_ctx *ctx, const brz_chunk *whole)
{
    speedscope *s = ctx->inst;
    file_read(s, ctx, brz_str_of((const char *)whole->data, whole->len));
    if (s->n_outlines != 1 || s->outlines[0].samples.len == 0 || s->outlines[0].weights.len == 0 ||
        file_declare(s, ctx) != BRZ_OK)
        return false;
    cursor_start(&s->samples, ctx, s->outlines[0].samples);
    cursor_start(&s->weights, ctx, s->outlines[0].weights);
    return cursor_next(&s->samples) && cursor_next(&s->weights);
}

/* Reads a weight. Returns false if the sample has none, or that is not a whole number. */
static bool read_weight(speedscope *s, brz_ctx *ctx, int64_t *to)
{
    amount a;
    if (!cursor_element(&s->weights) || s->weights.token.kind != BRZ_JSON_NUMBER ||
        !column_read(&s->columns[0], ctx, &s->weights.token, &a))
        return false;
    *to = a.value;
    return a.decimals == 0;
}

static int32_t next(brz_ctx *ctx, brz_sorted_sample *to)
{
    speedscope *s = ctx->inst;
    if (!cursor_element(&s->samples)) {
        bool is_odd = s->samples.cut || s->samples.failed || cursor_element(&s->weights) ||
                      s->weights.cut || s->weights.failed;
        return is_odd ? BRZ_SORTED_OTHER : BRZ_SORTED_END;
    }
    if (list_stack(s, &s->samples).len > 0 || !read_weight(s, ctx, &to->count) || s->samples.cut ||
        s->samples.failed || s->list.n > UINT32_MAX)
        return BRZ_SORTED_OTHER;
    to->frames = s->list.ids;
    to->n = (uint32_t)s->list.n;
    to->flags = 0;
    return BRZ_SORTED_NEXT;
}

SHIPPED_SORTED_READER

/* ---- format detection ---------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"$schema", "shared.frames.name", "profiles.unit",
                                        "profiles.type", NULL};
    uint32_t found = cursor_paths(head, paths);
    brz_str text = brz_str_of((const char *)head->data, head->len);
    bool schema = (found & 1) != 0 &&
                  brz_str_find(text, BRZ_STR("speedscope.app/file-format-schema"), 0) != SIZE_MAX;
    if (schema || (found & 12) == 12)
        return BRZ_SNIFF_HEADER;
    return (found & 2) != 0 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const char *const globs[] = {"*.speedscope.json", "*.speedscope", NULL};

SHIPPED_READER(speedscope, .flags = BRZ_WHOLE_INPUT, .globs = globs, .open = open_instance,
               .finish = finish, .offer = offer)

BRZ_HINTS(BRZ_IF_NAME("*.speedscope.json") BRZ_IF_NAME("*.speedscope")
              BRZ_IF_CONTAINS("speedscope.app") BRZ_IF_CONTAINS("profiles")
                  BRZ_IF_CONTAINS("shared") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER(
    "speedscope",
    .summary = "files of speedscope, which py-spy, rbspy, austin and dotnet-trace also write",
    .help = "Profiles with the same unit are added up: a unit is a weight (--weight), a profile is "
            "a thread.")
