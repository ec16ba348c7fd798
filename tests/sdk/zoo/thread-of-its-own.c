/* SPDX-License-Identifier: MIT */
/* Calls the host from a thread that it starts. */
#include "zoo.h"

#include <pthread.h>

static void *count(void *context)
{
    brz_ctx *ctx = context;
    brz_frame frame = ctx->host->intern(ctx, "lines", 5);
    ctx->host->emit(ctx, &frame, 1, 1, 0);
    return NULL;
}

static brz_rc own_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, count, ctx) == 0)
        pthread_join(thread, NULL);
    *used = chunk->len;
    return BRZ_OK;
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .sniff = sniff, .parse = own_parse};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
