/* Counts the events of a chunk. */
#include "events.h"

#include "tags.h"

void events_init(events *e, brz_ctx *ctx, bool merges)
{
    e->ctx = ctx;
    e->columns.ctx = ctx;
    e->wants_tags = (ctx->flags & BRZ_CTX_WANTS_TAGS) != 0;
    e->wants_time = (ctx->flags & BRZ_CTX_WANTS_TIME) != 0;
    frames_init(&e->frames, ctx, merges);
}

static brz_rc flush(events *e)
{
    size_t n = e->n_batch;
    e->n_batch = 0;
    return n == 0 ? BRZ_OK : e->ctx->host->add(e->ctx, e->batch, n, sizeof *e->batch);
}

static brz_rc add(events *e, const brz_count *count)
{
    e->batch[e->n_batch++] = *count;
    return e->n_batch == EVENTS_BATCH ? flush(e) : BRZ_OK;
}

/* Counts an event in the columns of its type. */
static brz_rc count(events *e, chunk *c, const record_type *t, const object *event)
{
    brz_count n = {.tag = BRZ_NO_TAG};
    bool truncated;
    brz_rc rc = BRZ_OK;
    n.stack = frames_stack(&e->frames, c, event, &truncated);
    e->truncated += truncated;
    if (e->wants_tags)
        n.tag = tags_of(e->ctx, c, event);
    if (e->wants_time && object_has(event, ROLE_START)) {
        n.time = chunk_time(c, event->of[ROLE_START].number);
        n.flags = n.time >= 0 ? BRZ_TIMED : 0;
        n.time = n.time >= 0 ? n.time : 0;
    }
    for (uint32_t i = 0; i < t->n_columns && rc == BRZ_OK; i++) {
        n.weight = t->columns[i].column;
        n.value = columns_value(&t->columns[i], c, event);
        if (n.value != 0)
            rc = add(e, &n);
    }
    return c->reader.is_spent ? BRZ_ERROR : rc;
}

static brz_rc read_event(events *e, chunk *c, uint32_t index, brz_bytes *payload)
{
    const record_type *t = &c->types.items[index];
    object o;
    o.keeps_extras = e->wants_tags;
    object_read(c, &o, index, payload);
    if (payload->error != NULL) {
        brz_report_lost(e->ctx, "jfr.record", payload->error_at, 0,
                        BRZ_STR("a damaged event: left out"));
        return BRZ_OK;
    }
    if (!frames_any(&o) && !columns_is_sample(t))
        return BRZ_OK;
    return count(e, c, t, &o);
}

brz_rc events_count(events *e, chunk *c)
{
    brz_bytes list = c->bytes, payload;
    size_t texts = c->reader.texts.len;
    uint64_t id;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && chunk_next_event(c, &list, &id, &payload)) {
        uint32_t type =
            id == METADATA_EVENT || id == CHECKPOINT_EVENT ? NO_TYPE : types_find(&c->types, id);
        if (type == NO_TYPE || c->types.items[type].n_columns == 0)
            continue;
        rc = read_event(e, c, type, &payload);
        c->reader.texts.len = texts;
    }
    return rc;
}

brz_rc events_finish(events *e)
{
    brz_report_count(e->ctx, BRZ_WARNING, "jfr.truncated", e->truncated, 0,
                     BRZ_STR("{count} {event has|events have} a stack without its outer frames: "
                             "record with a larger stack depth"));
    return flush(e);
}
