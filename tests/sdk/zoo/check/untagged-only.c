/* SPDX-License-Identifier: MIT */
/* Leaves out samples when the run wants tags or times.
 *
 * only: parse/tags parse/times
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    const int64_t values[] = {1};
    if (!(ctx->flags & (BRZ_CTX_WANTS_TAGS | BRZ_CTX_WANTS_TIME)))
        return good_line(ctx, p, end);
    const brz_frame frame = ctx->host->intern(ctx, p, (size_t)(end - p));
    const brz_tag_desc thread = {.struct_size = sizeof thread,
                                 .flags = BRZ_TAG_THREAD,
                                 .thread = 1,
                                 .label_size = sizeof(brz_label)};
    const brz_values sample = {.struct_size = sizeof sample,
                               .flags = BRZ_TIMED,
                               .values = values,
                               .n_values = 1,
                               .tag = ctx->host->tag(ctx, &thread),
                               .time = -5};
    return ctx->host->sample(ctx, &frame, 1, 0, &sample);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
