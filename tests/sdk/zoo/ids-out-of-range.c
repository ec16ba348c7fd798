/* Calls services with ids that the host never returned. */
#include "zoo.h"

static brz_rc own_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const brz_collapser_host *h = ctx->host;
    const brz_frame frames[] = {77, BRZ_NO_FRAME};
    const int64_t values[] = {1, 2, 3};
    const brz_count counts[] = {{.stack = 99, .value = 1}, {.weight = 99, .value = 1}};
    const brz_sample sample = {.struct_size = sizeof sample, .values = values, .n_values = 3};
    const brz_count tagged = {.value = 1, .tag = 77};
    const brz_sample tagged_sample = {
        .struct_size = sizeof tagged_sample, .values = values, .n_values = 1, .tag = 77};
    const brz_frame *stored = NULL;
    h->emit(ctx, frames, 2, 1, 0);
    h->emit_sample(ctx, &sample);
    h->stack(ctx, frames, 2, 0, &stored);
    h->add(ctx, counts, 1, sizeof *counts);
    h->add(ctx, counts + 1, 1, sizeof *counts);
    h->add(ctx, &tagged, 1, sizeof tagged);
    h->emit_sample(ctx, &tagged_sample);
    h->track(ctx, 1, 77);
    h->decimals(ctx, 99, 3);
    h->enter(ctx, 1, 99, 5);
    h->leave(ctx, 99, 5);
    return stored == NULL || stored[0] == frames[0] ? BRZ_ERROR : parse(ctx, chunk, used);
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .sniff = sniff, .parse = own_parse};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
