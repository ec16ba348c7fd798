/* Collapses dumps of stackprof, the sampling profiler for Ruby, in JSON:
 *
 *     dump   := {"mode": "cpu"|"wall"|"object"|"custom", "interval": n, "samples": n,
 *                "frames": {id: frame*}, "raw": [sample*],
 *                "raw_sample_timestamps": [microseconds*], …}
 *     frame  := {"name": "…", "file": "…", "line": n, …}
 *     sample := depth, id…, count
 *
 * The ids of a sample run from root to leaf. Members may be in any order, and others are skipped.
 */
#include "../common/shipped.h"

#include <brazier/symbol.h>

#include "../common/json/ids.h"
#include "../common/json/members.h"
#include "../common/json/text.h"

typedef enum member { MODE, INTERVAL, FRAMES, RAW, TIMESTAMPS, SAMPLES, N_MEMBERS } member;

static const char *const keys[N_MEMBERS] = {
    [MODE] = "mode",
    [INTERVAL] = "interval",
    [FRAMES] = "frames",
    [RAW] = "raw",
    [TIMESTAMPS] = "raw_sample_timestamps",
    [SAMPLES] = "samples",
};

typedef struct stackprof {
    brz_json_token members[N_MEMBERS];
    brz_stacks stacks; /* root first */
    id_table ids;      /* ids of frames to indices into `frames` */
    brz_frame_list frames;
    brz_text name, file;
    uint32_t amounts, samples; /* weights; `amounts` is NO_WEIGHT for other modes */
    uint32_t interval;         /* amount per sample */
    uint32_t stated;           /* number of samples that the dump states; 0: unknown */
    int64_t n_read;            /* samples that were read */
    cursor times;              /* within the times of the samples */
    bool has_times;
} stackprof;

#define NO_WEIGHT UINT32_MAX

static brz_rc open_instance(brz_ctx *ctx)
{
    stackprof *s = ctx->inst;
    brz_stacks_init(&s->stacks, ctx, 0);
    ids_init(&s->ids, ctx);
    return BRZ_OK;
}

/* ---- frames -------------------------------------------------------------------------------- */

static void read_frame(stackprof *s, cursor *c, brz_str id)
{
    static const char *const frame_keys[] = {"name", "file", "line"};
    brz_json_token values[3] = {{0}};
    brz_frame_desc d = {.struct_size = sizeof d};
    if (!members_enter(c, frame_keys, 3, values))
        return;
    d.name = json_text_into(&s->name, c->ctx, &values[0]);
    d.file = json_text_into(&s->file, c->ctx, &values[1]);
    d.first_line = members_number(&values[2], 0);
    if (d.name.len == 0)
        d.name = BRZ_STR("[unknown]");
    if (ids_add(&s->ids, c->ctx, 0, id, (uint32_t)s->frames.n))
        brz_frame_list_push(&s->frames, c->ctx, c->ctx->host->frame(c->ctx, &d));
}

static void read_frames(stackprof *s, brz_ctx *ctx)
{
    cursor c;
    brz_str id;
    if (members_open(&c, ctx, &s->members[FRAMES], BRZ_JSON_OBJECT))
        while (cursor_member(&c, &id))
            read_frame(s, &c, id);
}

/* ---- weights ------------------------------------------------------------------------------- */

static bool mode_is(const stackprof *s, brz_str mode)
{
    const brz_json_token *t = &s->members[MODE];
    return t->kind == BRZ_JSON_STRING && brz_json_text_is(t->text, mode);
}

/* Reports a mode that the format lacks, and an interval that cannot be read. */
static void check_weights(const stackprof *s, brz_ctx *ctx, bool is_known, bool has_interval)
{
    const brz_json_token *mode = &s->members[MODE], *interval = &s->members[INTERVAL];
    if (!is_known)
        BRZ_WARN(ctx, "stackprof.mode", mode->text.data, mode->text.len,
                 "not a mode of stackprof: samples are counted");
    else if (has_interval && s->interval == 0)
        BRZ_WARN(ctx, "stackprof.interval", interval->text.data, interval->text.len,
                 "not an interval of samples: samples are counted");
}

/* Declares the weights: samples, and before them the one that the interval counts. */
static void declare_weights(stackprof *s, brz_ctx *ctx)
{
    bool timed = mode_is(s, BRZ_STR("cpu")) || mode_is(s, BRZ_STR("wall"));
    bool is_object = mode_is(s, BRZ_STR("object"));
    s->interval = members_number(&s->members[INTERVAL], 0);
    s->stated = members_number(&s->members[SAMPLES], 0);
    check_weights(s, ctx, timed || is_object || mode_is(s, BRZ_STR("custom")), timed || is_object);
    s->amounts = NO_WEIGHT;
    if (timed && s->interval > 0)
        s->amounts =
            BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("time"), .unit = BRZ_STR("microseconds"));
    else if (is_object && s->interval > 0)
        s->amounts = BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("objects"), .unit = BRZ_STR("count"));
    s->samples = BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples"),
                                    .flags = BRZ_COLUMN_SAMPLES);
}

/* ---- samples ------------------------------------------------------------------------------- */

static brz_rc count_some(stackprof *s, brz_ctx *ctx, int64_t n)
{
    int64_t amount;
    brz_stacks_begin_sample(&s->stacks);
    brz_rc rc = brz_stacks_count(&s->stacks, ctx, s->samples, n);
    if (__builtin_mul_overflow(n, (int64_t)s->interval, &amount)) {
        amount = INT64_MAX;
        s->stacks.saturated |= s->amounts != NO_WEIGHT;
    }
    if (s->amounts != NO_WEIGHT && rc == BRZ_OK)
        rc = brz_stacks_count(&s->stacks, ctx, s->amounts, amount);
    brz_stacks_end_sample(&s->stacks);
    return rc;
}

/* Reads the time of the next sample, in nanoseconds. */
static bool next_time(stackprof *s, int64_t *time)
{
    if (!s->has_times || !cursor_element(&s->times))
        return s->has_times = false;
    cursor_skip(&s->times);
    return members_integer(s->times.ctx, &s->times.token, time) &&
           !__builtin_mul_overflow(*time, INT64_C(1000), time);
}

/* Counts the current stack `n` times, each at its time if the run needs that. */
static brz_rc count(stackprof *s, brz_ctx *ctx, int64_t n)
{
    brz_rc rc = BRZ_OK;
    int64_t time;
    for (; n > 0 && s->has_times && rc == BRZ_OK; n--) {
        bool timed = next_time(s, &time);
        brz_stacks_place(&s->stacks, BRZ_NO_TAG, timed ? BRZ_TIMED : 0, timed ? time : 0);
        rc = count_some(s, ctx, 1);
    }
    brz_stacks_place(&s->stacks, BRZ_NO_TAG, 0, 0);
    return n > 0 && rc == BRZ_OK ? count_some(s, ctx, n) : rc;
}

/* Reads the next number of the samples. Returns false at the end, which sets *ended, and, after a
 * report, if something else is next. */
static bool next_number(cursor *c, int64_t *n, bool *ended)
{
    *ended = !cursor_element(c);
    if (*ended)
        return false;
    brz_str at = cursor_skip(c);
    if (members_integer(c->ctx, &c->token, n) && *n >= 0)
        return true;
    BRZ_WARN(c->ctx, "stackprof.raw", at.data, at.len,
             "not a number of frames or of samples: the rest is left out");
    return false;
}

/* Reads the frames of a sample. Returns false if one of them is unknown, which *bad receives. */
static bool read_stack(stackprof *s, cursor *c, int64_t depth, brz_str *bad)
{
    bad->len = 0;
    brz_path_cut(s->stacks.path, 0);
    while (depth-- > 0 && cursor_element(c)) {
        brz_str id = cursor_skip(c);
        uint32_t index = ids_find(&s->ids, 0, id);
        if (index != BRZ_CACHE_MISS)
            brz_path_push(s->stacks.path, c->ctx, s->frames.ids[index]);
        else
            *bad = id;
    }
    return bad->len == 0;
}

/* Reports a sample that is left out. The number of samples that the dump states tells what it
 * weighs. */
static void leave_out(const stackprof *s, brz_ctx *ctx, const char *code, brz_str at, brz_str msg)
{
    if (s->stated > 0)
        brz_report_lost_weight(ctx, code, at.data, at.len, msg, 0);
    else
        brz_report_lost(ctx, code, at.data, at.len, msg);
}

/* Reports a last sample that is not complete. */
static void report_end(const stackprof *s, brz_ctx *ctx)
{
    leave_out(s, ctx, "stackprof.end", brz_str_of(s->members[RAW].text.data, 0),
              BRZ_STR("the samples end within one of them: left out"));
}

/* Compares the number of samples with the one that the dump states. */
static void check_total(const stackprof *s, brz_ctx *ctx)
{
    const brz_json_token *t = &s->members[SAMPLES];
    int64_t missing = (int64_t)s->stated - s->n_read;
    if (s->stated == 0 || missing == 0)
        return;
    if (missing < 0) {
        BRZ_WARN(ctx, "stackprof.total", t->text.data, t->text.len,
                 "the stacks have more samples than that");
        return;
    }
    if (s->amounts != NO_WEIGHT && __builtin_mul_overflow(missing, (int64_t)s->interval, &missing))
        missing = INT64_MAX;
    brz_report_lost_weight(ctx, "stackprof.total", t->text.data, t->text.len,
                           BRZ_STR("the stacks have fewer samples: some are missing"), missing);
}

static brz_rc read_samples(stackprof *s, brz_ctx *ctx)
{
    bool ended;
    cursor c;
    brz_str bad;
    brz_rc rc = BRZ_OK;
    int64_t depth, n;
    if (!members_open(&c, ctx, &s->members[RAW], BRZ_JSON_ARRAY)) {
        BRZ_WARN(ctx, "stackprof.no-stacks", NULL, 0,
                 "the dump has no stacks: record with `raw: true`");
        return BRZ_OK;
    }
    while (rc == BRZ_OK && next_number(&c, &depth, &ended)) {
        bool good = read_stack(s, &c, depth, &bad);
        if (!next_number(&c, &n, &ended)) {
            if (ended)
                report_end(s, ctx);
            break;
        }
        if (good && s->stacks.path->n > 0) {
            rc = count(s, ctx, n);
            if (__builtin_add_overflow(s->n_read, n, &s->n_read))
                s->n_read = INT64_MAX;
        } else if (!good) {
            leave_out(s, ctx, "stackprof.frame", bad,
                      BRZ_STR("no frame has this id: the sample is left out"));
        }
    }
    check_total(s, ctx);
    return rc;
}

/* ---- the dump ------------------------------------------------------------------------------ */

static void state_facts(const stackprof *s, brz_ctx *ctx)
{
    brz_metadata m = {.struct_size = sizeof m, .producer = BRZ_STR("stackprof")};
    brz_text mode = {0};
    m.period_name = json_text_into(&mode, ctx, &s->members[MODE]);
    m.period = s->interval;
    m.period_unit = mode_is(s, BRZ_STR("object")) ? BRZ_STR("objects") : BRZ_STR("microseconds");
    ctx->host->metadata(ctx, &m);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"stackprof.json", "stackprof.cut-off"};
    stackprof *s = ctx->inst;
    *used = chunk->len;
    members_of_input(ctx, chunk, codes, keys, N_MEMBERS, s->members);
    declare_weights(s, ctx);
    state_facts(s, ctx);
    read_frames(s, ctx);
    s->has_times = (ctx->flags & BRZ_CTX_WANTS_TIME) != 0 &&
                   members_open(&s->times, ctx, &s->members[TIMESTAMPS], BRZ_JSON_ARRAY);
    return read_samples(s, ctx);
}

static brz_rc finish(brz_ctx *ctx)
{
    stackprof *s = ctx->inst;
    return brz_stacks_finish(&s->stacks, ctx);
}

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"mode", "interval", "gc_samples", "missed_samples", NULL};
    uint32_t found = cursor_paths(head, paths);
    return (found & 3) == 3 && found > 3 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

SHIPPED_READER(stackprof, .flags = BRZ_WHOLE_INPUT, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS("gc_samples") BRZ_IF_CONTAINS("missed_samples") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("stackprof", .summary = "dumps of stackprof, a profiler for Ruby, in JSON",
                  .help = "Record with `raw: true`, and save `JSON.generate(results)`.")
