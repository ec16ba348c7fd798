/* SPDX-License-Identifier: MIT */
/* Calls every service with NULL or an invalid value for each argument that can be wrong. */
#include "zoo.h"

static brz_rc own_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const brz_collapser_host *h = ctx->host;
    const brz_str nothing = {NULL, 3};
    const brz_frame_desc frame = {.struct_size = sizeof frame, .name = nothing};
    const brz_column_desc weight = {.struct_size = sizeof weight, .name = nothing};
    const brz_diag diag = {.struct_size = sizeof diag, .msg = nothing};
    const brz_values good = {.struct_size = sizeof good};
    const brz_values missing = {.struct_size = sizeof missing, .n_values = 1};
    const brz_tag_desc tag = {.struct_size = sizeof tag, .thread_name = nothing};
    const brz_tag_desc without_labels = {
        .struct_size = sizeof without_labels, .label_size = sizeof(brz_label), .n_labels = 2};
    const brz_metadata metadata = {.struct_size = sizeof metadata, .host = nothing};
    const brz_metadata without_pairs = {
        .struct_size = sizeof without_pairs, .pair_size = sizeof(brz_pair), .n_pairs = 2};
    const brz_tag_desc empty = {.struct_size = sizeof empty, .label_size = sizeof(brz_label)};
    const brz_metadata of_all = {.struct_size = sizeof of_all, .of = &empty};
    const brz_metadata of_nothing = {.struct_size = sizeof of_nothing, .of = &tag};
    const brz_frame *stored;
    h->log(ctx, BRZ_NOTE, nothing);
    h->diag(ctx, NULL);
    h->diag(ctx, &diag);
    h->intern(ctx, NULL, 3);
    h->frame(ctx, NULL);
    h->frame(ctx, &frame);
    h->column(ctx, NULL);
    h->column(ctx, &weight);
    h->emit(ctx, NULL, 2, 1, 0);
    h->sample(ctx, NULL, 0, 0, NULL);
    h->sample(ctx, NULL, 2, 0, &good);
    h->sample(ctx, NULL, 0, 0, &missing);
    h->leave(ctx, 1, NULL);
    h->stack(ctx, NULL, 2, 0, &stored);
    h->add(ctx, NULL, 2, sizeof(brz_count));
    h->tag(ctx, NULL);
    h->tag(ctx, &tag);
    h->tag(ctx, &without_labels);
    h->metadata(ctx, NULL);
    h->metadata(ctx, &metadata);
    h->metadata(ctx, &without_pairs);
    h->metadata(ctx, &of_all);
    h->metadata(ctx, &of_nothing);
    h->alloc(ctx, 8, 24);
    h->extension(ctx, NULL);
    return parse(ctx, chunk, used);
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .sniff = sniff, .parse = own_parse};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
