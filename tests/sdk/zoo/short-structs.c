/* SPDX-License-Identifier: MIT */
/* Passes structs with a struct_size that is too small. */
#include "zoo.h"

static brz_rc own_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const brz_collapser_host *h = ctx->host;
    const brz_frame_desc frame = {.struct_size = 4, .name = BRZ_STR("lines")};
    const brz_column_desc weight = {.struct_size = 4, .name = BRZ_STR("lines")};
    const brz_label label = {.key = BRZ_STR("key")};
    const brz_pair pair = {BRZ_STR("key"), BRZ_STR("value")};
    const brz_diag diag = {.struct_size = 4, .msg = BRZ_STR("a report")};
    const brz_values values = {.struct_size = 4};
    const brz_count count = {.value = 1};
    const brz_tag_desc tag = {.struct_size = 4};
    const brz_tag_desc labelled = {
        .struct_size = sizeof labelled, .label_size = 8, .labels = &label, .n_labels = 1};
    const brz_metadata metadata = {.struct_size = 4};
    const brz_metadata paired = {
        .struct_size = sizeof paired, .pair_size = 8, .pairs = &pair, .n_pairs = 1};
    h->frame(ctx, &frame);
    h->column(ctx, &weight);
    h->diag(ctx, &diag);
    h->sample(ctx, NULL, 0, 0, &values);
    h->leave(ctx, 1, &values);
    h->add(ctx, &count, 1, 16);
    h->tag(ctx, &tag);
    h->tag(ctx, &labelled);
    h->metadata(ctx, &metadata);
    h->metadata(ctx, &paired);
    return parse(ctx, chunk, used);
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .sniff = sniff, .parse = own_parse};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
