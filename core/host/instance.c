/* Implements the host's services for components. */
#include "host/instance.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/version.h"

#include <stdlib.h>
#include <string.h>

static brz_instance *instance_of(brz_ctx *ctx)
{
    return (brz_instance *)ctx;
}

/* ---- memory and messages ------------------------------------------------------------------- */

static void *host_alloc(brz_ctx *ctx, size_t size, size_t align)
{
    return brz_arena_alloc(&instance_of(ctx)->memory, size, align);
}

/* Returns a severity; unknown ones count as notes. */
static int32_t known_severity(int32_t severity)
{
    return severity < BRZ_FATAL || severity > BRZ_DEBUG ? BRZ_NOTE : severity;
}

/* Logs a line. Errors become warnings, because only `diag` may fail the run. */
static void host_log(brz_ctx *ctx, int32_t level, brz_str line)
{
    brz_instance *i = instance_of(ctx);
    level = level == BRZ_FATAL ? BRZ_WARNING : known_severity(level);
    brz_notice r = {.severity = level,
                    .msg = line,
                    .offset = BRZ_NO_OFFSET,
                    .count = 1,
                    .component = i->loaded->component};
    brz_say_notice(i->run->console, &r);
}

/* Number of bytes of a long line that are shown before the position. */
#define BEFORE 60

/* Determines line, column and text of a position in the current chunk. */
static void locate(const brz_instance *i, const uint8_t *at, brz_notice *r)
{
    const uint8_t *start = at, *end = i->chunk + i->chunk_len;
    while (start > i->chunk && start[-1] != '\n')
        start--;
    const uint8_t *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop == NULL ? end : stop;
    r->column = (uint64_t)(at - start) + 1;
    if (i->chunk_line > 0) {
        r->column += start == i->chunk ? i->chunk_column : 0;
        r->line = i->chunk_line;
        for (const uint8_t *p = i->chunk; p < start; p++)
            r->line += *p == '\n';
    }
    size_t caret = (size_t)(at - start);
    brz_str line = brz_str_of((const char *)start, (size_t)(stop - start));
    brz_notice_show_line(r, line, caret > BEFORE ? caret - BEFORE : 0, caret);
}

static void add_report(brz_instance *i, brz_notice *r, const uint8_t *at)
{
    r->offset = BRZ_NO_OFFSET;
    r->input = brz_str_of(i->input, strlen(i->input));
    bool inside = at != NULL && at >= i->chunk && at <= i->chunk + i->chunk_len;
    if (inside && i->chunk != NULL) {
        r->offset = i->chunk_offset + (uint64_t)(at - i->chunk);
        if (!brz_notices_is_full(&i->reports, r->code))
            locate(i, at, r);
    }
    brz_notices_add(&i->reports, r);
}

/* Collects a report about an input; prints one of a component without an input (an output or a
 * palette) immediately. */
static void report(brz_instance *i, brz_notice *r, const uint8_t *at)
{
    r->component = i->loaded->component;
    if (i->input != NULL)
        add_report(i, r, at);
    else
        brz_say_notice(i->run->console, r);
}

void brz_instance_report(brz_instance *i, int32_t severity, const char *code, const uint8_t *at,
                         size_t len, const char *msg)
{
    brz_notice r = {.severity = severity, .code = code, .len = len, .count = 1};
    r.msg = brz_str_of(msg, strlen(msg));
    report(i, &r, at);
}

/* Fails the run after a breach of the contract, such as an unknown frame, which would be read out
 * of bounds later. */
static brz_rc reject(brz_instance *i, const char *what)
{
    brz_instance_report(i, BRZ_FATAL, "host.contract", NULL, 0, what);
    return BRZ_ERROR;
}

/* The functions below reject structs filled in by plug-ins that are smaller than those of ABI 0.0.
 * A plug-in that forgets the size would otherwise have later members read as garbage. */

static void host_diag(brz_ctx *ctx, const brz_diag *d)
{
    brz_instance *i = instance_of(ctx);
    if (!BRZ_HAS(d, brz_diag, count)) {
        reject(i, "diag: struct_size is too small");
        return;
    }
    brz_notice r = {
        .severity = known_severity(d->severity),
        .code = d->code != NULL ? d->code : "plugin",
        .msg = d->msg,
        .len = d->len,
        .count = d->count > 0 ? d->count : 1,
    };
    if (strcmp(r.code, BRZ_SATURATED) == 0)
        i->profile->saturated = true;
    else
        report(i, &r, d->at);
}

/* ---- frames and weights -------------------------------------------------------------------- */

static brz_frame host_frame(brz_ctx *ctx, const brz_frame_desc *d)
{
    brz_instance *i = instance_of(ctx);
    if (BRZ_HAS(d, brz_frame_desc, reserved))
        return brz_profile_add_frame(i->profile, d);
    reject(i, "frame: struct_size is too small");
    return BRZ_NO_FRAME;
}

static brz_frame host_intern(brz_ctx *ctx, const char *name, size_t len)
{
    brz_frame_desc d = {.struct_size = sizeof d, .name = brz_str_of(name, len)};
    return host_frame(ctx, &d);
}

/* Declares a column. Columns are sorted by the position of their first occurrence in the input,
 * then by the order of declaration. */
static uint32_t host_weight(brz_ctx *ctx, const brz_weight_desc *d)
{
    brz_instance *i = instance_of(ctx);
    if (!BRZ_HAS(d, brz_weight_desc, unit)) {
        reject(i, "weight: struct_size is too small");
        return BRZ_NO_WEIGHT;
    }
    uint64_t position = i->chunk_offset << 8 | (i->profile->n_weights & 0xff);
    return brz_profile_add_weight(i->profile, d->name, d->unit, d->decimals, position);
}

static void need_weight(brz_instance *i)
{
    brz_weight_desc d = {
        .struct_size = sizeof d, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples")};
    if (i->profile->n_weights == 0)
        host_weight(&i->ctx, &d);
}

static void host_decimals(brz_ctx *ctx, uint32_t weight, uint32_t decimals)
{
    brz_instance *i = instance_of(ctx);
    need_weight(i);
    if (weight < i->profile->n_weights)
        brz_profile_set_decimals(i->profile, weight, decimals);
    else
        reject(i, "decimals: a weight that the host did not give out");
}

/* ---- stacks -------------------------------------------------------------------------------- */

static brz_rc run_status(brz_instance *i)
{
    return atomic_load_explicit(&i->run->stop, memory_order_relaxed) ? BRZ_STOP : BRZ_OK;
}

static bool are_known(const brz_instance *i, const brz_frame *frames, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (frames[k] >= i->profile->n_frames)
            return false;
    return true;
}

static void count(brz_instance *i, brz_stack stack, uint32_t weight, int64_t value)
{
    brz_profile *p = i->profile;
    brz_profile_add_value(p, stack, weight, value);
    if (!(i->ctx.flags & BRZ_CTX_ORDERED))
        return;
    p->samples = brz_grow(p->samples, p->n_samples, &p->samples_cap, sizeof *p->samples);
    p->samples[p->n_samples++] = (brz_profile_sample){i->chunk_offset, stack, weight, value};
}

static brz_rc host_emit(brz_ctx *ctx, const brz_frame *frames, size_t n, int64_t value,
                        uint32_t flags)
{
    brz_instance *i = instance_of(ctx);
    if (!are_known(i, frames, n))
        return reject(i, "emit: a frame that the host did not give out");
    need_weight(i);
    count(i, brz_profile_intern_stack(i->profile, frames, n, flags), 0, value);
    return run_status(i);
}

static brz_rc host_emit_sample(brz_ctx *ctx, const brz_sample *s)
{
    brz_instance *i = instance_of(ctx);
    if (!BRZ_HAS(s, brz_sample, n_values))
        return reject(i, "emit_sample: struct_size is too small");
    need_weight(i);
    if (!are_known(i, s->frames, s->n_frames) || s->n_values > i->profile->n_weights)
        return reject(i, "emit_sample: a frame or weight that the host did not give out");
    brz_stack stack = brz_profile_intern_stack(i->profile, s->frames, s->n_frames, s->flags);
    for (size_t w = 0; w < s->n_values; w++)
        if (s->values[w] != 0 || w == 0)
            count(i, stack, (uint32_t)w, s->values[w]);
    return run_status(i);
}

/* Replaces unknown frames in a stored stack: the caller compares its ids with the stored ones, so
 * all of them must exist. */
static void replace_unknown(brz_instance *i, brz_profile_stack *s)
{
    brz_frame substitute = host_intern(&i->ctx, "?", 1);
    for (uint32_t k = 0; k < s->n; k++)
        if (s->frames[k] >= i->profile->n_frames)
            s->frames[k] = substitute;
}

static brz_stack host_stack(brz_ctx *ctx, const brz_frame *frames, size_t n, uint32_t flags,
                            const brz_frame **stored)
{
    brz_instance *i = instance_of(ctx);
    bool known = are_known(i, frames, n);
    brz_stack s = brz_profile_add_stack(i->profile, frames, n, flags);
    if (!known) {
        reject(i, "stack: a frame that the host did not give out");
        replace_unknown(i, &i->profile->stacks[s]);
    }
    if (stored != NULL)
        *stored = i->profile->stacks[s].frames;
    return s;
}

static brz_rc host_add(brz_ctx *ctx, const brz_count *counts, size_t n)
{
    brz_instance *i = instance_of(ctx);
    need_weight(i);
    for (size_t k = 0; k < n; k++) {
        if (counts[k].stack >= i->profile->n_stacks || counts[k].weight >= i->profile->n_weights)
            return reject(i, "add: a stack or weight that the host did not give out");
        count(i, counts[k].stack, counts[k].weight, counts[k].value);
    }
    return run_status(i);
}

static brz_rc host_enter(brz_ctx *ctx, uint64_t track, brz_frame frame, int64_t time)
{
    brz_instance *i = instance_of(ctx);
    if (!are_known(i, &frame, 1))
        return reject(i, "enter: a frame that the host did not give out");
    if (i->trace == NULL)
        i->trace = brz_trace_create();
    brz_trace_enter(i->trace, track, frame, time);
    return run_status(i);
}

static brz_rc host_leave(brz_ctx *ctx, uint64_t track, int64_t time)
{
    brz_instance *i = instance_of(ctx);
    if (i->trace == NULL || !brz_trace_leave(i->trace, track, time))
        brz_instance_report(i, BRZ_WARNING, "host.leave", NULL, 0,
                            "end of a call that never began");
    return run_status(i);
}

/* ---- other services
 * --------------------------------------------------------------------------- */

static bool host_stopped(brz_ctx *ctx)
{
    return run_status(instance_of(ctx)) == BRZ_STOP;
}

/* Returns no colour: this service is for outputs, which get theirs from draw/coloring.c. */
static uint32_t host_color(brz_ctx *ctx, const brz_tree *tree, uint32_t node)
{
    (void)ctx;
    (void)tree;
    (void)node;
    return BRZ_COLOR_NONE;
}

static void host_background(brz_ctx *ctx, uint32_t colors[2])
{
    (void)ctx;
    colors[0] = colors[1] = BRZ_COLOR_NONE;
}

static void host_legend(brz_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    (void)ctx;
    (void)tree;
    (void)legend;
}

static const void *host_extension(brz_ctx *ctx, const char *id)
{
    (void)ctx;
    (void)id;
    return NULL;
}

static const brz_host host = {
    .struct_size = sizeof host,
    .abi_major = BRZ_ABI_MAJOR,
    .abi_minor = BRZ_ABI_MINOR,
    .name = "brazier",
    .version = BRZ_VERSION,
    .alloc = host_alloc,
    .log = host_log,
    .diag = host_diag,
    .intern = host_intern,
    .frame = host_frame,
    .weight = host_weight,
    .decimals = host_decimals,
    .emit = host_emit,
    .emit_sample = host_emit_sample,
    .stack = host_stack,
    .add = host_add,
    .enter = host_enter,
    .leave = host_leave,
    .stopped = host_stopped,
    .color = host_color,
    .background = host_background,
    .extension = host_extension,
    .legend = host_legend,
};

const brz_host *brz_instance_host(void)
{
    return &host;
}

/* ---- life cycle ----------------------------------------------------------------------------- */

brz_instance *brz_instance_create(const brz_loaded *loaded, brz_run *run, const void *cfg,
                                  const void *shared, size_t inst_size, uint32_t index)
{
    brz_instance *i = brz_calloc(1, sizeof *i);
    i->loaded = loaded;
    i->run = run;
    i->ctx.struct_size = sizeof i->ctx;
    i->ctx.index = index;
    i->ctx.host = &host;
    i->ctx.cfg = cfg;
    i->ctx.shared = shared;
    i->ctx.seed = brz_hash_seed();
    i->ctx.inst = brz_arena_alloc(&i->memory, inst_size, 64);
    i->profile = brz_profile_create();
    return i;
}

void brz_instance_collect(brz_instance *i, const char *input, uint32_t ctx_flags)
{
    i->input = input;
    i->ctx.flags = ctx_flags;
}

bool brz_instance_has_emitted(const brz_instance *i)
{
    const brz_profile *p = i->profile;
    return p->n_frames > 0 || p->n_stacks > 0 || p->n_weights > 0 || i->trace != NULL;
}

void brz_instance_finish_trace(brz_instance *i)
{
    if (i->trace == NULL)
        return;
    if (i->profile->n_weights == 0)
        brz_profile_add_weight(i->profile, BRZ_STR("time"), BRZ_STR("nanoseconds"), 0, 0);
    brz_trace_finish(i->trace, i->profile, 0);
}

void brz_instance_destroy(brz_instance *i)
{
    if (i == NULL)
        return;
    brz_profile_destroy(i->profile);
    brz_trace_destroy(i->trace);
    brz_notices_finish(&i->reports);
    brz_arena_finish(&i->memory);
    free(i);
}
