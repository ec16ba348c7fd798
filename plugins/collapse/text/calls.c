/* SPDX-License-Identifier: MIT */
/* Collapses traces of calls, whose options describe the format:
 *
 *     input := (header | ignored | blank | begin | end | call)*
 *
 * A line begins a call, or ends one, or is a whole call with its duration. Each has a time. Calls
 * of a thread nest: the time between two lines counts for the innermost one.
 */
#include "../../common/pair_map.h"
#include "../../common/shipped.h"

#include "depth.h"
#include "explain.h"
#include "options.h"
#include "samples.h"

typedef struct options {
    text_options text;
    brz_str begin, end, call;
    int32_t depth, duration_unit;
} options;

static const uint8_t call_groups[] = {GROUP_FUNCTION, GROUP_LABEL};

static const text_source sources[] = {
    TEXT_COMMON_SOURCES,
    TEXT_SOURCE(SLOT_BEGIN, options, begin, "begin", false, call_groups),
    TEXT_SOURCE(SLOT_END, options, end, "end", false, NULL),
    TEXT_SOURCE(SLOT_CALL, options, call, "call", false, call_groups),
};

static const text_shape shape = {sources, BRZ_COUNT_OF(sources), false, true};

#define NO_CALL (UINT32_MAX - 1) /* an index of no call */

/* A call that has not ended. */
typedef struct open_call {
    size_t depth;
    brz_frame frame;
    uint32_t outer; /* index of the next outer call of the function, or NO_CALL */
} open_call;

/* A thread. */
typedef struct track {
    uint64_t id;
    open_call *open;
    size_t n, cap;
    size_t roots; /* frames that were entered before the first call */
} track;

typedef struct calls {
    text_samples samples;
    brz_frame_cache ids; /* names of threads to indices */
    pair_map innermost;  /* thread and function to the index of the innermost call */
    track *tracks;
    size_t n_tracks, tracks_cap;
    uint64_t n_endless;
} calls;

/* ---- lines ----------------------------------------------------------------------------------- */

static int32_t classify(text_format *f, brz_str line, bool *inside, text_match *match)
{
    static const struct {
        text_slot slot;
        int32_t role;
    } order[] = {{SLOT_IGNORE, BRZ_LINE_IGNORED},
                 {SLOT_CALL, BRZ_LINE_WHOLE},
                 {SLOT_BEGIN, BRZ_LINE_BEGIN},
                 {SLOT_END, BRZ_LINE_END},
                 {SLOT_HEADER, BRZ_LINE_HEADER}};
    (void)inside;
    for (size_t i = 0; i < BRZ_COUNT_OF(order); i++)
        if (text_format_find(f, order[i].slot, line, match))
            return order[i].role;
    return brz_trim(line).len == 0 ? BRZ_LINE_BLANK : BRZ_LINE_UNMATCHED;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Returns the track of the line's thread. */
static track *find_track(calls *c)
{
    static const char nameless[32];
    brz_ctx *ctx = c->samples.dump.ctx;
    brz_str name = text_value(&c->samples, GROUP_THREAD);
    if (name.len == 0)
        name = text_value(&c->samples, GROUP_THREAD_NAME);
    if (name.len == 0)
        name = brz_str_of(nameless, 0);
    brz_frame_key key = brz_frame_key_of(&c->ids, name.data, name.len, 0);
    uint32_t index = brz_frame_cache_find(&c->ids, &key);
    if (index == BRZ_CACHE_MISS) {
        index = (uint32_t)c->n_tracks;
        brz_frame_cache_put(&c->ids, ctx, &key, index);
        c->tracks = brz_list_room(ctx, c->tracks, c->n_tracks, &c->tracks_cap, sizeof *c->tracks);
        c->tracks[c->n_tracks++] = (track){.id = index};
    }
    return &c->tracks[index];
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Describes an event at a time, which `values` refers to. */
static brz_values event_at(const calls *c, const int64_t *time)
{
    brz_values v = brz_values_of_time(time);
    v.tag = c->samples.dump.stacks.tag;
    return v;
}

/* Enters the root frames of a thread that has no open call. */
static brz_rc enter_roots(calls *c, track *t, const brz_values *at)
{
    dump *d = &c->samples.dump;
    brz_rc rc = BRZ_OK;
    brz_path_cut(d->stacks.path, 0);
    text_push_roots(&c->samples);
    for (t->roots = 0; rc == BRZ_OK && t->roots < dump_depth(d); t->roots++)
        rc = d->ctx->host->enter(d->ctx, t->id, d->stacks.path->ids[t->roots], at);
    return rc;
}

/* Leaves the innermost call, and the roots after the last one. */
static brz_rc leave(calls *c, track *t, const brz_values *at)
{
    brz_ctx *ctx = c->samples.dump.ctx;
    const open_call *call = &t->open[--t->n];
    pair_map_put(&c->innermost, ctx, t->id, call->frame, call->outer);
    brz_rc rc = ctx->host->leave(ctx, t->id, at);
    if (t->n > 0)
        return rc;
    for (; rc == BRZ_OK && t->roots > 0; t->roots--)
        rc = ctx->host->leave(ctx, t->id, at);
    return rc;
}

/* Leaves the calls from the index `from` on. */
static brz_rc leave_from(calls *c, track *t, size_t from, const brz_values *at)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && t->n > from)
        rc = leave(c, t, at);
    return rc;
}

/* Returns the frame of the line's function. */
static brz_frame find_frame(calls *c)
{
    dump *d = &c->samples.dump;
    brz_path_cut(d->stacks.path, 0);
    dump_push(d, c->samples.values.of[GROUP_FUNCTION], 0, text_describe);
    return d->stacks.path->ids[0];
}

static size_t depth_of(const calls *c, const text_match *match)
{
    const options *o = c->samples.dump.ctx->cfg;
    return o->depth == DEPTH_NONE
               ? SIZE_MAX
               : text_depth_of((text_depth)o->depth, match, &c->samples.format.matcher);
}

/* Returns the number of calls that are further to the left than `depth`. */
static size_t count_outer(const track *t, size_t depth)
{
    size_t n = t->n;
    while (n > 0 && depth != SIZE_MAX && t->open[n - 1].depth >= depth)
        n--;
    return n;
}

/* Returns the index of the innermost call of a function, or NO_CALL. */
static uint32_t find_innermost(const calls *c, const track *t, brz_frame frame)
{
    uint32_t index = pair_map_find(&c->innermost, t->id, frame);
    return index == PAIR_MISS ? NO_CALL : index;
}

static brz_rc enter(calls *c, track *t, size_t depth, const brz_values *at)
{
    brz_ctx *ctx = c->samples.dump.ctx;
    brz_rc rc = leave_from(c, t, count_outer(t, depth), at);
    if (rc == BRZ_OK && t->n == 0)
        rc = enter_roots(c, t, at);
    if (rc != BRZ_OK)
        return rc;
    t->open = brz_list_room(ctx, t->open, t->n, &t->cap, sizeof *t->open);
    brz_frame frame = find_frame(c);
    t->open[t->n] = (open_call){depth, frame, find_innermost(c, t, frame)};
    pair_map_put(&c->innermost, ctx, t->id, frame, (uint32_t)t->n++);
    return ctx->host->enter(ctx, t->id, frame, at);
}

/* Returns the index of the call that a line ends, or SIZE_MAX. */
static size_t find_ended(calls *c, const track *t, const text_match *match)
{
    size_t depth = depth_of(c, match), n = t->n;
    bool is_named = c->samples.values.of[GROUP_FUNCTION].len > 0;
    if (depth != SIZE_MAX) {
        n = count_outer(t, depth);
        return n < t->n && t->open[n].depth == depth ? n : SIZE_MAX;
    }
    if (!is_named)
        return n > 0 ? n - 1 : SIZE_MAX;
    uint32_t index = find_innermost(c, t, find_frame(c));
    return index == NO_CALL ? SIZE_MAX : index;
}

static brz_rc take_end(calls *c, track *t, const text_match *match, const brz_values *at)
{
    size_t ended = find_ended(c, t, match);
    if (ended != SIZE_MAX) {
        c->n_endless += t->n - ended - 1;
        return leave_from(c, t, ended, at);
    }
    brz_report_lost(c->samples.dump.ctx, "text.end", match->line.data, match->line.len,
                    BRZ_STR("the end of a call whose beginning is missing: left out"));
    return BRZ_OK;
}

/* Reports an event whose time or duration cannot be read. */
static void report_time(calls *c, const text_match *match, brz_str unit, const char *code,
                        brz_str otherwise)
{
    text_unit of;
    bool is_unit = unit.len == 0 || (text_unit_find(unit, &of) && of.is_time);
    brz_report_lost(c->samples.dump.ctx, is_unit ? code : "text.unit", match->line.data,
                    match->line.len,
                    is_unit ? otherwise : BRZ_STR("the unit is none of time: left out"));
}

/* Counts a whole call, which ends after its duration. */
static brz_rc take_call(calls *c, track *t, const text_match *match, const brz_values *at)
{
    const options *o = c->samples.dump.ctx->cfg;
    int64_t end;
    brz_str text = c->samples.values.of[GROUP_DURATION];
    brz_str unit = text_value(&c->samples, GROUP_UNIT);
    if (!text_time_read_in(text, unit, (text_time_unit)o->duration_unit, &end) || end < 0 ||
        __builtin_add_overflow(end, at->time, &end)) {
        report_time(c, match, unit, "text.duration",
                    BRZ_STR("a call without a duration: left out"));
        return BRZ_OK;
    }
    brz_rc rc = enter(c, t, depth_of(c, match), at);
    brz_values after = event_at(c, &end);
    return rc == BRZ_OK ? leave(c, t, &after) : rc;
}

static brz_rc take_event(calls *c, int32_t role, const text_match *match)
{
    text_samples *s = &c->samples;
    int64_t time;
    text_values_clear(&s->values);
    text_values_add(&s->values, match, &s->format.matcher);
    brz_str unit = {0};
    if (role != BRZ_LINE_WHOLE)
        unit = text_value(s, GROUP_UNIT);
    if (!text_time_read_in(text_value(s, GROUP_TIME), unit,
                           (text_time_unit)s->format.options->time_unit, &time)) {
        report_time(c, match, unit, "text.time", BRZ_STR("without a time: left out"));
        return BRZ_OK;
    }
    track *t = find_track(c);
    text_place(s, match->line);
    brz_values at = event_at(c, &time);
    if (role == BRZ_LINE_BEGIN)
        return enter(c, t, depth_of(c, match), &at);
    return role == BRZ_LINE_END ? take_end(c, t, match, &at) : take_call(c, t, match, &at);
}

static brz_rc read_line(void *instance, brz_str line)
{
    calls *c = instance;
    text_match match = {NULL, line};
    bool inside = false;
    brz_rc rc = BRZ_OK;
    text_format_forget(&c->samples.format);
    int32_t role = classify(&c->samples.format, line, &inside, &match);
    if (c->samples.format.failed)
        return BRZ_ERROR;
    if (role == BRZ_LINE_BEGIN || role == BRZ_LINE_END || role == BRZ_LINE_WHOLE)
        rc = take_event(c, role, &match);
    else if (role == BRZ_LINE_HEADER)
        text_take_header(&c->samples, &match);
    else if (role == BRZ_LINE_UNMATCHED)
        brz_report_lost(c->samples.dump.ctx, "text.line", line.data, line.len,
                        BRZ_STR("fits no expression of the format: left out"));
    return rc == BRZ_OK ? text_status(&c->samples) : rc;
}

static brz_rc end_input(void *instance, const char *at)
{
    calls *c = instance;
    (void)at;
    for (size_t i = 0; i < c->n_tracks; i++)
        c->n_endless += text_format_uses(&c->samples.format, SLOT_END) ? c->tracks[i].n : 0;
    brz_report_count(c->samples.dump.ctx, BRZ_NOTE, "text.endless", c->n_endless, 0,
                     BRZ_STR("calls without an end, which end with the call or thread around them: "
                             "{count}"));
    return BRZ_OK;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **shared)
{
    *used = 0;
    return text_read_header(ctx, chunk, &shape, SLOT_BEGIN, shared);
}

static brz_rc open_instance(brz_ctx *ctx)
{
    calls *c = ctx->inst;
    brz_frame_cache_init(&c->ids, ctx);
    pair_map_init(&c->innermost, ctx);
    return text_open(ctx, &shape, BRZ_NESTED);
}

static void validate(const void *cfg, brz_option_faults *faults)
{
    const options *o = cfg;
    text_format_validate(&shape, cfg, faults);
    if (o->begin.len == 0 && o->call.len == 0)
        faults->add(faults, "begin", 0,
                    BRZ_STR("an expression for the beginning of calls is needed"));
    if (o->depth == DEPTH_NONE && o->end.len == 0 && o->call.len == 0)
        faults->add(faults, "end", 0, BRZ_STR("calls end by this expression, or by their depth"));
}

DUMP_PARSE_LINES(read_line, end_input)

TEXT_OFFER

SHIPPED_READER(calls, .prelude = prelude, .open = open_instance, .finish = text_finish,
               .close = text_close, .offer = offer)

#define CLOCK_TIME "^(?<time>[0-9][0-9.:]*)\\s+"

static const brz_option option_table[] = {
    BRZ_OPTION(options, "begin", STR, begin,
               CLOCK_TIME "(?:->|>|enter)\\s++(?<function>\\S(?:.*\\S)?)",
               "expression for the beginning of a call: groups time, function, thread, depth"),
    BRZ_OPTION(options, "end", STR, end,
               CLOCK_TIME "(?:<-|<|leave|exit)(?:\\s++(?<function>\\S(?:.*\\S)?))?",
               "expression for the end of a call: groups time, function, thread, depth"),
    BRZ_OPTION(options, "call", STR, call, "",
               "expression for a whole call: groups time, duration, function, thread, depth"),
    BRZ_OPTION(options, "depth", ENUM, depth, "none",
               "what shows the depth of a call, which ends calls that are as deep",
               .choices = text_call_depths),
    BRZ_OPTION(options, "duration-unit", ENUM, duration_unit, "s", "unit of the group duration",
               .choices = text_time_units),
    BRZ_OPTION(options, "frame", STR, text.frame, "",
               "expression that takes the function apart: groups function, module, file, line"),
    TEXT_LINE_OPTIONS(options),
};

BRZ_HINTS("")

SHIPPED_COLLAPSER("calls", .summary = "traces of calls with times, which options describe",
                  .help = "A format in the configuration gives these options a name.",
                  BRZ_OPTIONS(option_table, options), .validate = validate)
