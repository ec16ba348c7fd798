/* SPDX-License-Identifier: MIT */
/* Collects the stacks of dumps. */
#include "dump.h"

#include "../sample_count.h"

/* The context of roots in the cache of frames. */
#define ROOT UINT32_MAX

/* ---- frames ---------------------------------------------------------------------------------- */

/* Returns a name in which colons replace semicolons, which would split it in folded text. */
static brz_str without_semicolons(dump *d, brz_str name)
{
    if (name.len == 0 || memchr(name.data, ';', name.len) == NULL)
        return name;
    d->name.len = 0;
    brz_text_append(&d->name, d->ctx, name);
    for (size_t i = 0; i < d->name.len; i++)
        if (d->name.data[i] == ';')
            d->name.data[i] = ':';
    return brz_text_str(&d->name);
}

brz_frame dump_frame(dump *d, brz_frame_desc *frame)
{
    frame->struct_size = sizeof *frame;
    frame->name = frame->name.len > 0 ? without_semicolons(d, frame->name) : BRZ_STR("[unknown]");
    return d->ctx->host->frame(d->ctx, frame);
}

static brz_frame new_frame(dump *d, brz_str text, dump_describe *describe)
{
    brz_frame_desc f = {.struct_size = sizeof f};
    d->text.len = 0;
    describe(d, text, &f);
    return dump_frame(d, &f);
}

void dump_push(dump *d, brz_str text, uint32_t context, dump_describe *describe)
{
    brz_frame_key key = brz_frame_key_of(&d->frames, text.data, text.len, context);
    uint32_t id = brz_frame_cache_find(&d->frames, &key);
    if (id == BRZ_CACHE_MISS) {
        id = new_frame(d, text, describe);
        brz_frame_cache_put(&d->frames, d->ctx, &key, id);
    }
    brz_path_push(d->stacks.path, d->ctx, id);
}

void dump_push_once(dump *d, brz_str text, dump_describe *describe)
{
    brz_path_push(d->stacks.path, d->ctx, new_frame(d, text, describe));
}

static void describe_root(dump *d, brz_str text, brz_frame_desc *frame)
{
    (void)d;
    frame->kind = BRZ_KIND_PROCESS;
    frame->name = text;
}

void dump_describe_system_call(dump *d, brz_str text, brz_frame_desc *frame)
{
    (void)d;
    frame->name = text;
    frame->kind = BRZ_KIND_KERNEL;
}

void dump_push_root(dump *d, brz_str name)
{
    brz_text *copy = &d->text;
    copy->len = 0;
    brz_text_append(copy, d->ctx, name);
    brz_text_room(copy, d->ctx, 32);
    dump_push(d, brz_text_str(copy), ROOT, describe_root);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

void dump_tag(dump *d, brz_tag_desc *tag)
{
    brz_tag id = BRZ_NO_TAG;
    if (dump_wants_tags(d)) {
        tag->struct_size = sizeof *tag;
        tag->label_size = sizeof(brz_label);
        if (d->process >= 0) {
            tag->flags |= BRZ_TAG_PROCESS;
            tag->process = d->process;
        }
        id = d->ctx->host->tag(d->ctx, tag);
    }
    brz_stacks_place(&d->stacks, id, 0, 0);
}

brz_rc dump_count(dump *d, uint32_t weight, int64_t value)
{
    brz_rc rc = BRZ_OK;
    if (dump_depth(d) > 0)
        rc = brz_stacks_count(&d->stacks, d->ctx, weight, value);
    brz_path_cut(d->stacks.path, 0);
    return rc;
}

void dump_left_out(dump *d, const char *code, brz_str part, brz_str msg, int64_t weight)
{
    brz_str line = part;
    while (brz_block_line(&part, &line) && brz_trim(line).len == 0)
        ;
    brz_report_lost_weight(d->ctx, code, line.data, line.len, msg, weight);
}

void dump_two_frames(dump *d, const char *code, brz_str line)
{
    dump_left_out(d, code, line, BRZ_STR("two frames in one line: the second one is left out"), 0);
}

void dump_frames_missing(dump *d, const char *code, brz_str frame)
{
    brz_str line = frame;
    brz_block_line(&frame, &line);
    brz_report(d->ctx, BRZ_WARNING, code, line.data, line.len,
               BRZ_STR("frames are missing in front of this one: the stack counts without them"));
}

/* ---- the functions of a collapser ------------------------------------------------------------ */

static brz_rc open_dump(brz_ctx *ctx, uint32_t flags)
{
    dump *d = ctx->inst;
    d->ctx = ctx;
    d->process = -1;
    brz_stacks_init(&d->stacks, ctx, flags);
    brz_frame_cache_init(&d->frames, ctx);
    return BRZ_OK;
}

brz_rc dump_open(brz_ctx *ctx)
{
    return open_dump(ctx, BRZ_LEAF_FIRST);
}

brz_rc dump_open_root_first(brz_ctx *ctx)
{
    return open_dump(ctx, BRZ_NESTED);
}

uint32_t dump_declare(brz_ctx *ctx, brz_str name, brz_str unit)
{
    return BRZ_DECLARE_COLUMN(ctx, .name = name, .unit = unit, .flags = sample_count_flags(name));
}

/* Reads a block, unless it is blank. */
static brz_rc read_block(dump *d, brz_str block, dump_read *read)
{
    if (brz_trim(block).len == 0)
        return BRZ_OK;
    brz_path_cut(d->stacks.path, 0);
    return read(d, block);
}

brz_rc dump_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, brz_block_begins *begins,
                  dump_read *read)
{
    dump *d = ctx->inst;
    const char *text = (const char *)chunk->data;
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    brz_str block;
    brz_rc rc = BRZ_OK;
    size_t at = 0;
    while (rc == BRZ_OK && brz_block_take(text, chunk->len, &at, last, begins, &block))
        rc = read_block(d, block, read);
    *used = at;
    return rc;
}

brz_rc dump_parse_lines(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, dump_read_line *read,
                        dump_end *end)
{
    brz_str rest = brz_str_of((const char *)chunk->data, chunk->len);
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && rest.len > 0) {
        const char *newline = memchr(rest.data, '\n', rest.len);
        if (newline == NULL && !last)
            break;
        size_t n = newline == NULL ? rest.len : (size_t)(newline - rest.data);
        brz_str line = brz_block_trim_line(brz_str_of(rest.data, n));
        rest = brz_str_from(rest, newline == NULL ? n : n + 1);
        rc = read(ctx->inst, line);
    }
    *used = chunk->len - rest.len;
    if (rc != BRZ_OK || !last || end == NULL)
        return rc;
    return end(ctx->inst, (const char *)chunk->data + chunk->len);
}

brz_rc dump_finish(brz_ctx *ctx)
{
    dump *d = ctx->inst;
    brz_report_count(ctx, BRZ_NOTE, "dump.incomplete", d->n_incomplete, 0,
                     BRZ_STR("stacks of which the input shows only a part: {count}"));
    brz_report_count(ctx, BRZ_NOTE, "dump.no-stack", d->n_without_stack, 0,
                     BRZ_STR("threads without a stack left out: {count}"));
    return brz_stacks_finish(&d->stacks, ctx);
}

int32_t dump_sniff_line(const brz_head *head, brz_block_begins *test)
{
    brz_str text = dump_head_lines(head), line;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++)
        if (test(line))
            return BRZ_SNIFF_HEADER;
    return BRZ_SNIFF_NO;
}

/* ---- taking texts apart ---------------------------------------------------------------------- */

bool dump_take_address(brz_str *s, uint64_t *address)
{
    brz_str digits = *s;
    if (!brz_str_take(&digits, "0x") && !brz_str_take(&digits, "0X"))
        return false;
    if (!brz_take_hex(&digits, address))
        return false;
    *s = digits;
    return true;
}

bool dump_number_after(brz_str s, brz_str word, uint64_t *number)
{
    size_t at = brz_str_find(s, word, 0);
    if (at == SIZE_MAX)
        return false;
    s = brz_str_from(s, at + word.len);
    return (dump_take_address(&s, number) || brz_take_u64(&s, number)) && *number <= INT64_MAX;
}

/* Removes ":NUMBER" from the end. */
static bool take_last_number(brz_str *s, uint32_t *number)
{
    brz_str before, digits;
    uint64_t n;
    if (!brz_cut_last(*s, ':', &before, &digits) || !brz_parse_u64(digits, &n) || n > UINT32_MAX)
        return false;
    *s = before;
    *number = (uint32_t)n;
    return true;
}

void dump_place(brz_str place, brz_frame_desc *frame)
{
    uint32_t last = 0, first = 0;
    if (take_last_number(&place, &last)) {
        bool both = take_last_number(&place, &first);
        frame->line = both ? first : last;
        frame->column = both ? last : 0;
    }
    frame->file = place;
}

brz_str dump_repaired(dump *d, brz_str name)
{
    size_t from = d->text.len;
    brz_text_room(&d->text, d->ctx, name.len);
    d->text.len += brz_rust_repair(name, d->text.data + from);
    return brz_str_of(d->text.data + from, d->text.len - from);
}
