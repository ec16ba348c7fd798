/* Writes the output "pprof": the format of `go tool pprof` and most continuous profilers, a
 * protobuf message that is usually compressed.
 *
 * Readers merge consecutive messages into one and concatenate their tables. The file therefore has
 * one message per table entry, and writing it needs no more memory than the longest stack.
 *
 * Readers that ignore default_sample_type show the last weight, so the selected weight comes last.
 */
#include <brazier/plugin.h>

#include "facts.h"
#include "../../common/shipped.h"
#include "file.h"
#include "gzip.h"

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
    for (uint32_t w = 0; w < f->tree->n_weights; w++) {
        uint32_t name = text(f, f->types[w].name);
        message_number(&f->part, VALUE_TYPE_TYPE, name);
        message_number(&f->part, VALUE_TYPE_UNIT, text(f, f->types[w].unit));
        message_part(&f->profile, PROFILE_SAMPLE_TYPE, &f->part);
        if (w + 1 == f->tree->n_weights)
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
    facts_add(f->ctx, &f->functions.texts, f->tree->metadata, &f->profile, &f->part);
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
    uint32_t n = f->tree->n_weights, used = 0;
    f->order = f->ctx->host->alloc(f->ctx, n * sizeof *f->order, 0);
    f->types = f->ctx->host->alloc(f->ctx, n * sizeof *f->types, 0);
    f->position = f->ctx->host->alloc(f->ctx, n * sizeof *f->position, 0);
    for (uint32_t w = 0; w < n; w++)
        if (w != f->tree->weight)
            f->order[used++] = w;
    f->order[used] = f->tree->weight;
    for (uint32_t w = 0; w < n; w++) {
        f->types[w] = sample_type_of(f->ctx, brz_weight_at(f->tree, f->order[w]));
        f->position[f->order[w]] = w;
    }
}

static void init_file(file *f, brz_output_ctx *ctx, const brz_tree *tree)
{
    f->ctx = f->profile.ctx = f->part.ctx = f->item.ctx = ctx;
    f->tree = tree;
    functions_init(&f->functions, ctx, tree, FUNCTIONS_BY_SYMBOL);
    locations_init(&f->locations, ctx, tree, &f->functions);
    init_weights(f);
}

static brz_rc write_pprof(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    const options *o = ctx->cfg;
    file f = {0};
    gzip compressor;
    init_file(&f, ctx, tree);
    if (o->compress)
        gzip_init(&compressor, ctx, sink);
    brz_writer_init(&f.w, ctx, o->compress ? &compressor.base : sink);
    put_sample_types(&f);
    put_samples(&f);
    put_locations(&f);
    put_functions(&f);
    put_facts(&f);
    put_texts(&f);
    brz_rc rc = brz_writer_finish(&f.w);
    return o->compress ? gzip_finish(&compressor) : rc;
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "compress", BOOL, compress, "true",
               "compress with gzip, as readers expect"),
};

static const char *const endings[] = {"pprof", "pb.gz", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_STACKS | BRZ_OUTPUT_TAGS | BRZ_OUTPUT_FRAMES,
    .media_type = "application/octet-stream",
    .endings = endings,
    .write = write_pprof,
};

SHIPPED_PLUGIN("pprof", BRZ_OUTPUT, &output,
               .summary = "a profile for pprof, with every weight of the input",
               BRZ_OPTIONS(option_table, options))
