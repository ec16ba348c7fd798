/* SPDX-License-Identifier: MIT */
/* Determines the columns of a profile, and what events count in them. */
#include "columns.h"

#include <brazier/symbol.h>

#include "constants.h"

/* The quantities that events count. */
typedef enum measure {
    COUNT_ONE,
    COUNT_SAMPLES,      /* how many equal samples it stands for, or one */
    COUNT_PERIOD,       /* the time between two samples */
    COUNT_WEIGHT,       /* its weight, or one */
    COUNT_WEIGHED_SIZE, /* its size, as often as its weight says */
    COUNT_SIZE,
    COUNT_ALLOCATION,
    COUNT_TLAB,
    COUNT_DURATION,
} measure;

/* Conditions on events. */
typedef enum condition {
    ALWAYS,
    IF_AWAKE,      /* the thread is not asleep */
    IF_WALL,       /* only the wall clock is sampled, with the states of threads */
    IF_WALL_AWAKE, /* both */
} condition;

static const struct {
    const char *event, *column, *unit;
    measure measure;
    condition condition;
    bool is_gauge;
} rules[] = {
    {"jdk.ExecutionSample", "cpu", "samples", COUNT_SAMPLES, IF_AWAKE, false},
    {"datadog.ExecutionSample", "cpu", "samples", COUNT_WEIGHT, ALWAYS, false},
    {"profiler.WallClockSample", "cpu", "samples", COUNT_SAMPLES, IF_WALL_AWAKE, false},
    {"jdk.CPUTimeSample", "cpu_time", "nanoseconds", COUNT_PERIOD, ALWAYS, false},
    {"jdk.ExecutionSample", "wall", "samples", COUNT_SAMPLES, IF_WALL, false},
    {"profiler.WallClockSample", "wall", "samples", COUNT_SAMPLES, ALWAYS, false},
    {"datadog.MethodSample", "wall", "samples", COUNT_WEIGHT, ALWAYS, false},
    {"jdk.NativeMethodSample", "native", "samples", COUNT_ONE, ALWAYS, false},
    {"jdk.ObjectAllocationInNewTLAB", "alloc_in_new_tlab_objects", "count", COUNT_ONE, ALWAYS,
     false},
    {"jdk.ObjectAllocationInNewTLAB", "alloc_in_new_tlab_bytes", "bytes", COUNT_TLAB, ALWAYS,
     false},
    {"jdk.ObjectAllocationOutsideTLAB", "alloc_outside_tlab_objects", "count", COUNT_ONE, ALWAYS,
     false},
    {"jdk.ObjectAllocationOutsideTLAB", "alloc_outside_tlab_bytes", "bytes", COUNT_ALLOCATION,
     ALWAYS, false},
    {"jdk.ObjectAllocationSample", "alloc_objects", "count", COUNT_ONE, ALWAYS, false},
    {"jdk.ObjectAllocationSample", "alloc_bytes", "bytes", COUNT_WEIGHT, ALWAYS, false},
    {"datadog.ObjectSample", "alloc_objects", "count", COUNT_WEIGHT, ALWAYS, false},
    {"datadog.ObjectSample", "alloc_bytes", "bytes", COUNT_WEIGHED_SIZE, ALWAYS, false},
    {"profiler.LiveObject", "live_objects", "count", COUNT_ONE, ALWAYS, true},
    {"profiler.LiveObject", "live_bytes", "bytes", COUNT_ALLOCATION, ALWAYS, true},
    {"datadog.HeapLiveObject", "live_objects", "count", COUNT_WEIGHT, ALWAYS, true},
    {"datadog.HeapLiveObject", "live_bytes", "bytes", COUNT_WEIGHED_SIZE, ALWAYS, true},
    {"jdk.JavaMonitorEnter", "monitor_contentions", "count", COUNT_ONE, ALWAYS, false},
    {"jdk.JavaMonitorEnter", "monitor_delay", "nanoseconds", COUNT_DURATION, ALWAYS, false},
    {"jdk.ThreadPark", "park_contentions", "count", COUNT_ONE, ALWAYS, false},
    {"jdk.ThreadPark", "park_delay", "nanoseconds", COUNT_DURATION, ALWAYS, false},
    {"profiler.NativeLock", "native_lock_contentions", "count", COUNT_ONE, ALWAYS, false},
    {"profiler.NativeLock", "native_lock_delay", "nanoseconds", COUNT_DURATION, ALWAYS, false},
    {"profiler.Malloc", "malloc_calls", "count", COUNT_ONE, ALWAYS, false},
    {"profiler.Malloc", "malloc_bytes", "bytes", COUNT_SIZE, ALWAYS, false},
    {"profiler.Free", "free_calls", "count", COUNT_ONE, ALWAYS, false},
    {"jdk.MethodTrace", "method_calls", "count", COUNT_ONE, ALWAYS, false},
    {"jdk.MethodTrace", "method_time", "nanoseconds", COUNT_DURATION, ALWAYS, false},
};

#define N_RULES ((uint32_t)(BRZ_COUNT_OF(rules)))

/* Rules of events without a rule in the table. */
#define OTHER_COUNT N_RULES
#define OTHER_SPAN  (N_RULES + 1)

static bool has_rule(const record_type *t)
{
    for (uint32_t i = 0; i < N_RULES; i++)
        if (brz_str_is(t->name, rules[i].event))
            return true;
    return false;
}

/* Returns whether a rule holds for a recording. */
static bool holds(const columns *k, uint32_t rule)
{
    condition c = rules[rule].condition;
    return (c != IF_WALL && c != IF_WALL_AWAKE) || k->is_wall;
}

/* Returns whether a rule of a recording applies to a type. */
static bool applies(const columns *k, uint32_t rule, const record_type *t)
{
    return brz_str_is(t->name, rules[rule].event) && holds(k, rule);
}

/* ---- collecting ---------------------------------------------------------------------------- */

static other_column *find_other(const columns *k, brz_str name, bool is_span)
{
    for (size_t i = 0; i < k->n_others; i++)
        if (k->others[i].is_span == is_span && brz_str_equal(k->others[i].name, name))
            return (other_column *)&k->others[i];
    return NULL;
}

static void need_other(columns *k, brz_str name, bool is_span)
{
    if (find_other(k, name, is_span) != NULL)
        return;
    if (k->n_others == MAX_OTHERS) {
        k->is_full = true;
        return;
    }
    k->others[k->n_others++] = (other_column){brz_text_keep(k->ctx, name), is_span, 0};
}

static void need_columns(columns *k, record_type *t)
{
    for (uint32_t i = 0; i < N_RULES; i++)
        if (brz_str_is(t->name, rules[i].event))
            k->wanted |= UINT64_C(1) << i;
    t->is_other = t->has_stack && !has_rule(t);
}

/* Reads an event without a rule. Columns are needed once one has a stack trace, and a duration. A
 * damaged one needs a column, too, so that it is read again and reported. */
static void read_other(columns *k, chunk *c, uint32_t index, brz_bytes *payload)
{
    record_type *t = &c->types.items[index];
    object o;
    o.keeps_extras = false;
    object_read(c, &o, index, payload);
    if (payload->error == NULL && object_number(&o, ROLE_STACK, 0) == 0)
        return;
    need_other(k, t->name, false);
    if (payload->error != NULL)
        return;
    if (object_number(&o, ROLE_DURATION, 0) != 0)
        need_other(k, t->name, true);
    t->is_other = object_has(&o, ROLE_DURATION) && o.of[ROLE_DURATION].number == 0;
}

/* Reads a setting of the recording: async-profiler's "event" says what it samples. */
static void read_setting(columns *k, chunk *c, const record_type *t, brz_bytes *payload)
{
    object o;
    o.keeps_extras = false;
    object_read(c, &o, (uint32_t)(t - c->types.items), payload);
    if (payload->error == NULL && object_has(&o, ROLE_NAME) && object_has(&o, ROLE_VALUE) &&
        brz_str_is(o.of[ROLE_NAME].text.text, "event"))
        k->is_wall |= brz_str_is(o.of[ROLE_VALUE].text.text, "wall");
}

void columns_collect(columns *k, chunk *c)
{
    brz_bytes events = c->bytes, payload;
    uint64_t id;
    size_t texts = c->reader.texts.len;
    for (; chunk_next_event(c, &events, &id, &payload); c->reader.texts.len = texts) {
        uint32_t i =
            id == METADATA_EVENT || id == CHECKPOINT_EVENT ? NO_TYPE : types_find(&c->types, id);
        if (i == NO_TYPE)
            continue;
        record_type *t = &c->types.items[i];
        if (!t->is_seen)
            need_columns(k, t);
        t->is_seen = true;
        if (brz_str_is(t->name, "jdk.ActiveSetting"))
            read_setting(k, c, t, &payload);
        else if (t->is_other)
            read_other(k, c, i, &payload);
    }
}

/* ---- declaring ----------------------------------------------------------------------------- */

static uint32_t declare(const columns *k, brz_str name, brz_str unit, bool is_gauge)
{
    return BRZ_DECLARE_COLUMN(k->ctx, .name = name, .unit = unit,
                              .flags = is_gauge ? BRZ_COLUMN_GAUGE : 0);
}

static uint32_t declare_other(const columns *k, const other_column *o)
{
    brz_text name = {NULL, 0, 0};
    brz_text_append(&name, k->ctx, o->name);
    if (o->is_span)
        brz_text_append(&name, k->ctx, BRZ_STR(".duration"));
    return declare(k, brz_text_str(&name), o->is_span ? BRZ_STR("nanoseconds") : BRZ_STR("count"),
                   false);
}

void columns_declare(columns *k)
{
    for (uint32_t i = 0; i < N_RULES; i++)
        if ((k->wanted >> i & 1) != 0 && holds(k, i))
            k->index[i] = declare(k, brz_str_of_text(rules[i].column),
                                  brz_str_of_text(rules[i].unit), rules[i].is_gauge);
    for (size_t i = 0; i < k->n_others; i++)
        k->others[i].index = declare_other(k, &k->others[i]);
    if (k->is_full)
        BRZ_WARN(k->ctx, "jfr.columns", NULL, 0,
                 "more than 200 columns of further events: the rest is left out");
}

/* ---- counting ------------------------------------------------------------------------------ */

static void add_column(record_type *t, uint32_t column, uint32_t rule)
{
    if (t->n_columns < TYPE_COLUMNS)
        t->columns[t->n_columns++] = (type_column){column, rule};
}

static void add_other(const columns *k, record_type *t, bool is_span)
{
    const other_column *o = find_other(k, t->name, is_span);
    if (o != NULL)
        add_column(t, o->index, is_span ? OTHER_SPAN : OTHER_COUNT);
}

void columns_connect(const columns *k, chunk *c)
{
    for (size_t i = 0; i < c->types.n; i++) {
        record_type *t = &c->types.items[i];
        for (uint32_t r = 0; r < N_RULES; r++)
            if (applies(k, r, t))
                add_column(t, k->index[r], r);
        if (t->n_columns == 0 && t->has_stack && !has_rule(t)) {
            add_other(k, t, false);
            add_other(k, t, true);
        }
    }
}

bool columns_is_sample(const record_type *t)
{
    return t->n_columns > 0 && t->columns[0].rule < N_RULES;
}

/* Returns whether the thread of an event is asleep. The constant of its state keeps the answer. */
static bool is_asleep(chunk *c, const object *event)
{
    if (!object_has(event, ROLE_STATE))
        return false;
    const field_value *state = &event->of[ROLE_STATE];
    constant *k = constants_find(c, state->field->type, state->number);
    if (k == NULL || !state->field->is_pooled)
        return false;
    if (k->made_as != MADE_STATE) {
        k->made = brz_str_is(value_text(c, state), "STATE_SLEEPING");
        k->made_as = MADE_STATE;
    }
    return k->made != 0;
}

static int64_t number_in(const object *event, role r, uint64_t other)
{
    uint64_t number = object_number(event, r, other);
    return number <= INT64_MAX ? (int64_t)number : 0;
}

static int64_t span_in(const chunk *c, const object *event, role r)
{
    if (!object_has(event, r))
        return 0;
    const field_value *v = &event->of[r];
    return chunk_span(c, v->number, (span_unit)v->field->span);
}

static int64_t weighed_size(const object *event)
{
    double weight = object_has(event, ROLE_WEIGHT) ? event->of[ROLE_WEIGHT].real : 1;
    double size = (double)object_number(event, ROLE_SIZE, 0) * weight;
    return size > 0 && size < 9e18 ? (int64_t)(size + 0.5) : 0;
}

int64_t columns_value(const type_column *to, chunk *c, const object *event)
{
    if (to->rule >= N_RULES)
        return to->rule == OTHER_COUNT ? 1 : span_in(c, event, ROLE_DURATION);
    condition when = rules[to->rule].condition;
    if ((when == IF_AWAKE || when == IF_WALL_AWAKE) && is_asleep(c, event))
        return 0;
    switch (rules[to->rule].measure) {
    case COUNT_SAMPLES:
        return number_in(event, ROLE_SAMPLES, 1);
    case COUNT_PERIOD:
        return span_in(c, event, ROLE_PERIOD);
    case COUNT_WEIGHT:
        return number_in(event, ROLE_WEIGHT, 1);
    case COUNT_WEIGHED_SIZE:
        return weighed_size(event);
    case COUNT_SIZE:
        return number_in(event, ROLE_SIZE, 0);
    case COUNT_ALLOCATION:
        return number_in(event, ROLE_ALLOCATION_SIZE, 0);
    case COUNT_TLAB:
        return number_in(event, ROLE_TLAB_SIZE, 0);
    case COUNT_DURATION:
        return span_in(c, event, ROLE_DURATION);
    default:
        return 1;
    }
}
