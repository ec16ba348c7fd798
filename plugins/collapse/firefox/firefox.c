/* SPDX-License-Identifier: MIT */
/* Collapses profiles of the Firefox Profiler: those that Gecko records and those that the profiler
 * saves. */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "../../common/json/text.h"
#include "../../common/shipped.h"
#include "document.h"

/* ---- facts about the recording --------------------------------------------------------------- */

#define NANOSECONDS  6       /* decimals of milliseconds */
#define OWN_INTERVAL 1000000 /* brazier writes a millisecond if it does not know the interval */

static int64_t nanoseconds(brz_ctx *ctx, const brz_json_token *t)
{
    static const column milliseconds = {.most = NANOSECONDS};
    amount a;
    return column_read(&milliseconds, ctx, t, &a) && a.value > 0 ? amount_in(a, NANOSECONDS) : 0;
}

/* Adds a fact if it is known. */
static void add_pair(brz_metadata *m, brz_pair *pairs, brz_ctx *ctx, const char *key,
                     const brz_json_token *value)
{
    brz_str text = json_text(ctx, value);
    if (text.len > 0)
        pairs[m->n_pairs++] = (brz_pair){brz_str_of_text(key), text};
}

/* Returns the index of the thread that is shown first. */
static uint32_t selected_thread(brz_ctx *ctx, const brz_json_token *threads)
{
    cursor c;
    bool any = members_open(&c, ctx, threads, BRZ_JSON_ARRAY) && cursor_element(&c);
    return any ? members_number(&c.token, 0) : 0;
}

/* Tells the host what "meta" says. Recognises files that brazier wrote. */
static void read_metadata(firefox *f, brz_ctx *ctx)
{
    const brz_json_token *meta = f->processes[0].meta;
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    brz_pair pairs[4];
    brz_str importer = json_text(ctx, &meta[META_IMPORTED]);
    f->own = brz_starts_with(importer, BRZ_STR("brazier@"));
    f->selected = selected_thread(ctx, &meta[META_SELECTED]);
    m.producer = importer.len > 0 ? importer : json_text(ctx, &meta[META_PRODUCT]);
    m.start = nanoseconds(ctx, &meta[META_START]);
    m.period = nanoseconds(ctx, &meta[META_INTERVAL]);
    m.architecture = json_text(ctx, &meta[META_ABI]);
    add_pair(&m, pairs, ctx, "system", &meta[META_SYSTEM]);
    add_pair(&m, pairs, ctx, "platform", &meta[META_PLATFORM]);
    add_pair(&m, pairs, ctx, "processor", &meta[META_CPU]);
    if (importer.len > 0 && !f->own)
        add_pair(&m, pairs, ctx, "product", &meta[META_PRODUCT]);
    if (f->own && m.period == OWN_INTERVAL)
        m.period = 0;
    if (m.period > 0) {
        m.period_name = BRZ_STR("time");
        m.period_unit = BRZ_STR("nanoseconds");
    }
    m.pairs = pairs;
    ctx->host->metadata(ctx, &m);
}

/* Finds the id of a process, which its threads have. */
static bool find_process(const firefox *f, size_t index, brz_tag_desc *tag)
{
    for (size_t i = 0; i < f->n_threads && !(tag->flags & BRZ_TAG_PROCESS); i++)
        if (f->threads[i].process == index)
            tag->flags |=
                samples_id(&f->threads[i].own[THREAD_PID], &tag->process, BRZ_TAG_PROCESS);
    return (tag->flags & BRZ_TAG_PROCESS) != 0;
}

/* Tells the host when each process began, if there are several. Their samples are on the clock of
 * the first one. */
static void read_processes(const firefox *f, brz_ctx *ctx)
{
    int64_t first = nanoseconds(ctx, &f->processes[0].meta[META_START]);
    for (size_t i = 0; i < f->n_processes && f->n_processes > 1; i++) {
        brz_tag_desc tag = {.struct_size = sizeof tag, .label_size = sizeof(brz_label)};
        brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair), .of = &tag};
        m.start = nanoseconds(ctx, &f->processes[i].meta[META_START]);
        m.clock_start = time_passed(first, m.start);
        if (m.start != 0 && find_process(f, i, &tag))
            ctx->host->metadata(ctx, &m);
    }
}

/* ---- entry points ---------------------------------------------------------------------------- */

static brz_rc open_instance(brz_ctx *ctx)
{
    firefox *f = ctx->inst;
    brz_stacks_init(&f->stacks, ctx, 0);
    f->root = BRZ_NO_FRAME;
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    firefox *f = ctx->inst;
    *used = chunk->len;
    document_read(f, ctx, brz_str_of((const char *)chunk->data, chunk->len));
    if (f->n_processes == 0)
        return BRZ_OK;
    read_metadata(f, ctx);
    read_processes(f, ctx);
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

SHIPPED_READER(firefox, .flags = BRZ_WHOLE_INPUT, .globs = globs, .open = open_instance,
               .finish = finish)

BRZ_HINTS(BRZ_IF_NAME("*.firefox.json") BRZ_IF_CONTAINS("preprocessedProfileVersion")
              BRZ_IF_CONTAINS("stackwalk") BRZ_IF_CONTAINS("processType")
                  BRZ_IF_CONTAINS("stackTable") BRZ_IF_CONTAINS("frameTable")
                      BRZ_IF_CONTAINS("schema") BRZ_IF_CONTAINS("breakpadId")
                          BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER(
    "firefox",
    .summary = "profiles of the Firefox Profiler, which Firefox, samply and others write",
    .help = "Save a profile in profiler.firefox.com, or record with `samply record --save-only`. "
            "Number of samples, time and processor time are weights: see --weight.")
