/* SPDX-License-Identifier: MIT */
/* Writes the output "pprof": the format of `go tool pprof` and most continuous profilers, a
 * protobuf message that is usually compressed.
 *
 * Readers merge consecutive messages into one and concatenate their tables. The file therefore has
 * one message per table entry, and writing it needs no more memory than the longest stack.
 *
 * Readers that ignore default_sample_type show the last weight, so the selected weight comes last.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include <string.h>
#include <zlib.h>

#include "../../common/pprof_fields.h"
#include "../../common/shipped.h"
#include "../common/texts.h"
#include "file.h"
#include "message.h"

/* ---- compression ----------------------------------------------------------------------------- */

/* A compressing sink: passes the bytes written to it on to another sink as gzip.
 *
 * The header contains neither time nor name, so equal input produces equal files. */

typedef struct gzip {
    brz_sink base; /* first: the sink to write to */
    brz_sink *to;
    z_stream stream;
    brz_rc rc; /* the first error, or BRZ_OK */
} gzip;

#define WINDOW_BITS_GZIP (15 + 16)
#define MEMORY_LEVEL     8
#define PIECE            (64u << 10)

/* Compresses the stream's pending input and writes the result. */
static void run(gzip *g, int flush)
{
    unsigned char out[4096];
    do {
        g->stream.next_out = out;
        g->stream.avail_out = sizeof out;
        deflate(&g->stream, flush);
        size_t n = sizeof out - g->stream.avail_out;
        if (n > 0 && g->rc == BRZ_OK)
            g->rc = g->to->write(g->to, out, n);
    } while (g->stream.avail_out == 0 && g->rc == BRZ_OK);
}

static brz_rc write_to(brz_sink *base, const void *data, size_t len)
{
    gzip *g = (gzip *)base;
    const unsigned char *p = data;
    while (len > 0 && g->rc == BRZ_OK) {
        uInt n = len < PIECE ? (uInt)len : PIECE;
        g->stream.next_in = (z_const Bytef *)p;
        g->stream.avail_in = n;
        run(g, Z_NO_FLUSH);
        p += n;
        len -= n;
    }
    return g->rc;
}

static voidpf allocate(voidpf ctx, uInt count, uInt size)
{
    brz_output_ctx *c = ctx;
    return c->host->alloc(c, (size_t)count * size, 0);
}

/* The instance's memory is freed as a whole. */
static void keep(voidpf ctx, voidpf memory)
{
    (void)ctx;
    (void)memory;
}

/* The host gives the memory, and ends the program if it has none. */
static void gzip_init(gzip *g, brz_output_ctx *ctx, brz_sink *to)
{
    memset(g, 0, sizeof *g);
    g->stream.zalloc = allocate;
    g->stream.zfree = keep;
    g->stream.opaque = ctx;
    g->base.struct_size = sizeof g->base;
    g->base.write = write_to;
    g->to = to;
    int rc = deflateInit2(&g->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS_GZIP,
                          MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    g->rc = rc == Z_OK ? BRZ_OK : BRZ_ERROR;
}

/* Writes the remaining bytes. Returns the first error, or BRZ_OK. */
static brz_rc gzip_finish(gzip *g)
{
    if (g->rc == BRZ_OK) {
        g->stream.next_in = NULL;
        g->stream.avail_in = 0;
        run(g, Z_FINISH);
    }
    deflateEnd(&g->stream);
    return g->rc;
}

/* ---- facts about the recording --------------------------------------------------------------- */

/* Pairs that have fields of their own: pprof files state them, and the collapser keeps them. */
static const struct {
    const char *key;
    uint32_t field;
} fields[] = {
    {"drop_frames", PROFILE_DROP_FRAMES},
    {"keep_frames", PROFILE_KEEP_FRAMES},
    {"doc_url", PROFILE_DOC_URL},
};

/* Returns the number of the field for a pair, or 0. */
static uint32_t field_of(brz_str key)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(fields); i++)
        if (brz_str_is(key, fields[i].key))
            return fields[i].field;
    return 0;
}

/* A list of comments. */
typedef struct comments {
    brz_output_ctx *ctx;
    texts *texts;
    uint64_t *items;
    size_t n;
} comments;

/* Adds a comment, unless there is an equal one. */
static void add(comments *c, brz_str text)
{
    uint64_t number = texts_add(c->texts, text);
    for (size_t i = 0; i < c->n; i++)
        if (c->items[i] == number)
            return;
    c->items[c->n++] = number;
}

/* Adds "key: value". */
static void add_fact(comments *c, brz_str key, brz_str value)
{
    char *text = c->ctx->host->alloc(c->ctx, key.len + value.len + 2, 1);
    if (value.len == 0)
        return;
    memcpy(text, key.data, key.len);
    memcpy(text + key.len, ": ", 2);
    memcpy(text + key.len + 2, value.data, value.len);
    add(c, brz_str_of(text, key.len + 2 + value.len));
}

/* Returns the comments, and facts for which the format has no field. */
static comments comments_of(brz_output_ctx *ctx, texts *t, const brz_metadata *facts)
{
    size_t room = (size_t)(facts->n_comments + facts->n_pairs) + 5;
    comments c = {ctx, t, ctx->host->alloc(ctx, room * sizeof *c.items, 0), 0};
    for (uint64_t i = 0; i < facts->n_comments; i++)
        add(&c, facts->comments[i]);
    add_fact(&c, BRZ_STR("producer"), facts->producer);
    add_fact(&c, BRZ_STR("command"), facts->command);
    add_fact(&c, BRZ_STR("host"), facts->host);
    add_fact(&c, BRZ_STR("architecture"), facts->architecture);
    for (uint64_t i = 0; i < facts->n_pairs; i++)
        if (field_of(brz_pair_at(facts, i)->key) == 0)
            add_fact(&c, brz_pair_at(facts, i)->key, brz_pair_at(facts, i)->value);
    add(&c, BRZ_STR("brazier@" BRZ_SHIPPED_VERSION));
    return c;
}

/* Adds facts to a profile. Those for which the format has no field become comments. The texts are
 * added to `t`, and `part` is empty before and after. */
static void add_facts(brz_output_ctx *ctx, texts *t, const brz_metadata *facts, message *profile,
                      message *part)
{
    uint32_t numbers[PROFILE_N_FIELDS] = {0};
    bool has_period = facts->period_name.len > 0 || facts->period_unit.len > 0;
    if (has_period) {
        message_number(part, VALUE_TYPE_TYPE, texts_add(t, facts->period_name));
        message_number(part, VALUE_TYPE_UNIT, texts_add(t, facts->period_unit));
    }
    for (uint64_t i = 0; i < facts->n_pairs; i++) {
        const brz_pair *pair = brz_pair_at(facts, i);
        if (field_of(pair->key) != 0)
            numbers[field_of(pair->key)] = texts_add(t, pair->value);
    }
    comments c = comments_of(ctx, t, facts);
    message_number(profile, PROFILE_DROP_FRAMES, numbers[PROFILE_DROP_FRAMES]);
    message_number(profile, PROFILE_KEEP_FRAMES, numbers[PROFILE_KEEP_FRAMES]);
    message_number(profile, PROFILE_TIME, (uint64_t)facts->start);
    message_number(profile, PROFILE_DURATION, (uint64_t)facts->duration);
    if (has_period)
        message_part(profile, PROFILE_PERIOD_TYPE, part);
    message_number(profile, PROFILE_PERIOD, (uint64_t)facts->period);
    message_numbers(profile, PROFILE_COMMENT, c.items, c.n);
    message_number(profile, PROFILE_DOC_URL, numbers[PROFILE_DOC_URL]);
}

/* ---- the file -------------------------------------------------------------------------------- */

typedef struct options {
    bool compress;
} options;

static uint32_t text(file *f, brz_str s)
{
    return texts_add(&f->functions.texts, s);
}

/* ---- tables -------------------------------------------------------------------------------- */

static void put_sample_types(file *f)
{
    for (uint32_t w = 0; w < f->tree->n_columns; w++) {
        uint32_t name = text(f, f->types[w].name);
        message_number(&f->part, VALUE_TYPE_TYPE, name);
        message_number(&f->part, VALUE_TYPE_UNIT, text(f, f->types[w].unit));
        message_part(&f->profile, PROFILE_SAMPLE_TYPE, &f->part);
        if (w + 1 == f->tree->n_columns)
            message_number(&f->profile, PROFILE_DEFAULT_SAMPLE_TYPE, name);
        put_profile(f);
    }
}

static void put_functions(file *f)
{
    for (uint32_t i = 0; i < f->functions.n; i++) {
        const function *from = &f->functions.items[i];
        uint32_t system_name = from->system_name != 0 ? from->system_name : from->full_name;
        message_number(&f->part, FUNCTION_ID, i + UINT64_C(1));
        message_number(&f->part, FUNCTION_NAME, from->name);
        message_number(&f->part, FUNCTION_SYSTEM_NAME, system_name);
        message_number(&f->part, FUNCTION_FILENAME, from->file);
        message_number(&f->part, FUNCTION_START_LINE, from->first_line);
        put_part(f, PROFILE_FUNCTION);
    }
}

/* Writes the facts about the recording. */
static void put_facts(file *f)
{
    add_facts(f->ctx, &f->functions.texts, f->tree->metadata, &f->profile, &f->part);
    put_profile(f);
}

/* Writes the string table. This comes last, when no more texts are added. */
static void put_texts(file *f)
{
    for (uint32_t i = 0; i < f->functions.texts.n; i++) {
        message_bytes(&f->profile, PROFILE_STRING_TABLE, f->functions.texts.items[i]);
        put_profile(f);
    }
}

/* ---- file ---------------------------------------------------------------------------------- */

static void init_weights(file *f)
{
    uint32_t n = f->tree->n_columns, used = 0;
    f->order = f->ctx->host->alloc(f->ctx, n * sizeof *f->order, 0);
    f->types = f->ctx->host->alloc(f->ctx, n * sizeof *f->types, 0);
    for (uint32_t w = 0; w < n; w++)
        if (w != f->tree->main_column)
            f->order[used++] = w;
    f->order[used] = f->tree->main_column;
    for (uint32_t w = 0; w < n; w++)
        f->types[w] = sample_type_of(f->ctx, brz_column_at(f->tree, f->order[w]));
}

static void init_file(file *f, brz_output_ctx *ctx, const brz_tree *tree)
{
    f->ctx = f->profile.ctx = f->part.ctx = f->item.ctx = ctx;
    f->tree = tree;
    functions_init(&f->functions, ctx, tree, FUNCTIONS_BY_SYMBOL);
    locations_init(&f->locations, ctx, tree, &f->functions);
    init_weights(f);
}

static brz_rc write_plain(file *f, brz_sink *sink)
{
    brz_writer_init(&f->w, f->ctx, sink);
    put_sample_types(f);
    put_samples(f);
    put_locations(f);
    put_functions(f);
    put_facts(f);
    put_texts(f);
    return brz_writer_finish(&f->w);
}

static brz_rc write_compressed(file *f, brz_sink *sink)
{
    gzip compressor;
    gzip_init(&compressor, f->ctx, sink);
    write_plain(f, &compressor.base); /* the compressor keeps the first error */
    return gzip_finish(&compressor);
}

static brz_rc write_pprof(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    const options *o = ctx->cfg;
    file f = {0};
    init_file(&f, ctx, tree);
    return o->compress ? write_compressed(&f, sink) : write_plain(&f, sink);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "compress", BOOL, compress, "true",
               "compress with gzip, as readers expect"),
};

static const char *const endings[] = {"pprof", "pb.gz", NULL};

SHIPPED_WRITER(write_pprof, "application/octet-stream",
               BRZ_OUTPUT_STACKS | BRZ_OUTPUT_TAGS | BRZ_OUTPUT_FRAMES)

SHIPPED_PLUGIN("pprof", BRZ_OUTPUT, &output,
               .summary = "a profile for pprof, with every weight of the input",
               BRZ_OPTIONS(option_table, options))
