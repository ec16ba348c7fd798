/* SPDX-License-Identifier: MIT */
/* Reads the frames of a speedscope file, and finds the data of its profiles:
 *
 *     file    := {"$schema": "…", "shared": {"frames": [frame*]}, "profiles": [profile*], …}
 *     frame   := {"name": "…", "file": "…", "line": n, "col": n}
 *     profile := {"type": "sampled"|"evented", "name": "…", "unit": "…", "startValue": n,
 *                 "endValue": n, "samples": […], "weights": […], "events": […]}
 *
 * Members may be in any order, so the data are read afterwards. Unknown members are skipped.
 */
#include "file.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "../../common/json/members.h"
#include "../../common/json/text.h"

/* ---- frames -------------------------------------------------------------------------------- */

/* Reads a frame whose bracket is open. brazier writes the module in place of an unknown file. */
static void read_frame(speedscope *s, cursor *c)
{
    brz_frame_desc d = {.struct_size = sizeof d};
    brz_str key, at = c->token.text;
    while (cursor_member(c, &key)) {
        if (brz_json_text_is(key, BRZ_STR("name")))
            d.name = json_text_into(&s->scratch, c->ctx, &c->token);
        else if (brz_json_text_is(key, BRZ_STR("file")))
            d.file = json_text_into(&s->file, c->ctx, &c->token);
        else if (brz_json_text_is(key, BRZ_STR("line")))
            d.line = members_number(&c->token, 0);
        else if (brz_json_text_is(key, BRZ_STR("col")))
            d.column = members_number(&c->token, 0);
        cursor_skip(c);
    }
    if (c->cut || c->failed)
        return;
    if (s->own && d.line == 0) {
        d.module = d.file;
        d.file.len = 0;
    }
    if (d.name.len == 0) {
        d.name = BRZ_STR("[unknown]");
        BRZ_WARN(c->ctx, "speedscope.frame", at.data, at.len, "a frame without a name: [unknown]");
    }
    brz_frame_list_push(&s->frames, c->ctx, c->ctx->host->frame(c->ctx, &d));
}

static void read_frames(speedscope *s, cursor *c)
{
    brz_ctx *ctx = c->ctx;
    while (cursor_element(c)) {
        brz_str at = c->token.text;
        if (cursor_enter(c, BRZ_JSON_OBJECT)) {
            read_frame(s, c);
            continue;
        }
        BRZ_WARN(ctx, "speedscope.frame", at.data, at.len, "not a frame: [unknown]");
        brz_frame_list_push(&s->frames, ctx, ctx->host->intern(ctx, "[unknown]", 9));
    }
}

static void read_shared(speedscope *s, cursor *c)
{
    brz_str key;
    while (cursor_member(c, &key)) {
        if (!brz_json_text_is(key, BRZ_STR("frames")))
            cursor_skip(c);
        else if (cursor_enter(c, BRZ_JSON_ARRAY))
            read_frames(s, c);
    }
}

/* ---- outlines of profiles ------------------------------------------------------------------ */

/* Reads the id of a process or thread. */
static int64_t read_id(origin *o, const brz_json_token *t, uint32_t flag)
{
    brz_str digits = t->text;
    bool negative = brz_starts_with(digits, BRZ_STR("-"));
    uint64_t n;
    if (negative)
        digits = brz_str_of(digits.data + 1, digits.len - 1);
    if (t->kind != BRZ_JSON_NUMBER || !brz_parse_u64(digits, &n) || n > INT64_MAX)
        return 0;
    o->flags |= flag;
    return negative ? -(int64_t)n : (int64_t)n;
}

static void read_origin(cursor *c, origin *o)
{
    const struct {
        brz_str key;
        brz_str *to;
    } texts[] = {{BRZ_STR("weight"), &o->weight},
                 {BRZ_STR("unit"), &o->unit},
                 {BRZ_STR("process"), &o->process_name},
                 {BRZ_STR("thread"), &o->thread_name}};
    brz_str key;
    while (cursor_member(c, &key)) {
        for (size_t i = 0; i < BRZ_COUNT_OF(texts); i++)
            if (brz_json_text_is(key, texts[i].key))
                *texts[i].to = json_text(c->ctx, &c->token);
        if (brz_json_text_is(key, BRZ_STR("pid")))
            o->process = read_id(o, &c->token, BRZ_TAG_PROCESS);
        else if (brz_json_text_is(key, BRZ_STR("tid")))
            o->thread = read_id(o, &c->token, BRZ_TAG_THREAD);
        else if (brz_json_text_is(key, BRZ_STR("timed")))
            o->timed = c->token.kind == BRZ_JSON_TRUE;
        cursor_skip(c);
    }
}

static void read_unit(cursor *c, outline *o)
{
    o->unit_at = c->token.text;
    o->unit = json_text(c->ctx, &c->token);
    if (c->token.kind != BRZ_JSON_STRING)
        BRZ_WARN(c->ctx, "speedscope.no-unit", c->token.text.data, c->token.text.len,
                 "not the name of a unit: the profile counts samples");
}

static void read_member(cursor *c, brz_str key, outline *o)
{
    if (brz_json_text_is(key, BRZ_STR("name")))
        o->name = json_text(c->ctx, &c->token);
    else if (brz_json_text_is(key, BRZ_STR("unit")))
        read_unit(c, o);
    else if (brz_json_text_is(key, BRZ_STR("startValue")))
        o->start = c->token;
    else if (brz_json_text_is(key, BRZ_STR("endValue")))
        o->end = c->token;
    else if (brz_json_text_is(key, BRZ_STR("samples")))
        o->samples = cursor_array(c);
    else if (brz_json_text_is(key, BRZ_STR("weights")))
        o->weights = cursor_array(c);
    else if (brz_json_text_is(key, BRZ_STR("events")))
        o->events = cursor_array(c);
    else if (!brz_json_text_is(key, BRZ_STR("brazier")))
        cursor_skip(c);
    else if (cursor_enter(c, BRZ_JSON_OBJECT))
        read_origin(c, &o->origin);
}

static void read_profile(speedscope *s, cursor *c)
{
    outline o = {0};
    brz_str key, at = c->token.text;
    while (cursor_member(c, &key)) {
        bool nested = c->token.kind == BRZ_JSON_OBJECT || c->token.kind == BRZ_JSON_ARRAY;
        size_t outside = c->parser.depth - nested;
        read_member(c, key, &o);
        if (c->parser.depth > outside) /* a value of another type than expected */
            cursor_skip(c);
    }
    if (o.samples.len == 0 && o.events.len == 0) {
        BRZ_WARN(c->ctx, "speedscope.profile", at.data, at.len,
                 "a profile without samples and events: left out");
        return;
    }
    s->outlines = brz_list_room(c->ctx, s->outlines, s->n_outlines, &s->outlines_cap, sizeof o);
    s->outlines[s->n_outlines++] = o;
}

static void read_profiles(speedscope *s, cursor *c)
{
    while (cursor_element(c)) {
        brz_str at = c->token.text;
        if (cursor_enter(c, BRZ_JSON_OBJECT))
            read_profile(s, c);
        else
            BRZ_WARN(c->ctx, "speedscope.profile", at.data, at.len, "not a profile: left out");
    }
}

/* ---- the file ------------------------------------------------------------------------------ */

static void take_exporter(speedscope *s, cursor *c)
{
    brz_str exporter = json_text(c->ctx, &c->token);
    brz_metadata m = {.struct_size = sizeof m, .producer = exporter};
    s->own = brz_starts_with(exporter, BRZ_STR("brazier@"));
    if (exporter.len > 0)
        c->ctx->host->metadata(c->ctx, &m);
}

/* Reads the number of the profile whose weight is the default. */
static void take_active(speedscope *s, cursor *c)
{
    bool is_number = c->token.kind == BRZ_JSON_NUMBER || c->token.kind == BRZ_JSON_NULL;
    s->active = members_number(&c->token, is_number ? 0 : UINT32_MAX);
}

static void read_top(speedscope *s, cursor *c, brz_str key)
{
    if (brz_json_text_is(key, BRZ_STR("shared"))) {
        if (cursor_enter(c, BRZ_JSON_OBJECT))
            read_shared(s, c);
    } else if (brz_json_text_is(key, BRZ_STR("profiles"))) {
        if (cursor_enter(c, BRZ_JSON_ARRAY))
            read_profiles(s, c);
    } else {
        if (brz_json_text_is(key, BRZ_STR("exporter")))
            take_exporter(s, c);
        if (brz_json_text_is(key, BRZ_STR("activeProfileIndex")))
            take_active(s, c);
        cursor_skip(c);
    }
}

void file_read(speedscope *s, brz_ctx *ctx, brz_str text)
{
    static const char *const codes[] = {"speedscope.json", "speedscope.cut-off"};
    cursor c;
    brz_str key;
    cursor_start(&c, ctx, text);
    if (cursor_next(&c) && cursor_enter(&c, BRZ_JSON_OBJECT))
        while (cursor_member(&c, &key))
            read_top(s, &c, key);
    cursor_report(&c, codes);
    s->open = ctx->host->alloc(ctx, s->frames.n * sizeof *s->open + 1, 0);
}

/* ---- columns ------------------------------------------------------------------------------- */

static bool is_time(brz_str unit)
{
    return brz_ends_with(unit, BRZ_STR("seconds"));
}

/* Returns the column of a profile in a file that brazier wrote: the profile's origin states it, or
 * its name is the column's. */
static column own_column(const outline *o)
{
    if (o->origin.weight.len > 0)
        return (column){.name = o->origin.weight,
                        .unit = o->origin.unit,
                        .most = o->origin.timed ? column_most(o->origin.unit) : 9};
    bool none = brz_str_equal(o->unit, BRZ_STR("none"));
    bool samples = brz_str_equal(o->name, BRZ_STR("samples"));
    brz_str unit = samples ? o->name : none ? BRZ_STR("count") : o->unit;
    return (column){.name = o->name, .unit = unit, .most = 9};
}

/* Returns the column of any other profile: all profiles with a unit share one. */
static column shared_column(const speedscope *s, const outline *o)
{
    column c = {.name = o->unit, .unit = o->unit, .most = column_most(o->unit)};
    if (o->unit.len == 0 || brz_str_equal(o->unit, BRZ_STR("none")))
        c.name = c.unit = BRZ_STR("samples");
    if (!is_time(o->unit))
        return c;
    c.name = BRZ_STR("time");
    for (size_t i = 0; i < s->n_columns; i++)
        if (is_time(s->columns[i].unit) && !brz_str_equal(s->columns[i].unit, o->unit))
            c.name = o->unit;
    return c;
}

static size_t find_column(speedscope *s, brz_ctx *ctx, const column *wanted)
{
    for (size_t i = 0; i < s->n_columns; i++)
        if (brz_str_equal(s->columns[i].unit, wanted->unit) &&
            (!s->own || brz_str_equal(s->columns[i].name, wanted->name)))
            return i;
    s->columns = brz_list_room(ctx, s->columns, s->n_columns, &s->columns_cap, sizeof *wanted);
    s->columns[s->n_columns] = *wanted;
    return s->n_columns++;
}

/* Reports a unit that the format lacks, unless the profile's origin states the weight. */
static void check_unit(brz_ctx *ctx, const outline *o)
{
    static const char *const units[] = {"none",         "bytes",        "seconds",
                                        "milliseconds", "microseconds", "nanoseconds"};
    if (o->unit.len == 0 || o->origin.weight.len > 0)
        return;
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++)
        if (brz_str_equal(o->unit, brz_str_of_text(units[i])))
            return;
    BRZ_WARN(ctx, "speedscope.unit", o->unit_at.data, o->unit_at.len,
             "unknown unit of a profile: it becomes a weight of its own (--weight)");
}

#define MOST_COLUMNS 255

brz_rc file_declare(speedscope *s, brz_ctx *ctx)
{
    for (size_t i = 0; i < s->n_outlines && s->n_columns <= MOST_COLUMNS; i++) {
        outline *o = &s->outlines[i];
        check_unit(ctx, o);
        column c = s->own ? own_column(o) : shared_column(s, o);
        o->column = find_column(s, ctx, &c);
    }
    if (s->n_columns > MOST_COLUMNS) {
        brz_report(ctx, BRZ_FATAL, "speedscope.columns", NULL, 0,
                   BRZ_STR("the profiles have more than 255 different units"));
        return BRZ_ERROR;
    }
    if (s->n_outlines > 0 && s->active >= s->n_outlines)
        BRZ_WARN(ctx, "speedscope.active", NULL, 0,
                 "activeProfileIndex is not the number of a profile: the first weight is the "
                 "default");
    for (size_t i = 0; i < s->n_columns; i++) {
        bool active = s->active < s->n_outlines && s->outlines[s->active].column == i;
        column_declare(&s->columns[i], ctx, active ? BRZ_COLUMN_DEFAULT : 0);
    }
    return BRZ_OK;
}
