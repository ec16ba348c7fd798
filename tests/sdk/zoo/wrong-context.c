/* SPDX-License-Identifier: MIT */
/* Calls every service with a copy of its context, and some with NULL. */
#include "zoo.h"

static void fill(const brz_collapser_host *h, brz_ctx *copy)
{
    const int64_t value = 1;
    const brz_frame_desc desc = {.struct_size = sizeof desc, .name = BRZ_STR("lines")};
    const brz_column_desc weight = {.struct_size = sizeof weight, .name = BRZ_STR("lines")};
    brz_frame frame = h->intern(copy, "lines", 5);
    const brz_values values = {.struct_size = sizeof values, .values = &value, .n_values = 1};
    const brz_frame *stored;
    h->frame(copy, &desc);
    h->column(copy, &weight);
    h->decimals(copy, 0, 0);
    h->sample(copy, &frame, 1, 0, &values);
    const brz_count count = {.stack = h->stack(copy, &frame, 1, 0, &stored), .value = 1};
    h->add(copy, &count, 1, sizeof count);
    h->enter(copy, 1, frame, &values);
    h->leave(copy, 1, &values);
    h->emit(NULL, &frame, 1, 1, 0);
}

static brz_rc own_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const brz_collapser_host *h = ctx->host;
    brz_ctx copy = *ctx;
    brz_diag diag = {.struct_size = sizeof diag, .msg = BRZ_STR("a report")};
    h->alloc(&copy, 8, 0);
    h->log(&copy, BRZ_WARNING, BRZ_STR("a line"));
    h->diag(NULL, &diag);
    fill(h, &copy);
    h->extension(&copy, "brz.draft.zoo/1");
    *used = chunk->len;
    return h->stopped(&copy) ? BRZ_ERROR : BRZ_OK;
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .sniff = sniff, .parse = own_parse};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
