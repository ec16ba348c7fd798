/* Passes structs with a struct_size that is too small. */
#include "zoo.h"

static brz_rc own_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const brz_host *h = ctx->host;
    const brz_frame_desc frame = {.struct_size = 4, .name = BRZ_STR("lines")};
    const brz_weight_desc weight = {.struct_size = 4, .name = BRZ_STR("lines")};
    const brz_diag diag = {.struct_size = 4, .msg = BRZ_STR("a report")};
    const brz_sample sample = {.struct_size = 4};
    h->frame(ctx, &frame);
    h->weight(ctx, &weight);
    h->diag(ctx, &diag);
    h->emit_sample(ctx, &sample);
    return parse(ctx, chunk, used);
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .sniff = sniff, .parse = own_parse};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
