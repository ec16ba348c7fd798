/* SPDX-License-Identifier: MIT */
/* Converts stacks to locations. */
#include <brazier/symbol.h>

#include "locations.h"

void locations_init(locations *l, brz_output_ctx *ctx, const brz_tree *tree, const functions *f)
{
    keys *tables[] = {&l->lines, &l->addresses, &l->details, &l->places, &l->chains, &l->written};
    l->tree = tree;
    l->functions = f;
    l->deepest = 1;
    for (size_t i = 0; i < BRZ_COUNT_OF(tables); i++)
        keys_init(tables[i], ctx);
    l->of_frame = ctx->host->alloc(ctx, ((size_t)tree->n_frames + 1) * sizeof *l->of_frame, 0);
}

/* Returns the number of a frame's place, from 0. */
static uint32_t place_of(locations *l, uint32_t frame)
{
    if (l->of_frame[frame] == 0) {
        const brz_frame_info *f = brz_frame_at(l->tree, frame);
        uint32_t line = keys_add(&l->lines, key_of_two(l->functions->of_frame[frame], f->line));
        uint32_t address = keys_add(&l->addresses, f->address);
        uint32_t detail = keys_add(&l->details, key_of_two(f->column, address));
        l->of_frame[frame] = keys_add(&l->places, key_of_two(line, detail)) + 1;
    }
    return l->of_frame[frame] - 1;
}

/* Returns whether a frame is part of the location of its caller. Without an address, an annotation
 * says that it is inlined: such a frame is a location of its own. */
static bool is_inlined_into(const brz_frame_info *f, const brz_frame_info *caller)
{
    return (f->flags & BRZ_FRAME_INLINED) != 0 && f->address == caller->address &&
           brz_str_equal(f->module, caller->module) &&
           (f->address != 0 || brz_name_annotation(f->name) != 'i');
}

/* Reverses the locations, which are written innermost first. */
static void reverse(uint64_t *ids, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        uint64_t id = ids[i];
        ids[i] = ids[n - 1 - i];
        ids[n - 1 - i] = id;
    }
}

size_t locations_of_stack(locations *l, const brz_stack_info *s, uint64_t *to)
{
    size_t n = 0;
    for (uint32_t k = 0; k < s->n;) {
        const brz_frame_info *caller = brz_frame_at(l->tree, s->frames[k]);
        uint32_t chain = 0, depth = 0;
        do {
            chain = keys_add(&l->chains, key_of_two(chain, place_of(l, s->frames[k]))) + 1;
            depth++;
            k++;
        } while (k < s->n && is_inlined_into(brz_frame_at(l->tree, s->frames[k]), caller));
        l->deepest = depth > l->deepest ? depth : l->deepest;
        to[n++] = keys_add(&l->written, chain) + UINT64_C(1);
    }
    reverse(to, n);
    return n;
}

size_t locations_places(const locations *l, uint32_t i, place *to)
{
    size_t n = 0;
    uint32_t chain = (uint32_t)l->written.items[i];
    while (chain != 0) {
        uint64_t link = l->chains.items[chain - 1];
        uint64_t where = l->places.items[key_second(link)];
        uint64_t line = l->lines.items[key_first(where)];
        uint64_t detail = l->details.items[key_second(where)];
        to[n++] = (place){.function = key_first(line),
                          .line = key_second(line),
                          .column = key_first(detail),
                          .address = l->addresses.items[key_second(detail)]};
        chain = key_first(link);
    }
    return n;
}
