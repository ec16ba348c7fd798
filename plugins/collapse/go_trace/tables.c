/* SPDX-License-Identifier: MIT */
/* Knows the texts and stacks of a part of the trace. */
#include "tables.h"

#include <brazier/symbol.h>

#include "../../common/names/unresolved.h"

/* Initial room for the numbers of a part. */
#define ROOM 64

void tables_init(tables *t, brz_ctx *ctx, bool has_names, bool names_addresses)
{
    *t = (tables){.ctx = ctx, .has_names = has_names, .names_addresses = names_addresses};
    t->part = 1;
    pair_map_init(&t->text_ids, ctx);
    pair_map_init(&t->stack_ids, ctx);
    stack_store_init(&t->store, ctx);
    brz_frame_cache_init(&t->cache, ctx);
    brz_frame unknown = ctx->host->intern(ctx, "[unknown]", 9);
    t->unknown = stack_store_add(&t->store, ctx, &unknown, 1);
}

void tables_clear(tables *t)
{
    pair_map_reset(&t->text_ids, t->ctx, ROOM);
    pair_map_reset(&t->stack_ids, t->ctx, ROOM);
    t->n_texts = t->n_stacks = 0;
    t->part++;
}

void tables_add_text(tables *t, uint64_t number, brz_str text)
{
    if (pair_map_find(&t->text_ids, number, 0) != PAIR_MISS)
        return;
    t->texts = brz_list_room(t->ctx, t->texts, t->n_texts, &t->texts_cap, sizeof *t->texts);
    t->texts[t->n_texts] = (raw_text){text, GO_UNKNOWN_REASON};
    pair_map_put(&t->text_ids, t->ctx, number, 0, (uint32_t)t->n_texts++);
}

void tables_add_stack(tables *t, uint64_t number, brz_bytes frames)
{
    if (pair_map_find(&t->stack_ids, number, 0) != PAIR_MISS)
        return;
    t->stacks = brz_list_room(t->ctx, t->stacks, t->n_stacks, &t->stacks_cap, sizeof *t->stacks);
    t->stacks[t->n_stacks] = (raw_stack){.frames = frames, .stored = NO_STACK};
    pair_map_put(&t->stack_ids, t->ctx, number, 0, (uint32_t)t->n_stacks++);
}

raw_text *tables_find_text(const tables *t, uint64_t number)
{
    uint32_t i = pair_map_find(&t->text_ids, number, 0);
    return i == PAIR_MISS ? NULL : &t->texts[i];
}

brz_str tables_text(const tables *t, uint64_t number)
{
    const raw_text *text = tables_find_text(t, number);
    return text == NULL ? brz_str_of("", 0) : text->text;
}

/* ---- frames ------------------------------------------------------------------------------ */

typedef struct raw_frame {
    uint64_t address;
    brz_str function, file;
    uint64_t line;
} raw_frame;

static raw_frame take_frame(const tables *t, brz_bytes *b)
{
    raw_frame f = {.address = brz_bytes_varint(b), .function = {"", 0}, .file = {"", 0}};
    if (!t->has_names)
        return f;
    f.function = tables_text(t, brz_bytes_varint(b));
    f.file = tables_text(t, brz_bytes_varint(b));
    f.line = brz_bytes_varint(b);
    return f;
}

static brz_frame make_frame(tables *t, const raw_frame *f)
{
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_USER, .name = f->function};
    d.file = f->file;
    d.line = f->line <= INT32_MAX ? (uint32_t)f->line : 0;
    d.address = f->address;
    if (d.name.len == 0)
        frame_complete_name(&d, &t->scratch, t->ctx, t->names_addresses);
    return t->ctx->host->frame(t->ctx, &d);
}

/* Finds the frame. Texts stay where they are: their addresses identify them. */
static brz_frame find_frame(tables *t, const raw_frame *f)
{
    uint64_t parts[] = {f->address, (uintptr_t)f->function.data, f->function.len,
                        (uintptr_t)f->file.data, f->line};
    t->key.len = 0;
    brz_text_append(&t->key, t->ctx, brz_str_of((const char *)parts, sizeof parts));
    brz_frame_key key = brz_frame_key_of(&t->cache, t->key.data, t->key.len, 0);
    uint32_t found = brz_frame_cache_find(&t->cache, &key);
    if (found != BRZ_CACHE_MISS)
        return found;
    brz_frame frame = make_frame(t, f);
    brz_frame_cache_put(&t->cache, t->ctx, &key, frame);
    return frame;
}

/* ---- stacks ------------------------------------------------------------------------------ */

/* Returns whether a frame is the root of every goroutine. Only samples have it. */
static bool is_root_of_all(const raw_frame *f)
{
    return brz_str_is(f->function, "runtime.goexit");
}

static uint32_t store(tables *t, brz_bytes b)
{
    t->path.n = 0;
    while (brz_bytes_left(&b) > 0) {
        raw_frame f = take_frame(t, &b);
        if (b.error == NULL && !(brz_bytes_left(&b) == 0 && is_root_of_all(&f)))
            brz_frame_list_push(&t->path, t->ctx, find_frame(t, &f));
    }
    if (t->path.n == 0)
        return t->unknown;
    return stack_store_add(&t->store, t->ctx, t->path.ids, t->path.n);
}

uint32_t tables_find_stack(tables *t, uint64_t number)
{
    uint32_t i = pair_map_find(&t->stack_ids, number, 0);
    if (i == PAIR_MISS) {
        t->missing++;
        return t->unknown;
    }
    raw_stack *s = &t->stacks[i];
    if (s->stored == NO_STACK)
        s->stored = store(t, s->frames);
    by_number_put(&t->stored, t->ctx, t->part, number, s->stored, t->n_stacks);
    return s->stored;
}

/* Returns the name of the outermost function of frames. */
static brz_str root_of(const tables *t, brz_bytes frames)
{
    raw_frame f = {.function = {"", 0}};
    while (brz_bytes_left(&frames) > 0)
        f = take_frame(t, &frames);
    return f.function;
}

brz_str tables_root(tables *t, uint64_t number)
{
    uint32_t i = number == 0 ? PAIR_MISS : pair_map_find(&t->stack_ids, number, 0);
    if (i == PAIR_MISS)
        return brz_str_of("", 0);
    raw_stack *s = &t->stacks[i];
    if (!s->has_root)
        s->root = root_of(t, s->frames);
    s->has_root = true;
    return s->root;
}
