/* Calls the host with a copy of its context, which moves with everything behind it, and with none.
 */
#include "zoo.h"

static brz_rc own_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const brz_host *h = ctx->host;
    brz_ctx copy = *ctx;
    brz_frame frame = h->intern(&copy, "lines", 5);
    brz_diag diag = {.struct_size = sizeof diag, .msg = BRZ_STR("a report")};
    h->alloc(&copy, 8, 0);
    h->log(&copy, BRZ_WARNING, BRZ_STR("a line"));
    h->diag(NULL, &diag);
    h->emit(NULL, &frame, 1, 1, 0);
    *used = chunk->len;
    return h->stopped(&copy) ? BRZ_ERROR : BRZ_OK;
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .sniff = sniff, .parse = own_parse};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
