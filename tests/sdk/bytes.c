/* SPDX-License-Identifier: MIT */
/* Collapsers that tell which bytes they receive: as text, as binary data and as they are in the
 * file. The result is one stack of the input's index and size, the number of bytes, and a sum of
 * them. A byte 0xee is reported. */
#define _GNU_SOURCE
#include <brazier/collapser.h>
#include <brazier/plugin.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct state {
    uint64_t n;
    uint32_t sum;
} state;

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    state *s = (state *)ctx->inst;
    if (chunk->offset != s->n) {
        brz_report(ctx, BRZ_FATAL, "bytes.offset", NULL, 0, BRZ_STR("a wrong offset"));
        return BRZ_ERROR;
    }
    for (size_t i = 0; i < chunk->len; i++) {
        s->sum = s->sum * 31 + chunk->data[i];
        if (chunk->data[i] == 0xee)
            BRZ_WARN(ctx, "bytes.ee", chunk->data + i, 1, "an odd byte: counted");
    }
    s->n += chunk->len;
    *used = chunk->len;
    return BRZ_OK;
}

/* Adds a frame "what=number". */
static brz_frame frame(brz_ctx *ctx, const char *what, uint64_t number)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s=%llu", what, (unsigned long long)number);
    return ctx->host->intern(ctx, text, (size_t)n);
}

static brz_rc finish(brz_ctx *ctx)
{
    state *s = (state *)ctx->inst;
    brz_frame frames[] = {frame(ctx, "input", ctx->input->index),
                          frame(ctx, "size", ctx->input->size), frame(ctx, "bytes", s->n),
                          frame(ctx, "sum", s->sum),
                          ctx->host->intern(ctx, ctx->input->name.data, ctx->input->name.len)};
    return ctx->host->emit(ctx, frames, 5, 1, 0);
}

static bool starts_with(const brz_head *head, const char *text)
{
    return head->len >= strlen(text) && memcmp(head->data, text, strlen(text)) == 0;
}

static int32_t sniff_text(const brz_head *head)
{
    return starts_with(head, "text") ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

static int32_t sniff_binary(const brz_head *head)
{
    return starts_with(head, "\xef\xbb\xbf"
                             "binary")
               ? BRZ_SNIFF_HEADER
               : BRZ_SNIFF_NO;
}

static int32_t sniff_nothing(const brz_head *head)
{
    (void)head;
    return BRZ_SNIFF_NO;
}

/* The file name in the header of a gzip file. */
static const brz_magic gzip_magic[] = {
    {.offset = 10, .len = 4, .bytes = "raw\0", .score = BRZ_SNIFF_MAGIC},
};

static const brz_magic packed_magic[] = {
    {.offset = 10, .len = 7, .bytes = "packed\0", .score = BRZ_SNIFF_MAGIC, .flags = BRZ_MAGIC_RAW},
};

static const brz_collapser text = {
    .struct_size = sizeof text,
    .inst_size = sizeof(state),
    .sniff = sniff_text,
    .parse = parse,
    .finish = finish,
};

static const brz_collapser binary = {
    .struct_size = sizeof binary,
    .flags = BRZ_BINARY,
    .inst_size = sizeof(state),
    .sniff = sniff_binary,
    .parse = parse,
    .finish = finish,
};

static const brz_collapser raw = {
    .struct_size = sizeof raw,
    .flags = BRZ_RAW,
    .inst_size = sizeof(state),
    .magics = gzip_magic,
    .n_magics = 1,
    .magic_size = sizeof(brz_magic),
    .sniff = sniff_nothing,
    .parse = parse,
    .finish = finish,
};

static const brz_collapser packed = {
    .struct_size = sizeof packed,
    .inst_size = sizeof(state),
    .magics = packed_magic,
    .n_magics = 1,
    .magic_size = sizeof(brz_magic),
    .sniff = sniff_nothing,
    .parse = parse,
    .finish = finish,
};

static const brz_collapser whole = {
    .struct_size = sizeof whole,
    .flags = BRZ_BINARY | BRZ_WHOLE_INPUT,
    .inst_size = sizeof(state),
    .sniff = sniff_nothing,
    .parse = parse,
    .finish = finish,
};

/* Reads both ends of the input and counts its bytes. */
static brz_rc parse_ends(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_frame ends[] = {frame(ctx, "first", chunk->data[0]),
                        frame(ctx, "last", chunk->data[chunk->len - 1]),
                        frame(ctx, "bytes", chunk->len)};
    *used = chunk->len;
    return ctx->host->emit(ctx, ends, 3, 1, 0);
}

static const brz_collapser ends = {
    .struct_size = sizeof ends,
    .flags = BRZ_BINARY | BRZ_WHOLE_INPUT,
    .sniff = sniff_nothing,
    .parse = parse_ends,
};

/* Shortens the file before its end is read. */
static brz_rc parse_cut(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    char path[4096];
    snprintf(path, sizeof path, "%.*s", (int)ctx->input->name.len, ctx->input->name.data);
    if (truncate(path, 5000) != 0)
        return BRZ_ERROR;
    return parse_ends(ctx, chunk, used);
}

static const brz_collapser cut = {
    .struct_size = sizeof cut,
    .flags = BRZ_BINARY | BRZ_WHOLE_INPUT,
    .sniff = sniff_nothing,
    .parse = parse_cut,
};

/* Takes records of "LENGTH BYTES", where LENGTH is a byte; never more than 15. */
static brz_rc parse_short(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_frame record = ctx->host->intern(ctx, "record", 6);
    size_t at = 0;
    while (at < chunk->len && chunk->len - at > chunk->data[at]) {
        at += (size_t)chunk->data[at] + 1;
        ctx->host->emit(ctx, &record, 1, 1, 0);
    }
    *used = at;
    return BRZ_OK;
}

static const brz_collapser short_records = {
    .struct_size = sizeof short_records,
    .flags = BRZ_BINARY,
    .sniff = sniff_nothing,
    .parse = parse_short,
    .record_max = 16,
};

/* Takes lines that end in "!\n", of which others are a part. */
static brz_rc parse_lines(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_frame record = ctx->host->intern(ctx, "record", 6);
    for (size_t i = 1; i < chunk->len; i++)
        if (chunk->data[i] == '\n' && chunk->data[i - 1] == '!') {
            ctx->host->emit(ctx, &record, 1, 1, 0);
            *used = i + 1;
        }
    return BRZ_OK;
}

static const brz_collapser short_lines = {
    .struct_size = sizeof short_lines,
    .sniff = sniff_nothing,
    .parse = parse_lines,
    .record_max = 100,
};

#define COMPONENT(name_, id_, vtable_)                                                             \
    static const brz_component name_ = {                                                           \
        .struct_size = sizeof name_,                                                               \
        .kind = BRZ_COLLAPSER,                                                                     \
        .id = id_,                                                                                 \
        .summary = "bytes",                                                                        \
        .vtable = &vtable_,                                                                        \
    };

COMPONENT(text_component, "b-text", text)
COMPONENT(binary_component, "b-binary", binary)
COMPONENT(raw_component, "b-raw", raw)
COMPONENT(packed_component, "b-packed", packed)
COMPONENT(whole_component, "b-whole", whole)
COMPONENT(records_component, "b-records", short_records)
COMPONENT(lines_component, "b-lines", short_lines)
COMPONENT(ends_component, "b-ends", ends)
COMPONENT(cut_component, "b-cut", cut)

static const brz_component *const components[] = {
    &text_component,    &binary_component, &raw_component,  &packed_component, &whole_component,
    &records_component, &lines_component,  &ends_component, &cut_component,    NULL};

BRZ_PLUGIN("bytes", "1.0", "MIT", "https://example.org/bugs", components)
