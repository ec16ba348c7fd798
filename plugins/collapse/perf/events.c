/* SPDX-License-Identifier: MIT */
/* Maps event lines to processes and columns: selects the samples to count, their weight and their
 * root. */
#include "reader.h"

#include "event_words.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/tree.h>

#include <string.h>

/* Contexts of the frame cache for texts other than symbols. */
#define CONTEXT_ROOT  UINT32_MAX
#define CONTEXT_EVENT (UINT32_MAX - 1)
#define CONTEXT_TAG   (UINT32_MAX - 2)
#define CONTEXT_WAKER (UINT32_MAX - 3)

/* ---- columns ------------------------------------------------------------------------------- */

static uint32_t declare_weight(brz_ctx *ctx, brz_str event, bool period)
{
    brz_column_desc d = {.struct_size = sizeof d};
    bool clock =
        brz_str_equal(event, BRZ_STR("cpu-clock")) || brz_str_equal(event, BRZ_STR("task-clock"));
    d.name = event.len > 0 ? event : BRZ_STR("samples");
    d.flags = event.len > 0 ? 0 : BRZ_COLUMN_SAMPLES;
    d.unit = !period ? BRZ_STR("samples") : clock ? BRZ_STR("nanoseconds") : BRZ_STR("count");
    return ctx->host->column(ctx, &d);
}

void events_init(perf *p, brz_ctx *ctx)
{
    brz_str filter = p->options->event_filter;
    p->first_weight = p->options->event == EVENT_FIRST ? 0 : BRZ_NO_COLUMN;
    if (p->options->event == EVENT_FIRST)
        declare_weight(ctx, filter.len > 0 ? filter : p->prelude->event, p->prelude->periods);
}

/* Returns whether --event-filter matches: it may name the event, with or without modifiers, or a
 * tracepoint's subsystem. */
static bool filter_matches(brz_str filter, const event_line *e)
{
    brz_str label = e->label;
    if (label.len > 0)
        label.len--;
    if (brz_str_equal(filter, e->event) || brz_str_equal(filter, label))
        return true;
    return brz_starts_with(label, filter) && label.len > filter.len &&
           label.data[filter.len] == ':';
}

bool event_is_chosen(const perf *p, const event_line *e)
{
    brz_str filter = p->options->event_filter;
    return p->options->event == EVENT_ALL || (filter.len > 0 && filter_matches(filter, e));
}

static bool is_counted(const perf *p, const event_line *e)
{
    if (p->options->event == EVENT_ALL || p->options->event_filter.len > 0)
        return event_is_chosen(p, e);
    if (p->prelude->event.len == 0 || e->label.len == 0)
        return true;
    return brz_str_equal(e->event, p->prelude->event);
}

static void add_event(perf *p, brz_ctx *ctx, const event_line *e)
{
    if (p->n_events == p->events_cap) {
        uint32_t cap = p->events_cap > 0 ? 2 * p->events_cap : 8;
        perf_event *events = ctx->host->alloc(ctx, cap * sizeof *events, 0);
        if (p->n_events > 0)
            memcpy(events, p->events, p->n_events * sizeof *events);
        p->events = events;
        p->events_cap = cap;
    }
    perf_event *event = &p->events[p->n_events++];
    memset(event, 0, sizeof *event);
    event->label = brz_text_keep(ctx, e->label);
    event->counted = is_counted(p, e);
    if (!event->counted || p->options->event != EVENT_ALL)
        return;
    event->weight = declare_weight(ctx, e->event, e->has_period);
    if (brz_str_equal(e->event, p->prelude->event))
        p->first_weight = event->weight;
}

/* Returns the number of the event; adds the event if it is new. */
static uint32_t event_number(perf *p, brz_ctx *ctx, const event_line *e)
{
    p->names.len = 0;
    brz_text_append(&p->names, ctx, e->label);
    brz_frame_key key = brz_frame_key_of(&p->frames, p->names.data, p->names.len, CONTEXT_EVENT);
    uint32_t number = brz_frame_cache_find(&p->frames, &key);
    if (number != BRZ_CACHE_MISS)
        return number;
    number = p->n_events;
    brz_frame_cache_put(&p->frames, ctx, &key, number);
    add_event(p, ctx, e);
    return number;
}

/* ---- processes ----------------------------------------------------------------------------- */

/* Returns "comm-PID/TID" as far as the options ask for it, with spaces replaced by "_". */
static brz_str root_name(perf *p, brz_ctx *ctx, const event_line *e)
{
    brz_text *b = &p->scratch;
    b->len = 0;
    brz_text_append(b, ctx, e->comm.len > 0 ? e->comm : BRZ_STR("[unknown]"));
    for (size_t i = 0; i < b->len; i++)
        if (b->data[i] == ' ' || b->data[i] == '\t')
            b->data[i] = '_';
    if (p->options->pid || p->options->tid) {
        brz_text_append(b, ctx, BRZ_STR("-"));
        brz_text_append(b, ctx, e->pid.len > 0 ? e->pid : BRZ_STR("?"));
    }
    if (p->options->tid) {
        brz_text_append(b, ctx, BRZ_STR("/"));
        brz_text_append(b, ctx, e->tid.len > 0 ? e->tid : BRZ_STR("?"));
    }
    return brz_str_of(b->data, b->len);
}

static brz_frame root_frame(perf *p, brz_ctx *ctx, brz_str name)
{
    uint32_t context = p->naming.waker ? CONTEXT_WAKER : CONTEXT_ROOT;
    brz_frame_key key = brz_frame_key_of(&p->frames, name.data, name.len, context);
    uint32_t value = brz_frame_cache_find(&p->frames, &key);
    if (value != BRZ_CACHE_MISS)
        return value;
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_PROCESS, .name = name};
    d.flags = p->naming.waker ? BRZ_FRAME_WAKER : 0;
    value = ctx->host->frame(ctx, &d);
    brz_frame_cache_put(&p->frames, ctx, &key, value);
    return value;
}

brz_frame event_root(perf *p, brz_ctx *ctx, const event_line *e)
{
    return root_frame(p, ctx, root_name(p, ctx, e));
}

/* ---- tags and times ------------------------------------------------------------------------ */

/* Returns the tag of a sample. The cache is keyed by the text of the fields. */
static brz_tag tag_of(perf *p, brz_ctx *ctx, const event_line *e)
{
    const brz_str fields[] = {e->comm, e->pid, e->tid, e->cpu};
    p->names.len = 0;
    for (size_t i = 0; i < BRZ_COUNT_OF(fields); i++) {
        if (fields[i].len > 0)
            brz_text_append(&p->names, ctx, fields[i]);
        brz_text_append(&p->names, ctx, BRZ_STR("\n"));
    }
    brz_frame_key key = brz_frame_key_of(&p->frames, p->names.data, p->names.len, CONTEXT_TAG);
    uint32_t tag = brz_frame_cache_find(&p->frames, &key);
    if (tag != BRZ_CACHE_MISS)
        return tag;
    brz_tag_desc d = event_describe(e);
    tag = ctx->host->tag(ctx, &d);
    brz_frame_cache_put(&p->frames, ctx, &key, tag);
    return tag;
}

/* Sets the tag and the time of the sample that begins, as far as the run needs them. */
static void place_sample(perf *p, brz_ctx *ctx, const event_line *e)
{
    bool timed = (ctx->flags & BRZ_CTX_WANTS_TIME) && e->has_time;
    brz_tag tag = ctx->flags & BRZ_CTX_WANTS_TAGS ? tag_of(p, ctx, e) : BRZ_NO_TAG;
    brz_stacks_place(&p->stacks, tag, timed ? BRZ_TIMED : 0, timed ? event_time(e->time) : 0);
}

/* ---- beginning of a sample ----------------------------------------------------------------- */

static void enter(perf *p, uint32_t event, int64_t period)
{
    perf_event *e = &p->events[event];
    bool is_used = p->last_switch.type != NO_SWITCH;
    e->left_out += !e->counted && !is_used;
    p->state = e->counted || is_used ? COUNTING : LEFT_OUT;
    p->uncounted = !e->counted;
    p->weight = e->weight;
    p->period = period;
    p->at_start = false;
}

/* Returns whether an event is a branch of a hardware trace: its line has the code from which and to
 * which it went. Samples of the counter of the same name do not. */
static bool is_traced_branch(const event_line *e)
{
    return e->rest.len > 0 && brz_str_is(e->event, "branches") &&
           brz_str_find(e->rest, BRZ_STR(" => "), 0) != SIZE_MAX;
}

void event_begin(perf *p, brz_ctx *ctx, const event_line *e)
{
    p->last_event = p->same_event = (p->last_event + 1) % KNOWN_EVENTS;
    perf_known_event *known = &p->known_events[p->last_event];
    known->event = event_number(p, ctx, e);
    if (p->off.is_on)
        switches_begin(p, ctx, e);
    p->root = known->root = event_root(p, ctx, e);
    p->java = known->java = brz_starts_with(e->comm, BRZ_STR("java"));
    event_template_init(&known->line, e);
    enter(p, known->event, e->period);
    if (p->needs_places)
        place_sample(p, ctx, e);
    p->n_branches += p->state == COUNTING && is_traced_branch(e);
    if (weight_fields_are_on(&p->fields))
        fields_begin(p, ctx, known->event, e->rest);
}

bool event_begin_known(perf *p, brz_str line)
{
    int64_t period;
    for (uint32_t i = 0; i < KNOWN_EVENTS; i++) {
        uint32_t at = (p->same_event + KNOWN_EVENTS - i) % KNOWN_EVENTS;
        const perf_known_event *known = &p->known_events[at];
        if (!event_template_parse(&known->line, line, &period))
            continue;
        p->same_event = at;
        p->root = known->root;
        p->java = known->java;
        enter(p, known->event, period);
        return true;
    }
    return false;
}

/* Leaves out the current sample because it has no stack. */
void event_leave_out_frameless(perf *p)
{
    p->n_frameless++;
    if (p->weight == p->first_weight)
        brz_stacks_sum(&p->stacks, &p->frameless_weight, p->period);
}

/* ---- reports ------------------------------------------------------------------------------- */

static void report_left_out(brz_ctx *ctx, brz_text *b, const perf_event *e)
{
    brz_str label = e->label;
    label.len -= label.len > 0; /* without the colon */
    b->len = 0;
    brz_text_append(b, ctx, BRZ_STR("samples left out: {count} of the event '"));
    brz_text_append(b, ctx, label);
    brz_text_append(b, ctx, BRZ_STR("' (event-filter or event=all counts them)"));
    brz_report_count(ctx, BRZ_NOTE, "perf.other-event", e->left_out, 0, brz_text_str(b));
}

void events_report(perf *p, brz_ctx *ctx)
{
    for (uint32_t i = 0; i < p->n_events; i++)
        if (p->events[i].left_out > 0)
            report_left_out(ctx, &p->scratch, &p->events[i]);
    brz_report_count(ctx, BRZ_NOTE, "perf.incomplete", p->n_parts, 0,
                     BRZ_STR("stacks of which the input shows only a part: {count}"));
    brz_report_count(ctx, BRZ_NOTE, "perf.branches", p->n_branches, 0,
                     BRZ_STR("branches of a hardware trace, which are no samples of time: {count} "
                             "(perf script --itrace=i100usg prints samples with callers)"));
    if (p->n_frameless == 0)
        return;
    brz_diag d =
        brz_diag_of(BRZ_NOTE, "perf.frameless", NULL, 0,
                    BRZ_STR("samples without a stack left out: {count} (frameless counts them)"));
    d.count = d.records = d.weighed = p->n_frameless;
    d.missing = p->frameless_weight;
    ctx->host->diag(ctx, &d);
}
