/* SPDX-License-Identifier: MIT */
/* Counts the samples of threads:
 *
 *     samples := {"stack": [row*], "time": [ms*], "weight": [n*] | null, "weightType": "…",
 *                 "threadCPUDelta": [n*], "timeDeltas": [ms*]}
 *              | {"schema": {"stack": index, "time": index, …}, "data": [[value*]*]}
 *
 * A sample lasts until the next one of its thread. In a file that brazier wrote, a thread has one
 * column, and its times mean something only if its origin says so.
 */

#include <brazier/symbol.h>
#include <brazier/text/integer.h>

#include "../../common/json/text.h"
#include "document.h"

#define MOST_CELLS   64 /* of a row */
#define NANOSECONDS  6  /* decimals of milliseconds */
#define NO_COLUMN    SIZE_MAX
#define COLUMN_LIMIT 255

/* The columns of a file that another program wrote. */
enum { COUNT, DURATION, CPU, BYTES, KINDS };

/* The values of a sample. */
enum { STACK, TIME, WEIGHT, CPU_DELTA, TIME_DELTA, VALUES };

/* The samples being read. */
typedef struct reading {
    firefox *f;
    brz_ctx *ctx;
    thread *thread;
    scope *stacks;
    bool rows; /* rows with a schema, rather than columns */
    cursor cursors[VALUES];
    bool has[VALUES];
    uint32_t places[VALUES];
    brz_json_token values[VALUES]; /* of the sample that was read last */
    brz_str where;                 /* the sample, or its stack */
    column *weight, *duration, *cpu;
    brz_tag tag;
    int64_t offset; /* nanoseconds from the first process's start to this one's */
    bool has_times; /* times are those of the samples */
    bool timed;     /* `now` is known */
    int64_t now;    /* time of the sample that was read last, in nanoseconds */
    size_t lasting; /* entry of the sample before, which lasts until now, or 0 */
    int64_t began;  /* time of that sample */
    uint64_t empty, untimed, backwards;
    int64_t empty_weight;
} reading;

/* ---- columns ------------------------------------------------------------------------------- */

static bool is_word(const brz_json_token *t, const char *word)
{
    return t->kind == BRZ_JSON_STRING && brz_json_text_is(t->text, brz_str_of_text(word));
}

/* Returns the unit of a thread's weights. */
static brz_str unit_of(const thread *t, brz_str otherwise)
{
    if (is_word(&t->samples[SAMPLES_TYPE], "tracing-ms"))
        return BRZ_STR("milliseconds");
    return is_word(&t->samples[SAMPLES_TYPE], "bytes") ? BRZ_STR("bytes") : otherwise;
}

static size_t add_column(firefox *f, brz_ctx *ctx, brz_str name, brz_str unit)
{
    for (size_t i = 0; i < f->n_columns; i++)
        if (brz_str_equal(f->columns[i].name, name))
            return i;
    f->columns = brz_list_room(ctx, f->columns, f->n_columns, &f->columns_cap, sizeof *f->columns);
    f->columns[f->n_columns] = (column){.name = name, .unit = unit, .most = column_most(unit)};
    return f->n_columns++;
}

static void read_origin(thread *t, brz_ctx *ctx)
{
    static const char *const keys[ORIGIN_PARTS] = {"weight", "unit", "process", "thread",
                                                   "pid",    "tid",  "timed"};
    members_of(ctx, &t->own[THREAD_ORIGIN], keys, ORIGIN_PARTS, t->origin);
}

static bool has_origin(const thread *t)
{
    return t->origin[ORIGIN_WEIGHT].kind == BRZ_JSON_STRING;
}

/* Adds the column of a thread in a file that brazier wrote. Times are in milliseconds. */
static void add_own(firefox *f, brz_ctx *ctx, thread *t)
{
    read_origin(t, ctx);
    bool stated = has_origin(t);
    brz_str name = json_text(ctx, stated ? &t->origin[ORIGIN_WEIGHT] : &t->own[THREAD_NAME]);
    brz_str unit = brz_str_is(name, "samples") ? name : BRZ_STR("count");
    if (stated)
        unit = json_text(ctx, &t->origin[ORIGIN_UNIT]);
    if (f->n_columns <= COLUMN_LIMIT)
        t->column = add_column(f, ctx, name, unit_of(t, unit));
}

/* Returns the unit of the processor time. */
static brz_str cpu_unit(const firefox *f, brz_ctx *ctx)
{
    static const char *const keys[] = {"threadCPUDelta"};
    brz_json_token unit = {0};
    cursor c;
    if (f->n_processes > 0 &&
        members_open(&c, ctx, &f->processes[0].meta[META_UNITS], BRZ_JSON_OBJECT))
        members_read(&c, keys, 1, &unit);
    if (is_word(&unit, "ns"))
        return BRZ_STR("nanoseconds");
    return is_word(&unit, "\xc2\xb5s") ? BRZ_STR("microseconds") : BRZ_STR("cycles");
}

/* Returns whether the samples of a thread have a value. */
static bool has_value(const thread *t, brz_ctx *ctx, size_t part)
{
    static const char *const keys[] = {"stack", "time", "weight", "threadCPUDelta"};
    brz_json_token places[4] = {{0}};
    if (t->samples[part].kind == BRZ_JSON_ARRAY)
        return true;
    members_of(ctx, &t->samples[SAMPLES_SCHEMA], keys, 4, places);
    return part < 4 && places[part].kind == BRZ_JSON_NUMBER;
}

/* Finds the columns of files that another program wrote. All threads share them. */
static void add_shared(firefox *f, brz_ctx *ctx)
{
    bool needed[KINDS] = {false};
    for (size_t i = 0; i < f->n_threads; i++) {
        const thread *t = &f->threads[i];
        bool sampled = unit_of(t, BRZ_STR("")).len == 0;
        bool timed = has_value(t, ctx, SAMPLES_TIME) || has_value(t, ctx, SAMPLES_DELTAS);
        needed[COUNT] |= sampled;
        needed[DURATION] |= is_word(&t->samples[SAMPLES_TYPE], "tracing-ms") || (sampled && timed);
        needed[CPU] |= sampled && has_value(t, ctx, SAMPLES_CPU);
        needed[BYTES] |= is_word(&t->samples[SAMPLES_TYPE], "bytes");
    }
    if (needed[COUNT])
        add_column(f, ctx, BRZ_STR("samples"), BRZ_STR("samples"));
    if (needed[DURATION])
        add_column(f, ctx, BRZ_STR("time"), BRZ_STR("milliseconds"));
    if (needed[CPU])
        add_column(f, ctx, BRZ_STR("cpu"), cpu_unit(f, ctx));
    if (needed[BYTES])
        add_column(f, ctx, BRZ_STR("bytes"), BRZ_STR("bytes"));
}

brz_rc samples_declare(firefox *f, brz_ctx *ctx)
{
    for (size_t i = 0; i < f->n_threads && f->own; i++)
        add_own(f, ctx, &f->threads[i]);
    if (!f->own)
        add_shared(f, ctx);
    if (f->n_columns > COLUMN_LIMIT) {
        brz_report(ctx, BRZ_FATAL, "firefox.columns", NULL, 0,
                   BRZ_STR("the profile has more than 255 weights"));
        return BRZ_ERROR;
    }
    bool chosen = f->own && f->selected < f->n_threads;
    for (size_t i = 0; i < f->n_columns; i++) {
        bool first = chosen && f->threads[f->selected].column == i;
        column_declare(&f->columns[i], ctx, first ? BRZ_COLUMN_DEFAULT : 0);
    }
    return BRZ_OK;
}

static column *find_column(const firefox *f, brz_str name)
{
    for (size_t i = 0; i < f->n_columns; i++)
        if (brz_str_equal(f->columns[i].name, name))
            return &f->columns[i];
    return NULL;
}

/* ---- values -------------------------------------------------------------------------------- */

static void begin_rows(reading *r)
{
    static const char *const keys[VALUES] = {"stack", "time", "weight", "threadCPUDelta",
                                             "timeDeltas"};
    brz_json_token places[VALUES] = {{0}};
    members_of(r->ctx, &r->thread->samples[SAMPLES_SCHEMA], keys, VALUES, places);
    for (size_t i = 0; i < VALUES; i++) {
        r->places[i] = members_number(&places[i], UINT32_MAX);
        r->has[i] = r->places[i] != UINT32_MAX;
    }
    members_open(&r->cursors[STACK], r->ctx, &r->thread->samples[SAMPLES_DATA], BRZ_JSON_ARRAY);
}

static void begin_columns(reading *r)
{
    for (size_t i = 0; i < VALUES; i++)
        r->has[i] = members_open(&r->cursors[i], r->ctx, &r->thread->samples[i], BRZ_JSON_ARRAY);
}

/* Reads the cells of a row. */
static void read_row(reading *r, cursor *c)
{
    brz_json_token cells[MOST_CELLS];
    size_t n = 0;
    if (cursor_enter(c, BRZ_JSON_ARRAY))
        while (cursor_element(c)) {
            brz_json_token cell = members_value(c);
            if (n < MOST_CELLS)
                cells[n++] = cell;
        }
    for (size_t i = 0; i < VALUES; i++)
        r->values[i] = r->places[i] < n ? cells[r->places[i]] : (brz_json_token){0};
}

/* Reads the next sample. Returns false at the end. */
static bool next_sample(reading *r)
{
    if (!cursor_element(&r->cursors[STACK]))
        return false;
    r->where = r->cursors[STACK].token.text;
    if (r->rows) {
        read_row(r, &r->cursors[STACK]);
        return !r->cursors[STACK].cut && !r->cursors[STACK].failed;
    }
    r->values[STACK] = members_value(&r->cursors[STACK]);
    for (size_t i = STACK + 1; i < VALUES; i++) {
        bool more = r->has[i] && cursor_element(&r->cursors[i]);
        r->values[i] = more ? members_value(&r->cursors[i]) : (brz_json_token){0};
    }
    return true;
}

/* ---- counts -------------------------------------------------------------------------------- */

/* Returns the row of the caller of a row of stacks, NO_VALUE for the outermost one, or
 * INVALID_VALUE. */
static int64_t caller_of(const table *stacks, int64_t row)
{
    int64_t offset = table_at(stacks, STACK_OFFSET, row);
    if (offset == INVALID_VALUE)
        return INVALID_VALUE;
    return offset > 0 ? row - offset : table_at(stacks, STACK_PREFIX, row);
}

/* Notes whether a stack begins with the frame "(root)". */
static void note_root(reading *r, brz_frame outermost)
{
    bool is_root = r->f->root != BRZ_NO_FRAME && outermost == r->f->root;
    r->stacks->has_root |= is_root;
    r->stacks->others += !is_root;
}

/* Finds the stack of the sample. Returns its entry, from 1, or 0 if the stack is damaged. */
static size_t entry_of(reading *r, int64_t stack)
{
    firefox *f = r->f;
    const table *stacks = r->stacks->tables[STACKS];
    f->path.n = 0;
    for (int64_t i = stack; i != NO_VALUE;) {
        int64_t prefix = caller_of(stacks, i);
        brz_frame frame = frame_of(f, r->ctx, r->thread, table_at(stacks, STACK_FRAME, i));
        if (frame == BRZ_NO_FRAME || prefix >= i || prefix < NO_VALUE)
            return 0;
        brz_frame_list_push(&f->path, r->ctx, frame);
        i = prefix;
    }
    if (f->path.n > 0)
        note_root(r, f->path.ids[f->path.n - 1]);
    brz_path_cut(f->stacks.path, 0);
    for (size_t i = f->path.n; i-- > 0;)
        brz_path_push(f->stacks.path, r->ctx, f->path.ids[i]);
    return (size_t)(brz_stacks_entry_of(&f->stacks, r->ctx, 0) - f->stacks.entries) + 1;
}

/* Returns the entry of the sample's stack. Returns 0 for a damaged stack and for none at all. */
static size_t find_entry(reading *r)
{
    const brz_json_token *t = &r->values[STACK];
    uint64_t stack;
    if (t->kind != BRZ_JSON_NUMBER || !brz_parse_u64(t->text, &stack) ||
        stack >= r->stacks->tables[STACKS]->columns[STACK_FRAME].n)
        return 0;
    if (r->stacks->entries[stack] == 0)
        r->stacks->entries[stack] = entry_of(r, (int64_t)stack);
    return r->stacks->entries[stack];
}

/* Adds a value to a column of a stack. */
static brz_rc count(reading *r, column *to, size_t entry, amount a)
{
    brz_rc rc = column_refine(to, r->ctx, &r->f->stacks, a.decimals);
    brz_stacks_entry e = r->f->stacks.entries[entry - 1];
    e.column = to->weight;
    return rc == BRZ_OK ? brz_stacks_send(&r->f->stacks, r->ctx, &e, amount_in(a, to->decimals))
                        : rc;
}

static int64_t negated(int64_t n)
{
    return n == INT64_MIN ? INT64_MAX : -n;
}

/* Reads the time of the sample. A time that is missing is that of the sample before. */
static void read_time(reading *r)
{
    static const column milliseconds = {.most = NANOSECONDS};
    bool absolute = r->has[TIME];
    const brz_json_token *t = &r->values[absolute ? TIME : TIME_DELTA];
    amount a;
    if (!absolute && !r->has[TIME_DELTA])
        return;
    if (!column_read(&milliseconds, r->ctx, t, &a)) {
        r->untimed++;
        return;
    }
    int64_t value = amount_in(a, NANOSECONDS);
    if (absolute)
        r->now = 0;
    else if (!r->timed)
        r->now = negated(r->offset);
    if (absolute || !r->timed)
        brz_stacks_sum(&r->f->stacks, &r->now, r->offset);
    brz_stacks_sum(&r->f->stacks, &r->now, value);
    r->timed = true;
}

/* Counts the time of the sample before, which lasts until now. */
static brz_rc end_sample(reading *r)
{
    if (r->lasting == 0 || r->duration == NULL || !r->timed)
        return BRZ_OK;
    int64_t lasted = time_passed(r->began, r->now);
    r->backwards += lasted < 0;
    if (lasted <= 0)
        return BRZ_OK;
    amount a = {lasted, NANOSECONDS};
    for (; a.decimals > 0 && a.value % 10 == 0; a.decimals--)
        a.value /= 10;
    return count(r, r->duration, r->lasting, a);
}

/* Reports a sample that is left out. */
static void leave_out(reading *r, const amount *weight, brz_str at, brz_str message)
{
    static const char code[] = "firefox.sample";
    const firefox *f = r->f;
    bool inside = at.data >= f->chunk.data && at.data < f->chunk.data + f->chunk.len;
    const char *place = inside ? at.data : NULL;
    if (weight != NULL && r->weight->weight == 0)
        brz_report_lost_weight(r->ctx, code, place, inside ? at.len : 0, message,
                               amount_in(*weight, r->weight->decimals));
    else
        brz_report_lost(r->ctx, code, place, inside ? at.len : 0, message);
}

/* Counts weight and processor time of the sample, which begins now. Its duration follows at its
 * end. */
static brz_rc begin_sample(reading *r, size_t entry, amount weight)
{
    amount a;
    brz_stacks_end_sample(&r->f->stacks);
    brz_stacks_begin_sample(&r->f->stacks);
    brz_rc rc = count(r, r->weight, entry, weight);
    if (rc == BRZ_OK && r->cpu != NULL && column_read(r->cpu, r->ctx, &r->values[CPU_DELTA], &a) &&
        a.value > 0)
        rc = count(r, r->cpu, entry, a);
    return rc;
}

/* Leaves out a sample without a stack. In a file that brazier wrote, that is the stack without
 * frames. */
static size_t take_empty(reading *r, amount weight)
{
    if (r->f->own) {
        brz_path_cut(r->f->stacks.path, 0);
        return (size_t)(brz_stacks_entry_of(&r->f->stacks, r->ctx, 0) - r->f->stacks.entries) + 1;
    }
    r->empty++;
    brz_stacks_sum(&r->f->stacks, &r->empty_weight, amount_in(weight, r->weight->decimals));
    return 0;
}

static brz_rc take_sample(reading *r)
{
    amount weight = {1, 0};
    const brz_json_token *t = &r->values[WEIGHT], *stack = &r->values[STACK];
    brz_rc rc = BRZ_OK;
    read_time(r);
    rc = end_sample(r);
    r->lasting = 0;
    r->began = r->now;
    if (r->has[WEIGHT] && !column_read(r->weight, r->ctx, t, &weight)) {
        leave_out(r, NULL, t->text.len > 0 ? t->text : r->where,
                  BRZ_STR("a weight that is not a number, or too large: the sample is left out"));
        return rc;
    }
    if (rc == BRZ_OK)
        rc = column_refine(r->weight, r->ctx, &r->f->stacks, weight.decimals);
    bool none = stack->kind == BRZ_JSON_NULL;
    size_t entry = none ? take_empty(r, weight) : find_entry(r);
    if (entry == 0 && !none)
        leave_out(r, &weight, r->where,
                  BRZ_STR("no valid stack has this number: the sample is left out"));
    if (entry == 0 || rc != BRZ_OK)
        return rc;
    bool timed = r->timed && r->has_times;
    brz_stacks_place(&r->f->stacks, r->tag, timed ? BRZ_TIMED : 0, timed ? r->now : 0);
    r->lasting = entry;
    return begin_sample(r, entry, weight);
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Returns the beginning of a process, in nanoseconds. */
static int64_t start_of(brz_ctx *ctx, const process *p)
{
    static const column milliseconds = {.most = NANOSECONDS};
    amount a;
    return column_read(&milliseconds, ctx, &p->meta[META_START], &a) ? amount_in(a, NANOSECONDS)
                                                                     : 0;
}

uint32_t samples_id(const brz_json_token *t, int64_t *id, uint32_t flag)
{
    bool has_text = t->kind == BRZ_JSON_STRING || t->kind == BRZ_JSON_NUMBER;
    brz_str text = has_text ? t->text : brz_str_of(NULL, 0);
    uint64_t value;
    if (!brz_take_u64(&text, &value) || value > INT64_MAX)
        return 0;
    *id = (int64_t)value;
    return flag;
}

static brz_tag tag_of(brz_ctx *ctx, const thread *t)
{
    brz_tag_desc d = {.struct_size = sizeof d, .label_size = sizeof(brz_label)};
    d.flags |= samples_id(&t->own[THREAD_PID], &d.process, BRZ_TAG_PROCESS);
    d.flags |= samples_id(&t->own[THREAD_TID], &d.thread, BRZ_TAG_THREAD);
    d.thread_name = json_text(ctx, &t->own[THREAD_NAME]);
    d.process_name = json_text(ctx, &t->own[THREAD_PROCESS]);
    if (d.process_name.len == 0 && !is_word(&t->own[THREAD_TYPE], "default"))
        d.process_name = json_text(ctx, &t->own[THREAD_TYPE]);
    return ctx->host->tag(ctx, &d);
}

/* Reads an id that the origin states, which may be negative. */
static uint32_t read_stated(const brz_json_token *t, int64_t *id, uint32_t flag)
{
    bool negative = t->kind == BRZ_JSON_NUMBER && brz_starts_with(t->text, BRZ_STR("-"));
    brz_json_token digits = *t;
    if (negative)
        digits.text = brz_str_of(t->text.data + 1, t->text.len - 1);
    uint32_t found = samples_id(&digits, id, flag);
    if (negative)
        *id = -*id;
    return found;
}

/* Returns the tag that the origin of a thread states. */
static brz_tag stated_tag(brz_ctx *ctx, const thread *t)
{
    brz_tag_desc d = {.struct_size = sizeof d, .label_size = sizeof(brz_label)};
    d.flags |= read_stated(&t->origin[ORIGIN_PID], &d.process, BRZ_TAG_PROCESS);
    d.flags |= read_stated(&t->origin[ORIGIN_TID], &d.thread, BRZ_TAG_THREAD);
    d.process_name = json_text(ctx, &t->origin[ORIGIN_PROCESS]);
    d.thread_name = json_text(ctx, &t->origin[ORIGIN_THREAD]);
    return ctx->host->tag(ctx, &d);
}

static reading reading_of(firefox *f, brz_ctx *ctx, thread *t)
{
    process *p = &f->processes[t->process];
    reading r = {.f = f, .ctx = ctx, .thread = t};
    r.stacks = scope_part(&t->scope, &p->shared, ctx, STACKS);
    r.rows = t->samples[SAMPLES_STACK].kind != BRZ_JSON_ARRAY;
    if (r.rows)
        begin_rows(&r);
    else
        begin_columns(&r);
    bool sampled = unit_of(t, BRZ_STR("")).len == 0;
    const brz_json_token *type = &t->samples[SAMPLES_TYPE];
    if (sampled && type->kind == BRZ_JSON_STRING && !is_word(type, "samples"))
        BRZ_WARN(ctx, "firefox.weight-type", type->text.data, type->text.len,
                 "unknown type of weights: they count as samples");
    bool time = is_word(&t->samples[SAMPLES_TYPE], "tracing-ms");
    bool tagged = (ctx->flags & BRZ_CTX_WANTS_TAGS) != 0;
    if (f->own) {
        r.weight = &f->columns[t->column];
        r.has_times = t->origin[ORIGIN_TIMED].kind == BRZ_JSON_TRUE;
        r.tag = tagged && has_origin(t) ? stated_tag(ctx, t) : BRZ_NO_TAG;
    } else {
        r.has_times = true;
        r.weight = find_column(f, sampled ? BRZ_STR("samples")
                                  : time  ? BRZ_STR("time")
                                          : BRZ_STR("bytes"));
        r.duration = sampled ? find_column(f, BRZ_STR("time")) : NULL;
        r.cpu = sampled ? find_column(f, BRZ_STR("cpu")) : NULL;
        r.tag = tagged ? tag_of(ctx, t) : BRZ_NO_TAG;
        brz_stacks_sum(&f->stacks, &r.offset, start_of(ctx, p));
        brz_stacks_sum(&f->stacks, &r.offset, negated(start_of(ctx, &f->processes[0])));
    }
    return r;
}

/* Reports what is known of several samples. */
static void report_counts(const reading *r)
{
    brz_diag d = brz_diag_of(BRZ_NOTE, "firefox.empty", NULL, 0,
                             BRZ_STR("samples without a stack are left out ({count})"));
    d.count = d.records = r->empty;
    d.weighed = r->weight->weight == 0 ? r->empty : 0;
    d.missing = r->weight->weight == 0 ? r->empty_weight : 0;
    if (r->empty > 0)
        r->ctx->host->diag(r->ctx, &d);
    brz_report_count(r->ctx, BRZ_WARNING, "firefox.untimed", r->untimed, 0,
                     BRZ_STR("samples without a time get the time of the sample before them "
                             "({count})"));
    brz_report_count(
        r->ctx, BRZ_WARNING, "firefox.backwards", r->backwards, 0,
        BRZ_STR("samples with an earlier time than the sample before them get its time ({count})"));
}

brz_rc samples_read(firefox *f, brz_ctx *ctx, thread *t)
{
    reading r = reading_of(f, ctx, t);
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && next_sample(&r))
        rc = take_sample(&r);
    brz_stacks_end_sample(&f->stacks);
    brz_report_count(ctx, BRZ_WARNING, "firefox.root", r.stacks->has_root ? r.stacks->others : 0, 0,
                     BRZ_STR("stacks without (root), with which others begin: their first frames "
                             "may be missing ({count})"));
    r.stacks->others = 0;
    report_counts(&r);
    return rc;
}
