/* SPDX-License-Identifier: MIT */
/* Collapses dumps of stackprof, the sampling profiler for Ruby, in JSON or in Ruby's Marshal
 * format, where keys are symbols and ids are numbers:
 *
 *     dump   := {"mode": "cpu"|"wall"|"object"|"custom", "interval": n, "samples": n,
 *                "frames": {id: frame*}, "raw": [sample*],
 *                "raw_sample_timestamps": [microseconds*], …}
 *     frame  := {"name": "…", "file": "…", "line": n, "samples": n, "edges": {id: n*}, …}
 *     sample := depth, id…, count
 *
 * Without the member `raw`, stacks are estimated from the sums of frames.
 *
 * The ids of a sample run from root to leaf. Members may be in any order, and others are skipped.
 */
#include "../../common/shipped.h"

#include <brazier/symbol.h>

#include "../../common/budget.h"
#include "../../common/json/ids.h"
#include "../../common/json/text.h"
#include "input.h"
#include "sums.h"

typedef struct stackprof {
    input in;
    brz_stacks stacks; /* root first */
    id_table ids;      /* ids of frames to indices into `frames` */
    brz_frame_list frames;
    frame_sums *sums; /* of each frame */
    size_t sums_cap;
    brz_text name, file;
    ruby_id id;                /* the last one */
    uint64_t budget;           /* of frames in Ruby's format, which may be shared */
    uint32_t amounts, samples; /* weights; `amounts` is NO_WEIGHT for other modes */
    uint32_t interval;         /* amount per sample */
    uint32_t stated;           /* number of samples that the dump states; 0: unknown */
    int64_t n_read;            /* samples that were read */
    number_list times;         /* within the times of the samples */
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

static void add_frame(stackprof *s, brz_ctx *ctx, brz_str id, brz_frame_desc *d, frame_sums counted)
{
    if (d->name.len == 0)
        d->name = BRZ_STR("[unknown]");
    if (!ids_add(&s->ids, ctx, 0, id, (uint32_t)s->frames.n))
        return;
    s->sums = brz_list_room(ctx, s->sums, s->frames.n, &s->sums_cap, sizeof *s->sums);
    s->sums[s->frames.n] = counted;
    brz_frame_list_push(&s->frames, ctx, ctx->host->frame(ctx, d));
}

static void read_frame(stackprof *s, cursor *c, brz_str id)
{
    static const char *const frame_keys[] = {"name", "file", "line", "samples", "edges"};
    brz_json_token values[5] = {{0}};
    brz_frame_desc d = {.struct_size = sizeof d};
    if (!members_enter(c, frame_keys, 5, values))
        return;
    d.name = json_text_into(&s->name, c->ctx, &values[0]);
    d.file = json_text_into(&s->file, c->ctx, &values[1]);
    d.first_line = members_number(&values[2], 0);
    add_frame(s, c->ctx, id, &d,
              (frame_sums){.own = members_number(&values[3], 0), .calls = values[4]});
}

/* Reads a frame in Ruby's format. Returns false if the budget is spent. */
static bool read_ruby_frame(stackprof *s, brz_ctx *ctx, int64_t id, size_t offset)
{
    brz_frame_desc d = {.struct_size = sizeof d};
    frame_sums counted = {.own = 0};
    marshal_list members;
    marshal_value key, v;
    if (!marshal_open(&s->in.ruby, offset, '{', &members))
        return true;
    size_t begin = brz_bytes_offset(&members.bytes);
    while (marshal_next(&members, &key) && marshal_next(&members, &v)) {
        if (brz_str_is(key.text, "name"))
            d.name = v.text;
        else if (brz_str_is(key.text, "file"))
            d.file = v.text;
        else if (brz_str_is(key.text, "line") && v.integer > 0 && v.integer <= UINT32_MAX)
            d.first_line = (uint32_t)v.integer;
        else if (brz_str_is(key.text, "samples") && v.integer > 0)
            counted.own = v.integer;
        else if (brz_str_is(key.text, "edges"))
            counted.calls_at = v.at;
    }
    size_t n_read = brz_bytes_offset(&members.bytes) - begin;
    if (!budget_take(&s->budget, n_read + budget_for_frame(&d)))
        return false;
    s->id.id = id;
    add_frame(s, ctx, ruby_id_bytes(&s->id), &d, counted);
    return true;
}

static brz_rc read_ruby_frames(stackprof *s, brz_ctx *ctx)
{
    marshal_list frames;
    marshal_value key, v;
    if (s->in.offsets[FRAMES] == 0 ||
        !marshal_open(&s->in.ruby, s->in.offsets[FRAMES], '{', &frames))
        return BRZ_OK;
    while (marshal_next(&frames, &key) && marshal_next(&frames, &v)) {
        if (key.kind != MARSHAL_INTEGER || read_ruby_frame(s, ctx, key.integer, v.at))
            continue;
        brz_report(ctx, BRZ_FATAL, "stackprof.budget", NULL, 0,
                   BRZ_STR("the frames are implausibly large for an input of this size"));
        return BRZ_ERROR;
    }
    return BRZ_OK;
}

static brz_rc read_frames(stackprof *s, brz_ctx *ctx)
{
    cursor c;
    brz_str id;
    if (s->in.is_ruby)
        return read_ruby_frames(s, ctx);
    if (members_open(&c, ctx, &s->in.members[FRAMES], BRZ_JSON_OBJECT))
        while (cursor_member(&c, &id))
            read_frame(s, &c, id);
    return BRZ_OK;
}

/* ---- weights ------------------------------------------------------------------------------- */

static void warn(const stackprof *s, const char *code, brz_str at, const char *msg)
{
    brz_report(s->in.ctx, BRZ_WARNING, code, at.data, at.len, brz_str_of_text(msg));
}

static bool mode_is(stackprof *s, const char *mode)
{
    return brz_str_is(input_text(&s->in, MODE, &s->name), mode);
}

/* Reports a mode that the format lacks, and an interval that cannot be read. */
static void check_weights(const stackprof *s, bool is_known, bool has_interval)
{
    if (!is_known)
        warn(s, "stackprof.mode", input_place(&s->in, MODE),
             "not a mode of stackprof: samples are counted");
    else if (has_interval && s->interval == 0)
        warn(s, "stackprof.interval", input_place(&s->in, INTERVAL),
             "not an interval of samples: samples are counted");
}

/* Declares the weights: samples, and before them the one that the interval counts. */
static void declare_weights(stackprof *s, brz_ctx *ctx)
{
    bool timed = mode_is(s, "cpu") || mode_is(s, "wall"), is_object = mode_is(s, "object");
    s->interval = input_number(&s->in, INTERVAL);
    s->stated = input_number(&s->in, SAMPLES);
    check_weights(s, timed || is_object || mode_is(s, "custom"), timed || is_object);
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
    number_found found = s->has_times ? numbers_next(&s->times) : NUMBERS_END;
    s->has_times &= found != NUMBERS_END;
    return found == NUMBER && !__builtin_mul_overflow(s->times.number, INT64_C(1000), time);
}

/* Passes the times of `n` samples that are left out. */
static void skip_times(stackprof *s, int64_t n)
{
    int64_t time;
    while (n-- > 0 && s->has_times)
        next_time(s, &time);
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
static bool next_number(const stackprof *s, number_list *list, int64_t *n, bool *ended)
{
    number_found found = numbers_next(list);
    *n = list->number;
    *ended = found == NUMBERS_END;
    if (*ended || (found == NUMBER && *n >= 0))
        return !*ended;
    warn(s, "stackprof.raw", list->at,
         "not a number of frames or of samples: the rest is left out");
    return false;
}

/* Returns the id that was read last. */
static brz_str last_id(stackprof *s, const number_list *list)
{
    s->id.id = list->number;
    return s->in.is_ruby ? ruby_id_bytes(&s->id) : list->at;
}

/* Reads the frames of a sample. Returns false if one of them is unknown, whose brz_str *bad
 * receives.
 */
static bool read_stack(stackprof *s, brz_ctx *ctx, number_list *list, int64_t depth, brz_str *bad)
{
    bool is_good = true;
    brz_path_cut(s->stacks.path, 0);
    while (depth-- > 0) {
        number_found found = numbers_next(list);
        if (found == NUMBERS_END)
            break;
        bool has_id = found == NUMBER || !s->in.is_ruby;
        uint32_t index = has_id ? ids_find(&s->ids, 0, last_id(s, list)) : BRZ_CACHE_MISS;
        if (index != BRZ_CACHE_MISS) {
            brz_path_push(s->stacks.path, ctx, s->frames.ids[index]);
        } else {
            *bad = list->at;
            is_good = false;
        }
    }
    return is_good;
}

/* Reports a sample that is left out. The number of samples that the dump states tells what it
 * weighs. */
static void leave_out(const stackprof *s, const char *code, brz_str at, const char *msg)
{
    if (s->stated > 0)
        brz_report_lost_weight(s->in.ctx, code, at.data, at.len, brz_str_of_text(msg), 0);
    else
        brz_report_lost(s->in.ctx, code, at.data, at.len, brz_str_of_text(msg));
}

/* Reports a last sample that is not complete. */
static void report_end(const stackprof *s)
{
    leave_out(s, "stackprof.end", brz_str_of(input_place(&s->in, RAW).data, 0),
              "the samples end within one of them: left out");
}

/* Compares the number of samples with the one that the dump states. */
static void check_total(const stackprof *s)
{
    brz_str at = input_place(&s->in, SAMPLES);
    int64_t missing = (int64_t)s->stated - s->n_read;
    if (s->stated == 0 || missing == 0)
        return;
    if (missing < 0) {
        warn(s, "stackprof.total", at, "the stacks have more samples than that");
        return;
    }
    if (s->amounts != NO_WEIGHT && __builtin_mul_overflow(missing, (int64_t)s->interval, &missing))
        missing = INT64_MAX;
    brz_report_lost_weight(s->in.ctx, "stackprof.total", at.data, at.len,
                           BRZ_STR("the stacks have fewer samples: some are missing"), missing);
}

/* Counts stacks that are estimated from the sums of frames: the dump has no others. */
static brz_rc count_sums(stackprof *s, brz_ctx *ctx)
{
    sums of = {.in = &s->in,
               .ids = &s->ids,
               .frames = s->frames.ids,
               .of = s->sums,
               .n = s->frames.n,
               .budget = &s->budget,
               .weights = {s->samples, s->amounts},
               .factors = {1, s->interval},
               .n_weights = s->amounts == NO_WEIGHT ? 1 : 2};
    brz_rc rc = sums_count(&of, ctx, &s->n_read);
    if (rc != BRZ_OK)
        return rc;
    BRZ_WARN(ctx, "stackprof.no-stacks", NULL, 0,
             "the dump has no stacks, but sums of frames: record with `raw: true`");
    check_total(s);
    return BRZ_OK;
}

static brz_rc read_samples(stackprof *s, brz_ctx *ctx)
{
    bool ended;
    number_list raw;
    brz_str bad = {0};
    brz_rc rc = BRZ_OK;
    int64_t depth, n;
    if (!numbers_open(&raw, &s->in, RAW)) {
        if (s->in.ruby.bytes.error == NULL)
            return count_sums(s, ctx);
        check_total(s); /* the stacks may follow the error, which was reported */
        return BRZ_OK;
    }
    while (rc == BRZ_OK && next_number(s, &raw, &depth, &ended)) {
        bool good = read_stack(s, ctx, &raw, depth, &bad);
        if (!next_number(s, &raw, &n, &ended)) {
            if (ended)
                report_end(s);
            break;
        }
        if (good && s->stacks.path->n > 0) {
            rc = count(s, ctx, n);
            if (__builtin_add_overflow(s->n_read, n, &s->n_read))
                s->n_read = INT64_MAX;
            continue;
        }
        skip_times(s, n);
        if (!good)
            leave_out(s, "stackprof.frame", bad, "no frame has this id: the sample is left out");
    }
    check_total(s);
    return rc;
}

/* ---- the dump ------------------------------------------------------------------------------ */

static void state_facts(stackprof *s, brz_ctx *ctx)
{
    brz_metadata m = {.struct_size = sizeof m, .producer = BRZ_STR("stackprof")};
    m.period_unit = mode_is(s, "object") ? BRZ_STR("objects") : BRZ_STR("microseconds");
    m.period_name = input_text(&s->in, MODE, &s->name);
    m.period = s->interval;
    ctx->host->metadata(ctx, &m);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    stackprof *s = ctx->inst;
    *used = chunk->len;
    s->budget = budget_of(chunk->len);
    input_read(&s->in, ctx, chunk);
    declare_weights(s, ctx);
    state_facts(s, ctx);
    brz_rc rc = read_frames(s, ctx);
    s->has_times =
        (ctx->flags & BRZ_CTX_WANTS_TIME) != 0 && numbers_open(&s->times, &s->in, TIMESTAMPS);
    return rc == BRZ_OK ? read_samples(s, ctx) : rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    stackprof *s = ctx->inst;
    return brz_stacks_finish(&s->stacks, ctx);
}

/* Recognises a dump in Ruby's format: a hash with symbols that only stackprof has. */
static bool is_ruby(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len);
    return brz_starts_with(text, BRZ_STR("\x04\x08{")) &&
           brz_str_has(text, BRZ_STR(":\x0fgc_samples")) &&
           brz_str_has(text, BRZ_STR(":\x13missed_samples"));
}

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"mode", "interval", "gc_samples", "missed_samples", NULL};
    if (is_ruby(head))
        return BRZ_SNIFF_HEADER;
    uint32_t found = cursor_paths(head, paths);
    return (found & 3) == 3 && found > 3 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

SHIPPED_READER(stackprof, .flags = BRZ_WHOLE_INPUT, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS("gc_samples") BRZ_IF_CONTAINS("missed_samples") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("stackprof", .summary = "dumps of stackprof, a profiler for Ruby",
                  .help = "Record by `StackProf.run(out: FILE)` or as JSON, with `raw: true`: "
                          "stacks are estimated otherwise.")
