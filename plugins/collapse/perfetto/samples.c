/* SPDX-License-Identifier: MIT */
/* Counts samples of stacks. */
#include "samples.h"

#include <brazier/symbol.h>

#include "../../common/quick_fields.h"

#define BATCH 1024

void samples_init(samples *s, brz_ctx *ctx, sequences *q, clocks *c, tasks *t, frames *f)
{
    *s = (samples){.ctx = ctx, .sequences = q, .clocks = c, .tasks = t, .frames = f};
    s->batch = ctx->host->alloc(ctx, BATCH * sizeof *s->batch, 0);
    pair_map_init(&s->by_processor, ctx);
}

/* ---- counters -------------------------------------------------------------------------------- */

#define NO_COUNTER SIZE_MAX

/* Declares the number of samples. */
static void declare(samples *s)
{
    if (s->is_declared)
        return;
    s->column = BRZ_DECLARE_COLUMN(s->ctx, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples"),
                                   .flags = BRZ_COLUMN_SAMPLES | BRZ_COLUMN_DEFAULT);
    s->is_declared = true;
}

/* Returns the index of a counter, or NO_COUNTER if there are too many. Adds it if it is new. */
static size_t find_counter(samples *s, const counter_name *name)
{
    counter c = {.name = *name};
    for (size_t i = 0; i < s->n_counters; i++)
        if (brz_str_equal(s->counters[i].name.name, name->name) &&
            brz_str_equal(s->counters[i].name.unit, name->unit) &&
            s->counters[i].name.factor == name->factor)
            return i;
    if (s->n_counters == MOST_COUNTERS) {
        BRZ_WARN(s->ctx, "perfetto.counters", name->name.data, 0,
                 "the trace has too many counters: the values of this one are left out");
        return NO_COUNTER;
    }
    declare(s);
    c.column = BRZ_DECLARE_COLUMN(s->ctx, .name = name->name, .unit = name->unit);
    s->counters[s->n_counters] = c;
    return s->n_counters++;
}

static void add_counters(samples *s, sequence *of, bool is_stack_sample)
{
    counter_name names[1 + MOST_FOLLOWERS];
    size_t n = counters_of_defaults(of->defaults, is_stack_sample, names, BRZ_COUNT_OF(names));
    sampling to = {.n = n};
    for (size_t i = 0; i < n; i++)
        to.of[i] = find_counter(s, &names[i]);
    s->samplings =
        brz_list_room(s->ctx, s->samplings, s->n_samplings, &s->samplings_cap, sizeof to);
    s->samplings[s->n_samplings++] = to;
    of->sampling = (uint32_t)s->n_samplings;
}

/* Returns the counters of a sequence by its defaults. */
static const sampling *sampling_of(samples *s, sequence *of, bool is_stack_sample)
{
    if (of->sampling == 0)
        add_counters(s, of, is_stack_sample);
    return &s->samplings[of->sampling - 1];
}

/* ---- stack samples --------------------------------------------------------------------------- */

enum {
    STACK_TASK = 1,
    STACK_TASK_NUMBER = 2,
    STACK_EXECUTION = 3,
    STACK_EXECUTION_NUMBER = 4,
    STACK_INLINE = 5,
    STACK_CALLSTACK = 6,
    STACK_COUNTER = 9,
    STACK_COUNTER_NUMBER = 10,
    STACK_WEIGHT = 11,
    STACK_FOLLOWER = 12,
    STACK_FOLLOWER_NUMBERS = 13,
    STACK_FOLLOWER_WEIGHTS = 14,
};

/* A sample while it is read. */
typedef struct sample {
    task task;
    brz_bytes inline_stack;
    uint64_t callstack;
    bool has_inline_stack, has_callstack;
    size_t counters[1 + MOST_FOLLOWERS];
    size_t n_counters, n_values;
    uint64_t n_over; /* values for which there is no room */
    uint64_t values[1 + MOST_FOLLOWERS];
} sample;

/* Returns the message that a field contains, or refers to by its number in a table. Any number of
 * samples may refer to a long one. */
static brz_bytes message_of(const samples *s, const sequence *of, const brz_proto_field *f,
                            uint32_t table)
{
    if (f->type == BRZ_PROTO_BYTES)
        return f->part;
    const interned *found = sequences_find(s->sequences, of->generation, table, f->value);
    if (found == NULL || !frames_spend(s->frames, found->text.len))
        return brz_bytes_of("", 0);
    return brz_bytes_of(found->text.data, found->text.len);
}

static void take_task(task *to, brz_bytes b)
{
    enum { TASK_PROCESS = 2, TASK_THREAD = 3 };
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == TASK_PROCESS) {
            to->process = (int64_t)(uint32_t)f.value;
            to->flags |= BRZ_TAG_PROCESS;
        } else if (f.number == TASK_THREAD) {
            to->thread = (int64_t)(uint32_t)f.value;
            to->flags |= BRZ_TAG_THREAD;
        }
}

static void take_execution(task *to, brz_bytes b)
{
    enum { EXECUTION_CPU = 2 };
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == EXECUTION_CPU) {
            to->cpu = (uint32_t)f.value;
            to->flags |= BRZ_TAG_CPU;
        }
}

/* Adds a counter to those of a sample, of which the first one is at 0. */
static void set_counter(samples *s, sample *to, size_t at, brz_bytes message)
{
    counter_name name = counter_of_descriptor(message);
    if (at > MOST_FOLLOWERS)
        return;
    to->counters[at] = find_counter(s, &name);
    to->n_counters = at + 1;
}

static void take_followers(samples *s, const sequence *of, sample *to, brz_proto_field *f)
{
    uint32_t taken = 0;
    uint64_t number;
    brz_proto_field one = {.type = BRZ_PROTO_VARINT};
    while (brz_proto_next_number(f, BRZ_PROTO_VARINT, &taken, &number)) {
        one.value = number;
        set_counter(s, to, to->n_counters > 0 ? to->n_counters : 1,
                    message_of(s, of, &one, TABLE_COUNTERS));
    }
}

static void take_values(sample *to, brz_proto_field *f)
{
    uint32_t taken = 0;
    uint64_t number;
    while (brz_proto_next_number(f, BRZ_PROTO_VARINT, &taken, &number))
        if (to->n_values <= MOST_FOLLOWERS)
            to->values[to->n_values++] = number;
        else
            to->n_over++;
}

/* Takes a field that says where a sample was taken, and its stack. */
static void take_place(const samples *s, const sequence *of, sample *to, const brz_proto_field *f)
{
    switch (f->number) {
    case STACK_TASK:
    case STACK_TASK_NUMBER:
        take_task(&to->task, message_of(s, of, f, TABLE_TASKS));
        break;
    case STACK_EXECUTION:
    case STACK_EXECUTION_NUMBER:
        take_execution(&to->task, message_of(s, of, f, TABLE_EXECUTIONS));
        break;
    case STACK_INLINE:
        to->inline_stack = f->part;
        to->has_inline_stack = true;
        break;
    case STACK_CALLSTACK:
        to->callstack = f->value;
        to->has_callstack = true;
        break;
    default:
        break;
    }
}

/* Takes the counter that causes a sample. */
static void take_counter(samples *s, const sequence *of, sample *to, const brz_proto_field *f)
{
    size_t n = to->n_counters;
    set_counter(s, to, 0, message_of(s, of, f, TABLE_COUNTERS));
    to->n_counters = n > 0 ? n : 1;
}

/* Takes a field with counters or their values. */
static void take_counters(samples *s, const sequence *of, sample *to, brz_proto_field *f)
{
    switch (f->number) {
    case STACK_COUNTER:
    case STACK_COUNTER_NUMBER:
        take_counter(s, of, to, f);
        break;
    case STACK_WEIGHT:
        to->values[0] = f->value;
        break;
    case STACK_FOLLOWER:
        set_counter(s, to, to->n_counters > 0 ? to->n_counters : 1, f->part);
        break;
    case STACK_FOLLOWER_NUMBERS:
        take_followers(s, of, to, f);
        break;
    case STACK_FOLLOWER_WEIGHTS:
        take_values(to, f);
        break;
    default:
        break;
    }
}

/* Reads a message StackSample, whose counters are those of the defaults if it names none. Returns
 * false if it is damaged. */
static bool read_stack_sample(samples *s, sequence *of, brz_bytes b, sample *to)
{
    const sampling *defaults = sampling_of(s, of, true);
    brz_proto_field f;
    bool names_followers = false;
    *to = (sample){.n_counters = defaults->n, .n_values = 1};
    memcpy(to->counters, defaults->of, sizeof to->counters);
    if (defaults->n == 0)
        to->counters[0] = NO_COUNTER;
    while (brz_proto_next(&b, &f)) {
        bool follower = f.number == STACK_FOLLOWER || f.number == STACK_FOLLOWER_NUMBERS;
        if (follower && !names_followers && to->n_counters > 1)
            to->n_counters = 1;
        names_followers |= follower;
        take_place(s, of, to, &f);
        take_counters(s, of, to, &f);
    }
    return b.error == NULL;
}

/* ---- counting -------------------------------------------------------------------------------- */

static brz_rc flush(samples *s)
{
    size_t n = s->n_batch;
    s->n_batch = 0;
    return n == 0 ? BRZ_OK : s->ctx->host->add(s->ctx, s->batch, n, sizeof *s->batch);
}

brz_rc samples_add(samples *s, const brz_count *count)
{
    s->batch[s->n_batch++] = *count;
    return s->n_batch == BATCH ? flush(s) : BRZ_OK;
}

/* Multiplies a value; one that is out of range stays at the limit. */
static int64_t value_of(uint64_t value, uint64_t factor)
{
    uint64_t product;
    bool out = __builtin_mul_overflow(value, factor, &product) || product > INT64_MAX;
    return out ? INT64_MAX : (int64_t)product;
}

/* Returns how many values of a sample have no counter. */
static uint64_t count_unnamed(const sample *of)
{
    size_t named = of->n_counters > 0 ? of->n_counters : 1;
    return of->n_over + (of->n_values > named ? of->n_values - named : 0);
}

/* Counts a sample, and the values of its counters. */
static brz_rc count(samples *s, const sample *of, brz_stack stack, int64_t time)
{
    declare(s);
    brz_count c = {stack, s->column, 1, tasks_tag(s->tasks, &of->task), 0, 0};
    if (s->ctx->flags & BRZ_CTX_WANTS_TIME) {
        c.time = time;
        c.flags = BRZ_TIMED;
    }
    brz_rc rc = samples_add(s, &c);
    s->unnamed += count_unnamed(of);
    c.flags |= BRZ_SAME_SAMPLE;
    for (size_t i = 0; i < of->n_values && i < of->n_counters && rc == BRZ_OK; i++) {
        if (of->counters[i] == NO_COUNTER || of->values[i] == 0)
            continue;
        c.column = s->counters[of->counters[i]].column;
        c.value = value_of(of->values[i], s->counters[of->counters[i]].name.factor);
        rc = samples_add(s, &c);
    }
    return rc;
}

static void lose(samples *s, const packet *p, const char *why)
{
    brz_report_lost_weight(s->ctx, "perfetto.sample", p->at, 0, brz_str_of_text(why), 1);
}

/* Counts a sample with the stack that it has or refers to. */
static brz_rc count_stack(samples *s, const sequence *of, const packet *p, const sample *what,
                          int64_t time)
{
    found_stack stack = {0, 0};
    stack_result result = STACK_FOUND;
    if (what->has_inline_stack)
        result = frames_inline_stack(s->frames, what->inline_stack, &stack.id);
    else if (what->has_callstack)
        result = frames_stack(s->frames, of->generation, what->callstack, &stack);
    else
        stack.id = frames_unknown_stack(s->frames);
    if (result == STACK_FAILED)
        return BRZ_ERROR;
    if (result == STACK_FOUND)
        return count(s, what, stack.id, time);
    lose(s, p, "a sample whose stack is in no table: left out");
    return BRZ_OK;
}

static brz_rc take_stack_sample(samples *s, sequence *of, const packet *p, int64_t time)
{
    sample what;
    bool is_whole = read_stack_sample(s, of, p->data, &what);
    if (s->frames->is_spent)
        return BRZ_ERROR;
    if (is_whole)
        return count_stack(s, of, p, &what, time);
    lose(s, p, "a damaged sample: left out");
    return BRZ_OK;
}

/* ---- samples of Linux's counters ------------------------------------------------------------- */

enum {
    PERF_CPU = 1,
    PERF_PROCESS = 2,
    PERF_THREAD = 3,
    PERF_CALLSTACK = 4,
    PERF_COUNT = 6,
    PERF_FOLLOWERS = 7,
    PERF_UNWIND_ERROR = 16,
    PERF_LOST = 17,
    PERF_SKIPPED = 18,
    PERF_EVENT = 19,
};

enum { UNWIND_NONE = 1 };
enum { SKIPPED_OTHER_PROCESS = 4 };

typedef struct perf_sample {
    sample sample;
    uint64_t lost, skipped, unwind_error;
    bool is_event;
} perf_sample;

static inline void take_perf_number(perf_sample *to, uint32_t number, uint64_t value)
{
    task *where = &to->sample.task;
    switch (number) {
    case PERF_CPU:
        where->cpu = (uint32_t)value;
        break;
    case PERF_PROCESS:
        where->process = (int64_t)(uint32_t)value;
        break;
    case PERF_THREAD:
        where->thread = (int64_t)(uint32_t)value;
        break;
    case PERF_CALLSTACK:
        to->sample.callstack = value;
        to->sample.has_callstack = true;
        break;
    case PERF_COUNT:
        to->sample.values[0] = value;
        break;
    case PERF_UNWIND_ERROR:
        to->unwind_error = value;
        break;
    case PERF_LOST:
        to->lost = value;
        break;
    case PERF_SKIPPED:
        to->skipped = value;
        break;
    case PERF_EVENT:
        to->is_event = true;
        break;
    default:
        break;
    }
}

/* Initialises a sample, of whose lists only the first value is set. */
static void start_perf_sample(perf_sample *to)
{
    sample *s = &to->sample;
    s->task = (task){.flags = BRZ_TAG_PROCESS | BRZ_TAG_THREAD | BRZ_TAG_CPU};
    s->callstack = s->n_over = 0;
    s->has_inline_stack = s->has_callstack = false;
    s->n_values = 1;
    s->values[0] = 0;
    to->lost = to->skipped = to->unwind_error = 0;
    to->is_event = false;
}

/* Takes a packed list of values. Returns false if it is damaged. */
static bool take_usual_values(sample *to, const quick_field *f)
{
    const uint8_t *at = f->at, *end = f->at + f->value;
    while (at != NULL && at < end) {
        uint64_t number;
        at = quick_varint(at, end, &number);
        if (to->n_values > MOST_FOLLOWERS)
            to->n_over++;
        else
            to->values[to->n_values++] = number;
    }
    return at != NULL;
}

/* Reads a sample of usual fields. Returns false if it has others; some of `to` is then set. */
static bool read_usual_sample(const brz_bytes *b, perf_sample *to)
{
    const uint8_t *at = b->at, *end = b->end;
    quick_field f;
    while (at < end) {
        at = quick_next(at, end, &f);
        if (at == NULL)
            return false;
        if (f.number != PERF_FOLLOWERS && f.type != BRZ_PROTO_BYTES)
            take_perf_number(to, f.number, f.value);
        else if (f.number != PERF_FOLLOWERS || f.type != BRZ_PROTO_BYTES ||
                 !take_usual_values(&to->sample, &f))
            return false;
    }
    return true;
}

/* Reads a sample. Returns false if it is damaged. */
static bool read_perf_sample(const brz_bytes *message, perf_sample *to)
{
    start_perf_sample(to);
    if (read_usual_sample(message, to))
        return true;
    start_perf_sample(to);
    brz_bytes b = *message;
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == PERF_FOLLOWERS)
            take_values(&to->sample, &f);
        else
            take_perf_number(to, f.number, f.value);
    return b.error == NULL;
}

/* Returns the last values of the counters of a processor. */
static last_values *last_of(samples *s, const sequence *of, uint32_t cpu)
{
    uint32_t i = pair_map_find(&s->by_processor, of->id, cpu);
    if (i != PAIR_MISS)
        return &s->last[i];
    s->last = brz_list_room(s->ctx, s->last, s->n_last, &s->last_cap, sizeof *s->last);
    pair_map_put(&s->by_processor, s->ctx, of->id, cpu, (uint32_t)s->n_last);
    s->last[s->n_last] = (last_values){.is_known = of->is_whole};
    return &s->last[s->n_last++];
}

/* Replaces what the counters read by what they counted since the last sample on the processor. The
 * first one of a sequence without its beginning counts nothing. */
static void count_since_last(samples *s, const sequence *of, const packet *p, sample *what)
{
    last_values *last = last_of(s, of, what->task.cpu);
    bool is_known = last->is_known && (!p->after_gap || p->is_first);
    for (size_t i = 0; i < what->n_values; i++) {
        uint64_t now = what->values[i], before = last->of[i];
        last->of[i] = now;
        what->values[i] = is_known && now > before ? now - before : 0;
    }
    last->is_known = true;
}

static brz_rc take_perf_sample(samples *s, sequence *of, const packet *p, int64_t time)
{
    perf_sample what;
    const sampling *counters = sampling_of(s, of, false);
    if (!read_perf_sample(&p->data, &what)) {
        lose(s, p, "a damaged sample: left out");
        return BRZ_OK;
    }
    s->dropped += what.lost;
    if (what.lost > 0 || what.is_event)
        return BRZ_OK;
    what.sample.n_counters = counters->n;
    for (size_t i = 0; i < counters->n; i++)
        what.sample.counters[i] = counters->of[i];
    count_since_last(s, of, p, &what.sample);
    if (what.skipped != 0 && !what.sample.has_callstack) {
        s->skipped += what.skipped != SKIPPED_OTHER_PROCESS;
        return BRZ_OK;
    }
    s->incomplete += what.unwind_error > UNWIND_NONE;
    return count_stack(s, of, p, &what.sample, time);
}

/* ---- samples of Chrome's profiler ------------------------------------------------------------ */

enum { CHROME_CALLSTACK = 1, CHROME_PASSED = 2 };

/* Numbers of a repeated field, which is packed or not. */
typedef struct numbers {
    brz_bytes rest;
    brz_proto_field field;
    uint32_t taken, number;
} numbers;

static numbers numbers_of(brz_bytes message, uint32_t number)
{
    numbers n = {.rest = message, .number = number};
    n.field.type = BRZ_PROTO_BYTES;
    n.field.part = message;
    n.field.part.at = n.field.part.end;
    return n;
}

static bool numbers_next(numbers *n, uint64_t *to)
{
    while (!brz_proto_next_number(&n->field, BRZ_PROTO_VARINT, &n->taken, to)) {
        n->taken = 0;
        do
            if (!brz_proto_next(&n->rest, &n->field))
                return false;
        while (n->field.number != n->number);
    }
    return true;
}

/* Counts the samples of a packet: stacks of the thread that the sequence is about, each with the
 * time since the one before. */
static brz_rc take_chrome_samples(samples *s, sequence *of, const packet *p)
{
    numbers stacks = numbers_of(p->data, CHROME_CALLSTACK);
    numbers passed = numbers_of(p->data, CHROME_PASSED);
    sample what = {.has_callstack = true};
    uint64_t difference;
    brz_rc rc = BRZ_OK;
    if (of->has_thread) {
        what.task.flags = BRZ_TAG_PROCESS | BRZ_TAG_THREAD;
        what.task.process = of->process;
        what.task.thread = of->thread;
    }
    while (rc == BRZ_OK && numbers_next(&stacks, &what.callstack)) {
        int64_t nanoseconds = 0;
        if (numbers_next(&passed, &difference) &&
            !__builtin_mul_overflow((int64_t)difference, 1000, &nanoseconds))
            brz_stacks_sum(&s->frames->stacks, &of->reference, nanoseconds);
        int64_t time = clocks_convert(s->clocks, of->id, CLOCK_MONOTONIC,
                                      of->reference > 0 ? (uint64_t)of->reference : 0);
        rc = count_stack(s, of, p, &what, time);
    }
    if (stacks.rest.error != NULL || stacks.field.part.error != NULL)
        lose(s, p, "a damaged list of samples: its rest is left out");
    return rc;
}

brz_rc samples_take(samples *s, sequence *of, const packet *p, int64_t time)
{
    if (p->kind == DATA_CHROME_SAMPLES)
        return take_chrome_samples(s, of, p);
    if (p->kind == DATA_PERF_SAMPLE)
        return take_perf_sample(s, of, p, time);
    return take_stack_sample(s, of, p, time);
}

/* ---- the end --------------------------------------------------------------------------------- */

brz_rc samples_finish(samples *s)
{
    brz_report_count(
        s->ctx, BRZ_WARNING, "perfetto.skipped", s->skipped, s->skipped,
        BRZ_STR("samples for which the profiler took no stack are left out ({count})"));
    brz_report_count(s->ctx, BRZ_WARNING, "perfetto.dropped", s->dropped, s->dropped,
                     BRZ_STR("records were lost between the kernel and the profiler ({count})"));
    brz_report_count(s->ctx, BRZ_WARNING, "perfetto.values", s->unnamed, 0,
                     BRZ_STR("{count} {value|values} of counters that samples do not name, or "
                             "beyond the first 17 of a sample: left out"));
    brz_report_count(
        s->ctx, BRZ_NOTE, "perfetto.incomplete", s->incomplete, 0,
        BRZ_STR("stacks end early, where the profiler could not unwind them ({count})"));
    return flush(s);
}
