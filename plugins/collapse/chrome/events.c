/* SPDX-License-Identifier: MIT */
/* Reads the events of a Chrome trace:
 *
 *     file  := [event*] | [event*                         the list need not be closed
 *            | {"traceEvents": [event*], "stackFrames": {…}, "samples": [sample*], …}
 *     event := {"ph": phase, "name": "…", "cat": "…", "pid": id, "tid": id, "ts": µs, "dur": µs,
 *               "id": id, "args": {…}, "sf": id, …}
 *     phase := "B" | "E" | "X" | "b" | "e" | "S" | "F" | "P" | "M" | others, which have no duration
 *
 * Members may be in any order. Numbers may be texts.
 */
#include <brazier/symbol.h>

#include "../../common/json/text.h"
#include "trace.h"

static bool is_word(const brz_json_token *t, const char *word)
{
    return t->kind == BRZ_JSON_STRING && brz_json_text_is(t->text, brz_str_of_text(word));
}

/* ---- times --------------------------------------------------------------------------------- */

/* Reads a time in microseconds. Returns false if it is not a number, or too large. */
static bool read_time(trace *t, brz_ctx *ctx, const brz_json_token *from, int64_t *time)
{
    column microseconds = {.most = t->decimals};
    amount a;
    if (!column_read(&microseconds, ctx, from, &a))
        return false;
    if (a.decimals > t->needed)
        t->needed = a.decimals;
    *time = amount_in(a, t->decimals);
    return true;
}

/* Reads the duration of a complete event, which may be that on the thread's clock. */
static bool read_end(trace *t, brz_ctx *ctx, const brz_json_token *parts, int64_t begin,
                     int64_t *end)
{
    const brz_json_token *d = &parts[EVENT_DURATION];
    int64_t duration = 0;
    if (d->kind == BRZ_JSON_MORE)
        d = &parts[EVENT_THREAD_DURATION];
    if (d->kind != BRZ_JSON_MORE && !read_time(t, ctx, d, &duration))
        return false;
    t->negative += duration < 0;
    *end = begin;
    if (duration > 0)
        brz_stacks_sum(&t->tree.stacks, end, duration);
    return true;
}

/* ---- events -------------------------------------------------------------------------------- */

static void leave_out(brz_ctx *ctx, brz_str at, const char *why)
{
    brz_report_lost(ctx, "chrome-trace.event", at.data, at.len, brz_str_of_text(why));
}

/* Returns whether a process and a thread have ids, numbers or texts, if they have any. */
static bool has_valid_ids(const brz_json_token *parts)
{
    static const size_t ids[] = {EVENT_PROCESS, EVENT_THREAD};
    for (size_t i = 0; i < BRZ_COUNT_OF(ids); i++) {
        brz_json_kind kind = parts[ids[i]].kind;
        if (kind != BRZ_JSON_MORE && kind != BRZ_JSON_NUMBER && kind != BRZ_JSON_STRING)
            return false;
    }
    return true;
}

static void add_event(trace *t, brz_ctx *ctx, const brz_json_token *parts, nested_kind kind,
                      bool async, brz_str at)
{
    nested_event e = {.kind = (uint8_t)kind};
    if (!read_time(t, ctx, &parts[EVENT_TIME], &e.begin)) {
        leave_out(ctx, at, "an event without a time: left out");
        return;
    }
    e.end = e.begin;
    if (!has_valid_ids(parts)) {
        leave_out(ctx, at, "an event whose process or thread is not an id: left out");
        return;
    }
    if (kind == NESTED_COMPLETE && !read_end(t, ctx, parts, e.begin, &e.end)) {
        leave_out(ctx, at, "an event whose duration is not a number: left out");
        return;
    }
    e.track = trace_track(t, ctx, parts, async);
    e.name = name_of(t, ctx, &parts[EVENT_NAME]);
    e.frame = kind == NESTED_ENDS ? BRZ_NO_FRAME : name_frame(t, ctx, parts, e.name);
    t->tracks[e.track].n_events++;
    t->has_calls |= !async && (kind != NESTED_COMPLETE || e.end > e.begin);
    t->async += async && kind == NESTED_BEGINS;
    t->events = brz_list_room(ctx, t->events, t->n_events, &t->events_cap, sizeof e);
    t->events[t->n_events++] = e;
}

/* Reads the origin of a thread. Times of samples are exact to nanoseconds. */
static void take_origin(trace *t, brz_ctx *ctx, const brz_json_token *parts)
{
    static const char *const keys[ORIGIN_PARTS] = {"weight", "pid",   "tid",  "process",
                                                   "thread", "timed", "shown"};
    brz_json_token *origin = ctx->host->alloc(ctx, ORIGIN_PARTS * sizeof *origin, 0);
    uint32_t index = trace_track(t, ctx, parts, false);
    members_of(ctx, &parts[EVENT_ARGS], keys, ORIGIN_PARTS, origin);
    if (origin[ORIGIN_WEIGHT].kind == BRZ_JSON_STRING)
        t->tracks[index].origin = origin;
    if (origin[ORIGIN_TIMED].kind == BRZ_JSON_TRUE && t->n_events == 0)
        t->decimals = NANOSECONDS;
}

/* Reads an event that names a process or a thread. */
static void take_metadata(trace *t, brz_ctx *ctx, const brz_json_token *parts)
{
    static const char *const keys[] = {"name"};
    bool of_process = is_word(&parts[EVENT_NAME], "process_name");
    brz_json_token name = {0};
    if (t->own && is_word(&parts[EVENT_NAME], "brazier"))
        take_origin(t, ctx, parts);
    if (!of_process && !is_word(&parts[EVENT_NAME], "thread_name"))
        return;
    members_of(ctx, &parts[EVENT_ARGS], keys, 1, &name);
    if (name.kind != BRZ_JSON_STRING)
        return;
    uint32_t index = trace_track(t, ctx, parts, false);
    track *of = &t->tracks[index];
    if (of_process)
        t->processes[of->of].name = name.text;
    else
        of->name = name.text;
}

static void take_sample(trace *t, brz_ctx *ctx, const brz_json_token *parts)
{
    stack_sample s = {.stack = parts[EVENT_STACK], .time = parts[EVENT_TIME]};
    if (s.stack.text.len == 0)
        return;
    s.track = trace_track(t, ctx, parts, false);
    t->samples = brz_list_room(ctx, t->samples, t->n_samples, &t->samples_cap, sizeof s);
    t->samples[t->n_samples++] = s;
}

/* Returns whether a complete event is one of those by which clang sums up the others. Each is on a
 * thread of its own, begins at 0, and has the number and the average of the events of a name. */
static bool is_summary(brz_ctx *ctx, const brz_json_token *parts)
{
    static const char *const keys[] = {"count", "avg ms"};
    brz_json_token args[2] = {{0}};
    const brz_json_token *name = &parts[EVENT_NAME];
    if (name->kind != BRZ_JSON_STRING || !brz_starts_with(name->text, BRZ_STR("Total ")) ||
        !brz_str_is(parts[EVENT_TIME].text, "0"))
        return false;
    members_of(ctx, &parts[EVENT_ARGS], keys, 2, args);
    return args[0].kind == BRZ_JSON_NUMBER && args[1].kind == BRZ_JSON_NUMBER;
}

static void add_complete(trace *t, brz_ctx *ctx, const brz_json_token *parts, brz_str at)
{
    if (is_summary(ctx, parts))
        t->summaries++;
    else
        add_event(t, ctx, parts, NESTED_COMPLETE, false, at);
}

/* Returns whether events of a phase have no duration: instants, counters, flows, objects, marks,
 * dumps of memory, clocks, contexts and links. */
static bool has_no_duration(char phase)
{
    return memchr("iICnTpstfNODVvRc(),=", phase, 20) != NULL;
}

/* Reads an event by its phase. */
static void take_event(trace *t, brz_ctx *ctx, const brz_json_token *parts, brz_str at)
{
    const brz_json_token *phase = &parts[EVENT_PHASE];
    if (phase->kind != BRZ_JSON_STRING || phase->text.len != 1) {
        leave_out(ctx, at, "an event without a phase: left out");
        return;
    }
    switch (phase->text.data[0]) {
    case 'B':
        add_event(t, ctx, parts, NESTED_BEGINS, false, at);
        break;
    case 'E':
        add_event(t, ctx, parts, NESTED_ENDS, false, at);
        break;
    case 'X':
        add_complete(t, ctx, parts, at);
        break;
    case 'b':
    case 'S':
        add_event(t, ctx, parts, NESTED_BEGINS, true, at);
        break;
    case 'e':
    case 'F':
        add_event(t, ctx, parts, NESTED_ENDS, true, at);
        break;
    case 'M':
        take_metadata(t, ctx, parts);
        break;
    case 'P':
    case 'I':
        if (!profile_take(t, ctx, parts))
            take_sample(t, ctx, parts);
        break;
    default:
        if (!has_no_duration(phase->text.data[0]))
            leave_out(ctx, at, "an event of an unknown phase: left out");
        break;
    }
}

static void read_events(trace *t, cursor *c)
{
    static const char *const keys[EVENT_PARTS] = {"ph",   "name", "cat",   "pid",  "tid",
                                                  "ts",   "dur",  "tdur",  "id",   "id2",
                                                  "args", "sf",   ".file", ".line"};
    t->decimals = t->own ? FINEST : NANOSECONDS;
    while (cursor_element(c)) {
        brz_json_token parts[EVENT_PARTS] = {{0}};
        brz_str at = c->token.text;
        bool object = cursor_enter(c, BRZ_JSON_OBJECT);
        if (object)
            members_read(c, keys, EVENT_PARTS, parts);
        if (c->cut || c->failed)
            return;
        if (object)
            take_event(t, c->ctx, parts, at);
        else
            leave_out(c->ctx, at, "not an event: left out");
    }
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Reads the samples of stacks that the file lists by themselves. */
static void read_samples(trace *t, cursor *c)
{
    static const char *const keys[] = {"sf", "weight", "ts", "tid", "pid"};
    while (cursor_element(c)) {
        brz_json_token parts[5] = {{0}}, as_event[EVENT_PARTS] = {{0}};
        brz_str at = c->token.text;
        if (!cursor_enter(c, BRZ_JSON_OBJECT)) {
            leave_out(c->ctx, at, "not a sample: left out");
            continue;
        }
        members_read(c, keys, 5, parts);
        as_event[EVENT_THREAD] = parts[3];
        as_event[EVENT_PROCESS] = parts[4];
        stack_sample s = {parts[0], parts[1], parts[2], 0};
        if (s.stack.kind == BRZ_JSON_MORE)
            s.stack.text = at;
        s.track = trace_track(t, c->ctx, as_event, false);
        t->samples = brz_list_room(c->ctx, t->samples, t->n_samples, &t->samples_cap, sizeof s);
        t->samples[t->n_samples++] = s;
    }
}

/* Reads the moment at which the clock of the trace begins, in microseconds since 1970. */
static void read_start(cursor *c)
{
    static const column microseconds = {.most = NANOSECONDS};
    brz_metadata m = {.struct_size = sizeof m};
    amount a;
    if (!column_read(&microseconds, c->ctx, &c->token, &a) || a.value <= 0)
        return;
    m.start = amount_in(a, NANOSECONDS);
    c->ctx->host->metadata(c->ctx, &m);
}

static void read_top(trace *t, cursor *c, brz_str key)
{
    static const char *const keys[] = {"traceEvents", "samples",   "stackFrames",
                                       "metadata",    "otherData", "beginningOfTime"};
    size_t i = members_find(key, keys, 6);
    if (i == 0 && c->token.kind == BRZ_JSON_ARRAY) {
        read_events(t, c);
    } else if (i == 1 && c->token.kind == BRZ_JSON_ARRAY) {
        read_samples(t, c);
    } else if ((i == 3 || i == 4) && c->token.kind == BRZ_JSON_OBJECT) {
        trace_metadata(t, c);
    } else {
        if (i == 5)
            read_start(c);
        brz_json_token value = members_value(c);
        if (i == 2)
            t->stack_frames = value;
    }
}

/* Reports how the file ends. A list of events need not be closed. */
static void report_end(cursor *c, bool list)
{
    static const char *const codes[] = {"chrome-trace.json", "chrome-trace.cut-off"};
    if (!list || !c->cut || c->parser.depth != 1 || c->at != c->end) {
        cursor_report(c, codes);
        return;
    }
    cursor_report_deviations(c->ctx, &c->parser);
    brz_report(c->ctx, BRZ_NOTE, "chrome-trace.open", NULL, 0,
               BRZ_STR("the list of events is not closed, which the format allows"));
}

static void note_summaries(const trace *t, brz_ctx *ctx)
{
    brz_report_count(
        ctx, BRZ_NOTE, "chrome-trace.summary", t->summaries, 0,
        BRZ_STR("events of clang that sum up the time of others are not counted ({count})"));
}

void trace_read(trace *t, brz_ctx *ctx, brz_str text)
{
    cursor c;
    brz_str key;
    cursor_start(&c, ctx, text);
    bool list = cursor_next(&c) && c.token.kind == BRZ_JSON_ARRAY;
    if (list)
        read_events(t, &c);
    else if (cursor_enter(&c, BRZ_JSON_OBJECT))
        while (cursor_member(&c, &key))
            read_top(t, &c, key);
    report_end(&c, list);
    brz_report_count(ctx, BRZ_WARNING, "chrome-trace.negative", t->negative, 0,
                     BRZ_STR("events have a negative duration: taken for 0 ({count})"));
    note_summaries(t, ctx);
}
