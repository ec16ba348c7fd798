/* SPDX-License-Identifier: MIT */
/* Declares events as weights. */
#include "events.h"

#include "../../common/dump/dump.h"

void events_read_title(events *e, brz_ctx *ctx, brz_str text)
{
    event_title t;
    if (!brz_cut_first(text, ':', &t.event, &t.title))
        return;
    t.event = brz_text_keep(ctx, brz_trim(t.event));
    t.title = brz_text_keep(ctx, brz_trim(t.title));
    e->titles = brz_list_room(ctx, e->titles, e->n_titles, &e->titles_cap, sizeof *e->titles);
    e->titles[e->n_titles++] = t;
}

/* Removes " / 1000" from the end of a title. Returns the number of zeros. */
static uint32_t take_decimals(brz_str *title)
{
    uint32_t zeros = 0;
    size_t n = title->len;
    while (n > 0 && title->data[n - 1] == '0') {
        n--;
        zeros++;
    }
    brz_str front = brz_str_of(title->data, n);
    if (zeros > 9 || !brz_ends_with(front, BRZ_STR(" / 1")))
        return 0;
    title->len = n - 4;
    return zeros;
}

/* Reads a title as brazier writes it: "cpu / 1000 (milliseconds)". Titles without a unit are
 * explanations, and the event's name is shorter. */
static void read_title(brz_str title, brz_column_desc *weight)
{
    brz_str front, unit;
    if (!brz_ends_with(title, BRZ_STR(")")) || !brz_cut_last(title, '(', &front, &unit))
        return;
    front = brz_trim(front);
    weight->decimals = take_decimals(&front);
    weight->name = front.len > 0 ? front : weight->name;
    weight->unit = brz_str_of(unit.data, unit.len - 1);
}

/* Reads units as Xdebug writes them: "Time_(10ns)", "Memory_(bytes)". */
static void read_unit(event *e, brz_column_desc *weight)
{
    brz_str unit, name;
    uint64_t factor;
    if (!brz_ends_with(e->name, BRZ_STR(")")) || !brz_cut_first(e->name, '(', &name, &unit) ||
        !brz_ends_with(name, BRZ_STR("_")) || name.len == 1)
        return;
    unit.len--;
    weight->name = brz_str_of(name.data, name.len - 1);
    if (brz_take_u64(&unit, &factor) && factor > 0 && factor <= 1000000)
        e->factor = (int64_t)factor;
    weight->unit = unit;
    if (brz_str_is(unit, "ns"))
        weight->unit = BRZ_STR("nanoseconds");
    else if (brz_str_is(unit, "us"))
        weight->unit = BRZ_STR("microseconds");
}

static void declare(events *e, brz_ctx *ctx, brz_str name)
{
    brz_column_desc weight = {.struct_size = sizeof weight, .name = name, .unit = name};
    event *new = &e->items[e->n++];
    *new = (event){.name = name, .factor = 1};
    read_unit(new, &weight);
    for (size_t i = 0; i < e->n_titles; i++)
        if (brz_str_equal(e->titles[i].event, name))
            read_title(e->titles[i].title, &weight);
    new->weight = ctx->host->column(ctx, &weight);
}

bool events_declare(events *e, brz_ctx *ctx, brz_str text)
{
    brz_str name;
    text = brz_trim(text);
    if (e->n > 0)
        return brz_str_equal(text, e->line);
    brz_str rest = e->line = brz_text_keep(ctx, text);
    while (brz_take_piece(&rest, ' ', &name)) {
        if (name.len > 0 && e->n == EVENTS_MOST)
            BRZ_WARN(ctx, "callgrind.events", text.data, text.len,
                     "more than 64 events: the others are left out");
        else if (name.len > 0)
            declare(e, ctx, name);
    }
    return true;
}
