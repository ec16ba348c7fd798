/* SPDX-License-Identifier: MIT */
/* Implements the host's services for components. */
#include "host/services.h"

#include "base/mem.h"
#include "base/version.h"
#include "plugin/component_copy.h"
#include "plugin/crash.h"
#include "plugin/format.h"
#include "profile/demangle.h"
#include "profile/detail.h"
#include "profile/weight.h"

#include <brazier/draft/code.h>
#include <brazier/draft/demangle.h>
#include <brazier/draft/file_age.h>
#include <brazier/draft/live.h>
#include <brazier/draft/quality.h>
#include <brazier/draft/source_name.h>
#include <string.h>

/* ---- who calls ----------------------------------------------------------------------------- */

/* Prints a report of an output or a palette, which begins with its name. It may break the rule for
 * each node, so only the first report is printed. */
static void reject_at_once(brz_instance *i, const char *what)
{
    if (!i->rejected)
        brz_instance_report(i, BRZ_FATAL, "host.contract", NULL, 0, what);
    i->rejected = true;
}

brz_rc brz_host_reject(brz_instance *i, const char *what)
{
    const brz_component *c = i->loaded->component;
    brz_buf b = {0};
    if (i->input == NULL) {
        reject_at_once(i, what);
        return BRZ_ERROR;
    }
    brz_buf_printf(&b, "%s '%s': %s", brz_component_kind_name(c->kind), c->id, what);
    brz_instance_report(i, BRZ_FATAL, "host.contract", NULL, 0, brz_buf_text(&b));
    brz_buf_finish(&b);
    return BRZ_ERROR;
}

static brz_rc reject_as(brz_instance *i, const char *service, const char *what)
{
    brz_buf b = {0};
    brz_buf_printf(&b, "%s: %s", service, what);
    brz_rc rc = brz_host_reject(i, brz_buf_text(&b));
    brz_buf_finish(&b);
    return rc;
}

/* Finds the instance for a call with an unexpected context. It reads nothing from `ctx`, which may
 * be any address. */
static brz_instance *find_caller(const void *ctx, const char *service)
{
    static const char elsewhere[] = "it called the host on a thread of its own";
    brz_instance *own = (brz_instance *)(uintptr_t)brz_call_context();
    if (own != NULL)
        reject_as(own, service, "called with a context that is not the instance's");
    else if (brz_call_current() != NULL)
        brz_crash_blame("it called the host from a function that has no context");
    else
        brz_crash_blame(elsewhere);
    if (own == NULL)
        brz_call_accuse(ctx, elsewhere);
    return own;
}

brz_instance *brz_host_instance(const void *ctx, const char *service)
{
    if (brz_call_was_given(ctx))
        return (brz_instance *)(uintptr_t)ctx;
    return find_caller(ctx, service);
}

/* Returns whether the host has already taken the samples of the instance, after a report. */
static bool is_too_late(brz_instance *i, const char *service)
{
    if (i->closing)
        reject_as(i, service, "called in close, after the samples were merged");
    return i->closing;
}

/* Returns the instance for a service that fills a profile; NULL, after a report, if it may not. */
static brz_instance *find_filler(const void *ctx, const char *service)
{
    brz_instance *i = brz_host_instance(ctx, service);
    return i == NULL || is_too_late(i, service) ? NULL : i;
}

static bool is_text(brz_str s)
{
    return s.data != NULL || s.len == 0;
}

/* ---- services for all roles ----------------------------------------------------------------- */

static void *allocate(const void *ctx, size_t size, size_t align)
{
    brz_instance *i = brz_host_instance(ctx, "alloc");
    if (i == NULL)
        return brz_calloc(size, 1); /* nobody knows when it could be freed */
    if ((align & (align - 1)) != 0) {
        brz_host_reject(i, "alloc: an alignment that is not a power of two");
        align = 0;
    }
    return brz_arena_alloc(&i->memory, size, align);
}

/* Returns a severity; unknown ones count as notes. */
static int32_t known_severity(int32_t severity)
{
    return severity < BRZ_FATAL || severity > BRZ_DEBUG ? BRZ_NOTE : severity;
}

/* Logs a line. Errors become warnings, because only `diag` may fail the run. */
static void log_line(const void *ctx, int32_t level, brz_str line)
{
    brz_instance *i = brz_host_instance(ctx, "log");
    if (i == NULL)
        return;
    if (!is_text(line)) {
        brz_host_reject(i, "log: the line is NULL");
        return;
    }
    level = level == BRZ_FATAL ? BRZ_WARNING : known_severity(level);
    brz_notice r = {.severity = level,
                    .msg = line,
                    .offset = BRZ_NO_OFFSET,
                    .count = 1,
                    .component = i->loaded->component};
    brz_say_notice(i->run->console, &r);
}

static brz_left_out left_out_of(const brz_instance *i, const brz_diag *d)
{
    brz_left_out l = {.records = d->records};
    if (d->weighed == 0)
        return l;
    l.weighed = d->weighed < d->records ? d->weighed : d->records;
    l.weight = d->missing;
    l.decimals = i->profile->n_weights > 0 ? i->profile->weights[0].decimals : 0;
    return l;
}

/* The functions below reject structs filled in by plug-ins that lack members which the host needs.
 * A plug-in that forgets the size would otherwise have later members read as garbage. */

/* Names the definition of a format in an error of its collapser, which may be due to its options.
 */
static void name_format(const brz_instance *i, brz_notice *r, brz_buf *msg)
{
    const brz_format *format = i->loaded->format;
    if (r->severity != BRZ_FATAL || format == NULL)
        return;
    const brz_yaml *at = format->definition;
    at = at->key != NULL ? at->key : at; /* the file of a shipped format has no key */
    brz_buf_add_str(msg, r->msg);
    brz_buf_printf(msg, " (format '%s', %s:%zu)", i->loaded->component->id, at->file->name,
                   at->line);
    r->msg = brz_buf_str(msg);
}

static void report(const void *ctx, const brz_diag *d)
{
    brz_buf msg = {0};
    brz_instance *i = brz_host_instance(ctx, "diag");
    if (i == NULL)
        return;
    if (d == NULL || !BRZ_HAS(d, brz_diag, count) || !is_text(d->msg)) {
        brz_host_reject(i, d == NULL                      ? "diag: the report is NULL"
                           : !BRZ_HAS(d, brz_diag, count) ? "diag: struct_size is too small"
                                                          : "diag: the message is NULL");
        return;
    }
    brz_notice r = {
        .severity = known_severity(d->severity),
        .code = d->code != NULL ? d->code : "plugin",
        .msg = d->msg,
        .len = d->len,
        .count = d->count > 0 ? d->count : 1,
    };
    if (BRZ_HAS(d, brz_diag, missing))
        r.left_out = left_out_of(i, d);
    name_format(i, &r, &msg);
    bool collapses = i->loaded->component->kind == BRZ_COLLAPSER;
    if (collapses && strcmp(r.code, BRZ_SATURATED) == 0)
        i->profile->saturated = true;
    else if (d->at == NULL && BRZ_HAS(d, brz_diag, byte_number) && d->byte_number > 0)
        brz_instance_add_earlier_report(i, &r, d->byte_number - 1);
    else
        brz_instance_add_report(i, &r, d->at);
    brz_buf_finish(&msg);
}

static brz_rc answer(brz_instance *i)
{
    return atomic_load_explicit(&i->run->stop, memory_order_relaxed) ? BRZ_STOP : BRZ_OK;
}

static bool is_stopped(const void *ctx)
{
    brz_instance *i = brz_host_instance(ctx, "stopped");
    return i == NULL || answer(i) == BRZ_STOP;
}

/* The draft <brazier/draft/parallel.h>: runs work that calls no services on the threads of the run.
 */

/* Returns the instance for a service of the draft, unless it may not start work any more. */
static brz_instance *find_starter(brz_ctx *ctx, const char *service)
{
    brz_instance *i = brz_host_instance(ctx, service);
    return i == NULL || is_too_late(i, service) ? NULL : i;
}

static uint32_t count_threads(brz_ctx *ctx)
{
    const brz_instance *i = brz_host_instance(ctx, "parallel");
    if (i == NULL || i->threads == 0)
        return 1;
    return i->threads < BRZ_PARALLEL_MAX ? i->threads : BRZ_PARALLEL_MAX;
}

static void start_work(brz_ctx *ctx, brz_parallel_work *work, void *arg, size_t n)
{
    brz_instance *i = find_starter(ctx, "parallel");
    if (i == NULL)
        return;
    if (work == NULL) {
        reject_as(i, "parallel", "the work is NULL");
        return;
    }
    if (i->parallel == NULL)
        i->parallel = brz_parallel_create(i->threads, i->loaded, i->input);
    brz_parallel_start(i->parallel, work, arg, n);
}

static void wait_for_work(brz_ctx *ctx)
{
    brz_instance *i = brz_host_instance(ctx, "parallel");
    if (i != NULL)
        brz_parallel_wait(i->parallel);
}

static const brz_parallel_service parallel = {sizeof parallel, 0, count_threads, start_work,
                                              wait_for_work};

/* The draft <brazier/draft/demangle.h>: demangles a name, without parameters. */
static bool demangle(brz_ctx *ctx, brz_str name, brz_str *demangled)
{
    brz_instance *i = brz_host_instance(ctx, "demangle");
    if (i == NULL || !is_text(name) || demangled == NULL)
        return false;
    brz_buf_clear(&i->demangled);
    if (!brz_demangle(name, BRZ_DEMANGLE_AUTO, &i->demangled))
        return false;
    *demangled = brz_buf_str(&i->demangled);
    return true;
}

static const brz_demangler demangler = {sizeof demangler, 0, demangle};

/* The draft <brazier/draft/file_age.h>. */
static bool is_newer(brz_ctx *ctx, brz_str path)
{
    const brz_instance *i = brz_host_instance(ctx, "is_newer");
    return i != NULL && is_text(path) && brz_related_is_newer(i->related, path);
}

static const brz_file_age file_age = {sizeof file_age, 0, is_newer};

/* The draft <brazier/draft/quality.h>. */

/* Returns what the inputs of an output's run lack, or NULL if that is unknown. */
static const brz_run_lacks *lacks_of(brz_output_ctx *ctx, const char *service)
{
    const brz_instance *i = brz_host_instance(ctx, service);
    return i == NULL ? NULL : i->run->lacks;
}

static brz_str findings_line(brz_output_ctx *ctx)
{
    const brz_run_lacks *lacks = lacks_of(ctx, "findings");
    return lacks == NULL ? BRZ_STR("") : brz_buf_str(&lacks->findings);
}

static brz_str left_out_line(brz_output_ctx *ctx)
{
    const brz_run_lacks *lacks = lacks_of(ctx, "left_out");
    return lacks == NULL ? BRZ_STR("") : brz_buf_str(&lacks->left_out);
}

static const brz_quality_service quality = {sizeof quality, 0, findings_line, left_out_line};

/* The draft <brazier/draft/source_name.h>. */
static brz_str source_name(brz_output_ctx *ctx)
{
    const brz_instance *i = brz_host_instance(ctx, "source_name");
    return i == NULL || i->source.data == NULL ? BRZ_STR("") : i->source;
}

static const brz_source_name source_names = {sizeof source_names, 0, source_name};

/* The draft <brazier/draft/code.h>. */
static const brz_code *find_code(brz_output_ctx *ctx, const brz_frame_info *at)
{
    const brz_instance *i = brz_host_instance(ctx, "find");
    return i == NULL || i->codes == NULL || at == NULL ? NULL : brz_codes_find(i->codes, at);
}

static const brz_code_list code_list = {sizeof code_list, 0, find_code};

/* ---- frames and weights -------------------------------------------------------------------- */

/* Returns the fault in a frame's description, or NULL. */
static const char *frame_fault(const brz_frame_desc *d)
{
    if (d == NULL)
        return "frame: the description is NULL";
    if (!BRZ_HAS(d, brz_frame_desc, build_id))
        return "frame: struct_size is too small";
    bool good = is_text(d->name) && is_text(d->module) && is_text(d->file) &&
                is_text(d->system_name) && is_text(d->build_id);
    return good ? NULL : "frame: a text is NULL";
}

/* Returns the frame without the attributes that the run does not distinguish. */
static brz_frame_desc distinguished(const brz_instance *i, const brz_frame_desc *d)
{
    brz_frame_desc frame = *d;
    if (i->drops & BRZ_DROPS_LINES)
        frame.line = frame.column = 0;
    if (i->drops & BRZ_DROPS_ADDRESSES)
        frame.address = 0;
    return frame;
}

/* Adds a frame. Those of transforms have ids after those of the tree. */
static brz_frame add_frame(const void *ctx, const brz_frame_desc *d)
{
    brz_instance *i = find_filler(ctx, "frame");
    const char *fault = i == NULL ? NULL : frame_fault(d);
    if (fault != NULL)
        brz_host_reject(i, fault);
    if (i == NULL || fault != NULL)
        return BRZ_NO_FRAME;
    brz_frame_desc frame = distinguished(i, d);
    return i->first_frame + brz_profile_add_frame(i->profile, &frame);
}

static brz_frame add_name(const void *ctx, const char *name, size_t len)
{
    brz_frame_desc d = {.struct_size = sizeof d, .name = brz_str_of(name, len)};
    brz_instance *i = find_filler(ctx, "intern");
    if (i != NULL && is_text(d.name))
        return i->first_frame + brz_profile_add_frame(i->profile, &d);
    if (i != NULL)
        brz_host_reject(i, "intern: the name is NULL");
    return BRZ_NO_FRAME;
}

static brz_frame host_frame(brz_ctx *ctx, const brz_frame_desc *d)
{
    return add_frame(ctx, d);
}

static brz_frame host_intern(brz_ctx *ctx, const char *name, size_t len)
{
    return add_name(ctx, name, len);
}

/* Adds a column. Columns are sorted by the position of their first occurrence in the input, then by
 * the order of declaration. */
static uint32_t add_weight(brz_instance *i, brz_str name, brz_str unit, uint32_t decimals)
{
    uint64_t position = i->chunk_offset << 8 | (i->profile->n_weights & 0xff);
    return brz_profile_add_weight(i->profile, name, unit, decimals, position);
}

/* Returns the fault in a column's description, or NULL. */
static const char *column_fault(const brz_column_desc *d)
{
    if (d == NULL)
        return "column: the description is NULL";
    if (!BRZ_HAS(d, brz_column_desc, reserved))
        return "column: struct_size is too small";
    return is_text(d->name) && is_text(d->unit) ? NULL : "column: a text is NULL";
}

#define KNOWN_COLUMN_FLAGS (BRZ_COLUMN_SHOWN_FLAGS | BRZ_COLUMN_CLOCK | BRZ_COLUMN_GROWTH)

static uint32_t host_column(brz_ctx *ctx, const brz_column_desc *d)
{
    brz_instance *i = find_filler(ctx, "column");
    const char *fault = i == NULL ? NULL : column_fault(d);
    if (fault != NULL)
        brz_host_reject(i, fault);
    if (i == NULL || fault != NULL)
        return BRZ_NO_COLUMN;
    uint32_t w = add_weight(i, d->name, d->unit, d->decimals);
    i->profile->weights[w].flags |= d->flags & KNOWN_COLUMN_FLAGS;
    return w;
}

static void need_weight(brz_instance *i)
{
    if (i->profile->n_weights > 0)
        return;
    uint32_t w = add_weight(i, BRZ_STR("samples"), BRZ_STR("samples"), 0);
    i->profile->weights[w].flags |= BRZ_COLUMN_SAMPLES;
}

static void host_decimals(brz_ctx *ctx, uint32_t weight, uint32_t decimals)
{
    brz_instance *i = find_filler(ctx, "decimals");
    if (i == NULL)
        return;
    need_weight(i);
    if (i->trace != NULL)
        brz_host_reject(i, "decimals: called after the first event of a tracer");
    else if (weight < i->profile->n_weights)
        brz_profile_set_decimals(i->profile, weight, decimals);
    else
        brz_host_reject(i, "decimals: a weight that the host did not give out");
}

/* ---- stacks -------------------------------------------------------------------------------- */

static bool are_known(const brz_instance *i, const brz_frame *frames, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (frames[k] >= i->profile->n_frames)
            return false;
    return true;
}

/* Returns a time on the profile's clock, or BRZ_NO_TIME. */
static int64_t time_of(uint32_t flags, int64_t time)
{
    if (!(flags & BRZ_TIMED))
        return BRZ_NO_TIME;
    return time > BRZ_NO_TIME ? time : BRZ_NO_TIME + 1;
}

/* Adds a value to the sum of its stack and, if the run needs samples, to these. */
static void count(brz_instance *i, const brz_count *c)
{
    brz_profile *p = i->profile;
    brz_profile_add_value(p, c->stack, c->column, c->value);
    if (p->samples.which == BRZ_SAMPLES_NONE)
        return;
    brz_profile_sample s = {
        .time = time_of(c->flags, c->time),
        .value = c->value,
        .stack = c->stack,
        .weight = c->column & 0xff,
        .tag = BRZ_SAMPLE_TAG(c->tag),
        .is_more = (c->flags & BRZ_SAME_SAMPLE) != 0,
    };
    brz_samples_add(&p->samples, &s, &p->saturated);
}

/* Returns whether the host has given out a tag. */
static bool is_known_tag(const brz_instance *i, brz_tag tag)
{
    return tag == BRZ_NO_TAG || tag < i->profile->tags.n;
}

static brz_rc host_emit(brz_ctx *ctx, const brz_frame *frames, size_t n, int64_t value,
                        uint32_t flags)
{
    brz_instance *i = find_filler(ctx, "emit");
    if (i == NULL)
        return BRZ_ERROR;
    if (frames == NULL && n > 0)
        return brz_host_reject(i, "emit: the frames are NULL");
    if (!are_known(i, frames, n))
        return brz_host_reject(i, "emit: a frame that the host did not give out");
    need_weight(i);
    brz_stack stack = brz_profile_intern_stack(i->profile, frames, n, flags & BRZ_LEAF_FIRST);
    count(i, &(brz_count){.stack = stack, .value = value});
    return answer(i);
}

/* Returns the fault in the values of a sample or an event, or NULL. */
static const char *values_fault(const brz_instance *i, const brz_values *v)
{
    if (v == NULL)
        return "the values are NULL";
    if (!BRZ_HAS(v, brz_values, reserved))
        return "struct_size is too small";
    if (v->values == NULL && v->n_values > 0)
        return "the array of values is NULL";
    if (v->n_values > i->profile->n_weights)
        return "a weight that the host did not give out";
    return is_known_tag(i, v->tag) ? NULL : "a tag that the host did not give out";
}

/* Adds the values of a sample that are not 0; the first one if all are. */
static void count_values(brz_instance *i, brz_stack stack, const brz_values *v)
{
    uint32_t flags = v->flags & BRZ_TIMED;
    bool any = false;
    for (size_t w = 0; w < v->n_values; w++) {
        if (v->values[w] == 0)
            continue;
        count(i, &(brz_count){stack, (uint32_t)w, v->values[w], v->tag, flags, v->time});
        flags |= BRZ_SAME_SAMPLE;
        any = true;
    }
    if (!any)
        count(i, &(brz_count){.stack = stack, .tag = v->tag, .flags = flags, .time = v->time});
}

static brz_rc host_sample(brz_ctx *ctx, const brz_frame *frames, size_t n, uint32_t flags,
                          const brz_values *v)
{
    brz_instance *i = find_filler(ctx, "sample");
    if (i == NULL)
        return BRZ_ERROR;
    if (frames == NULL && n > 0)
        return brz_host_reject(i, "sample: the frames are NULL");
    if (!are_known(i, frames, n))
        return brz_host_reject(i, "sample: a frame that the host did not give out");
    need_weight(i);
    const char *fault = values_fault(i, v);
    if (fault != NULL)
        return reject_as(i, "sample", fault);
    count_values(i, brz_profile_intern_stack(i->profile, frames, n, flags & BRZ_LEAF_FIRST), v);
    return answer(i);
}

/* Replaces unknown frames in a stored stack: the caller compares its ids with the stored ones, so
 * all of them must exist. */
static void replace_unknown(brz_instance *i, brz_profile_stack *s)
{
    brz_frame_desc d = {.struct_size = sizeof d, .name = BRZ_STR("?")};
    brz_frame substitute = brz_profile_add_frame(i->profile, &d);
    for (uint32_t k = 0; k < s->n; k++)
        if (s->frames[k] >= i->profile->n_frames)
            s->frames[k] = substitute;
}

/* Stores nothing but the copy that the caller compares with. Without an instance it is never freed.
 */
static brz_stack refuse_stack(brz_instance *i, const brz_frame *frames, size_t n,
                              const brz_frame **stored)
{
    if (stored == NULL)
        return 0;
    brz_frame *copy = i != NULL ? brz_arena_alloc(&i->memory, (n + 1) * sizeof *copy, 0)
                                : brz_calloc(n + 1, sizeof *copy);
    if (frames != NULL && n > 0)
        memcpy(copy, frames, n * sizeof *copy);
    *stored = copy;
    return 0;
}

/* Returns the number of frames of the last stack, if a new one may be stored with it: the plug-in
 * says that one begins with all frames of the other. Returns 0 otherwise. */
static size_t n_nested(const brz_profile *p, uint32_t flags, const brz_frame **stored)
{
    if (flags != BRZ_NESTED || stored == NULL || p->n_stacks == 0)
        return 0;
    const brz_profile_stack *last = &p->stacks[p->n_stacks - 1];
    return last->frames == *stored && !last->leaf_first ? last->n : 0;
}

static brz_stack host_stack(brz_ctx *ctx, const brz_frame *frames, size_t n, uint32_t flags,
                            const brz_frame **stored)
{
    brz_instance *i = brz_host_instance(ctx, "stack");
    if (i == NULL || is_too_late(i, "stack"))
        return refuse_stack(i, frames, n, stored);
    if (frames == NULL && n > 0) {
        brz_host_reject(i, "stack: the frames are NULL");
        n = 0;
    }
    size_t nested = n_nested(i->profile, flags, stored), first = nested < n ? nested : n;
    bool known = are_known(i, frames + first, n - first);
    flags = nested > 0 ? BRZ_NESTED : flags & BRZ_LEAF_FIRST;
    brz_stack s = brz_profile_add_stack(i->profile, frames, n, flags);
    if (!known) {
        brz_host_reject(i, "stack: a frame that the host did not give out");
        replace_unknown(i, &i->profile->stacks[s]);
    }
    if (stored != NULL)
        *stored = i->profile->stacks[s].frames;
    return s;
}

/* Returns the fault in a count that follows `last`, or NULL. */
static const char *count_fault(const brz_instance *i, const brz_count *c, const brz_count *last)
{
    if (c->stack >= i->profile->n_stacks || c->column >= i->profile->n_weights)
        return "add: a stack or weight that the host did not give out";
    if (!is_known_tag(i, c->tag))
        return "add: a tag that the host did not give out";
    bool continues = c->flags & BRZ_SAME_SAMPLE;
    if (continues &&
        (c->tag != last->tag || time_of(c->flags, c->time) != time_of(last->flags, last->time)))
        return "add: BRZ_SAME_SAMPLE with another tag or time";
    return NULL;
}

static brz_rc host_add(brz_ctx *ctx, const brz_count *counts, size_t n, size_t size)
{
    brz_instance *i = find_filler(ctx, "add");
    if (i == NULL)
        return BRZ_ERROR;
    if (counts == NULL && n > 0)
        return brz_host_reject(i, "add: the counts are NULL");
    if (size < sizeof(brz_count))
        return brz_host_reject(i, "add: `size` is smaller than a brz_count");
    need_weight(i);
    const brz_count *last = &i->last_count;
    for (size_t k = 0; k < n; k++) {
        const brz_count *c = brz_at(counts, (uint32_t)size, k);
        const char *fault = count_fault(i, c, last);
        if (fault != NULL)
            return brz_host_reject(i, fault);
        count(i, c);
        last = c;
    }
    i->last_count = *last;
    return answer(i);
}

/* Returns the fault in an event of a tracer, or NULL. Creates the trace with the first event. */
static const char *begin_event(brz_instance *i, const brz_values *at)
{
    if (i->profile->n_weights == 0) {
        uint32_t clock = add_weight(i, BRZ_STR("time"), BRZ_STR("nanoseconds"), 0);
        i->profile->weights[clock].flags = BRZ_COLUMN_CLOCK; /* adding has moved the weights */
    }
    const char *fault = values_fault(i, at);
    if (fault == NULL && i->trace == NULL)
        i->trace = brz_trace_create(i->profile);
    return fault;
}

/* Returns what columns read, where a time is BRZ_NO_TIME if it is unknown. */
static brz_values read_event(const brz_values *at)
{
    brz_values v = *at;
    v.time = time_of(at->flags, at->time);
    return v;
}

static brz_rc host_enter(brz_ctx *ctx, uint64_t track, brz_frame frame, const brz_values *at)
{
    brz_instance *i = find_filler(ctx, "enter");
    if (i == NULL)
        return BRZ_ERROR;
    if (!are_known(i, &frame, 1))
        return brz_host_reject(i, "enter: a frame that the host did not give out");
    const char *fault = begin_event(i, at);
    if (fault != NULL)
        return reject_as(i, "enter", fault);
    brz_values v = read_event(at);
    brz_trace_enter(i->trace, track, frame, &v);
    return answer(i);
}

static brz_rc host_leave(brz_ctx *ctx, uint64_t track, const brz_values *at)
{
    brz_instance *i = find_filler(ctx, "leave");
    if (i == NULL)
        return BRZ_ERROR;
    const char *fault = begin_event(i, at);
    if (fault != NULL)
        return reject_as(i, "leave", fault);
    brz_values v = read_event(at);
    if (!brz_trace_leave(i->trace, track, &v))
        brz_instance_report(i, BRZ_WARNING, "host.leave", NULL, 0,
                            "end of a call that never began");
    return answer(i);
}

/* ---- tags and metadata ----------------------------------------------------------------------- */

/* Returns the fault in the labels of a tag, or NULL. */
static const char *label_fault(const brz_tag_desc *d)
{
    if (d->n_labels > 0 && d->labels == NULL)
        return "tag: the labels are NULL";
    if (d->n_labels > 0 && d->label_size < sizeof(brz_label))
        return "tag: label_size is too small";
    for (uint32_t k = 0; k < d->n_labels; k++) {
        const brz_label *l = brz_at(d->labels, d->label_size, k);
        if (l->decimals > 9)
            return "tag: a label with more than 9 decimals";
        if (!is_text(l->key) || !is_text(l->text) || !is_text(l->unit))
            return "tag: a text is NULL";
    }
    return NULL;
}

/* Returns the fault in a tag's description, or NULL. */
static const char *tag_fault(const brz_tag_desc *d)
{
    if (d == NULL)
        return "tag: the description is NULL";
    if (!BRZ_HAS(d, brz_tag_desc, reserved))
        return "tag: struct_size is too small";
    if (!is_text(d->process_name) || !is_text(d->thread_name))
        return "tag: a text is NULL";
    return label_fault(d);
}

static brz_tag host_tag(brz_ctx *ctx, const brz_tag_desc *d)
{
    brz_instance *i = find_filler(ctx, "tag");
    const char *fault = i == NULL ? NULL : tag_fault(d);
    if (fault != NULL)
        brz_host_reject(i, fault);
    if (i == NULL || fault != NULL)
        return BRZ_NO_TAG;
    return brz_tags_add(&i->profile->tags, &i->profile->strings, d);
}

static bool are_texts(const brz_str *texts, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++)
        if (!is_text(texts[k]))
            return false;
    return true;
}

/* Returns the fault in the tag of a part, or NULL. */
static const char *part_fault(const brz_tag_desc *d)
{
    const uint32_t numbers = BRZ_TAG_PROCESS | BRZ_TAG_THREAD | BRZ_TAG_CPU;
    const char *fault = tag_fault(d);
    bool is_empty = fault == NULL && (d->flags & numbers) == 0 && d->process_name.len == 0 &&
                    d->thread_name.len == 0 && d->n_labels == 0;
    return is_empty ? "metadata: `of` has no members" : fault;
}

/* Returns the fault in metadata, or NULL. */
static const char *metadata_fault(const brz_metadata *m)
{
    if (m == NULL)
        return "metadata: the description is NULL";
    if (!BRZ_HAS(m, brz_metadata, n_pairs))
        return "metadata: struct_size is too small";
    if ((m->n_comments > 0 && m->comments == NULL) || (m->n_pairs > 0 && m->pairs == NULL))
        return "metadata: the comments or the pairs are NULL";
    if (m->n_pairs > 0 && m->pair_size < sizeof(brz_pair))
        return "metadata: pair_size is too small";
    const brz_str texts[] = {m->period_name, m->period_unit, m->producer,
                             m->command,     m->host,        m->architecture};
    const char *fault = BRZ_HAS(m, brz_metadata, of) && m->of != NULL ? part_fault(m->of) : NULL;
    if (fault != NULL)
        return fault;
    bool good = are_texts(texts, BRZ_COUNT_OF(texts)) && are_texts(m->comments, m->n_comments);
    for (uint64_t k = 0; k < m->n_pairs && good; k++) {
        const brz_pair *p = brz_at(m->pairs, m->pair_size, (size_t)k);
        good = is_text(p->key) && is_text(p->value);
    }
    return good ? NULL : "metadata: a text is NULL";
}

static void host_in_order(brz_ctx *ctx)
{
    brz_instance *i = brz_host_instance(ctx, "in_order");
    if (i != NULL)
        i->in_order = true;
}

static void host_metadata(brz_ctx *ctx, const brz_metadata *m)
{
    brz_instance *i = find_filler(ctx, "metadata");
    const char *fault = i == NULL ? NULL : metadata_fault(m);
    if (fault != NULL)
        brz_host_reject(i, fault);
    if (i == NULL || fault != NULL)
        return;
    if (BRZ_HAS(m, brz_metadata, of) && m->of != NULL)
        brz_parts_state(&i->profile->parts, &i->profile->strings, m, i->chunk_offset);
    else
        brz_facts_state(&i->profile->facts, &i->profile->strings, m, i->chunk_offset);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Returns the instance that opens a file, or NULL after reporting why it may not. */
static brz_instance *may_open(const void *ctx, const char *service, brz_str name,
                              const brz_related_file *file)
{
    brz_instance *i = brz_host_instance(ctx, service);
    const char *why = NULL;
    if (file == NULL)
        why = "the file is NULL";
    else if (!BRZ_HAS(file, brz_related_file, path))
        why = "struct_size is too small";
    else if (i != NULL && i->closing)
        why = "called in close";
    else if (!is_text(name))
        why = "the name is NULL";
    if (i != NULL && why != NULL)
        reject_as(i, service, why);
    return why == NULL ? i : NULL;
}

static int32_t open_file(const void *ctx, brz_str name, uint32_t flags, brz_related_file *file)
{
    brz_instance *i = may_open(ctx, "open_related", name, file);
    return i == NULL ? BRZ_RELATED_REFUSED : brz_related_open(i->related, name, flags, file);
}

static int32_t host_open_related(brz_ctx *ctx, brz_str name, uint32_t flags, brz_related_file *file)
{
    return open_file(ctx, name, flags, file);
}

/* Returns the key of a component among those of all. The caller finishes it. */
static brz_buf key_of(const brz_instance *i, brz_str key)
{
    brz_buf full = {0};
    brz_buf_printf(&full, "%s.%.*s", i->loaded->component->id, (int)key.len, key.data);
    return full;
}

static bool host_load(brz_ctx *ctx, brz_str path, brz_str key, brz_str *content)
{
    const brz_instance *i = brz_host_instance(ctx, "load");
    if (i == NULL || i->related == NULL || !is_text(path) || !is_text(key) || content == NULL)
        return false;
    brz_buf full = key_of(i, key);
    bool good = brz_related_load(i->related, path, brz_buf_str(&full), content);
    brz_buf_finish(&full);
    return good;
}

static void host_save(brz_ctx *ctx, brz_str path, brz_str key, brz_str content)
{
    const brz_instance *i = brz_host_instance(ctx, "save");
    if (i == NULL || i->related == NULL || !is_text(path) || !is_text(key) || !is_text(content))
        return;
    brz_buf full = key_of(i, key);
    brz_related_save(i->related, path, brz_buf_str(&full), content);
    brz_buf_finish(&full);
}

/* The draft <brazier/draft/live.h>. */
static int32_t open_again(brz_ctx *ctx, brz_str name, uint32_t flags, brz_related_file *file,
                          bool *has_changed)
{
    brz_instance *i = may_open(ctx, "open_again", name, file);
    if (i != NULL)
        return brz_related_open_again(i->related, name, flags, file, has_changed);
    if (has_changed != NULL)
        *has_changed = false;
    return BRZ_RELATED_REFUSED;
}

static const brz_live live = {sizeof live, 0, open_again};

/* ---- drafts --------------------------------------------------------------------------------- */

static bool is_for_inputs(const brz_instance *i)
{
    return i->input != NULL;
}

static bool is_for_outputs(const brz_instance *i)
{
    return i->loaded->component->kind == BRZ_OUTPUT;
}

static bool is_watched(const brz_instance *i)
{
    return i->is_watched;
}

/* A draft of the interface, and to which instances it is offered; NULL: to all. */
typedef struct draft {
    const char *id;
    const void *service;
    bool (*is_offered)(const brz_instance *i);
} draft;

static const draft drafts[] = {
    {BRZ_PARALLEL_ID, &parallel, is_for_inputs},
    {BRZ_FILE_AGE_ID, &file_age, NULL},
    {BRZ_QUALITY_ID, &quality, is_for_outputs},
    {BRZ_SOURCE_NAME_ID, &source_names, is_for_outputs},
    {BRZ_LIVE_ID, &live, is_watched},
    {BRZ_CODE_ID, &code_list, is_for_outputs},
    {BRZ_DEMANGLER_ID, &demangler, NULL},
};

static const void *find_extension(const void *ctx, const char *id)
{
    brz_instance *i = brz_host_instance(ctx, "extension");
    if (i != NULL && id == NULL)
        reject_as(i, "extension", "the id is NULL");
    if (i == NULL || id == NULL)
        return NULL;
    for (size_t k = 0; k < sizeof drafts / sizeof drafts[0]; k++)
        if (strcmp(id, drafts[k].id) == 0)
            return drafts[k].is_offered == NULL || drafts[k].is_offered(i) ? drafts[k].service
                                                                           : NULL;
    return NULL;
}

/* ---- tables --------------------------------------------------------------------------------- */

/* Defines the services for all roles with the context of one. */
#define COMMON_SERVICES(role, context)                                                             \
    static void *role##_alloc(context *ctx, size_t size, size_t align)                             \
    {                                                                                              \
        return allocate(ctx, size, align);                                                         \
    }                                                                                              \
    static void role##_log(context *ctx, int32_t level, brz_str line)                              \
    {                                                                                              \
        log_line(ctx, level, line);                                                                \
    }                                                                                              \
    static void role##_diag(context *ctx, const brz_diag *d)                                       \
    {                                                                                              \
        report(ctx, d);                                                                            \
    }                                                                                              \
    static bool role##_stopped(context *ctx)                                                       \
    {                                                                                              \
        return is_stopped(ctx);                                                                    \
    }                                                                                              \
    static const void *role##_extension(context *ctx, const char *id)                              \
    {                                                                                              \
        return find_extension(ctx, id);                                                            \
    }

COMMON_SERVICES(collapser, brz_ctx)
COMMON_SERVICES(palette, brz_palette_ctx)
COMMON_SERVICES(output, brz_output_ctx)
COMMON_SERVICES(transform, brz_transform_ctx)

/* The members with which each table begins. */
#define HEAD(role)                                                                                 \
    .struct_size = sizeof(brz_##role##_host), .abi_major = BRZ_ABI_MAJOR,                          \
    .abi_minor = BRZ_ABI_MINOR, .name = "brazier", .version = BRZ_VERSION, .alloc = role##_alloc,  \
    .log = role##_log, .diag = role##_diag, .stopped = role##_stopped,                             \
    .extension = role##_extension

static const brz_collapser_host for_collapsers = {
    HEAD(collapser),           .intern = host_intern,
    .frame = host_frame,       .column = host_column,
    .decimals = host_decimals, .emit = host_emit,
    .sample = host_sample,     .stack = host_stack,
    .add = host_add,           .enter = host_enter,
    .leave = host_leave,       .tag = host_tag,
    .metadata = host_metadata, .open_related = host_open_related,
    .in_order = host_in_order, .load = host_load,
    .save = host_save,
};

static const brz_palette_host for_palettes = {HEAD(palette)};

/* An output without BRZ_OUTPUT_COLOR gets no colours; the others get theirs from draw/coloring.c.
 */
static uint32_t no_color(brz_output_ctx *ctx, const brz_tree *tree, uint32_t node)
{
    (void)tree;
    (void)node;
    brz_host_instance(ctx, "color");
    return BRZ_COLOR_NONE;
}

static void no_background(brz_output_ctx *ctx, uint32_t colors[2])
{
    brz_instance *i = brz_host_instance(ctx, "background");
    if (colors != NULL)
        colors[0] = colors[1] = BRZ_COLOR_NONE;
    else if (i != NULL)
        reject_as(i, "background", "the array is NULL");
}

static void no_legend(brz_output_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    (void)tree;
    (void)legend;
    brz_host_instance(ctx, "legend");
}

static const brz_output_host for_outputs = {
    HEAD(output),
    .color = no_color,
    .background = no_background,
    .legend = no_legend,
};

static brz_frame transform_frame(brz_transform_ctx *ctx, const brz_frame_desc *d)
{
    return add_frame(ctx, d);
}

static brz_frame transform_intern(brz_transform_ctx *ctx, const char *name, size_t len)
{
    return add_name(ctx, name, len);
}

static int32_t transform_open_related(brz_transform_ctx *ctx, brz_str name, uint32_t flags,
                                      brz_related_file *file)
{
    return open_file(ctx, name, flags, file);
}

static const brz_transform_host for_transforms = {
    HEAD(transform),
    .intern = transform_intern,
    .frame = transform_frame,
    .open_related = transform_open_related,
};

const brz_collapser_host *brz_host_for_collapsers(void)
{
    return &for_collapsers;
}

const brz_palette_host *brz_host_for_palettes(void)
{
    return &for_palettes;
}

const brz_output_host *brz_host_for_outputs(void)
{
    return &for_outputs;
}

const brz_transform_host *brz_host_for_transforms(void)
{
    return &for_transforms;
}
