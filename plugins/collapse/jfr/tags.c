/* Makes tags of events. */
#include "tags.h"

/* The state of the thread, in addition to the values without a role. */
#define MAX_LABELS (MAX_EXTRAS + 1)

static void set_thread(chunk *c, brz_tag_desc *tag, const field_value *v)
{
    const constant *k = v->field->is_pooled ? constants_find(c, v->field->type, v->number) : NULL;
    object o;
    o.keeps_extras = false;
    if (k == NULL || !constants_object(c, k, &o))
        return;
    uint64_t system = object_number(&o, ROLE_OS_ID, 0), java = object_number(&o, ROLE_JAVA_ID, 0);
    tag->thread = (int64_t)(system != 0 ? system : java);
    tag->flags |= tag->thread > 0 ? BRZ_TAG_THREAD : 0;
    if (object_has(&o, ROLE_JAVA_NAME))
        tag->thread_name = value_text(c, &o.of[ROLE_JAVA_NAME]);
    if (tag->thread_name.len == 0 && object_has(&o, ROLE_OS_NAME))
        tag->thread_name = value_text(c, &o.of[ROLE_OS_NAME]);
}

/* Adds a label: an id other than 0, or a text that is not empty. */
static void add_label(chunk *c, brz_tag_desc *tag, brz_label *labels, const field_value *v)
{
    brz_label l = {.key = v->field->name, .text = {"", 0}, .unit = {"", 0}};
    basic kind = (basic)c->types.items[v->field->type].basic;
    bool number = !v->field->is_pooled && kind != BASIC_STRING;
    if (number) {
        l.number = (int64_t)v->number;
        l.flags = BRZ_LABEL_NUMBER;
    } else {
        l.text = value_text(c, v);
    }
    if ((number ? l.number == 0 : l.text.len == 0) || !reader_spend(&c->reader, l.key.len))
        return;
    labels[tag->n_labels++] = l;
}

brz_tag tags_of(brz_ctx *ctx, chunk *c, const object *event)
{
    brz_tag_desc tag = {.struct_size = sizeof tag, .label_size = sizeof(brz_label)};
    brz_label labels[MAX_LABELS];
    role thread = object_has(event, ROLE_SAMPLED_THREAD) ? ROLE_SAMPLED_THREAD : ROLE_EVENT_THREAD;
    if (object_has(event, thread))
        set_thread(c, &tag, &event->of[thread]);
    const field_value *state = &event->of[ROLE_STATE];
    if (object_has(event, ROLE_STATE) && state->field->is_pooled && state->field->type != NO_TYPE)
        add_label(c, &tag, labels, state);
    for (size_t i = 0; i < event->n_extras; i++)
        add_label(c, &tag, labels, &event->extras[i]);
    tag.labels = labels;
    return ctx->host->tag(ctx, &tag);
}
