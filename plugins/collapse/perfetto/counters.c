/* SPDX-License-Identifier: MIT */
/* Names the counters that samples are taken by. */
#include "counters.h"

/* Fields of the defaults of packets. */
enum { DEFAULT_PERF = 12, DEFAULT_STACK = 100 };

/* ---- Linux's counters ------------------------------------------------------------------------ */

enum { PERF_TIMEBASE = 1, PERF_FOLLOWER = 4 };

/* Numbers of the fields of a timebase, and of a follower. */
typedef struct event_fields {
    uint32_t counter, tracepoint, name;
} event_fields;

static const event_fields timebase_fields = {4, 3, 10}, follower_fields = {1, 2, 4};

enum { TRACEPOINT_NAME = 1 };

/* Returns the name that perf has for a counter. */
static counter_name name_of_counter(uint64_t number)
{
    static const char *const names[] = {
        "counter",
        "cpu-clock",
        "page-faults",
        "task-clock",
        "context-switches",
        "cpu-migrations",
        "minor-faults",
        "major-faults",
        "alignment-faults",
        "emulation-faults",
        "cycles",
        "instructions",
        "cache-references",
        "cache-misses",
        "branches",
        "branch-misses",
        "bus-cycles",
        "stalled-cycles-frontend",
        "stalled-cycles-backend",
        "ref-cycles",
        "dummy",
    };
    bool is_clock = number == 1 || number == 3;
    counter_name name;
    name.name = brz_str_of_text(names[number < BRZ_COUNT_OF(names) ? number : 0]);
    name.unit = is_clock ? BRZ_STR("nanoseconds") : BRZ_STR("count");
    name.factor = 1;
    return name;
}

static brz_str first_text(brz_bytes b, uint32_t number)
{
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == number && f.type == BRZ_PROTO_BYTES)
            return brz_proto_text(&f);
    return brz_str_of("", 0);
}

/* Reads an event. One that the user has named has this name. */
static counter_name read_event(brz_bytes b, const event_fields *fields)
{
    counter_name to = {BRZ_STR("counter"), BRZ_STR("count"), 1};
    brz_str given = {"", 0};
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == fields->counter && f.type == BRZ_PROTO_VARINT)
            to = name_of_counter(f.value);
        else if (f.number == fields->tracepoint && f.type == BRZ_PROTO_BYTES)
            to.name = first_text(f.part, TRACEPOINT_NAME);
        else if (f.number == fields->name && f.type == BRZ_PROTO_BYTES)
            given = brz_proto_text(&f);
    if (given.len > 0)
        to.name = given;
    if (to.name.len == 0)
        to.name = BRZ_STR("counter");
    return to;
}

/* ---- counters of stack samples --------------------------------------------------------------- */

enum { STACK_PRIMARY = 2, STACK_FOLLOWER = 3 };
enum { DESCRIPTOR_NAME = 2, DESCRIPTOR_UNIT = 3, DESCRIPTOR_UNIT_TEXT = 4, DESCRIPTOR_FACTOR = 5 };

counter_name counter_of_descriptor(brz_bytes b)
{
    static const char *const units[] = {
        "count",       "nanoseconds",  "cycles",           "instructions",  "bytes",
        "page-faults", "cache-misses", "cache-references", "branch-misses", "count"};
    counter_name to = {{"", 0}, BRZ_STR("count"), 1};
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == DESCRIPTOR_NAME && f.type == BRZ_PROTO_BYTES)
            to.name = brz_proto_text(&f);
        else if (f.number == DESCRIPTOR_UNIT && f.type == BRZ_PROTO_VARINT &&
                 f.value < BRZ_COUNT_OF(units))
            to.unit = brz_str_of_text(units[f.value]);
        else if (f.number == DESCRIPTOR_UNIT_TEXT && f.type == BRZ_PROTO_BYTES)
            to.unit = brz_proto_text(&f);
        else if (f.number == DESCRIPTOR_FACTOR && f.type == BRZ_PROTO_VARINT)
            to.factor = f.value;
    if (to.name.len == 0)
        to.name = to.unit;
    return to;
}

/* ---- defaults of packets --------------------------------------------------------------------- */

static counter_name read_timebase(brz_bytes b)
{
    return read_event(b, &timebase_fields);
}

static counter_name read_follower(brz_bytes b)
{
    return read_event(b, &follower_fields);
}

/* A part of the defaults of packets that names counters. */
typedef struct default_fields {
    uint32_t part;              /* number of its field */
    uint32_t primary, follower; /* numbers of its fields */
    counter_name (*read_primary)(brz_bytes b), (*read_follower)(brz_bytes b);
} default_fields;

static const default_fields perf_fields = {DEFAULT_PERF, PERF_TIMEBASE, PERF_FOLLOWER,
                                           read_timebase, read_follower},
                            stack_fields = {DEFAULT_STACK, STACK_PRIMARY, STACK_FOLLOWER,
                                            counter_of_descriptor, counter_of_descriptor};

/* Stores the counters that a part names, at most `most`. Returns their number. */
static size_t read_defaults(brz_bytes b, const default_fields *fields, counter_name *to,
                            size_t most)
{
    brz_proto_field f;
    size_t n = 0;
    while (brz_proto_next(&b, &f))
        if (f.number == fields->primary && f.type == BRZ_PROTO_BYTES) {
            to[0] = fields->read_primary(f.part);
            n = n == 0 ? 1 : n;
        } else if (f.number == fields->follower && f.type == BRZ_PROTO_BYTES && n > 0 && n < most) {
            to[n++] = fields->read_follower(f.part);
        }
    return n;
}

size_t counters_of_defaults(brz_str defaults, bool is_stack_sample, counter_name *to, size_t most)
{
    const default_fields *fields = is_stack_sample ? &stack_fields : &perf_fields;
    brz_bytes b = brz_bytes_of(defaults.data, defaults.len);
    brz_proto_field f;
    size_t n = 0;
    while (brz_proto_next(&b, &f))
        if (f.type == BRZ_PROTO_BYTES && f.number == fields->part)
            n = read_defaults(f.part, fields, to, most);
    return n;
}
