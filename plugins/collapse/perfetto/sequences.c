/* SPDX-License-Identifier: MIT */
/* Keeps what the writers of packets state for their later packets. */
#include "sequences.h"

#include <brazier/text/buffer.h>

void sequences_init(sequences *s, brz_ctx *ctx)
{
    *s = (sequences){.ctx = ctx};
    pair_map_init(&s->by_id, ctx);
    pair_map_init(&s->by_key, ctx);
}

uint32_t sequences_generation(sequences *s)
{
    return ++s->generations;
}

/* ---- tables ---------------------------------------------------------------------------------- */

enum { ENTRY_NUMBER = 1, ENTRY_TEXT = 2 };

static bool has_texts(uint32_t table)
{
    return table == TABLE_CATEGORIES || table == TABLE_EVENT_NAMES || table == TABLE_FUNCTIONS ||
           table == TABLE_BUILD_IDS || table == TABLE_PATHS || table == TABLE_SOURCE_PATHS ||
           table == TABLE_TEXTS;
}

static bool is_table(uint32_t number)
{
    return has_texts(number) || number == TABLE_FRAMES || number == TABLE_CALLSTACKS ||
           number == TABLE_MAPPINGS || (number >= TABLE_TASKS && number <= TABLE_COUNTERS);
}

/* Makes one number of a generation and a table. */
static uint64_t key_of(uint32_t generation, uint32_t table)
{
    bool own_texts = (generation & OWN_TABLES) != 0 && has_texts(table);
    return (uint64_t)generation << 8 | (own_texts ? TABLE_TEXTS : table);
}

void sequences_add(sequences *s, uint32_t generation, uint32_t table, brz_bytes message,
                   const char *at)
{
    interned entry = {.text = brz_str_of((const char *)message.at, brz_bytes_left(&message)),
                      .at = at};
    uint64_t number = 0, key = key_of(generation, table);
    brz_proto_field f;
    if (has_texts(table))
        entry.text = brz_str_of("", 0);
    while (brz_proto_next(&message, &f))
        if (f.number == ENTRY_NUMBER && f.type == BRZ_PROTO_VARINT)
            number = f.value;
        else if (f.number == ENTRY_TEXT && has_texts(table) && f.type == BRZ_PROTO_BYTES)
            entry.text = brz_proto_text(&f);
    if (message.error != NULL)
        BRZ_WARN(s->ctx, "perfetto.entry", at, 0,
                 "a damaged entry of a table: its rest is missing");
    if (pair_map_find(&s->by_key, key, number) != PAIR_MISS)
        return;
    s->entries =
        brz_list_room(s->ctx, s->entries, s->n_entries, &s->entries_cap, sizeof *s->entries);
    s->entries[s->n_entries] = entry;
    pair_map_put(&s->by_key, s->ctx, key, number, (uint32_t)s->n_entries++);
}

interned *sequences_find(const sequences *s, uint32_t generation, uint32_t table, uint64_t number)
{
    uint32_t i = pair_map_find(&s->by_key, key_of(generation, table), number);
    return i == PAIR_MISS ? NULL : &s->entries[i];
}

brz_str sequences_text(const sequences *s, uint32_t generation, uint32_t table, uint64_t number,
                       const char *at)
{
    const interned *found = sequences_find(s, generation, table, number);
    if (found != NULL)
        return found->text;
    if (number != 0)
        BRZ_WARN(s->ctx, "perfetto.text", at, 0, "no text has this number: left empty");
    return brz_str_of("", 0);
}

static void take_interned(sequences *s, uint32_t generation, const packet *p)
{
    brz_bytes b = p->interned;
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.type == BRZ_PROTO_BYTES && is_table(f.number))
            sequences_add(s, generation, f.number, f.part, p->at);
    if (b.error != NULL)
        BRZ_WARN(s->ctx, "perfetto.table", p->at, 0,
                 "a damaged table: its rest is missing, and names with it");
}

/* ---- sequences ------------------------------------------------------------------------------- */

/* Fields of the defaults of packets, and of the defaults of events in them. */
enum { DEFAULT_EVENT = 11, DEFAULT_CLOCK = 58 };
enum { EVENT_DEFAULT_TRACK = 11 };

static sequence *find_sequence(sequences *s, uint32_t id)
{
    if (s->last < s->n && s->items[s->last].id == id)
        return &s->items[s->last];
    uint32_t i = pair_map_find(&s->by_id, id, 0);
    s->last = i == PAIR_MISS ? s->n : i;
    if (i != PAIR_MISS)
        return &s->items[i];
    s->items = brz_list_room(s->ctx, s->items, s->n, &s->cap, sizeof *s->items);
    pair_map_put(&s->by_id, s->ctx, id, 0, (uint32_t)s->n);
    s->items[s->n] = (sequence){.id = id, .generation = sequences_generation(s)};
    return &s->items[s->n++];
}

static void take_defaults(sequence *of, brz_bytes b)
{
    brz_proto_field f, inner;
    of->defaults = brz_str_of((const char *)b.at, brz_bytes_left(&b));
    of->clock = 0;
    of->track = 0;
    of->sampling = 0;
    while (brz_proto_next(&b, &f)) {
        if (f.number == DEFAULT_CLOCK)
            of->clock = (uint32_t)f.value;
        while (f.number == DEFAULT_EVENT && f.type == BRZ_PROTO_BYTES &&
               brz_proto_next(&f.part, &inner))
            if (inner.number == EVENT_DEFAULT_TRACK)
                of->track = inner.value;
    }
}

sequence *sequences_enter(sequences *s, const packet *p)
{
    sequence *of = find_sequence(s, p->sequence);
    of->is_whole |= p->is_first;
    if (p->clears) {
        of->generation = sequences_generation(s);
        of->is_valid = true;
        of->has_reference = false;
        of->defaults = brz_str_of("", 0);
        of->clock = of->sampling = 0;
        of->track = 0;
    } else if (p->after_gap) {
        of->is_valid = of->has_reference = false;
    }
    of->is_whole &= !p->after_gap || p->is_first;
    if (p->has_defaults)
        take_defaults(of, p->defaults);
    take_interned(s, of->generation, p);
    if (p->follows && !of->is_valid) {
        s->invalid++;
        return NULL;
    }
    return of;
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREAD_PROCESS = 1, THREAD_ID = 2, THREAD_REFERENCE = 6 };

void sequence_take_thread(sequence *s, brz_bytes b)
{
    brz_proto_field f;
    int64_t reference = 0;
    s->has_thread = true;
    s->process = s->thread = 0;
    while (brz_proto_next(&b, &f))
        if (f.number == THREAD_PROCESS)
            s->process = (int32_t)f.value;
        else if (f.number == THREAD_ID)
            s->thread = (int64_t)f.value;
        else if (f.number == THREAD_REFERENCE)
            reference = (int64_t)f.value;
    s->has_reference = !__builtin_mul_overflow(reference, 1000, &s->reference);
}
