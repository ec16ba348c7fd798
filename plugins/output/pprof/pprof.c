/* Writes the output "pprof": the format of `go tool pprof` and most continuous profilers, a
 * protobuf message that is usually compressed.
 *
 * Readers merge consecutive messages into one and concatenate their tables. The file therefore has
 * one message per table entry, and writing it needs no more memory than the longest stack.
 *
 * Readers that ignore default_sample_type show the last weight, so the selected weight comes last.
 */
#include <brazier/plugin.h>
#include <brazier/write.h>

#include "../common/functions.h"
#include "gzip.h"
#include "profile.pb-c.h"
#include "sample_type.h"

typedef Brazier__Pprof__Profile Message;

typedef struct options {
    bool compress;
} options;

/* The buffer that protobuf-c writes to. */
typedef struct stream {
    ProtobufCBuffer base; /* first: protobuf-c passes it back */
    brz_writer w;
} stream;

/* State of one file being written. */
typedef struct file {
    stream stream;
    brz_ctx *ctx;
    const brz_tree *tree;
    functions functions;
    keys modules;        /* texts of modules */
    keys places;         /* (function, line): one location each */
    uint32_t *order;     /* weights in output order, the selected one last */
    sample_type *types;  /* sample types in that order */
    uint64_t *locations; /* locations of the stack being written */
    int64_t *values;
} file;

static void append(ProtobufCBuffer *base, size_t len, const uint8_t *data)
{
    brz_put(&((stream *)base)->w, (const char *)data, len);
}

static void put(file *f, const Message *m)
{
    protobuf_c_message_pack_to_buffer(&m->base, &f->stream.base);
}

static int64_t text(file *f, brz_str s)
{
    return texts_add(&f->functions.texts, s);
}

/* ---- tables -------------------------------------------------------------------------------- */

static void put_sample_types(file *f)
{
    for (uint32_t w = 0; w < f->tree->n_weights; w++) {
        Message m = BRAZIER__PPROF__PROFILE__INIT;
        Brazier__Pprof__ValueType type = BRAZIER__PPROF__VALUE_TYPE__INIT, *list = &type;
        type.type = text(f, f->types[w].name);
        type.unit = text(f, f->types[w].unit);
        m.n_sample_type = 1;
        m.sample_type = &list;
        if (w + 1 == f->tree->n_weights)
            m.default_sample_type = type.type;
        put(f, &m);
    }
}

static uint64_t location_of(file *f, uint32_t frame)
{
    uint32_t number = f->functions.of_frame[frame];
    return keys_add(&f->places, key_of_two(number, brz_frame_at(f->tree, frame)->line)) + 1ull;
}

static bool fill_values(file *f, const brz_stack_info *s)
{
    bool any = false;
    for (uint32_t w = 0; w < f->tree->n_weights; w++) {
        f->values[w] = sample_type_value(&f->types[w], s->values[f->order[w]]);
        any |= f->values[w] != 0;
    }
    return any;
}

static void put_samples(file *f)
{
    for (uint32_t i = 0; i < f->tree->n_stacks && f->stream.w.rc == BRZ_OK; i++) {
        const brz_stack_info *s = brz_stack_at(f->tree, i);
        Message m = BRAZIER__PPROF__PROFILE__INIT;
        Brazier__Pprof__Sample sample = BRAZIER__PPROF__SAMPLE__INIT, *list = &sample;
        if (!fill_values(f, s))
            continue;
        for (uint32_t k = 0; k < s->n; k++)
            f->locations[s->n - 1 - k] = location_of(f, s->frames[k]);
        sample.n_location_id = s->n;
        sample.location_id = f->locations;
        sample.n_value = f->tree->n_weights;
        sample.value = f->values;
        m.n_sample = 1;
        m.sample = &list;
        put(f, &m);
    }
}

static uint64_t mapping_of(file *f, uint32_t module)
{
    return module == 0 ? 0 : keys_add(&f->modules, module) + 1ull;
}

static void put_locations(file *f)
{
    for (uint32_t i = 0; i < f->places.n; i++) {
        Message m = BRAZIER__PPROF__PROFILE__INIT;
        Brazier__Pprof__Location location = BRAZIER__PPROF__LOCATION__INIT, *list = &location;
        Brazier__Pprof__Line line = BRAZIER__PPROF__LINE__INIT, *lines = &line;
        uint32_t number = key_first(f->places.items[i]);
        line.function_id = number + 1ull;
        line.line = key_second(f->places.items[i]);
        location.id = i + 1ull;
        location.mapping_id = mapping_of(f, f->functions.items[number].module);
        location.n_line = 1;
        location.line = &lines;
        m.n_location = 1;
        m.location = &list;
        put(f, &m);
    }
}

/* Writes the mappings. They claim that functions are known, which keeps readers from looking for
 * the binaries. */
static void put_mappings(file *f)
{
    for (uint32_t i = 0; i < f->modules.n; i++) {
        Message m = BRAZIER__PPROF__PROFILE__INIT;
        Brazier__Pprof__Mapping mapping = BRAZIER__PPROF__MAPPING__INIT, *list = &mapping;
        mapping.id = i + 1ull;
        mapping.filename = (int64_t)f->modules.items[i];
        mapping.has_functions = mapping.has_filenames = mapping.has_line_numbers = true;
        m.n_mapping = 1;
        m.mapping = &list;
        put(f, &m);
    }
}

static void put_functions(file *f)
{
    for (uint32_t i = 0; i < f->functions.n; i++) {
        const function *from = &f->functions.items[i];
        Message m = BRAZIER__PPROF__PROFILE__INIT;
        Brazier__Pprof__Function to = BRAZIER__PPROF__FUNCTION__INIT, *list = &to;
        to.id = i + 1ull;
        to.name = from->name;
        to.system_name = from->full_name;
        to.filename = from->file;
        m.n_function = 1;
        m.function = &list;
        put(f, &m);
    }
}

static void put_comment(file *f)
{
    Message m = BRAZIER__PPROF__PROFILE__INIT;
    int64_t comment = text(f, BRZ_STR("brazier@" BRZ_SHIPPED_VERSION));
    m.n_comment = 1;
    m.comment = &comment;
    put(f, &m);
}

/* Writes the string table. This comes last, when no more texts are added. */
static void put_texts(file *f)
{
    for (uint32_t i = 0; i < f->functions.texts.n; i++) {
        Message m = BRAZIER__PPROF__PROFILE__INIT;
        brz_str s = f->functions.texts.items[i];
        ProtobufCBinaryData data = {s.len, (uint8_t *)s.data};
        m.n_string_table = 1;
        m.string_table = &data;
        put(f, &m);
    }
}

/* ---- file ---------------------------------------------------------------------------------- */

static uint32_t longest(const brz_tree *tree)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < tree->n_stacks; i++)
        n = brz_stack_at(tree, i)->n > n ? brz_stack_at(tree, i)->n : n;
    return n;
}

static void init_weights(file *f)
{
    uint32_t n = f->tree->n_weights, used = 0;
    f->order = f->ctx->host->alloc(f->ctx, n * sizeof *f->order, 0);
    f->types = f->ctx->host->alloc(f->ctx, n * sizeof *f->types, 0);
    f->values = f->ctx->host->alloc(f->ctx, n * sizeof *f->values, 0);
    for (uint32_t w = 0; w < n; w++)
        if (w != f->tree->weight)
            f->order[used++] = w;
    f->order[used] = f->tree->weight;
    for (uint32_t w = 0; w < n; w++)
        f->types[w] = sample_type_of(f->ctx, brz_weight_at(f->tree, f->order[w]));
}

static void init_file(file *f, brz_ctx *ctx, const brz_tree *tree)
{
    f->ctx = ctx;
    f->tree = tree;
    functions_init(&f->functions, ctx, tree, FUNCTIONS_BY_FULL_NAME);
    keys_init(&f->modules, ctx);
    keys_init(&f->places, ctx);
    init_weights(f);
    f->locations = ctx->host->alloc(ctx, ((size_t)longest(tree) + 1) * sizeof *f->locations, 0);
}

static brz_rc write_pprof(brz_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    const options *o = ctx->cfg;
    file f = {.stream.base = {append}};
    gzip compressor;
    init_file(&f, ctx, tree);
    if (o->compress)
        gzip_init(&compressor, ctx, sink);
    brz_writer_init(&f.stream.w, ctx, o->compress ? &compressor.base : sink);
    put_sample_types(&f);
    put_samples(&f);
    put_locations(&f);
    put_mappings(&f);
    put_functions(&f);
    put_comment(&f);
    put_texts(&f);
    brz_rc rc = brz_writer_finish(&f.stream.w);
    return o->compress ? gzip_finish(&compressor) : rc;
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "compress", BOOL, compress, "true",
               "compress with gzip, as readers expect"),
};

static const char *const endings[] = {"pprof", "pb.gz", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_STACKS,
    .media_type = "application/octet-stream",
    .endings = endings,
    .write = write_pprof,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "pprof",
    .summary = "a profile for pprof, with every weight of the input",
    BRZ_OPTIONS(option_table, options),
    .vtable = &output,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("pprof", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
