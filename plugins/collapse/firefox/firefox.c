/* Collapses profiles of the Firefox Profiler: those that Gecko records and those that the profiler
 * saves. */
#include <brazier/plugin.h>

#include "document.h"
#include "../../common/shipped.h"
#include "metadata.h"
#include "samples.h"

static brz_rc open_instance(brz_ctx *ctx)
{
    firefox *f = ctx->inst;
    brz_stacks_init(&f->stacks, ctx, 0);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    firefox *f = ctx->inst;
    *used = chunk->len;
    document_read(f, ctx, brz_str_of((const char *)chunk->data, chunk->len));
    if (f->n_processes == 0)
        return BRZ_OK;
    metadata_read(f, ctx);
    brz_rc rc = samples_declare(f, ctx);
    for (size_t i = 0; i < f->n_threads && rc == BRZ_OK; i++)
        rc = samples_read(f, ctx, &f->threads[i]);
    return rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    firefox *f = ctx->inst;
    if (f->stacks.saturated)
        BRZ_WARN(ctx, BRZ_SATURATED, NULL, 0, "a sum is too large: it stays at its limit");
    return brz_stacks_flush(&f->stacks, ctx);
}

/* ---- format detection ---------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"meta.preprocessedProfileVersion",
                                        "meta.stackwalk",
                                        "meta.processType",
                                        "threads.stackTable",
                                        "threads.frameTable",
                                        "threads.samples.schema",
                                        "shared.stackTable",
                                        "libs.breakpadId",
                                        "profile.meta.stackwalk",
                                        "profile.meta.processType",
                                        "profile.threads.stackTable",
                                        "profile.libs.breakpadId",
                                        NULL};
    return cursor_paths(head, paths) != 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const char *const globs[] = {"*.firefox.json", NULL};

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_WHOLE_INPUT,
    .inst_size = sizeof(firefox),
    .globs = globs,
    .sniff = sniff,
    .open = open_instance,
    .parse = parse,
    .finish = finish,
};

SHIPPED_COLLAPSER(
    "firefox",
    .summary = "profiles of the Firefox Profiler, which Firefox, samply and others write",
    .help = "Save a profile in profiler.firefox.com, or record with `samply record --save-only`. "
            "Number of samples, time and processor time are weights: see --weight.")
