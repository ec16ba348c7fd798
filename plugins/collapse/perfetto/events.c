/* SPDX-License-Identifier: MIT */
/* Counts the time of events that a program emits. */
#include "events.h"

#include <brazier/symbol.h>
#include <brazier/text/buffer.h>
#include <brazier/text/integer.h>

void events_init(events *e, brz_ctx *ctx, sequences *q, clocks *c, tasks *t)
{
    *e = (events){.ctx = ctx, .sequences = q, .clocks = c, .tasks = t};
    brz_stacks_init(&e->stacks, ctx, BRZ_NESTED);
    brz_frame_cache_init(&e->keys, ctx);
    pair_map_init(&e->by_key, ctx);
}

/* ---- tracks ---------------------------------------------------------------------------------- */

/* Kinds of keys of tracks, and of texts. */
enum {
    KEY_THREAD,
    KEY_TRACK,
    KEY_ATRACE,
    KEY_OPERATION,
    KEY_NAMED_OPERATION,
    KEY_CATEGORY,
    KEY_NAME,
};

/* Returns the number of a track. Adds it if it is new. */
static uint32_t find_track(events *e, uint32_t kind, uint64_t a, uint64_t b, const event_track *new)
{
    uint64_t key = (uint64_t)kind << 32 | (uint32_t)a;
    uint32_t found = pair_map_find(&e->by_key, key, b);
    if (found != PAIR_MISS)
        return found;
    e->tracks = brz_list_room(e->ctx, e->tracks, e->n_tracks, &e->tracks_cap, sizeof *new);
    e->tracks[e->n_tracks] = *new;
    pair_map_put(&e->by_key, e->ctx, key, b, (uint32_t)e->n_tracks);
    return (uint32_t)e->n_tracks++;
}

static uint32_t thread_track(events *e, int64_t process, int64_t thread)
{
    event_track new = {.is_thread = true};
    new.task = (task){.process = process, .thread = thread};
    new.task.flags = BRZ_TAG_PROCESS | BRZ_TAG_THREAD;
    return find_track(e, KEY_THREAD, (uint64_t)process, (uint64_t)thread, &new);
}

/* Returns the track with a number. It is a thread if a descriptor says so. */
static uint32_t stated_or_other(events *e, uint64_t uuid)
{
    const stated_track *stated = tasks_track(e->tasks, uuid);
    event_track new = {.is_thread = false};
    if (stated != NULL && stated->has_thread)
        return thread_track(e, stated->process, stated->thread);
    if (stated != NULL) {
        const stated_track *parent = tasks_track(e->tasks, stated->parent);
        const stated_track *of = stated->has_process || parent == NULL ? stated : parent;
        new.task = (task){.process = of->process, .thread = of->thread, .track = stated->name};
        new.task.flags =
            (of->has_process ? BRZ_TAG_PROCESS : 0) | (of->has_thread ? BRZ_TAG_THREAD : 0);
    }
    return find_track(e, KEY_TRACK, 0, uuid, &new);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the number of a name. */
static uint32_t name_of(events *e, brz_str name)
{
    if (name.len == 0)
        return NESTED_NO_NAME;
    /* Copies the text, which may end the input: the key reads up to 31 bytes after it. */
    e->key.len = 0;
    brz_text_append(&e->key, e->ctx, name);
    brz_frame_key key = brz_frame_key_of(&e->keys, e->key.data, e->key.len, KEY_NAME);
    uint32_t found = brz_frame_cache_find(&e->keys, &key);
    if (found != BRZ_CACHE_MISS)
        return found;
    brz_frame_cache_put(&e->keys, e->ctx, &key, (uint32_t)e->n_names);
    e->names = brz_list_room(e->ctx, e->names, e->n_names, &e->names_cap, sizeof *e->names);
    e->names[e->n_names] = e->ctx->host->intern(e->ctx, name.data, name.len);
    return (uint32_t)e->n_names++;
}

/* Returns the number of the name in the table of a sequence. */
static uint32_t interned_name(events *e, const sequence *of, uint64_t number, const char *at)
{
    interned *found = sequences_find(e->sequences, of->generation, TABLE_EVENT_NAMES, number);
    if (found == NULL)
        BRZ_WARN(e->ctx, "perfetto.event-name", at, 0,
                 "no name has this number: the event has none");
    if (found == NULL || found->text.len == 0)
        return NESTED_NO_NAME;
    if (found->made == 0)
        found->made = name_of(e, found->text) + 1;
    return found->made - 1;
}

static brz_frame frame_of(events *e, uint32_t name)
{
    return name == NESTED_NO_NAME ? e->ctx->host->intern(e->ctx, "[unknown]", 9) : e->names[name];
}

static void add(events *e, const nested_event *event)
{
    event_track *track = &e->tracks[event->track];
    nested_event copy = *event;
    if (event->kind != NESTED_ENDS)
        copy.frame = frame_of(e, event->name);
    track->n_events++;
    e->has_threads |= track->is_thread;
    e->async += !track->is_thread && event->kind != NESTED_ENDS;
    e->items = brz_list_room(e->ctx, e->items, e->n, &e->cap, sizeof copy);
    e->items[e->n++] = copy;
}

/* ---- events of tracks ------------------------------------------------------------------------ */

enum {
    EVENT_TIME_PASSED = 1,
    EVENT_CATEGORY = 3,
    EVENT_LEGACY = 6,
    EVENT_TYPE = 9,
    EVENT_NAME_NUMBER = 10,
    EVENT_TRACK = 11,
    EVENT_TIME = 16,
    EVENT_CATEGORY_TEXT = 22,
    EVENT_NAME = 23,
};

enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_STATE = 5 };

enum {
    LEGACY_NAME = 1,
    LEGACY_PHASE = 2,
    LEGACY_DURATION = 3,
    LEGACY_ID = 6,
    LEGACY_SCOPE = 7,
    LEGACY_LOCAL_ID = 10,
    LEGACY_GLOBAL_ID = 11,
    LEGACY_PROCESS = 18,
    LEGACY_THREAD = 19,
};

/* An event as it is written. */
typedef struct raw_event {
    uint64_t type, name_number, track, category, id;
    brz_str name, category_text, scope;
    int64_t passed, time, duration; /* in microseconds */
    int64_t process, thread;
    char phase;
    bool has_type, has_track, has_passed, has_time, has_process, has_thread, has_id, is_local;
} raw_event;

static void read_legacy(raw_event *to, brz_bytes b)
{
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        switch (f.number) {
        case LEGACY_NAME:
            to->name_number = to->name_number != 0 ? to->name_number : f.value;
            break;
        case LEGACY_PHASE:
            to->phase = (char)(f.value & 0x7f);
            break;
        case LEGACY_DURATION:
            to->duration = (int64_t)f.value;
            break;
        case LEGACY_ID:
        case LEGACY_LOCAL_ID:
        case LEGACY_GLOBAL_ID:
            to->id = f.value;
            to->has_id = true;
            to->is_local = f.number == LEGACY_LOCAL_ID;
            break;
        case LEGACY_SCOPE:
            to->scope = brz_proto_text(&f);
            break;
        case LEGACY_PROCESS:
            to->process = (int32_t)f.value;
            to->has_process = true;
            break;
        case LEGACY_THREAD:
            to->thread = (int32_t)f.value;
            to->has_thread = true;
            break;
        default:
            break;
        }
}

static void read_number(raw_event *to, brz_proto_field *f)
{
    switch (f->number) {
    case EVENT_TIME_PASSED:
        to->passed = (int64_t)f->value;
        to->has_passed = true;
        break;
    case EVENT_TIME:
        to->time = (int64_t)f->value;
        to->has_time = true;
        break;
    case EVENT_CATEGORY:
        to->category = f->value;
        break;
    case EVENT_TYPE:
        to->type = f->value;
        to->has_type = true;
        break;
    case EVENT_NAME_NUMBER:
        to->name_number = f->value;
        break;
    case EVENT_TRACK:
        to->track = f->value;
        to->has_track = true;
        break;
    default:
        break;
    }
}

/* Reads an event. Returns false if it is damaged. */
static bool read_event(raw_event *to, brz_bytes b)
{
    brz_proto_field f;
    *to = (raw_event){.name = {"", 0}, .category_text = {"", 0}, .scope = {"", 0}};
    while (brz_proto_next(&b, &f))
        if (f.type != BRZ_PROTO_BYTES)
            read_number(to, &f);
        else if (f.number == EVENT_LEGACY)
            read_legacy(to, f.part);
        else if (f.number == EVENT_NAME)
            to->name = brz_proto_text(&f);
        else if (f.number == EVENT_CATEGORY_TEXT)
            to->category_text = brz_proto_text(&f);
    return b.error == NULL;
}

/* Finds the time of an event. Returns false if it has none. */
static bool find_time(events *e, sequence *of, const packet *p, const raw_event *raw, int64_t *time)
{
    int64_t nanoseconds;
    if (!raw->has_passed && raw->time == 0)
        return p->has_time;
    if (__builtin_mul_overflow(raw->has_passed ? raw->passed : raw->time, 1000, &nanoseconds))
        return false;
    if (raw->has_passed) {
        if (!of->has_reference ||
            __builtin_add_overflow(of->reference, nanoseconds, &of->reference))
            return false;
        nanoseconds = of->reference;
    }
    if (nanoseconds < 0)
        return false;
    *time = clocks_convert(e->clocks, of->id, CLOCK_MONOTONIC, (uint64_t)nanoseconds);
    return true;
}

/* Finds the track of an event by its number, or by the thread that the sequence is about. */
static uint32_t track_of(events *e, const sequence *of, const raw_event *raw)
{
    uint64_t uuid = raw->has_track ? raw->track : of->track;
    bool by_thread = (!raw->has_track || !raw->has_type) && of->has_thread;
    if (uuid != 0 || !(by_thread || raw->has_process || (raw->has_thread && of->has_thread)))
        return stated_or_other(e, uuid);
    return thread_track(e, raw->has_process ? raw->process : of->process,
                        raw->has_thread ? raw->thread
                                        : (raw->has_process ? raw->process : of->thread));
}

/* Returns the number of the text in `e->key`. */
static uint32_t number_of_key(events *e, uint32_t kind)
{
    brz_frame_key key = brz_frame_key_of(&e->keys, e->key.data, e->key.len, kind);
    uint32_t found = brz_frame_cache_find(&e->keys, &key);
    if (found != BRZ_CACHE_MISS)
        return found;
    brz_frame_cache_put(&e->keys, e->ctx, &key, e->n_operations);
    return e->n_operations++;
}

/* Returns the number of the category of an event. That of a table is read once: it may be long. */
static uint32_t category_of(events *e, const sequence *of, const raw_event *raw)
{
    interned *found = sequences_find(e->sequences, of->generation, TABLE_CATEGORIES, raw->category);
    if (found != NULL && found->made != 0)
        return found->made - 1;
    e->key.len = 0;
    brz_text_append(&e->key, e->ctx, found != NULL ? found->text : raw->category_text);
    uint32_t number = number_of_key(e, KEY_CATEGORY);
    if (found != NULL)
        found->made = number + 1;
    return number;
}

/* Finds the track of an operation: a process if its number is local, its number, and its scope,
 * category or name. */
static uint32_t operation_of(events *e, const sequence *of, const raw_event *raw, uint32_t name)
{
    uint32_t track = track_of(e, of, raw);
    event_track on = e->tracks[track];
    bool by_name = raw->phase == 'S' || raw->phase == 'F';
    uint32_t by = by_name ? name : category_of(e, of, raw);
    e->key.len = 0;
    brz_text_append(&e->key, e->ctx, brz_str_of((const char *)&by, sizeof by));
    brz_text_append(&e->key, e->ctx, raw->scope);
    if (raw->is_local)
        brz_text_append(&e->key, e->ctx,
                        brz_str_of((const char *)&on.task.process, sizeof on.task.process));
    uint32_t scope = number_of_key(e, by_name ? KEY_NAMED_OPERATION : KEY_OPERATION);
    on.is_thread = false;
    on.n_events = 0;
    on.task.flags &= BRZ_TAG_PROCESS;
    on.task.thread = 0;
    return find_track(e, KEY_OPERATION, scope, raw->id, &on);
}

static bool has_operation(const raw_event *raw)
{
    return raw->phase != 0 && strchr("beSF", raw->phase) != NULL && raw->has_id;
}

/* Finds out what an event is. Returns false if it has no duration. */
static bool find_kind(const raw_event *raw, nested_kind *kind)
{
    switch (raw->phase) {
    case 0:
        *kind = raw->type == TYPE_BEGIN ? NESTED_BEGINS : NESTED_ENDS;
        return raw->type == TYPE_BEGIN || raw->type == TYPE_END;
    case 'B':
    case 'b':
    case 'S':
        *kind = NESTED_BEGINS;
        return true;
    case 'E':
    case 'e':
    case 'F':
        *kind = NESTED_ENDS;
        return true;
    case 'X':
        *kind = NESTED_COMPLETE;
        return true;
    default:
        return false;
    }
}

static uint32_t event_name(events *e, const sequence *of, const raw_event *raw, const packet *p)
{
    if (raw->name_number != 0)
        return interned_name(e, of, raw->name_number, p->at);
    return name_of(e, raw->name);
}

/* Counts events that are left out. */
static void note(events *e, const sequence *of, const raw_event *raw)
{
    const interned *name =
        sequences_find(e->sequences, of->generation, TABLE_EVENT_NAMES, raw->name_number);
    brz_str text = name != NULL ? name->text : raw->name;
    e->states += raw->phase == 0 && raw->type == TYPE_STATE;
    e->profiles += raw->phase == 'P' && brz_starts_with(text, BRZ_STR("ProfileChunk"));
}

static void lose(events *e, const packet *p, const char *why)
{
    brz_report_lost(e->ctx, "perfetto.event", p->at, 0, brz_str_of_text(why));
}

void events_take(events *e, sequence *of, const packet *p, int64_t time)
{
    raw_event raw;
    nested_kind kind;
    nested_event event = {.frame = BRZ_NO_FRAME};
    if (!read_event(&raw, p->data)) {
        lose(e, p, "a damaged event: left out");
        return;
    }
    bool is_timed = find_time(e, of, p, &raw, &time);
    note(e, of, &raw);
    if (!find_kind(&raw, &kind))
        return;
    if (!is_timed) {
        lose(e, p, "an event without a time: left out");
        return;
    }
    event.kind = (uint8_t)kind;
    event.begin = event.end = time;
    if (kind == NESTED_COMPLETE && raw.duration > 0) {
        int64_t duration;
        if (!__builtin_mul_overflow(raw.duration, 1000, &duration))
            brz_stacks_sum(&e->stacks, &event.end, duration);
    }
    event.name = event_name(e, of, &raw, p);
    event.track =
        has_operation(&raw) ? operation_of(e, of, &raw, event.name) : track_of(e, of, &raw);
    add(e, &event);
}

/* ---- calls of atrace ------------------------------------------------------------------------- */

enum { BUNDLE_EVENT = 2 };
enum { FTRACE_TIME = 1, FTRACE_THREAD = 2, FTRACE_PRINT = 5 };
enum { PRINT_TEXT = 2 };

/* Takes the text in front of the next "|" off the rest. */
static brz_str take_part(brz_str *rest)
{
    size_t at = brz_str_find(*rest, BRZ_STR("|"), 0);
    brz_str part = brz_str_of(rest->data, at == SIZE_MAX ? rest->len : at);
    *rest = brz_str_from(*rest, at == SIZE_MAX ? rest->len : at + 1);
    return part;
}

/* Takes the text that a thread has written: "B|PROCESS|NAME" begins a call, "E|PROCESS" or "E" ends
 * it, "S|PROCESS|NAME|COOKIE" and "F|…" begin and end an operation. */
static bool take_print(events *e, int64_t thread, int64_t time, brz_str text)
{
    nested_event event = {.begin = time, .end = time, .frame = BRZ_NO_FRAME};
    event_track on = {.task = {.thread = thread, .flags = BRZ_TAG_THREAD}, .is_thread = true};
    if (text.len > 0 && text.data[text.len - 1] == '\n')
        text.len--;
    brz_str kind = take_part(&text), process = take_part(&text);
    bool begins = brz_str_is(kind, "B") || brz_str_is(kind, "S");
    bool operation = brz_str_is(kind, "S") || brz_str_is(kind, "F");
    if (!begins && !brz_str_is(kind, "E") && !operation)
        return false;
    if (brz_parse_i64(process, &on.task.process) && on.task.process != 0)
        on.task.flags |= BRZ_TAG_PROCESS;
    event.kind = begins ? NESTED_BEGINS : NESTED_ENDS;
    event.name = name_of(e, operation ? take_part(&text) : begins ? text : brz_str_of("", 0));
    if (operation) {
        raw_event raw = {.phase = 'S', .scope = text, .category_text = {"", 0}, .is_local = true};
        sequence none = {.has_thread = true, .process = on.task.process, .thread = thread};
        event.track = operation_of(e, &none, &raw, event.name);
    } else {
        event.track = find_track(e, KEY_ATRACE, 0, (uint64_t)thread, &on);
    }
    add(e, &event);
    return true;
}

/* Takes an event of the tracer. Returns whether it counts. */
static bool take_tracer_event(events *e, const packet *p, brz_bytes b)
{
    int64_t thread = 0;
    uint64_t time = 0;
    brz_str text = {"", 0};
    brz_proto_field f, inner;
    while (brz_proto_next(&b, &f))
        if (f.number == FTRACE_TIME)
            time = f.value;
        else if (f.number == FTRACE_THREAD)
            thread = (int64_t)(uint32_t)f.value;
        else if (f.number == FTRACE_PRINT && f.type == BRZ_PROTO_BYTES)
            while (brz_proto_next(&f.part, &inner))
                if (inner.number == PRINT_TEXT && inner.type == BRZ_PROTO_BYTES)
                    text = brz_proto_text(&inner);
    if (b.error != NULL)
        lose(e, p, "a damaged event of the kernel's tracer: left out");
    return b.error == NULL && text.len > 0 && time <= INT64_MAX &&
           take_print(e, thread, (int64_t)time, text);
}

uint64_t events_take_ftrace(events *e, const packet *p)
{
    brz_bytes b = p->data;
    brz_proto_field f;
    uint64_t n = 0;
    while (brz_proto_next(&b, &f))
        if (f.number == BUNDLE_EVENT && f.type == BRZ_PROTO_BYTES)
            n += take_tracer_event(e, p, f.part);
    if (b.error != NULL)
        lose(e, p, "damaged events of the kernel's tracer: those from there are left out");
    return n;
}

/* ---- counting -------------------------------------------------------------------------------- */

static void report(const events *e, const nesting *n)
{
    brz_report_count(e->ctx, BRZ_WARNING, "perfetto.unmatched", n->unmatched, 0,
                     BRZ_STR("ends of events that have not begun are left out ({count})"));
    brz_report_count(e->ctx, BRZ_WARNING, "perfetto.unclosed", n->endless, 0,
                     BRZ_STR("events without an end last until their thread ends ({count})"));
    brz_report_count(
        e->ctx, BRZ_WARNING, "perfetto.overlap", n->overlapping, 0,
        BRZ_STR("events that end before an event within them last until that one ends ({count})"));
}

static void report_left_out(const events *e, bool async)
{
    brz_report_count(e->ctx, BRZ_NOTE, "perfetto.async", async ? 0 : e->async, 0,
                     BRZ_STR("events of tracks that are no threads are not counted ({count}); "
                             "--async counts them"));
    brz_report_count(e->ctx, BRZ_NOTE, "perfetto.states", e->states, 0,
                     BRZ_STR("states of tracks are not counted ({count})"));
    brz_report_count(e->ctx, BRZ_NOTE, "perfetto.v8", e->profiles, 0,
                     BRZ_STR("parts of CPU profiles of V8 are not read ({count}): save the "
                             "recording as JSON, which --from chrome-trace reads"));
}

brz_rc events_finish(events *e, bool async, bool is_default)
{
    nesting n = {e->items, e->n, e->n_names, e->n_tracks, &e->stacks, .unmatched = 0};
    nested_track how = {.divisor = 1, .timed = true};
    brz_rc rc = BRZ_OK;
    async |= !e->has_threads;
    report_left_out(e, async);
    if (e->n == 0)
        return BRZ_OK;
    how.column = BRZ_DECLARE_COLUMN(e->ctx, .name = BRZ_STR("time"), .unit = BRZ_STR("nanoseconds"),
                                    .flags = is_default ? BRZ_COLUMN_DEFAULT : 0);
    nesting_sort(&n, e->ctx);
    for (uint32_t i = 0; i < e->n_tracks && rc == BRZ_OK; i++) {
        if (!async && !e->tracks[i].is_thread)
            continue;
        how.tag = tasks_tag(e->tasks, &e->tracks[i].task);
        rc = nesting_count(&n, i, &how);
    }
    report(e, &n);
    return rc == BRZ_OK ? brz_stacks_finish(&e->stacks, e->ctx) : rc;
}
