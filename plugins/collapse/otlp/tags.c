/* SPDX-License-Identifier: MIT */
/* Makes tags of the attributes of samples, their profiles and resources. */
#include "tags.h"

#include <brazier/symbol.h>

#include "../../common/tag_members.h"

#define LINK (UINT64_C(1) << 63) /* marks positions of links, which are not attributes */

/* ---- members of a tag ------------------------------------------------------------------------ */

/* Attributes for which a tag has a member. */
static const tag_member members[] = {
    {"process.pid", BRZ_TAG_PROCESS, true, offsetof(brz_tag_desc, process)},
    {"thread.id", BRZ_TAG_THREAD, true, offsetof(brz_tag_desc, thread)},
    {"process.executable.name", 0, true, offsetof(brz_tag_desc, process_name)},
    {"thread.name", 0, true, offsetof(brz_tag_desc, thread_name)},
};

/* Stores a label in a member of the tag. Returns false if the tag has no member for it. */
static bool set_member(brz_tag_desc *tag, const brz_label *l)
{
    bool is_number = (l->flags & BRZ_LABEL_NUMBER) != 0;
    if (is_number && (l->decimals > 0 || l->unit.len > 0))
        return false;
    return tag_member_store(members, BRZ_COUNT_OF(members), tag, l) != NULL ||
           tag_cpu_store("cpu.logical_number", tag, l);
}

/* ---- labels ---------------------------------------------------------------------------------- */

void tags_init(tags *t, brz_ctx *ctx)
{
    t->ctx = ctx;
    t->are_wanted = (ctx->flags & BRZ_CTX_WANTS_TAGS) != 0;
    pair_map_init(&t->children, ctx);
}

void tags_cut(tags *t, size_t n)
{
    t->n = n;
}

void tags_add(tags *t, const brz_label *label)
{
    t->labels = brz_list_room(t->ctx, t->labels, t->n, &t->cap, sizeof *t->labels);
    t->labels[t->n++] = *label;
}

static uint32_t add_node(tags *t)
{
    t->nodes = brz_list_room(t->ctx, t->nodes, t->n_nodes, &t->nodes_cap, sizeof *t->nodes);
    t->nodes[t->n_nodes] = (tag_node){BRZ_NO_TAG, false};
    return (uint32_t)t->n_nodes++;
}

/* Continues the path of the sample. */
static void descend(tags *t, uint64_t key)
{
    uint32_t child = pair_map_find(&t->children, t->node, key);
    if (child == PAIR_MISS) {
        child = add_node(t);
        pair_map_put(&t->children, t->ctx, t->node, key, child);
    }
    t->node = child;
}

void tags_begin_profile(tags *t)
{
    t->root = add_node(t);
    t->n_before = t->n;
}

void tags_begin_sample(tags *t)
{
    t->node = t->root;
    tags_cut(t, t->n_before);
}

void tags_add_attribute(tags *t, attributes *a, int64_t position, const void *at)
{
    const brz_label *label = attributes_find(a, position, at);
    if (label == NULL || !t->are_wanted)
        return;
    descend(t, (uint64_t)position);
    tags_add(t, label);
}

/* ---- links ----------------------------------------------------------------------------------- */

/* Returns an id as hexadecimal digits, which it is in JSON. */
static brz_str id_text(const tables *of, brz_str id)
{
    static const char digits[] = "0123456789abcdef";
    if (of->document->is_json || id.len > 64)
        return id;
    char *to = of->document->ctx->host->alloc(of->document->ctx, 2 * id.len + 1, 1);
    for (size_t i = 0; i < id.len; i++) {
        to[2 * i] = digits[(uint8_t)id.data[i] >> 4];
        to[2 * i + 1] = digits[id.data[i] & 15];
    }
    return brz_str_of(to, 2 * id.len);
}

void tags_add_link(tags *t, const tables *of, int64_t position, const void *at)
{
    static const char *const keys[] = {"trace_id", "span_id"};
    fields f;
    if (position == 0 || !tables_entry(of, TABLE_LINKS, position, at, &schema_link, &f))
        return;
    if (!t->are_wanted)
        return;
    descend(t, LINK | (uint64_t)position);
    while (!t->nodes[t->node].is_made && fields_next(&f)) {
        brz_label label = {.key = brz_str_of_text(keys[f.member]), .text = id_text(of, f.text)};
        label.unit = brz_str_of("", 0);
        if (label.text.len > 0)
            tags_add(t, &label);
    }
}

/* ---- tags ------------------------------------------------------------------------------------ */

static bool make_tag(tags *t, frames *f, brz_tag *to)
{
    brz_tag_desc tag = brz_tag_empty();
    brz_label *others = t->ctx->host->alloc(t->ctx, (t->n + 1) * sizeof *others, 0);
    for (size_t i = 0; i < t->n; i++) {
        const brz_label *l = &t->labels[i];
        if (!frames_spend(f, sizeof *l + l->key.len + l->text.len + l->unit.len))
            return false;
        others[tag.n_labels] = *l;
        tag.n_labels += !set_member(&tag, l);
    }
    tag.labels = others;
    *to = t->n > 0 ? t->ctx->host->tag(t->ctx, &tag) : BRZ_NO_TAG;
    return true;
}

bool tags_find(tags *t, frames *f, brz_tag *tag)
{
    tag_node *node = &t->nodes[t->node];
    if (!node->is_made && !make_tag(t, f, &node->tag))
        return false;
    node->is_made = true;
    *tag = node->tag;
    return true;
}
