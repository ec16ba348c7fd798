/* SPDX-License-Identifier: MIT */
/* Makes tags of the labels of samples. */
#include "labels.h"

#include <brazier/symbol.h>

#include "../../common/tag_members.h"

/* Labels that profilers use for what a tag has a member for. Those with a less common key stay
 * labels, too, so that an output can write them as they were. */
static const tag_member members[] = {
    {"pid", BRZ_TAG_PROCESS, true, offsetof(brz_tag_desc, process)},
    {"process_id", BRZ_TAG_PROCESS, false, offsetof(brz_tag_desc, process)},
    {"tid", BRZ_TAG_THREAD, true, offsetof(brz_tag_desc, thread)},
    {"thread_id", BRZ_TAG_THREAD, false, offsetof(brz_tag_desc, thread)},
    {"thread id", BRZ_TAG_THREAD, false, offsetof(brz_tag_desc, thread)},
    {"process_name", 0, true, offsetof(brz_tag_desc, process_name)},
    {"thread_name", 0, true, offsetof(brz_tag_desc, thread_name)},
    {"thread name", 0, false, offsetof(brz_tag_desc, thread_name)},
};

static brz_label read_label(const tables *t, brz_bytes b)
{
    brz_label l = {.key = {"", 0}, .text = {"", 0}, .unit = {"", 0}, .flags = BRZ_LABEL_NUMBER};
    brz_proto_field field;
    while (brz_proto_next(&b, &field))
        if (field.number == 1) {
            l.key = tables_text(t, field.value, b.at);
        } else if (field.number == 2 && field.value != 0) {
            l.text = tables_text(t, field.value, b.at);
            l.flags = 0;
        } else if (field.number == 3) {
            l.number = (int64_t)field.value;
        } else if (field.number == 4) {
            l.unit = tables_text(t, field.value, b.at);
        }
    if (b.error != NULL)
        BRZ_WARN(t->ctx, "pprof.label", b.error_at, 0, "a damaged label: its rest is missing");
    return l;
}

/* Stores a label in a member of the tag. Returns whether the member says all that the label says.
 */
static bool set_member(brz_tag_desc *tag, const brz_label *l)
{
    const tag_member *m = tag_member_store(members, BRZ_COUNT_OF(members), tag, l);
    return m != NULL ? m->is_common && l->unit.len == 0 : tag_cpu_store("cpu", tag, l);
}

brz_tag labels_tag(labels *l, frames *f, brz_bytes sample)
{
    brz_tag_desc tag = {.struct_size = sizeof tag, .label_size = sizeof(brz_label)};
    brz_proto_field field;
    bool any = false;
    while (brz_proto_next(&sample, &field)) {
        if (field.number != 3 || field.type != BRZ_PROTO_BYTES)
            continue;
        size_t n = (size_t)tag.n_labels;
        l->items = brz_list_room(f->ctx, l->items, n, &l->cap, sizeof *l->items);
        brz_label *label = &l->items[n];
        *label = read_label(f->tables, field.part);
        if (!frames_spend(f, label->key.len + label->text.len + label->unit.len))
            return BRZ_NO_TAG;
        tag.n_labels += !set_member(&tag, label);
        any = true;
    }
    tag.labels = l->items;
    return any ? f->ctx->host->tag(f->ctx, &tag) : BRZ_NO_TAG;
}
