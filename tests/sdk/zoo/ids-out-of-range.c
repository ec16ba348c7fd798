/* SPDX-License-Identifier: MIT */
/* Calls services with ids that the host never returned. */
#include "zoo.h"

static brz_rc own_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const brz_collapser_host *h = ctx->host;
    const brz_frame frames[] = {77, BRZ_NO_FRAME};
    const int64_t values[] = {1, 2, 3};
    const brz_count counts[] = {{.stack = 99, .value = 1}, {.column = 99, .value = 1}};
    const brz_values many = {.struct_size = sizeof many, .values = values, .n_values = 3};
    const brz_count tagged = {.value = 1, .tag = 77};
    const brz_values one = {.struct_size = sizeof one, .values = values, .n_values = 1};
    const brz_values odd_tag = {
        .struct_size = sizeof odd_tag, .values = values, .n_values = 1, .tag = 77};
    const brz_frame *stored = NULL;
    h->emit(ctx, frames, 2, 1, 0);
    h->sample(ctx, frames, 2, 0, &one);
    h->sample(ctx, NULL, 0, 0, &many);
    h->stack(ctx, frames, 2, 0, &stored);
    h->add(ctx, counts, 1, sizeof *counts);
    h->add(ctx, counts + 1, 1, sizeof *counts);
    h->add(ctx, &tagged, 1, sizeof tagged);
    h->sample(ctx, NULL, 0, 0, &odd_tag);
    h->leave(ctx, 1, &odd_tag);
    h->decimals(ctx, 99, 3);
    h->enter(ctx, 1, 99, &one);
    h->leave(ctx, 99, &one);
    return stored == NULL || stored[0] == frames[0] ? BRZ_ERROR : parse(ctx, chunk, used);
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .sniff = sniff, .parse = own_parse};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
