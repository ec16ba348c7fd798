/* SPDX-License-Identifier: MIT */
/* Collapses recordings of Linux perf: perf.data.
 *
 * records.c reads the records with the room file, which applies changes to the threads and mappings
 * of the room process. A sample goes to the room stack, which traces its addresses, names them and
 * makes frames of them; ahead.c does so on the threads of the run. The room report counts the stack
 * and reports what is missing.
 */
#include <brazier/plugin.h>
#include <brazier/draft/live.h>
#include <brazier/symbol.h>

#include <stdio.h>

#include "../../common/shipped.h"
#include "ahead.h"
#include "file/features.h"
#include "file/recording.h"
#include "file/tracing.h"
#include "process/module_code.h"
#include "process/symbol_memory.h"
#include "records.h"
#include "report/fold.h"
#include "report/quality.h"
#include "report/switches.h"
#include "stack/frames.h"
#include "stack/pending.h"
#include "stack/rules.h"

/* Maximum size of a recording that is piped in; a file is mapped. */
#define INPUT_MAX (UINT64_C(1) << 40)

/* ---- recordings in folders ------------------------------------------------------------------- */

/* Files beyond this number are not read: perf writes one per processor at most. */
#define FILES_MAX 4096

static void add(recording *p, const uint8_t *data, size_t len, uint32_t number)
{
    p->streams =
        brz_list_room(p->ctx, p->streams, p->n_streams, &p->cap_streams, sizeof *p->streams);
    stream *s = &p->streams[p->n_streams++];
    *s = (stream){.data = data, .len = len, .at = data, .end = data + len, .number = number};
}

/* Opens the file data.N. Returns false if it cannot be read. */
static bool add_file(recording *p, uint32_t number)
{
    char name[32];
    brz_related_file file = {.struct_size = sizeof file};
    int n = snprintf(name, sizeof name, "data.%u", number);
    int32_t status = p->ctx->host->open_related(p->ctx, brz_str_of(name, (size_t)n), 0, &file);
    if (status == BRZ_RELATED_OPENED && file.len > 0)
        add(p, file.data, file.len, number);
    return status == BRZ_RELATED_OPENED;
}

/* Returns whether the input is a part of a directory. A recorder that was killed did not say so. */
static bool is_directory(const recording *p)
{
    if (p->header.is_pipe)
        return false;
    return header_has(&p->header, FEATURE_DIR_FORMAT) ||
           (p->header.is_cut && brz_ends_with(p->ctx->input->name, BRZ_STR("/data")));
}

/* Adds the files beside the input. */
static void add_files(recording *p)
{
    uint32_t n = 0;
    while (n < FILES_MAX && add_file(p, n))
        n++;
    if (n == FILES_MAX)
        recording_warn(p, "perf-data.directory", NULL,
                       BRZ_STR("files of the recording beyond data.4095 are not read"));
    if (n == 0 && !p->header.is_cut)
        recording_warn(p, "perf-data.directory", NULL,
                       BRZ_STR("this is one file of a recording that is a folder, and the others, "
                               "data.0 and so on, are not beside it: their samples are missing"));
}

/* Adds the input, and the files data.N beside it if it is a part of a directory, to the streams. */
static void open_directory(recording *p)
{
    add(p, p->data, p->len, 0);
    p->streams[0].at = p->data + p->header.data.offset;
    p->streams[0].end = p->streams[0].at + p->header.data.size;
    if (is_directory(p))
        add_files(p);
    for (size_t i = 0; i < p->n_streams; i++)
        unpack_stream_init(&p->streams[i].packed, p->n_streams);
}

/* ---- entry points --------------------------------------------------------------------------- */

static void init(recording *p, brz_ctx *ctx)
{
    const options *o = ctx->cfg;
    p->ctx = ctx;
    p->wants_tags = (ctx->flags & BRZ_CTX_WANTS_TAGS) != 0;
    p->wants_time = (ctx->flags & BRZ_CTX_WANTS_TIME) != 0;
    events_init(&p->events, ctx);
    counters_init(&p->counters, ctx);
    modules_init(&p->modules, ctx);
    threads_init(&p->threads, ctx);
    p->kernel = maps_create(&p->threads.pool, ctx);
    frames_init(&p->frames, p);
    rules_init(p);
    symbols_init(&p->symbols, ctx, o->kallsyms, o->build_id_dir, o->debuginfod);
    p->symbols.live = ctx->host->extension(ctx, BRZ_LIVE_ID);
    p->is_live = p->symbols.live != NULL;
    p->symbols.threads = &p->threads;
    brz_stacks_init(&p->stacks, ctx, BRZ_LEAF_FIRST);
    ahead_init(p);
    weight_fields_init(&p->fields, ctx, &o->weight_field);
    off_cpu_init(&p->off, ctx, &o->off, &p->stacks);
    pending_init(p);
    p->frames.addrs = o->addrs;
    p->frames.kernel = o->kernel || o->all;
    p->frames.jit = o->jit || o->all;
    p->frames.inlined = o->inlined || o->all;
    p->frames.inlines = o->inlines;
    p->frames.srcline = o->srcline;
    p->frames.pid = o->pid;
    p->frames.tid = o->tid;
    p->symbols.by_perf_script = o->compat == COMPAT_PERF_SCRIPT;
    p->threads.keeps_maps = o->compat == COMPAT_PERF_SCRIPT;
    p->frames.by_perf_script = o->compat == COMPAT_PERF_SCRIPT;
    modules_get(&p->modules, ctx, brz_str_of("", 0), MODULE_NONE, NULL);
}

/* Reports the problems that reading the records met. */
static void report(recording *p)
{
    const losses_of of = {p->sampling.n, events_stack_copied(&p->events), quality_lacks_files(p)};
    losses_report(&p->losses, &of, p->ctx);
    switches_report(p);
    sampling_report(&p->sampling, &p->events, p->ctx);
    quality_report(p);
    losses_report_late(p->queue.n_late, p->ctx);
    if (p->threads.full)
        recording_warn(p, "perf-data.forks", NULL,
                       BRZ_STR("too many mappings of forked processes: some are forgotten"));
}

/* Makes a chunk the current one: the whole input, or the bytes after those that were used. */
static void take_chunk(recording *p, const brz_chunk *chunk)
{
    p->data = chunk->data;
    p->len = chunk->len;
    p->offset = chunk->offset;
    p->is_open = (chunk->flags & BRZ_CHUNK_LAST) == 0;
    if (p->is_open)
        p->symbols.bound = SYMBOLS_OF_STREAM;
    if (p->n_streams == 0)
        return;
    stream *s = &p->streams[0];
    s->data = s->at = chunk->data;
    s->len = chunk->len;
    s->end = chunk->data + chunk->len;
}

/* Reads the header, and the descriptions that may come late. Sets *ready to false if more of the
 * input follows and is needed first: all of it, unless it has the pipe layout. */
static brz_rc begin(recording *p, brz_ctx *ctx, const brz_chunk *chunk, bool *ready)
{
    bool is_open = (chunk->flags & BRZ_CHUNK_LAST) == 0;
    *ready = !is_open || header_is_pipe(chunk->data, chunk->len);
    if (!*ready)
        return BRZ_OK;
    init(p, ctx);
    take_chunk(p, chunk);
    p->is_streamed = is_open;
    unpack_stream_init(&p->stored, 1);
    if (!header_read(&p->header, ctx, &p->events, chunk->data, chunk->len))
        return BRZ_ERROR;
    features_read_all(p);
    open_directory(p);
    return BRZ_OK;
}

/* Reads the descriptions at the beginning of the pipe layout. */
static brz_rc describe(recording *p, bool *ready)
{
    *ready = !p->header.is_pipe || records_scan(p);
    if (!*ready)
        return BRZ_OK;
    p->is_described = true;
    tracing_describe_events(p);
    events_name_rest(&p->events, p->ctx);
    return BRZ_OK;
}

/* Passes on what is known of the samples so far. */
static brz_rc pass_on(recording *p)
{
    brz_rc rc = ahead_drain(p);
    if (rc == BRZ_OK)
        rc = pending_look(p);
    return rc == BRZ_OK ? fold_pass_on(p) : rc;
}

/* Reads the records that are there, and at the end reports. */
static brz_rc read_records(recording *p)
{
    brz_rc rc = records_read(p);
    if (rc == BRZ_OK && p->is_open && p->is_live)
        return pass_on(p);
    if (rc != BRZ_OK || p->is_open)
        return rc;
    rc = off_cpu_finish(&p->off, p->ctx);
    if (rc == BRZ_OK)
        rc = pending_finish(p);
    if (rc == BRZ_OK) {
        fold_choose_column(p);
        report(p);
    }
    if (rc == BRZ_OK)
        rc = weight_fields_report(&p->fields, p->ctx, &p->known_fields, "perf-data.weight-field",
                                  "the recording describes no fields of its events; record a "
                                  "tracepoint, as with `perf record -g -e kmem:kmalloc`");
    return rc == BRZ_OK ? brz_stacks_finish(&p->stacks, p->ctx) : rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    recording *p = ctx->inst;
    bool ready = true;
    brz_rc rc = BRZ_OK;
    *used = 0;
    if (p->ctx == NULL)
        rc = begin(p, ctx, chunk, &ready);
    else
        take_chunk(p, chunk);
    if (rc == BRZ_OK && ready && !p->is_described)
        rc = describe(p, &ready);
    if (rc == BRZ_OK && ready)
        rc = read_records(p);
    if (rc != BRZ_OK || (ready && !p->is_open))
        *used = chunk->len;
    else if (p->n_streams > 0)
        *used = (size_t)(p->streams[0].at - chunk->data);
    return rc;
}

static void close_instance(brz_ctx *ctx)
{
    recording *p = ctx->inst;
    if (p->ctx == NULL)
        return;
    for (size_t i = 0; i < p->n_streams; i++)
        unpack_stream_finish(&p->streams[i].packed);
    rules_close(p);
    symbols_close(&p->symbols);
}

/* Implements brz_code_source.find. */
static bool find_code(brz_ctx *ctx, const brz_frame_info *at, brz_code *found)
{
    recording *p = ctx->inst;
    return p->ctx != NULL && module_code_find(&p->modules, &p->symbols, at, found);
}

/* ---- plug-in -------------------------------------------------------------------------------- */

static const char *const globs[] = {"perf.data", "*.perf.data", "perf.data.*", NULL};

static const brz_magic magics[] = {
    {.len = 8, .bytes = "PERFILE2", .score = BRZ_SNIFF_MAGIC},
    {.len = 8, .bytes = "2ELIFREP", .score = BRZ_SNIFF_MAGIC},
    {.len = 8, .bytes = "PERFFILE", .score = BRZ_SNIFF_MAGIC},
    {.len = 8, .bytes = "ELIFFREP", .score = BRZ_SNIFF_MAGIC},
};

static const char *const compat_choices[] = {"none", "perf-script", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "addrs", BOOL, addrs, "false",
               "put the address into the names of unresolved frames"),
    BRZ_OPTION(options, "all", BOOL, all, "false", "the same as kernel, jit and inlined"),
    BRZ_OPTION(options, "build-id-dir", STR, build_id_dir, NULL,
               "folder of perf's build-id cache, instead of ~/.debug", .flags = BRZ_OPTION_PATH),
    BRZ_OPTION(options, "compat", ENUM, compat, "none",
               "name callers and modules of the kernel as perf script does",
               .choices = compat_choices),
    BRZ_OPTION(options, "debuginfod", BOOL, debuginfod, "false",
               "fetch programs and debugging symbols that are missing from the servers of "
               "DEBUGINFOD_URLS",
               .flags = BRZ_OPTION_NETWORK),
    BRZ_OPTION(options, "inlined", BOOL, inlined, "false", "mark inlined functions with _[i]"),
    BRZ_OPTION(options, "inlines", BOOL, inlines, "true",
               "show inlined functions and lines, if there is debugging information"),
    BRZ_OPTION(options, "jit", BOOL, jit, "false", "mark JIT-compiled code with _[j]"),
    BRZ_OPTION(options, "kallsyms", STR, kallsyms, NULL,
               "file with the kernel's symbols, such as a copy of /proc/kallsyms",
               .flags = BRZ_OPTION_PATH),
    BRZ_OPTION(options, "kernel", BOOL, kernel, "false", "mark kernel code with _[k]"),
    OFF_CPU_OPTIONS(options),
    BRZ_OPTION(options, "pid", BOOL, pid, "false", "add the process id to the name of the process"),
    BRZ_OPTION(options, "srcline", BOOL, srcline, "false", "add file and line to names"),
    BRZ_OPTION(options, "tid", BOOL, tid, "false",
               "add process and thread id to the name of the process"),
    WEIGHT_FIELD_OPTION(options),
};

static void validate(const void *cfg, brz_option_faults *faults)
{
    const options *o = cfg;
    weight_fields_validate(&o->weight_field, faults);
}

static const brz_code_source code_source = {.struct_size = sizeof code_source, .find = find_code};

static const void *offer(const char *id)
{
    return strcmp(id, BRZ_CODE_ID) == 0 ? &code_source : NULL;
}

SHIPPED_BINARY_FILE_READER(recording, .sniff = header_sniff, .close = close_instance,
                           .record_max = INPUT_MAX, .offer = offer, SHIPPED_MAGICS(magics))

BRZ_HINTS(BRZ_IF_NAME("perf.data") BRZ_IF_NAME("*.perf.data") BRZ_IF_NAME("perf.data.*")
              BRZ_IF_BEGINS("PERF") BRZ_IF_BEGINS("2ELIFREP") BRZ_IF_BEGINS("ELIFFREP"))

SHIPPED_COLLAPSER(
    "perf-data", .summary = "recordings of Linux perf: perf.data",
    .help = "Record with `perf record -g PROGRAM`. Each event is a weight of its own: see -w.",
    BRZ_OPTIONS(option_table, options), .validate = validate)
