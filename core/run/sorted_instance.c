/* SPDX-License-Identifier: MIT */
/* Reads an input whose collapser returns samples one by one. */
#include "run/sorted_instance.h"

#include <stdlib.h>

#include "host/instance_create.h"
#include "input/slack.h"

static const brz_collapser *collapser_of(const brz_sorted_instance *s)
{
    return s->instance->loaded->vtable;
}

/* Returns whether the instance has done nothing that only a collapser may do. */
static bool is_good(const brz_sorted_instance *s)
{
    return s->instance->reports.n == 0 && !s->instance->rejected &&
           s->instance->profile->n_stacks == 0;
}

/* Creates the instance as for collapsing. */
static void create(brz_sorted_instance *s, const brz_execution *x, const brz_use *use,
                   const char *name)
{
    const brz_collapser *c = use->loaded->vtable;
    brz_instance *i =
        brz_instance_create(use->loaded, x->run, use->options->cfg, NULL, c->inst_size, 0);
    uint32_t drops = brz_pipeline_drops(x->plan);
    brz_instance_collect(i, name, brz_pipeline_wants(x->plan) | brz_detail_drops_flags(drops));
    i->input_desc.size = s->len;
    i->drops = drops;
    i->threads = 1;
    i->chunk = s->memory + BRZ_SLACK_FRONT;
    i->chunk_len = s->len;
    s->instance = i;
}

/* Calls `open` of the collapser. */
static bool open_instance(const brz_sorted_instance *s)
{
    const brz_collapser *c = collapser_of(s);
    if (c->open == NULL)
        return true;
    brz_instance_enter(s->instance, "open", s->instance->input, 0, 0);
    brz_rc rc = c->open(&s->instance->ctx);
    brz_instance_leave(s->instance);
    return rc == BRZ_OK;
}

/* Calls `begin` of the reader. */
static bool begin(const brz_sorted_instance *s)
{
    const brz_chunk whole = {.struct_size = sizeof whole,
                             .flags =
                                 BRZ_CHUNK_RANGE_START | BRZ_CHUNK_INPUT_START | BRZ_CHUNK_LAST,
                             .data = s->instance->chunk,
                             .len = s->len};
    brz_instance_enter(s->instance, "begin", s->instance->input, 0, s->len);
    bool is_begun = s->reader->begin(&s->instance->ctx, &whole);
    brz_instance_leave(s->instance);
    return is_begun;
}

bool brz_sorted_instance_open(brz_sorted_instance *s, const brz_execution *x, const brz_use *use,
                              const brz_sorted_reader *reader, const char *name)
{
    brz_column_desc weight;
    s->reader = reader;
    create(s, x, use, name);
    brz_sample_stack_init(&s->stack, s->instance->profile);
    return open_instance(s) && begin(s) && is_good(s) &&
           brz_sample_stack_weight(&s->stack, &weight);
}

int32_t brz_sorted_instance_next(void *instance, brz_sorted_sample *to)
{
    brz_sorted_instance *s = instance;
    brz_instance_enter(s->instance, "next", s->instance->input, 0, 0);
    int32_t result = s->reader->next(&s->instance->ctx, to);
    brz_instance_leave(s->instance);
    return is_good(s) && s->instance->profile->n_weights == 1 ? result : BRZ_SORTED_OTHER;
}

void brz_sorted_instance_close(brz_sorted_instance *s)
{
    brz_sample_stack_finish(&s->stack);
    if (s->instance != NULL) {
        s->instance->closing = true;
        brz_instance_enter(s->instance, "close", s->instance->input, 0, 0);
        if (collapser_of(s)->close != NULL)
            collapser_of(s)->close(&s->instance->ctx);
        brz_instance_leave(s->instance);
        brz_instance_destroy(s->instance);
    }
    free(s->memory);
    *s = (brz_sorted_instance){.reader = NULL};
}
