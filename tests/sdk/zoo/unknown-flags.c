/* SPDX-License-Identifier: MIT */
/* Sets flags that this host does not know, and kinds and severities of later minors: it ignores
 * them. */
#include "zoo.h"

#define LATER 0xff000000u

static brz_rc own_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const brz_collapser_host *h = ctx->host;
    const int64_t value = 2;
    const brz_frame_desc frame = {
        .struct_size = sizeof frame, .name = BRZ_STR("lines"), .kind = LATER, .flags = LATER};
    const brz_column_desc column = {
        .struct_size = sizeof column, .name = BRZ_STR("lines"), .flags = LATER};
    const brz_values values = {
        .struct_size = sizeof values, .flags = LATER, .values = &value, .n_values = 1};
    const brz_label label = {.key = BRZ_STR("key"), .flags = LATER};
    const brz_tag_desc tag = {.struct_size = sizeof tag,
                              .flags = LATER,
                              .label_size = sizeof label,
                              .labels = &label,
                              .n_labels = 1};
    brz_related_file file = {.struct_size = sizeof file};
    brz_frame id = h->frame(ctx, &frame);
    h->column(ctx, &column);
    h->tag(ctx, &tag);
    h->log(ctx, 99, BRZ_STR("a level of a later minor"));
    h->open_related(ctx, BRZ_STR("none"), LATER, &file);
    brz_stack stack = h->stack(ctx, &id, 1, LATER, NULL);
    const brz_count count = {.stack = stack, .value = -2, .flags = LATER};
    *used = chunk->len;
    brz_rc rc = h->emit(ctx, &id, 1, 2, LATER);
    rc = rc == BRZ_OK ? h->sample(ctx, &id, 1, LATER, &values) : rc;
    return rc == BRZ_OK ? h->add(ctx, &count, 1, sizeof count) : rc;
}

static const brz_option options[] = {{COUNT_OPTION, .dflt = "3", .flags = LATER}};
static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .flags = LATER, .sniff = sniff, .parse = own_parse};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ONE_COMPONENT
ZOO_ENTRY(.flags = LATER)
