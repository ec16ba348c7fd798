/* SPDX-License-Identifier: MIT */
/* Definitions common to the animals of `plugin check`: a valid collapser, palette, output and
 * transform. Each animal changes one thing to violate the contract.
 *
 * The format: "zoo 1", then lines "frame;frame count".
 */
#ifndef BRZ_ANIMAL_H
#define BRZ_ANIMAL_H

#include <brazier/plugin.h>
#include <brazier/write.h>

#include <string.h>

#define MAY_BE_UNUSED __attribute__((unused))
#define HEADER        "zoo 1\n"
#define DEEPEST       64

/* ---- a collapser --------------------------------------------------------------------------- */

MAY_BE_UNUSED static int32_t good_sniff(const brz_head *head)
{
    size_t n = sizeof HEADER - 1;
    return head->len >= n && memcmp(head->data, HEADER, n) == 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

MAY_BE_UNUSED static brz_rc good_prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used,
                                         const void **prelude_data)
{
    size_t n = sizeof HEADER - 1;
    *used = chunk->len >= n && memcmp(chunk->data, HEADER, n) == 0 ? n : 0;
    *prelude_data = ctx->cfg;
    return BRZ_OK;
}

MAY_BE_UNUSED static size_t good_boundary(const void *prelude_data, const uint8_t *buf, size_t n,
                                          size_t from)
{
    (void)prelude_data;
    if (from == 0 || buf[from - 1] == '\n')
        return from;
    const uint8_t *newline = from < n ? memchr(buf + from, '\n', n - from) : NULL;
    return newline == NULL ? n : (size_t)(newline + 1 - buf);
}

MAY_BE_UNUSED static bool parse_count(const char *p, const char *end, int64_t *count)
{
    *count = 0;
    for (const char *at = p; at < end; at++) {
        if (*at < '0' || *at > '9' || *count > 1000000000)
            return false;
        *count = *count * 10 + (*at - '0');
    }
    return p < end;
}

MAY_BE_UNUSED static size_t split(brz_ctx *ctx, const char *p, const char *end, brz_frame *frames)
{
    size_t n = 0;
    while (n < DEEPEST) {
        const char *semicolon = memchr(p, ';', (size_t)(end - p));
        const char *stop = semicolon == NULL ? end : semicolon;
        frames[n++] = ctx->host->intern(ctx, p, (size_t)(stop - p));
        if (semicolon == NULL)
            break;
        p = semicolon + 1;
    }
    return n;
}

MAY_BE_UNUSED static brz_rc good_line(brz_ctx *ctx, const char *p, const char *end)
{
    brz_frame frames[DEEPEST];
    int64_t count;
    const char *blank = memrchr(p, ' ', (size_t)(end - p));
    if (p == end)
        return BRZ_OK;
    if (blank == NULL || blank == p || !parse_count(blank + 1, end, &count)) {
        BRZ_WARN(ctx, "zoo.line", p, (size_t)(end - p), "not a stack and a count: left out");
        return BRZ_OK;
    }
    return ctx->host->emit(ctx, frames, split(ctx, p, blank, frames), count, 0);
}

/* Passes each complete line to LINE, which an animal may define. */
#ifndef LINE
#define LINE good_line
#endif
MAY_BE_UNUSED static brz_rc LINE(brz_ctx *ctx, const char *p, const char *end);

MAY_BE_UNUSED static brz_rc good_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const char *p = (const char *)chunk->data, *end = p + chunk->len;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && p < end) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        if (newline == NULL && !(chunk->flags & BRZ_CHUNK_LAST))
            break;
        rc = LINE(ctx, p, newline == NULL ? end : newline);
        p = newline == NULL ? end : newline + 1;
    }
    *used = (size_t)(p - (const char *)chunk->data);
    return rc;
}

#define GOOD_COLLAPSER                                                                             \
    .struct_size = sizeof(brz_collapser), .flags = BRZ_SPLITTABLE, .sniff = good_sniff,            \
    .prelude = good_prelude, .boundary = good_boundary, .parse = good_parse

/* ---- a palette ----------------------------------------------------------------------------- */

MAY_BE_UNUSED static uint32_t good_color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    return BRZ_RGB(200, 100 + in->frame->name.len % 100, 50);
}

#define GOOD_PALETTE .struct_size = sizeof(brz_palette), .depends = BRZ_ON_NAME, .color = good_color

/* ---- an output ----------------------------------------------------------------------------- */

/* Writes each node as "[name, total]". */
MAY_BE_UNUSED static brz_rc good_write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_writer w;
    brz_writer_init(&w, ctx, sink);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const brz_node *n = brz_node_at(tree, i);
        brz_put_text(&w, i == 0 ? "[[" : ",[");
        brz_put_json(&w, brz_frame_at(tree, n->frame)->name);
        brz_put_char(&w, ',');
        brz_put_i64(&w, n->total);
        brz_put_char(&w, ']');
    }
    if (tree->n_nodes == 0)
        brz_put_char(&w, '[');
    brz_put_char(&w, ']');
    return brz_writer_finish(&w);
}

static const char *const good_endings[] = {"zoo", NULL};

#define GOOD_OUTPUT                                                                                \
    .struct_size = sizeof(brz_output), .flags = BRZ_OUTPUT_NODES,                                  \
    .media_type = "application/json", .endings = good_endings, .write = good_write

/* ---- a transform --------------------------------------------------------------------------- */

/* Leaves out the leaf of each stack. */
MAY_BE_UNUSED static brz_rc good_apply(brz_transform_ctx *ctx, const brz_tree *tree,
                                       brz_stack_edit *edit)
{
    (void)ctx;
    (void)tree;
    edit->n -= edit->n > 1;
    return BRZ_OK;
}

#define GOOD_TRANSFORM .struct_size = sizeof(brz_transform), .apply = good_apply

/* ---- the plug-in --------------------------------------------------------------------------- */

#define PLUGIN_OF(kind_)                                                                           \
    static const brz_component component = {.struct_size = sizeof component,                       \
                                            .kind = kind_,                                         \
                                            .id = "zoo",                                           \
                                            .summary = "an animal",                                \
                                            .vtable = &vtable};                                    \
    static const brz_component *const components[] = {&component, NULL};                           \
    BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)

#define COLLAPSER_ANIMAL(...)                                                                      \
    static const brz_collapser vtable = {GOOD_COLLAPSER, __VA_ARGS__};                             \
    PLUGIN_OF(BRZ_COLLAPSER)

#define PALETTE_ANIMAL(...)                                                                        \
    static const brz_palette vtable = {GOOD_PALETTE, __VA_ARGS__};                                 \
    PLUGIN_OF(BRZ_PALETTE)

#define OUTPUT_ANIMAL(...)                                                                         \
    static const brz_output vtable = {GOOD_OUTPUT, __VA_ARGS__};                                   \
    PLUGIN_OF(BRZ_OUTPUT)

#define TRANSFORM_ANIMAL(...)                                                                      \
    static const brz_transform vtable = {GOOD_TRANSFORM, __VA_ARGS__};                             \
    PLUGIN_OF(BRZ_TRANSFORM)

#endif
