/* SPDX-License-Identifier: MIT */
/* Reads the CPU profiles of V8 in a trace, and the samples that it lists:
 *
 *     "Profile"      args := {"data": {"startTime": µs}}                        begins a profile
 *     "ProfileChunk" args := {"data": {"cpuProfile": {"nodes": [node*], "samples": [id*]},
 *                                      "timeDeltas": [µs*]}}                    a part of it
 *     "CpuProfile"   args := {"data": {"cpuProfile": {…}}}                      a whole one
 *     stackFrames         := {id: {"name": "…", "category": "…", "parent": id, "line": n,
 *                                  "column": n}, …}
 *
 * The events of a profile have an id in common. Its thread is that of the first one.
 */

#include <brazier/symbol.h>

#include "../../common/json/text.h"
#include "trace.h"

/* Context of the ids of "stackFrames"; those of profiles follow. */
#define STACK_FRAMES 0

/* ---- reading ------------------------------------------------------------------------------- */

static cpu_profile *add_profile(trace *t, brz_ctx *ctx, const brz_json_token *parts)
{
    cpu_profile p = {.context = STACK_FRAMES + 1 + (uint32_t)t->n_profiles};
    p.track = trace_track(t, ctx, parts, false);
    t->profiles = brz_list_room(ctx, t->profiles, t->n_profiles, &t->profiles_cap, sizeof p);
    t->profiles[t->n_profiles] = p;
    return &t->profiles[t->n_profiles++];
}

/* Returns the profile to which an event belongs. */
static cpu_profile *find_profile(trace *t, brz_ctx *ctx, const brz_json_token *parts)
{
    bool has_id = parts[EVENT_ID].text.len > 0, is_new;
    brz_str key[3] = {parts[EVENT_PROCESS].text, parts[EVENT_ID].text,
                      has_id ? brz_str_of(NULL, 0) : parts[EVENT_THREAD].text};
    uint32_t found = trace_key(t, ctx, KEY_PROFILE, key, t->n_profiles, &is_new);
    return is_new ? add_profile(t, ctx, parts) : &t->profiles[found];
}

/* Reports an object that has parts of a profile under another key. */
static void report_key(brz_ctx *ctx, brz_str object)
{
    if (object.len > 0 && object.data[0] == '{' &&
        (brz_str_has(object, BRZ_STR("\"samples\"")) || brz_str_has(object, BRZ_STR("\"nodes\""))))
        brz_report_lost(ctx, "chrome-trace.part", object.data, object.len,
                        BRZ_STR("a part of a profile under an unknown key: left out"));
}

/* Reads a member of "cpuProfile" or of "data". */
static void take_member(trace *t, cpu_profile *p, timeline_part *part, cursor *c, brz_str key)
{
    if (brz_json_text_is(key, BRZ_STR("nodes")) && c->token.kind == BRZ_JSON_ARRAY) {
        t->tree.context = p->context;
        tree_read(&t->tree, c);
    } else if (brz_json_text_is(key, BRZ_STR("samples"))) {
        part->samples = cursor_array(c);
    } else if (brz_json_text_is(key, BRZ_STR("timeDeltas"))) {
        part->times = cursor_array(c);
    } else {
        if (brz_json_text_is(key, BRZ_STR("startTime")) && p->timeline.start.kind == BRZ_JSON_MORE)
            p->timeline.start = c->token;
        report_key(c->ctx, cursor_skip(c));
    }
}

/* Reads "data". */
static void read_data(trace *t, cpu_profile *p, timeline_part *part, cursor *c)
{
    brz_str key;
    while (cursor_member(c, &key)) {
        if (!brz_json_text_is(key, BRZ_STR("cpuProfile")) || c->token.kind != BRZ_JSON_OBJECT) {
            take_member(t, p, part, c, key);
            continue;
        }
        while (cursor_member(c, &key))
            take_member(t, p, part, c, key);
    }
}

/* Reports an event that has a part of a profile, and not the name of one. */
static void report_part(brz_ctx *ctx, const brz_json_token *parts)
{
    brz_str args = parts[EVENT_ARGS].text;
    if (brz_str_has(args, BRZ_STR("\"cpuProfile\"")))
        brz_report_lost(ctx, "chrome-trace.part", args.data, args.len,
                        BRZ_STR("a part of a profile in an event of another name: left out"));
}

/* Adds the samples of a part to a profile. Reports times without samples. */
static void add_part(cpu_profile *p, brz_ctx *ctx, const timeline_part *part)
{
    if (part->samples.len > 0)
        timeline_add(&p->timeline, ctx, part);
    else if (timeline_has_elements(ctx, part->times))
        brz_report_lost(ctx, "chrome-trace.part", part->times.data, part->times.len,
                        BRZ_STR("times without samples: left out"));
}

bool profile_take(trace *t, brz_ctx *ctx, const brz_json_token *parts)
{
    static const char *const names[] = {"CpuProfile", "Profile", "ProfileChunk"};
    const brz_json_token *name = &parts[EVENT_NAME];
    size_t i = name->kind == BRZ_JSON_STRING ? members_find(name->text, names, 3) : 3;
    timeline_part part = {{0}, {0}};
    cursor c;
    brz_str key;
    if (i == 3) {
        report_part(ctx, parts);
        return false;
    }
    cpu_profile *p = i == 0 ? add_profile(t, ctx, parts) : find_profile(t, ctx, parts);
    bool has_args = members_open(&c, ctx, &parts[EVENT_ARGS], BRZ_JSON_OBJECT);
    while (has_args && cursor_member(&c, &key)) {
        if (brz_json_text_is(key, BRZ_STR("data")) && c.token.kind == BRZ_JSON_OBJECT)
            read_data(t, p, &part, &c);
        else
            cursor_skip(&c);
    }
    add_part(p, ctx, &part);
    return true;
}

/* Reads the frames of the stacks that the file lists. */
static void read_stack_frames(trace *t, brz_ctx *ctx)
{
    static const char *const keys[] = {"name", "parent", "category", "line", "column"};
    cursor c;
    brz_str id;
    t->tree.context = STACK_FRAMES;
    if (!members_open(&c, ctx, &t->stack_frames, BRZ_JSON_OBJECT))
        return;
    while (cursor_member(&c, &id)) {
        brz_json_token values[5] = {{0}};
        brz_frame_desc d = {.struct_size = sizeof d};
        brz_str at = c.token.text;
        if (!cursor_enter(&c, BRZ_JSON_OBJECT)) {
            BRZ_WARN(ctx, "chrome-trace.frame", at.data, at.len, "not a frame: left out");
            continue;
        }
        members_read(&c, keys, 5, values);
        d.name = json_text_into(&t->text, ctx, &values[0]);
        if (d.name.len == 0)
            d.name = BRZ_STR("[unknown]");
        d.module = json_text_into(&t->module, ctx, &values[2]);
        d.line = name_position(&values[3]);
        d.column = name_position(&values[4]);
        tree_add(&t->tree, ctx, id, ctx->host->frame(ctx, &d), values[1].text);
    }
}

/* ---- counting ------------------------------------------------------------------------------ */

bool profiles_measure(trace *t, brz_ctx *ctx, bool *has_times)
{
    bool any = t->n_samples > 0;
    *has_times = false;
    read_stack_frames(t, ctx);
    tree_connect(&t->tree, ctx);
    for (size_t i = 0; i < t->n_profiles; i++) {
        timeline *line = &t->profiles[i].timeline;
        timeline_measure(line, ctx);
        any |= line->n_samples > 0;
        *has_times |= line->has_times;
    }
    for (size_t i = 0; i < t->n_profiles && *has_times; i++)
        if (t->profiles[i].timeline.n_samples > 0 && !t->profiles[i].timeline.has_times)
            BRZ_WARN(ctx, "chrome-trace.times", NULL, 0,
                     "a profile without timeDeltas, which others have: its samples have no time");
    return any;
}

/* Counts a sample that the file lists. */
static brz_rc count_sample(trace *t, brz_ctx *ctx, const stack_sample *s)
{
    static const column plain = {.most = 0}, microseconds = {.most = NANOSECONDS};
    brz_json_token id = {BRZ_JSON_NUMBER, s->stack.text};
    uint32_t found = tree_find(&t->tree, &id);
    amount weight = {1, 0}, time;
    if (found == NO_NODE ||
        (s->weight.kind != BRZ_JSON_MORE && !column_read(&plain, ctx, &s->weight, &weight))) {
        brz_report_lost(ctx, "chrome-trace.sample", s->stack.text.data, s->stack.text.len,
                        BRZ_STR("a sample without a known stack or weight: left out"));
        return BRZ_OK;
    }
    bool timed = column_read(&microseconds, ctx, &s->time, &time);
    brz_stacks_place(&t->tree.stacks, trace_tag(t, ctx, s->track), timed ? BRZ_TIMED : 0,
                     timed ? amount_in(time, NANOSECONDS) : 0);
    return tree_count(&t->tree, ctx, found, t->count, weight.value);
}

brz_rc profiles_count(trace *t, brz_ctx *ctx)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < t->n_profiles && rc == BRZ_OK; i++) {
        cpu_profile *p = &t->profiles[i];
        if (p->timeline.n_samples == 0)
            continue;
        t->tree.context = p->context;
        p->timeline.tag = trace_tag(t, ctx, p->track);
        rc = timeline_count(&p->timeline, ctx, &t->tree, &t->time, t->count);
    }
    t->tree.context = STACK_FRAMES;
    for (size_t i = 0; i < t->n_samples && rc == BRZ_OK; i++)
        rc = count_sample(t, ctx, &t->samples[i]);
    return rc;
}
