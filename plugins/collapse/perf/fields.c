/* SPDX-License-Identifier: MIT */
/* Weighs samples by fields of their payloads, such as the bytes that an allocation has. */
#include "reader.h"

#include "../../common/names/event_name.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>

/* Collects the fields with numbers of the events in a text. */
void fields_find(perf_prelude *found, brz_ctx *ctx, brz_str text)
{
    brz_str line;
    while (brz_take_line(&text, &line)) {
        event_line event;
        if (line_begins_sample(brz_trim_end(line), NOT_FLAT, &event) && event.label.len > 0)
            known_fields_add_payload(&found->fields, ctx, event.event, event.rest, false);
    }
}

/* Takes the fields of a sample that begins. */
void fields_begin(perf *p, brz_ctx *ctx, uint32_t event, brz_str payload)
{
    perf_event *e = &p->events[event];
    p->event = event;
    if (e->columns == NULL)
        e->columns = weight_fields_new_columns(&p->fields, ctx);
    weight_fields_take_payload(&p->fields, payload, false);
}

/* Counts the current stack in the column of its event, and in those of the fields. */
brz_rc fields_count(perf *p, brz_ctx *ctx)
{
    const perf_event *e = &p->events[p->event];
    size_t colon = e->label.len > 0; /* at its end */
    brz_str name = event_without_modifiers(brz_str_of(e->label.data, e->label.len - colon));
    brz_stacks_begin_sample(&p->stacks);
    brz_rc rc = brz_stacks_count(&p->stacks, ctx, p->weight, p->period);
    if (rc == BRZ_OK)
        rc = weight_fields_count(&p->fields, ctx, &p->stacks, name, e->columns);
    brz_stacks_end_sample(&p->stacks);
    return rc;
}

/* Reports samples without the fields, and fields that no sample has. */
brz_rc fields_report(const perf *p, brz_ctx *ctx)
{
    return weight_fields_report(&p->fields, ctx, &p->prelude->fields, "perf.weight-field",
                                "the lines of its event have no payload; record a tracepoint and "
                                "print it with `perf script`, or with -F +trace");
}
