/* SPDX-License-Identifier: MIT */
/* The fields that the events of an input have. */
#include "known_fields.h"

#include "../nearest_word.h"
#include "payload.h"

#include <brazier/symbol.h>
#include <brazier/text/buffer.h>

#include <string.h>

/* Limits on the set, on the bytes of a name, and on the names of a message. */
#define FIELDS_MAX  128
#define NAME_MAX    64
#define NAMES_SHOWN 16

/* A word is near another one if it becomes that by as many edits. */
#define EDITS_MAX 3

/* ---- the set --------------------------------------------------------------------------------- */

static int compare(const known_field *a, brz_str event, brz_str name)
{
    int order = brz_str_compare(a->name, name);
    return order != 0 ? order : brz_str_compare(a->event, event);
}

void known_fields_add(known_fields *k, brz_ctx *ctx, brz_str event, brz_str name)
{
    size_t low = 0, high = k->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare(&k->items[middle], event, name);
        if (order == 0)
            return;
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    if (k->n == FIELDS_MAX || name.len > NAME_MAX)
        return;
    k->items = brz_list_room(ctx, k->items, k->n, &k->cap, sizeof *k->items);
    memmove(k->items + low + 1, k->items + low, (k->n - low) * sizeof *k->items);
    k->items[low] = (known_field){brz_text_keep(ctx, event), brz_text_keep(ctx, name)};
    k->n++;
}

void known_fields_add_payload(known_fields *k, brz_ctx *ctx, brz_str event, brz_str payload,
                              bool is_hex)
{
    payload_word word;
    while (payload_next(&payload, is_hex, &word))
        if (word.is_number)
            known_fields_add(k, ctx, event, word.name);
}

/* ---- the message ----------------------------------------------------------------------------- */

/* Returns an event that has the field, or an empty text. */
static brz_str event_with(const known_fields *k, brz_str field)
{
    for (size_t i = 0; i < k->n; i++)
        if (brz_str_equal(k->items[i].name, field))
            return k->items[i].event;
    return BRZ_STR("");
}

static brz_str nearest(const known_fields *k, brz_str field)
{
    nearest_word near = {.edits = field.len / 2 < EDITS_MAX ? field.len / 2 + 1 : EDITS_MAX + 1};
    for (size_t i = 0; i < k->n; i++)
        nearest_word_offer(&near, field, k->items[i].name);
    return near.word;
}

static void append_names(const known_fields *k, brz_ctx *ctx, brz_text *t)
{
    size_t shown = 0;
    brz_str last = BRZ_STR("");
    for (size_t i = 0; i < k->n && shown <= NAMES_SHOWN; i++) {
        if (brz_str_equal(k->items[i].name, last))
            continue;
        last = k->items[i].name;
        brz_text_append(t, ctx, shown == 0 ? BRZ_STR("") : BRZ_STR(", "));
        brz_text_append(t, ctx, shown == NAMES_SHOWN ? BRZ_STR("…") : last);
        shown++;
    }
}

/* Appends `before`, a word and `after`. */
static void append(brz_text *t, brz_ctx *ctx, const char *before, brz_str word, const char *after)
{
    brz_text_append(t, ctx, brz_str_of_text(before));
    brz_text_append(t, ctx, word);
    brz_text_append(t, ctx, brz_str_of_text(after));
}

brz_rc known_fields_report(const known_fields *k, brz_ctx *ctx, const char *code, brz_str field,
                           const char *advice)
{
    brz_text t = {0};
    brz_str event = event_with(k, field), near = nearest(k, field);
    append(&t, ctx, "no counted sample has a number in the field '", field, "'");
    if (k->n == 0) {
        append(&t, ctx, ": ", brz_str_of_text(advice), "");
    } else if (event.len > 0) {
        append(&t, ctx, "; the event '", event, "' has it (event-filter or event=all counts it)");
    } else {
        if (near.len > 0)
            append(&t, ctx, " (did you mean '", near, "'?)");
        brz_text_append(&t, ctx, BRZ_STR("; fields with numbers: "));
        append_names(k, ctx, &t);
    }
    brz_report(ctx, BRZ_FATAL, code, NULL, 0, brz_text_str(&t));
    return BRZ_ERROR;
}
