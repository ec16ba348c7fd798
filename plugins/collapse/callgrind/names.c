/* Reads names. */
#include "names.h"

#include "../../common/dump/dump.h"

void names_init(names *x, brz_ctx *ctx)
{
    brz_frame_cache_init(&x->ids, ctx);
    pair_map_init(&x->numbers, ctx);
    x->texts = brz_list_room(ctx, x->texts, 0, &x->cap, sizeof *x->texts);
    x->texts[x->n++] = brz_str_of(NULL, 0);
}

static uint32_t intern(names *x, brz_ctx *ctx, brz_str text)
{
    if (text.len == 0 || brz_str_equal(text, BRZ_STR("???")))
        return NO_NAME;
    brz_frame_key key = brz_frame_key_of(&x->ids, text.data, text.len, 0);
    uint32_t id = brz_frame_cache_find(&x->ids, &key);
    if (id != BRZ_CACHE_MISS)
        return id;
    id = (uint32_t)x->n;
    brz_frame_cache_put(&x->ids, ctx, &key, id);
    x->texts = brz_list_room(ctx, x->texts, x->n, &x->cap, sizeof *x->texts);
    x->texts[x->n++] = brz_text_keep(ctx, text);
    return id;
}

/* Removes "(3)" from the front. */
static bool take_number(brz_str *text, uint64_t *number)
{
    brz_str rest = *text;
    if (!dump_take(&rest, BRZ_STR("(")) || !dump_take_number(&rest, number) ||
        !dump_take(&rest, BRZ_STR(")")))
        return false;
    *text = rest;
    return true;
}

uint32_t names_read(names *x, brz_ctx *ctx, name_kind kind, brz_str text)
{
    uint64_t number;
    text = brz_trim(text);
    brz_str name = text;
    if (!take_number(&name, &number))
        return intern(x, ctx, text);
    name = brz_trim(name);
    uint32_t id = pair_map_find(&x->numbers, kind, number);
    if (name.len > 0) {
        id = intern(x, ctx, name);
        pair_map_put(&x->numbers, ctx, kind, number, id);
    } else if (id == PAIR_MISS) {
        BRZ_WARN(ctx, "callgrind.number", text.data, text.len,
                 "a number that has no name yet: the number is the name");
        id = intern(x, ctx, text);
        pair_map_put(&x->numbers, ctx, kind, number, id);
    }
    return id;
}
