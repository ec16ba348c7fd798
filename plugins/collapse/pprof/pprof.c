/* Collapses profiles of pprof: messages of Protocol Buffers, plain or compressed.
 *
 * tables.c divides the profile into its tables, ids.c finds entries of these, frames.c makes frames
 * of locations, samples.c counts, labels.c makes tags, metadata.c states facts, sniff.c recognises.
 */
#include <brazier/plugin.h>

#include "metadata.h"
#include "samples.h"
#include "sniff.h"

typedef struct options {
    bool addrs;
} options;

typedef struct pprof {
    tables tables;
    frames frames;
    samples samples;
} pprof;

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    pprof *p = ctx->inst;
    const options *o = ctx->cfg;
    *used = chunk->len;
    if (!tables_read(&p->tables, ctx, chunk->data, chunk->len))
        return BRZ_ERROR;
    metadata_state(&p->tables);
    if (!frames_init(&p->frames, ctx, &p->tables, chunk->len, o->addrs))
        return BRZ_ERROR;
    samples_init(&p->samples, ctx, &p->tables, &p->frames);
    return samples_read(&p->samples);
}

static const char *const globs[] = {"*.pprof", "*.pb.gz", "*.pb", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "addrs", BOOL, addrs, "false",
               "name unresolved frames by their address, not by their module"),
};

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_BINARY | BRZ_WHOLE_INPUT,
    .inst_size = sizeof(pprof),
    .globs = globs,
    .sniff = pprof_sniff,
    .parse = parse,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "pprof",
    .summary = "profiles of pprof: of Go programs and of most continuous profilers",
    .help = "Each sample type is a weight of its own: see -w. Record with `curl -o FILE "
            "http://HOST/debug/pprof/profile?seconds=10`, for example.",
    BRZ_OPTIONS(option_table, options),
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("pprof", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
