/* SPDX-License-Identifier: MIT */
/* Pipelines: collect a program's request call by call, and run it. */
#include "library.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number_locale.h"
#include "base/suggest.h"
#include "request/run_option.h"

/* An output in memory. */
typedef struct memory_output {
    brz_buf bytes;
    struct memory_output *next;
    size_t number;
} memory_output;

struct brazier_pipeline {
    brazier_session *session;
    brz_request request;
    memory_output *memory_outputs; /* newest first */
    brazier_progress_fn *on_progress;
    void *context;
    bool misused; /* a call was invalid, which was reported */
    bool good;    /* the last run succeeded */
    brz_run run;
};

static const char *keep_text(brazier_pipeline *p, const char *text)
{
    return brz_request_keep(&p->request, text);
}

static int tell_progress(void *context, const char *input, uint64_t taken, uint64_t total)
{
    brazier_pipeline *p = context;
    const brazier_progress progress = {
        .struct_size = sizeof progress, .input = input, .bytes = taken, .total = total};
    return p->on_progress(p->context, &progress);
}

/* ---- options ------------------------------------------------------------------------------- */

#define KNOWN_FLAGS                                                                                \
    (BRAZIER_DEFAULT_PIPELINE | BRAZIER_STANDARD_STREAMS | BRAZIER_MAP_FILES |                     \
     BRAZIER_CHECK_STDOUT | BRAZIER_STRICT_LIMITS)

static brz_request request_of(brazier_pipeline *p, const brazier_pipeline_options *o)
{
    return (brz_request){
        .no_pipeline = (o->flags & BRAZIER_DEFAULT_PIPELINE) == 0,
        .limits.is_strict = (o->flags & BRAZIER_STRICT_LIMITS) != 0,
        .check_stdout = (o->flags & BRAZIER_CHECK_STDOUT) != 0,
        .no_standard_streams = (o->flags & BRAZIER_STANDARD_STREAMS) == 0,
        .no_map = (o->flags & BRAZIER_MAP_FILES) == 0,
        .progress = o->on_progress == NULL ? NULL : tell_progress,
        .progress_context = p,
    };
}

brazier_pipeline *brazier_pipeline_create(brazier_session *session,
                                          const brazier_pipeline_options *options)
{
    brazier_pipeline_options o;
    brazier_pipeline *p = brz_calloc(1, sizeof *p);
    p->session = session;
    p->run.console = &session->core.console;
    p->misused =
        !brz_lib_take(&o, sizeof o, options, offsetof(brazier_pipeline_options, context)) ||
        (o.flags & ~KNOWN_FLAGS) != 0;
    if (p->misused) {
        BRZ_MISUSE(session, "pipeline options: not those of libbrazier %s", brazier_version());
        return p;
    }
    p->on_progress = o.on_progress;
    p->context = o.context;
    p->request = request_of(p, &o);
    return p;
}

void brazier_pipeline_destroy(brazier_pipeline *pipeline)
{
    if (pipeline == NULL)
        return;
    for (memory_output *m = pipeline->memory_outputs; m != NULL; m = m->next)
        brz_buf_finish(&m->bytes);
    brz_request_finish(&pipeline->request);
    free(pipeline);
}

/* Reports an error and returns false if a required text is missing. */
static bool is_given(brazier_pipeline *p, const char *text, const char *what)
{
    if (text != NULL)
        return true;
    BRZ_MISUSE(p->session, "%s is NULL", what);
    p->misused = true;
    return false;
}

/* ---- inputs -------------------------------------------------------------------------------- */

void brazier_pipeline_add_input_file(brazier_pipeline *pipeline, const char *path)
{
    if (is_given(pipeline, path, "an input's path"))
        brz_request_add_input(&pipeline->request, (brz_input){.kind = BRZ_INPUT_FILE,
                                                              .name = keep_text(pipeline, path)});
}

void brazier_pipeline_add_input_memory(brazier_pipeline *pipeline, const char *name,
                                       const void *data, size_t size)
{
    brz_request_add_input(&pipeline->request,
                          (brz_input){.kind = BRZ_INPUT_MEMORY,
                                      .name = keep_text(pipeline, name == NULL ? "input" : name),
                                      .data = data,
                                      .len = size});
}

void brazier_pipeline_add_input_stream(brazier_pipeline *pipeline, const char *name,
                                       brazier_read_fn *read, void *context)
{
    brz_request_add_input(&pipeline->request,
                          (brz_input){.kind = BRZ_INPUT_FUNCTION,
                                      .name = keep_text(pipeline, name == NULL ? "input" : name),
                                      .read = read,
                                      .context = context});
}

void brz_lib_add_input_descriptor(brazier_pipeline *p, const char *name, int fd)
{
    brz_request_add_input(
        &p->request,
        (brz_input){.kind = BRZ_INPUT_DESCRIPTOR, .name = keep_text(p, name), .fd = fd});
}

void brz_lib_add_input_live(brazier_pipeline *p, const char *name, brz_read_fn *read, void *context,
                            const struct brz_watch *watch)
{
    p->request.watch = watch;
    brz_request_add_input(&p->request, (brz_input){.kind = BRZ_INPUT_FUNCTION,
                                                   .name = keep_text(p, name),
                                                   .read = read,
                                                   .context = context,
                                                   .is_live = true});
}

void brz_lib_add_input_profile(brazier_pipeline *p, const char *name, brz_profile **profile)
{
    brz_request_add_input(
        &p->request,
        (brz_input){.kind = BRZ_INPUT_PROFILE, .name = keep_text(p, name), .profile = profile});
}

/* ---- outputs ------------------------------------------------------------------------------- */

static size_t add_output(brazier_pipeline *p, const char *format, const char *name,
                         brz_write_fn *write, void *context)
{
    brz_request_add_output(&p->request, (brz_output_request){.name = keep_text(p, name),
                                                             .format = keep_text(p, format),
                                                             .write = write,
                                                             .context = context});
    return p->request.n_outputs - 1;
}

void brazier_pipeline_add_output_file(brazier_pipeline *pipeline, const char *format,
                                      const char *path)
{
    if (is_given(pipeline, path, "an output's path"))
        add_output(pipeline, format, path, NULL, NULL);
}

static int write_to_memory(void *context, const void *data, size_t size)
{
    memory_output *m = context;
    brz_buf_add(&m->bytes, data, size);
    return 0;
}

size_t brazier_pipeline_add_output_memory(brazier_pipeline *pipeline, const char *format,
                                          const char *name)
{
    memory_output *m = brz_arena_alloc(&pipeline->request.texts, sizeof *m, 0);
    m->next = pipeline->memory_outputs;
    m->number = add_output(pipeline, format, name, write_to_memory, m);
    pipeline->memory_outputs = m;
    return m->number;
}

void brazier_pipeline_add_output_stream(brazier_pipeline *pipeline, const char *format,
                                        const char *name, brazier_write_fn *write, void *context)
{
    add_output(pipeline, format, name, write, context);
}

/* Drops the bytes of an output that has none. */
static int write_nowhere(void *context, const void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return 0;
}

void brz_lib_add_output_component(brazier_pipeline *p, const brz_loaded *output, const void *cfg)
{
    brz_request_add_output(
        &p->request, (brz_output_request){.own = output, .own_cfg = cfg, .write = write_nowhere});
}

const void *brazier_pipeline_output(const brazier_pipeline *pipeline, size_t output, size_t *size)
{
    const memory_output *m = pipeline->memory_outputs;
    while (m != NULL && m->number != output)
        m = m->next;
    bool there = m != NULL && pipeline->good;
    *size = there ? m->bytes.len : 0;
    return there ? brz_buf_text(&m->bytes) : NULL;
}

/* ---- options of the run, of components, and transforms ------------------------------------- */

static bool set_component(brazier_pipeline *p, const char *option, const char *value,
                          const char *origin)
{
    brz_str name = brz_str_of_text(option);
    if (brz_request_set_component(&p->request, name, value, origin))
        return true;
    BRZ_MISUSE(p->session, "%s: an option is COMPONENT.OPTION", origin);
    return false;
}

static void say_no_option(brazier_pipeline *p, const char *option, const char *origin)
{
    const brz_run_option *o;
    brz_buf nearest = {0};
    brz_suggestion near = {.typed = brz_str_of_text(option)};
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++)
        brz_suggestion_offer(&near, o->name);
    brz_suggestion_add(&near, &nearest);
    BRZ_MISUSE(p->session, "%s: no option of a run, nor COMPONENT.OPTION%s", origin,
               brz_buf_text(&nearest));
    brz_buf_finish(&nearest);
}

/* Sets an option of the run. */
static bool set_option(brazier_pipeline *p, const char *option, const char *value,
                       const char *origin)
{
    const brz_run_option *o = brz_run_option_find(brz_str_of_text(option));
    if (o == NULL) {
        say_no_option(p, option, origin);
        return false;
    }
    if (o->value != NULL && !is_given(p, value, "an option's value"))
        return false;
    brz_buf error = {0};
    bool good =
        brz_run_option_set(o, &p->request, keep_text(p, value), keep_text(p, origin), &error);
    if (!good)
        BRZ_MISUSE(p->session, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

brazier_status brazier_pipeline_set(brazier_pipeline *pipeline, const char *option,
                                    const char *value, const char *origin)
{
    if (!is_given(pipeline, option, "an option's name"))
        return BRAZIER_MISUSED;
    bool is_of_component = strchr(option, '.') != NULL;
    if (is_of_component && !is_given(pipeline, value, "an option's value"))
        return BRAZIER_MISUSED;
    if (origin == NULL)
        origin = option + (option[0] == '?');
    bool good = is_of_component ? set_component(pipeline, option, value, origin)
                                : set_option(pipeline, option, value, origin);
    pipeline->misused |= !good;
    return good ? BRAZIER_OK : BRAZIER_MISUSED;
}

void brazier_pipeline_add_transform(brazier_pipeline *pipeline, const char *name,
                                    const char *const *args, size_t n, const char *origin)
{
    if (!is_given(pipeline, name, "a transform's name"))
        return;
    brz_transform_request t = {.name = keep_text(pipeline, name), .n_args = n};
    t.origin = origin == NULL ? t.name : keep_text(pipeline, origin);
    if (n > BRZ_MAX_TRANSFORM_ARGS) {
        BRZ_MISUSE(pipeline->session, "%s: more than %d arguments", t.origin,
                   BRZ_MAX_TRANSFORM_ARGS);
        pipeline->misused = true;
        return;
    }
    for (size_t i = 0; i < n; i++)
        if (is_given(pipeline, args[i], "a transform's argument"))
            t.args[i] = keep_text(pipeline, args[i]);
    brz_request_add_transform(&pipeline->request, &t);
}

/* ---- running ------------------------------------------------------------------------------- */

static brazier_status status_of(brz_verdict verdict)
{
    switch (verdict) {
    case BRZ_VERDICT_OK:
        return BRAZIER_OK;
    case BRZ_VERDICT_USAGE:
        return BRAZIER_MISUSED;
    case BRZ_VERDICT_PARTLY:
        return BRAZIER_PARTLY;
    case BRZ_VERDICT_EXCEEDED:
        return BRAZIER_EXCEEDED;
    default:
        return BRAZIER_FAILED;
    }
}

/* Returns whether the session and the request are valid. */
static bool can_be_built(const brazier_pipeline *p)
{
    if (p->session->core.config == NULL)
        BRZ_MISUSE(p->session, "this session could not be opened");
    return p->session->core.config != NULL && !p->misused;
}

/* Builds the pipeline. Returns NULL after reporting an error. */
static brz_pipeline *build(brazier_pipeline *p, brazier_status *status)
{
    brz_verdict verdict = BRZ_VERDICT_USAGE;
    brz_pipeline *core = NULL;
    if (can_be_built(p))
        core = brz_pipeline_create(&p->session->core, &p->request, &verdict);
    *status = status_of(verdict);
    return core;
}

brazier_status brazier_pipeline_check(brazier_pipeline *pipeline)
{
    brazier_status status;
    brz_number_locale l = brz_number_locale_enter();
    brz_pipeline_destroy(build(pipeline, &status));
    brz_number_locale_leave(&l);
    return status;
}

brazier_status brz_lib_check_with_outputs(brazier_pipeline *p, bool *has_time_limit)
{
    brazier_status status;
    *has_time_limit = false;
    brz_number_locale l = brz_number_locale_enter();
    brz_pipeline *core = build(p, &status);
    if (core != NULL && !brz_pipeline_check_outputs(core))
        status = BRAZIER_FAILED;
    if (core != NULL)
        *has_time_limit = brz_pipeline_limits(core)->time > 0;
    brz_pipeline_destroy(core);
    brz_number_locale_leave(&l);
    return status;
}

static brazier_status run(brazier_pipeline *pipeline)
{
    brazier_status status;
    pipeline->good = false;
    for (memory_output *m = pipeline->memory_outputs; m != NULL; m = m->next)
        brz_buf_clear(&m->bytes);
    if (atomic_load(&pipeline->run.stop))
        return BRAZIER_CANCELLED;
    brz_pipeline *core = build(pipeline, &status);
    if (core == NULL)
        return status;
    brz_verdict verdict = brz_pipeline_run(core, &pipeline->run);
    brz_pipeline_destroy(core);
    pipeline->good = brz_verdict_has_outputs(verdict);
    return !pipeline->good && atomic_load(&pipeline->run.stop) ? BRAZIER_CANCELLED
                                                               : status_of(verdict);
}

brazier_status brazier_pipeline_run(brazier_pipeline *pipeline)
{
    brz_number_locale l = brz_number_locale_enter();
    brazier_status status = run(pipeline);
    brz_number_locale_leave(&l);
    return status;
}

brz_run *brz_lib_run(brazier_pipeline *p)
{
    return &p->run;
}

void brazier_pipeline_cancel(brazier_pipeline *pipeline)
{
    atomic_store(&pipeline->run.stop, true);
}
