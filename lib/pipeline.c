/* Pipelines: collect a program's request call by call, and run it. */
#include "library.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number_locale.h"

/* An output in memory. */
typedef struct memory_output {
    brz_buf bytes;
    struct memory_output *next;
    size_t number;
} memory_output;

struct brazier_pipeline {
    brazier_session *session;
    brz_request request; /* its lists are the growing lists below */
    brz_input *inputs;
    brz_output_request *outputs;
    brz_setting *settings;
    brz_transform_request *transforms;
    size_t inputs_cap, outputs_cap, settings_cap, transforms_cap;
    memory_output *memory_outputs; /* newest first */
    brazier_progress_fn *on_progress;
    void *context;
    bool misused; /* a call was invalid, which was reported */
    bool good;    /* the last run succeeded */
    brz_run run;
    brz_arena texts;
};

static const char *keep_text(brazier_pipeline *p, const char *text)
{
    return text == NULL ? NULL : brz_arena_str(&p->texts, brz_str_of(text, strlen(text))).data;
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
     BRAZIER_ALLOW_EMPTY | BRAZIER_COMPARE | BRAZIER_NEGATE | BRAZIER_SELF_DELTAS |                \
     BRAZIER_DIFFUSION | BRAZIER_NO_DIFFUSION | BRAZIER_ISOLATE | BRAZIER_NO_ISOLATE |             \
     BRAZIER_CHECK_STDOUT | BRAZIER_USUAL_FORMAT | BRAZIER_STRICT_LIMITS)

static bool are_known(const brazier_pipeline_options *o)
{
    return (o->flags & ~KNOWN_FLAGS) == 0 && o->order <= BRAZIER_ORDER_TIME_BACK &&
           o->base_on <= BRAZIER_BASE_ON_BOTH && o->normalize <= BRAZIER_NORMALIZE_FLOOR &&
           o->chunk_size <= SIZE_MAX && o->range_size <= SIZE_MAX;
}

/* Returns 1 or -1 if one of the flags is set, or 0 if neither is. */
static int choice(uint32_t flags, uint32_t yes, uint32_t no)
{
    return flags & yes ? 1 : flags & no ? -1 : 0;
}

static brz_request request_of(brazier_pipeline *p, const brazier_pipeline_options *o)
{
    static const brz_time_order orders[] = {BRZ_TIME_MERGED, BRZ_TIME_ORDER, BRZ_TIME_BACK};
    static const brz_base_on sides[] = {BRZ_BASE_ON_AFTER, BRZ_BASE_ON_BEFORE, BRZ_BASE_ON_BOTH};
    static const brz_normalize scales[] = {BRZ_NORMALIZE_NO, BRZ_NORMALIZE_YES,
                                           BRZ_NORMALIZE_FLOOR};
    return (brz_request){
        .pipeline = keep_text(p, o->pipeline),
        .no_pipeline = o->pipeline == NULL && !(o->flags & BRAZIER_DEFAULT_PIPELINE),
        .from = keep_text(p, o->from),
        .from_is_usual = (o->flags & BRAZIER_USUAL_FORMAT) != 0,
        .palette = keep_text(p, o->palette),
        .palette_map = keep_text(p, o->palette_map),
        .diffusion = choice(o->flags, BRAZIER_DIFFUSION, BRAZIER_NO_DIFFUSION),
        .isolate = choice(o->flags, BRAZIER_ISOLATE, BRAZIER_NO_ISOLATE),
        .to = keep_text(p, o->to),
        .otherwise_to = keep_text(p, o->otherwise_to),
        .weight = keep_text(p, o->weight),
        .time = orders[o->order],
        .allow_empty = (o->flags & BRAZIER_ALLOW_EMPTY) != 0,
        .demangle = keep_text(p, o->demangle),
        .compare = (o->flags & BRAZIER_COMPARE) != 0,
        .base_on = sides[o->base_on],
        .normalize = scales[o->normalize],
        .self_deltas = (o->flags & BRAZIER_SELF_DELTAS) != 0,
        .negate = (o->flags & BRAZIER_NEGATE) != 0,
        .limits = {.memory = o->max_memory,
                   .time = o->max_time,
                   .is_strict = (o->flags & BRAZIER_STRICT_LIMITS) != 0},
        .threads = o->threads,
        .chunk_size = (size_t)o->chunk_size,
        .range_size = (size_t)o->range_size,
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
        !are_known(&o);
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
    free(pipeline->inputs);
    free(pipeline->outputs);
    free(pipeline->settings);
    free(pipeline->transforms);
    brz_arena_finish(&pipeline->texts);
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

static void add_input(brazier_pipeline *p, brz_input input)
{
    p->inputs = brz_grow(p->inputs, p->request.n_inputs, &p->inputs_cap, sizeof *p->inputs);
    p->inputs[p->request.n_inputs++] = input;
    p->request.inputs = p->inputs;
}

void brazier_pipeline_add_input_file(brazier_pipeline *pipeline, const char *path)
{
    if (is_given(pipeline, path, "an input's path"))
        add_input(pipeline, (brz_input){.kind = BRZ_INPUT_FILE, .name = keep_text(pipeline, path)});
}

void brazier_pipeline_add_input_memory(brazier_pipeline *pipeline, const char *name,
                                       const void *data, size_t size)
{
    add_input(pipeline, (brz_input){.kind = BRZ_INPUT_MEMORY,

                                    .name = keep_text(pipeline, name == NULL ? "input" : name),
                                    .data = data,
                                    .len = size});
}

void brazier_pipeline_add_input_stream(brazier_pipeline *pipeline, const char *name,
                                       brazier_read_fn *read, void *context)
{
    add_input(pipeline, (brz_input){.kind = BRZ_INPUT_FUNCTION,

                                    .name = keep_text(pipeline, name == NULL ? "input" : name),
                                    .read = read,
                                    .context = context});
}

/* ---- outputs ------------------------------------------------------------------------------- */

static size_t add_output(brazier_pipeline *p, const char *format, const char *name,
                         brz_write_fn *write, void *context)
{
    p->outputs = brz_grow(p->outputs, p->request.n_outputs, &p->outputs_cap, sizeof *p->outputs);
    p->outputs[p->request.n_outputs] =
        (brz_output_request){keep_text(p, name), keep_text(p, format), write, context};
    p->request.outputs = p->outputs;
    return p->request.n_outputs++;
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
    memory_output *m = brz_arena_alloc(&pipeline->texts, sizeof *m, 0);
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

const void *brazier_pipeline_output(const brazier_pipeline *pipeline, size_t output, size_t *size)
{
    const memory_output *m = pipeline->memory_outputs;
    while (m != NULL && m->number != output)
        m = m->next;
    bool there = m != NULL && pipeline->good;
    *size = there ? m->bytes.len : 0;
    return there ? brz_buf_text(&m->bytes) : NULL;
}

/* ---- options and transforms
 * ------------------------------------------------------------------- */

void brazier_pipeline_set(brazier_pipeline *pipeline, const char *option, const char *value,
                          const char *origin)
{
    if (!is_given(pipeline, option, "an option's name") ||
        !is_given(pipeline, value, "an option's value"))
        return;
    bool if_there = option[0] == '?';
    option += if_there;
    const char *dot = strchr(option, '.');
    origin = origin == NULL ? option : origin;
    if (dot == NULL || dot == option || dot[1] == '\0') {
        BRZ_MISUSE(pipeline->session, "%s: an option is COMPONENT.OPTION", origin);
        pipeline->misused = true;
        return;
    }
    pipeline->settings = brz_grow(pipeline->settings, pipeline->request.n_settings,
                                  &pipeline->settings_cap, sizeof *pipeline->settings);
    pipeline->settings[pipeline->request.n_settings++] = (brz_setting){
        .component =
            brz_arena_str(&pipeline->texts, brz_str_of(option, (size_t)(dot - option))).data,
        .option = keep_text(pipeline, dot + 1),
        .value = keep_text(pipeline, value),
        .origin = keep_text(pipeline, origin),
        .if_there = if_there};
    pipeline->request.settings = pipeline->settings;
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
    pipeline->transforms = brz_grow(pipeline->transforms, pipeline->request.n_transforms,
                                    &pipeline->transforms_cap, sizeof t);
    pipeline->transforms[pipeline->request.n_transforms++] = t;
    pipeline->request.transforms = pipeline->transforms;
}

/* ---- running ------------------------------------------------------------------------------- */

static brazier_status status_of(brz_verdict verdict)
{
    return verdict == BRZ_VERDICT_OK       ? BRAZIER_OK
           : verdict == BRZ_VERDICT_USAGE  ? BRAZIER_MISUSED
           : verdict == BRZ_VERDICT_PARTLY ? BRAZIER_PARTLY
                                           : BRAZIER_FAILED;
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
    status = status_of(brz_pipeline_run(core, &pipeline->run));
    brz_pipeline_destroy(core);
    pipeline->good = status == BRAZIER_OK || status == BRAZIER_PARTLY;
    return !pipeline->good && atomic_load(&pipeline->run.stop) ? BRAZIER_CANCELLED : status;
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
