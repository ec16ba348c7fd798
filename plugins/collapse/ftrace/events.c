/* SPDX-License-Identifier: MIT */
/* Weighs events by their fields. */
#include "events.h"

/* Number of events whose fields are collected for a message. */
#define LOOKED_AT 4096

/* ---- lines ----------------------------------------------------------------------------------- */

/* Recognises "bash-1234". */
static bool is_task(brz_str text)
{
    brz_str name, pid;
    uint64_t number;
    return brz_cut_last(text, '-', &name, &pid) && name.len > 0 && brz_parse_u64(pid, &number);
}

/* Finds the text after "task [cpu] flags time: ". */
static bool take_front(brz_str text, brz_str *task, brz_str *rest)
{
    size_t cpu = brz_str_find(text, BRZ_STR(" ["), 0), end = brz_str_find(text, BRZ_STR(": "), 0);
    if (cpu == SIZE_MAX || end == SIZE_MAX || cpu > end || end == 0)
        return false;
    *task = brz_trim(brz_str_of(text.data, cpu));
    *rest = brz_trim(brz_str_from(text, end + 2));
    return is_task(*task) && brz_is_digit(text.data[end - 1]);
}

static bool is_name(brz_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        if (!brz_is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '_')
            return false;
    }
    return s.len > 0;
}

/* Parses a function of a stack: "kmalloc+0x10/0x40 [mod] (ffffffff8120b385)". */
static brz_str function_of(brz_str text)
{
    brz_str function = brz_trim(text), rest;
    size_t offset = brz_str_find(function, BRZ_STR("+0x"), 0);
    size_t address = brz_str_find(function, BRZ_STR(" ("), 0);
    if (address != SIZE_MAX)
        function.len = address;
    if (offset == SIZE_MAX || offset > function.len)
        return brz_trim_end(function);
    brz_str module = brz_str_from(function, offset);
    if (brz_cut_first(module, ' ', &rest, &module) && module.len > 0)
        return function; /* the offset stays in front of a module */
    return brz_str_of(function.data, offset);
}

static void read_event(brz_str body, trace_event_line *l)
{
    brz_str name, payload;
    bool has_colon = brz_cut_first(body, ':', &name, &payload) && is_name(name);
    bool is_call = !has_colon && brz_cut_first(body, '(', &name, &payload) && is_name(name) &&
                   brz_starts_with(name, BRZ_STR("sys_"));
    bool is_return = !has_colon && !is_call && brz_cut_first(body, ' ', &name, &payload) &&
                     is_name(name) && brz_starts_with(payload, BRZ_STR("-> "));
    if (!has_colon && !is_call && !is_return)
        return;
    l->kind = EVENT_BEGINS;
    l->name = name;
    l->payload = payload;
    l->is_hex = is_call;
    if (brz_str_is(name, "kernel_stack"))
        l->kind = EVENT_STACK;
    else if (brz_str_is(name, "user_stack"))
        l->kind = EVENT_OTHER_STACK;
}

trace_event_line event_line_read(brz_str text)
{
    trace_event_line l = {.kind = EVENT_NONE};
    brz_str body = text = brz_trim(text);
    if (brz_str_take(&body, "=>")) {
        l.kind = EVENT_FRAME;
        l.name = function_of(body);
        return l;
    }
    if (!take_front(text, &l.task, &body))
        return l;
    if (brz_str_is(body, "<stack trace>"))
        l.kind = EVENT_STACK;
    else if (brz_str_is(body, "<user stack trace>"))
        l.kind = EVENT_OTHER_STACK;
    else
        read_event(body, &l);
    return l;
}

/* ---- events ---------------------------------------------------------------------------------- */

void events_init(trace_events *e, brz_ctx *ctx, const ftrace_options *options)
{
    weight_fields_init(&e->fields, ctx, &options->weight_field);
    brz_frame_cache_init(&e->numbers, ctx);
    brz_path_init(&e->path, ctx, 16);
}

static uint32_t event_number(trace_events *e, brz_ctx *ctx, brz_str name)
{
    brz_frame_key key = brz_frame_key_of(&e->numbers, name.data, name.len, 0);
    uint32_t number = brz_frame_cache_find(&e->numbers, &key);
    if (number != BRZ_CACHE_MISS)
        return number;
    number = (uint32_t)e->n;
    e->items = brz_list_room(ctx, e->items, e->n, &e->cap, sizeof *e->items);
    e->items[e->n++] = (trace_event){
        .name = brz_text_keep(ctx, name),
        .column = dump_declare(ctx, name, BRZ_STR("samples")),
        .columns = weight_fields_new_columns(&e->fields, ctx),
    };
    brz_frame_cache_put(&e->numbers, ctx, &key, number);
    return number;
}

void events_begin(trace_events *e, brz_ctx *ctx, const trace_event_line *line, brz_tag tag)
{
    weight_fields_take_payload(&e->fields, line->payload, line->is_hex);
    if (e->n_lines++ < LOOKED_AT)
        known_fields_add_payload(&e->known, ctx, line->name, line->payload, line->is_hex);
    e->event = event_number(e, ctx, line->name);
    e->is_open = true;
    e->has_stack = false;
    e->tag = tag;
    e->frames.len = 0;
}

void events_continue(trace_events *e, brz_ctx *ctx, const trace_event_line *line)
{
    if (line->kind == EVENT_FRAME && e->has_stack) {
        brz_text_append(&e->frames, ctx, BRZ_STR("\n"));
        brz_text_append(&e->frames, ctx, line->name);
    }
    if (line->kind != EVENT_FRAME)
        e->has_stack = line->kind == EVENT_STACK && e->frames.len == 0;
}

/* Makes the path of the open event. */
static void push_frames(trace_events *e, dump *d, dump_describe *describe)
{
    brz_str rest = brz_text_str(&e->frames), function;
    d->stacks.path = &e->path;
    brz_path_cut(&e->path, 0);
    if (rest.len == 0)
        dump_push(d, e->items[e->event].name, 0, describe);
    while (rest.len > 0 && brz_cut_last(rest, '\n', &rest, &function))
        if (function.len > 0)
            dump_push(d, function, 0, describe);
}

brz_rc events_end(trace_events *e, dump *d, dump_describe *describe)
{
    if (!e->is_open)
        return BRZ_OK;
    const trace_event *event = &e->items[e->event];
    e->is_open = false;
    push_frames(e, d, describe);
    brz_stacks_place(&d->stacks, e->tag, 0, 0);
    brz_stacks_begin_sample(&d->stacks);
    brz_rc rc = brz_stacks_count(&d->stacks, d->ctx, event->column, 1);
    if (rc == BRZ_OK)
        rc = weight_fields_count(&e->fields, d->ctx, &d->stacks, event->name, event->columns);
    brz_stacks_end_sample(&d->stacks);
    return rc;
}
