/* SPDX-License-Identifier: MIT */
/* Reads texts, places and traces. */
#include "traces.h"

#include "../../common/names/unresolved.h"

bool heap_take_number(brz_str *line, uint64_t *number)
{
    brz_str rest = *line;
    if (!brz_take_hex(&rest, number) || (rest.len > 0 && !brz_str_take(&rest, " ")))
        return false;
    *line = rest;
    return true;
}

/* ---- texts ----------------------------------------------------------------------------------- */

bool heap_add_text(heap_traces *t, brz_ctx *ctx, brz_str line, bool sized)
{
    brz_text copy = {0};
    uint64_t length = line.len;
    bool has_length = !sized || heap_take_number(&line, &length);
    if (has_length && length <= line.len)
        brz_text_append(&copy, ctx, brz_str_of(line.data, (size_t)length));
    t->texts = brz_list_room(ctx, t->texts, t->n_texts, &t->texts_cap, sizeof *t->texts);
    t->texts[t->n_texts++] = brz_text_str(&copy);
    return has_length && length == line.len;
}

/* Returns a text by its number; 0 and unknown numbers stand for no text. */
static brz_str text_of(const heap_traces *t, uint64_t number)
{
    return number > 0 && number <= t->n_texts ? t->texts[number - 1] : brz_str_of("", 0);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Remembers a text as one of the names of the current place. Returns false if no line before it
 * defines the text. */
static bool add_name(heap_traces *t, brz_ctx *ctx, uint64_t number)
{
    if (number == 0 || number > t->n_texts)
        return number == 0;
    t->names = brz_list_room(ctx, t->names, t->n_names, &t->names_cap, sizeof *t->names);
    t->names[t->n_names++] = (uint32_t)number;
    return true;
}

static bool is_operator_new(brz_str function)
{
    return brz_starts_with(function, BRZ_STR("operator new(")) ||
           brz_starts_with(function, BRZ_STR("operator new[]("));
}

/* Removes "FUNCTION [FILE LINE]" from the front. Returns false if no line before it defines its
 * texts. Clears *is_whole if the line breaks off after FILE. */
static bool take_function(heap_traces *t, brz_ctx *ctx, brz_str *line, brz_frame_desc *frame,
                          bool *is_whole)
{
    uint64_t function = 0, file = 0, number = 0;
    heap_take_number(line, &function);
    if (heap_take_number(line, &file)) {
        *is_whole &= heap_take_number(line, &number);
        frame->line = number <= UINT32_MAX ? (uint32_t)number : frame->line;
    }
    frame->name = text_of(t, function);
    frame->file = text_of(t, file);
    bool is_named = add_name(t, ctx, function);
    return add_name(t, ctx, file) && is_named;
}

static void add_frame(heap_traces *t, dump *d, brz_frame_desc *frame)
{
    if (frame->name.len == 0)
        frame->name = unresolved_name(&d->text, d->ctx, frame->module, 0);
    brz_frame_list_push(&t->frames, d->ctx, dump_frame(d, frame));
}

bool heap_add_place(heap_traces *t, dump *d, brz_str line)
{
    heap_place place = {.first = t->frames.n, .first_name = t->n_names};
    brz_frame_desc frame = {.kind = BRZ_KIND_USER};
    uint64_t module = 0;
    brz_str whole = line;
    bool good = heap_take_number(&line, &frame.address);
    bool is_whole = heap_take_number(&line, &module);
    frame.module = text_of(t, module);
    bool is_named = add_name(t, d->ctx, module);
    do {
        size_t before = line.len;
        is_named &= take_function(t, d->ctx, &line, &frame, &is_whole);
        place.allocates |= is_operator_new(frame.name);
        frame.flags = line.len > 0 ? BRZ_FRAME_INLINED : 0;
        good &= line.len < before || before == 0;
        add_frame(t, d, &frame);
    } while (line.len > 0 && good);
    place.n = t->frames.n - place.first;
    place.n_names = t->n_names - place.first_name;
    t->places = brz_list_room(d->ctx, t->places, t->n_places, &t->places_cap, sizeof *t->places);
    t->places[t->n_places++] = place;
    if (good && !is_whole)
        BRZ_WARN(d->ctx, "heaptrack.place", whole.data, whole.len,
                 "the line breaks off: functions of this place may be missing");
    if (!is_named)
        BRZ_WARN(
            d->ctx, "heaptrack.reference", whole.data, whole.len,
            "no line before it defines a text of this number: a line of a text is missing, and "
            "names may be those of others");
    return good;
}

/* ---- traces ---------------------------------------------------------------------------------- */

bool heap_add_trace(heap_traces *t, brz_ctx *ctx, brz_str line)
{
    uint64_t place = 0, above = 0;
    bool good = heap_take_number(&line, &place) && heap_take_number(&line, &above) && place > 0 &&
                place <= t->n_places && above <= t->n;
    t->items = brz_list_room(ctx, t->items, t->n, &t->cap, sizeof *t->items);
    t->items[t->n] = (heap_trace){.place = UINT32_MAX};
    if (good)
        t->items[t->n] = (heap_trace){.place = (uint32_t)place - 1, .above = (uint32_t)above};
    t->n++;
    return good && line.len == 0;
}

/* Returns a flag per text. */
static bool *match_texts(const heap_traces *t, brz_ctx *ctx, const suppressions *s)
{
    bool *matches = ctx->host->alloc(ctx, t->n_texts + 1, 0);
    for (size_t i = 0; i < t->n_texts; i++)
        matches[i] = suppressions_match(s, t->texts[i]);
    return matches;
}

static bool has_match(const heap_traces *t, const heap_place *place, const bool *matches)
{
    for (size_t i = 0; i < place->n_names; i++)
        if (matches[t->names[place->first_name + i] - 1])
            return true;
    return false;
}

void heap_suppress(heap_traces *t, brz_ctx *ctx, const suppressions *s)
{
    const bool *matches = match_texts(t, ctx, s);
    for (size_t i = 0; i < t->n; i++) {
        heap_trace *trace = &t->items[i];
        const heap_place *place = trace->place == UINT32_MAX ? NULL : &t->places[trace->place];
        trace->suppressed =
            heap_is_suppressed(t, trace->above) || (place != NULL && has_match(t, place, matches));
    }
}

static void push_place(const heap_traces *t, dump *d, const heap_place *place)
{
    for (size_t i = 0; i < place->n; i++)
        brz_path_push(d->stacks.path, d->ctx, t->frames.ids[place->first + i]);
}

bool heap_push_trace(const heap_traces *t, dump *d, uint32_t trace)
{
    for (; trace > 0 && dump_depth(d) < HEAP_DEPTH_MAX; trace = t->items[trace - 1].above) {
        uint32_t index = t->items[trace - 1].place;
        const heap_place *place = index == UINT32_MAX ? NULL : &t->places[index];
        if (place != NULL && !(place->allocates && dump_depth(d) == 0))
            push_place(t, d, place);
    }
    if (dump_depth(d) == 0) {
        brz_frame_desc unknown = {0};
        brz_path_push(d->stacks.path, d->ctx, dump_frame(d, &unknown));
    }
    return trace == 0;
}
