/* A collapser for tally --binary:
 *
 *     input  := "TALY" record*
 *     record := ticks (32 bits, big-endian), number of frames (varint), frame*
 *     frame  := length (varint), name; the leaf comes first
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/binary.h>
#include <brazier/plugin.h>
#include <brazier/text.h>

typedef struct tally {
    brz_frame_list frames;
} tally;

/* Reads a record; the cursor has failed if it is incomplete or invalid. */
static int64_t read_record(brz_ctx *ctx, tally *t, brz_bytes *b)
{
    int64_t ticks = brz_bytes_u32(b);
    uint64_t n = brz_bytes_count(b, brz_bytes_varint(b), 1); /* each frame has a byte or more */
    t->frames.n = 0;
    for (uint64_t i = 0; i < n && b->error == NULL; i++) {
        brz_str name = brz_bytes_text(b, brz_bytes_varint(b));
        brz_frame_list_push(&t->frames, ctx, ctx->host->intern(ctx, name.data, name.len));
    }
    return ticks;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    tally *t = (tally *)ctx->inst;
    brz_bytes b = brz_bytes_of(chunk->data, chunk->len);
    brz_rc rc = BRZ_OK;
    b.order = BRZ_BIG_ENDIAN;
    if (chunk->flags & BRZ_CHUNK_INPUT_START)
        brz_bytes_skip(&b, 4);
    while (rc == BRZ_OK && brz_bytes_left(&b) > 0) {
        size_t start = brz_bytes_offset(&b);
        int64_t ticks = read_record(ctx, t, &b);
        *used = b.is_cut ? start : brz_bytes_offset(&b);
        if (b.error != NULL)
            return b.is_cut ? BRZ_OK : brz_bytes_report(ctx, &b, BRZ_FATAL, "tally-binary.record");
        rc = ctx->host->emit(ctx, t->frames.ids, t->frames.n, ticks, BRZ_LEAF_FIRST);
    }
    return rc;
}

static int32_t sniff(const brz_head *head)
{
    (void)head;
    return BRZ_SNIFF_NO; /* the magic number decides */
}

static const brz_magic magics[] = {{.len = 4, .bytes = "TALY", .score = BRZ_SNIFF_MAGIC}};

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_BINARY,
    .inst_size = sizeof(tally),
    .magics = magics,
    .n_magics = BRZ_COUNT_OF(magics),
    .magic_size = sizeof(brz_magic),
    .sniff = sniff,
    .parse = parse,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "tally-binary",
    .summary = "tally's ticks, in binary form",
    .help = "Record with `tally --binary PROGRAM > FILE`.",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("tally-binary", "0.1.0", "MIT", "https://example.org/tally/issues", components)
