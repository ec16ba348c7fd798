/* SPDX-License-Identifier: MIT */
/* Makes frames of the names of events. */
#include "names.h"

#include <brazier/symbol.h>

#include "../../common/json/text.h"

/* Older files have this byte before each argument. */
#define ARGUMENT_TAG 0x11

static kind_role role_of(brz_str name)
{
    if (brz_str_is(name, "ArtifactSize"))
        return ROLE_SIZE;
    if (brz_str_is(name, "QueryCacheHitCount"))
        return ROLE_CACHE_HIT_COUNT;
    return brz_str_is(name, "QueryCacheHit") ? ROLE_CACHE_HIT : ROLE_OTHER;
}

void names_init(names *n, brz_ctx *ctx, texts *t, bool args)
{
    n->ctx = ctx;
    n->texts = t;
    n->args = args;
    pair_map_init(&n->frames, ctx);
    pair_map_init(&n->kind_ids, ctx);
}

uint32_t names_kind(names *n, uint64_t id)
{
    uint32_t index = pair_map_find(&n->kind_ids, id, 0);
    if (index != PAIR_MISS)
        return index;
    if (!texts_get(n->texts, id, false, &n->scratch))
        return PAIR_MISS;
    n->kinds = brz_list_room(n->ctx, n->kinds, n->n_kinds, &n->kinds_cap, sizeof *n->kinds);
    brz_str name = brz_text_keep(n->ctx, brz_text_str(&n->scratch));
    n->kinds[n->n_kinds] = (event_kind){name, role_of(name)};
    pair_map_put(&n->kind_ids, n->ctx, id, 0, (uint32_t)n->n_kinds);
    return (uint32_t)n->n_kinds++;
}

/* ---- labels --------------------------------------------------------------------------------- */

static bool is_control(char c)
{
    return ((unsigned char)c < ' ' && !(c >= '\t' && c <= '\r')) || c == 0x7f;
}

/* Returns the label, or a name for labels that cannot be read. */
static brz_str checked(names *n, brz_str label)
{
    bool bad = label.len == 0;
    for (size_t i = 0; i < label.len && !bad; i++)
        bad = is_control(label.data[i]);
    n->unreadable += bad;
    return bad ? BRZ_STR("<parse error>") : label;
}

/* Takes the next part of a name: its label, or an argument. Returns false at the end. */
static bool take_part(brz_str *rest, brz_str *part)
{
    if (rest->data == NULL)
        return false;
    const char *end = rest->len > 0 ? memchr(rest->data, SEPARATOR, rest->len) : NULL;
    size_t len = end != NULL ? (size_t)(end - rest->data) : rest->len;
    *part = brz_str_of(rest->data, len);
    *rest = end != NULL ? brz_str_of(end + 1, rest->len - len - 1) : brz_str_of(NULL, 0);
    if (part->len > 0 && part->data[0] == ARGUMENT_TAG)
        *part = brz_str_of(part->data + 1, part->len - 1);
    return true;
}

/* Returns "label(argument, argument)". */
static brz_str with_arguments(names *n, brz_str rest)
{
    brz_str part = BRZ_STR("");
    brz_text *t = &n->shown;
    take_part(&rest, &part);
    brz_str label = checked(n, part);
    t->len = 0;
    brz_text_append(t, n->ctx, label);
    bool any = rest.data != NULL;
    for (size_t i = 0; take_part(&rest, &part); i++) {
        brz_text_append(t, n->ctx, i == 0 ? BRZ_STR("(") : BRZ_STR(", "));
        brz_text_append(t, n->ctx, part);
    }
    if (any)
        brz_text_append(t, n->ctx, BRZ_STR(")"));
    return brz_text_str(t);
}

/* ---- frames --------------------------------------------------------------------------------- */

static brz_frame frame_of(names *n, brz_str name, uint32_t kind)
{
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_USER, .name = name};
    d.module = n->kinds[kind].name;
    return n->ctx->host->frame(n->ctx, &d);
}

brz_frame names_frame(names *n, uint64_t id, uint32_t kind)
{
    uint32_t frame = pair_map_find(&n->frames, id, kind);
    if (frame != PAIR_MISS)
        return frame;
    if (!texts_get(n->texts, id, !n->args, &n->scratch))
        return BRZ_NO_FRAME;
    brz_str text = brz_text_str(&n->scratch);
    frame = frame_of(n, n->args ? with_arguments(n, text) : checked(n, text), kind);
    pair_map_put(&n->frames, n->ctx, id, kind, frame);
    return frame;
}

bool names_push_parts(names *n, uint64_t id, uint32_t kind, brz_frame_list *to)
{
    if (!texts_get(n->texts, id, false, &n->scratch))
        return false;
    brz_str rest = brz_text_str(&n->scratch), part;
    for (bool label = true; take_part(&rest, &part); label = false)
        brz_frame_list_push(to, n->ctx, frame_of(n, label ? checked(n, part) : part, kind));
    return true;
}

void names_report(const names *n)
{
    brz_report_count(n->ctx, BRZ_WARNING, "measureme.label", n->unreadable, 0,
                     BRZ_STR("names of events that are empty or hold control characters are shown "
                             "as <parse error> ({count})"));
}
