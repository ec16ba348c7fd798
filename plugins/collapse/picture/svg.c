/* SPDX-License-Identifier: MIT */
/* Collapses flame graphs that are drawn as SVG: by flamegraph.pl and tools that do as it does, by
 * inferno, async-profiler 1 and brazier. elements.c describes the elements of frames, own_tree.c
 * the data in brazier's pictures. */
#include <brazier/symbol.h>

#include "drawing.h"
#include "../../common/shipped.h"

typedef struct svg {
    drawing d;
} svg;

static brz_rc open_instance(brz_ctx *ctx)
{
    svg *s = ctx->inst;
    drawing_init(&s->d, ctx);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    svg *s = ctx->inst;
    markup m;
    *used = chunk->len;
    markup_start(&m, brz_str_of((const char *)chunk->data, chunk->len));
    while (markup_next(&m))
        drawing_read(&s->d, &m);
    if (!drawing_is_any(&s->d))
        return drawing_refuse(&s->d);
    return drawing_count(&s->d);
}

static brz_rc finish(brz_ctx *ctx)
{
    svg *s = ctx->inst;
    return brz_stacks_finish(&s->d.graph.stacks, ctx);
}

static int32_t sniff(const brz_head *head)
{
    brz_str root = markup_root(brz_str_of((const char *)head->data, head->len));
    return brz_str_is(root, "svg") ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

static const char *const globs[] = {"*.svg", NULL};

SHIPPED_READER(svg, .flags = BRZ_WHOLE_INPUT, .globs = globs, .open = open_instance,
               .finish = finish)

BRZ_HINTS(BRZ_IF_NAME("*.svg") BRZ_IF_CONTAINS("<svg") BRZ_IF_CONTAINS(":svg"))

SHIPPED_COLLAPSER("svg", .summary = "flame graphs drawn as SVG",
                  .help = "Pictures of flamegraph.pl, inferno, brazier, async-profiler 1 and tools "
                          "that draw like them. Frames are nested as they are drawn.")
