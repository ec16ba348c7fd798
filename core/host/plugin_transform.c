/* SPDX-License-Identifier: MIT */
/* Applies a transform of a plug-in to the stacks of a profile. */
#include "host/plugin_transform.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "host/instance_create.h"
#include "plugin/process_state.h"
#include "profile/call_tree.h"
#include "profile/weight.h"

/* ---- the tree ------------------------------------------------------------------------------ */

static brz_column_info weight_info(const brz_profile *p, size_t column)
{
    bool saturated = false;
    const brz_profile_weight *w = &p->weights[column];
    brz_column_info info = brz_column_info_of(p, column);
    for (size_t i = 0; i < w->n_values; i++)
        info.total = brz_add_saturated(info.total, w->values[i], &saturated);
    return info;
}

/* Makes what instances see of the profile: a tree without nodes, whose frames have the ids of the
 * profile. */
static void init_view(brz_call_tree *v, brz_profile *p)
{
    *v = (brz_call_tree){.tree = {.n_frames = (uint32_t)p->n_frames,
                                  .n_columns = (uint32_t)p->n_weights,
                                  .before = BRZ_NO_COLUMN,
                                  .after = BRZ_NO_COLUMN}};
    v->frames = brz_arena_alloc(&v->memory, p->n_frames * sizeof *v->frames, 0);
    v->weights = brz_arena_alloc(&v->memory, p->n_weights * sizeof *v->weights, 0);
    for (size_t i = 0; i < p->n_frames; i++)
        v->frames[i] = brz_profile_frame_info(p, (brz_frame)i);
    for (size_t i = 0; i < p->n_weights; i++)
        v->weights[i] = weight_info(p, i);
    brz_tree_extras_init(&v->extras, p, NULL, BRZ_SAMPLES_NONE, &v->tree);
    brz_call_tree_attach(v);
}

/* ---- results ------------------------------------------------------------------------------- */

typedef enum fate {
    LEFT_OUT,
    CUT, /* the first frames of the stack, perhaps all of them */
    NEW, /* frames among those that the worker has made */
} fate;

/* The result for a stack. */
typedef struct result {
    size_t at; /* of NEW frames */
    uint32_t n;
    fate fate;
} result;

/* The application of a transform to a profile. */
typedef struct job {
    const brz_transforming *how;
    const brz_use *use;
    const brz_transform *transform;
    const brz_profile *profile;
    brz_profile_stack **stacks; /* those that share frames follow one another */
    result *results;            /* by position in `stacks` */
    const brz_tree *tree;
    atomic_bool failed;
} job;

/* An instance, with its part of the stacks. The frames that it has made end with those of the last
 * stack. */
typedef struct worker {
    job *job;
    brz_instance *instance;
    size_t from, to;
    brz_frame *made;
    size_t n_made, cap_made, last;
    int64_t *values; /* of one stack; NULL: they are not used */
    bool is_shared;  /* a stack begins with the frames of another one */
} worker;

/* ---- one stack ----------------------------------------------------------------------------- */

static uint32_t smaller(size_t a, size_t b)
{
    return (uint32_t)(a < b ? a : b);
}

static const int64_t *values_of(const worker *w, const brz_profile_stack *s)
{
    const brz_profile *p = w->job->profile;
    for (size_t i = 0; i < p->n_weights && w->values != NULL; i++)
        w->values[i] = brz_profile_value(p, (brz_stack)(s - p->stacks), (uint32_t)i);
    return w->values;
}

/* Stores new frames. Those of the last stack are not stored again if one of both begins with the
 * other. */
static result keep(worker *w, const brz_frame *frames, uint32_t n)
{
    size_t n_last = w->n_made - w->last;
    uint32_t both = smaller(n, n_last);
    bool is_nested = both > 0 && memcmp(w->made + w->last, frames, both * sizeof *frames) == 0;
    uint32_t from = is_nested ? both : 0;
    w->last = is_nested ? w->last : w->n_made;
    w->is_shared |= is_nested;
    while (w->n_made + (n - from) > w->cap_made)
        w->made = brz_grow(w->made, w->cap_made, &w->cap_made, sizeof *w->made);
    if (n > from)
        memcpy(w->made + w->n_made, frames + from, (n - from) * sizeof *frames);
    w->n_made += n - from;
    return (result){.at = w->last, .n = n, .fate = NEW};
}

static bool are_known(const worker *w, const brz_stack_edit *edit)
{
    size_t n_frames = w->instance->first_frame + w->instance->profile->n_frames;
    for (uint32_t i = 0; i < edit->n; i++)
        if (edit->frames[i] >= n_frames)
            return false;
    return true;
}

/* Takes what the plug-in made of a stack. Returns false after a report if it is invalid. */
static bool take(worker *w, const brz_profile_stack *s, const brz_stack_edit *edit, result *to)
{
    if (edit->frames == s->frames && edit->n <= s->n) {
        *to = (result){.n = edit->n, .fate = edit->n > 0 || s->n == 0 ? CUT : LEFT_OUT};
        return true;
    }
    if (edit->n == 0) {
        *to = (result){.fate = LEFT_OUT};
        return true;
    }
    const char *fault = edit->frames == NULL        ? "apply: the frames are NULL"
                        : edit->frames == s->frames ? "apply: more frames than the stack had"
                        : !are_known(w, edit) ? "apply: a frame that the host did not give out"
                                              : NULL;
    if (fault != NULL)
        brz_instance_report(w->instance, BRZ_FATAL, "host.contract", NULL, 0, fault);
    else
        *to = keep(w, edit->frames, edit->n);
    return fault == NULL;
}

/* Applies the transform to a stack. The result is read before the call counts as ended, so that a
 * wild pointer in it is the plug-in's. */
static bool apply(worker *w, size_t i, uint32_t n_common)
{
    job *j = w->job;
    const brz_profile_stack *s = j->stacks[i];
    brz_stack_edit edit = {.struct_size = sizeof edit,
                           .n = s->n,
                           .frames = s->frames,
                           .values = values_of(w, s),
                           .n_common = n_common};
    brz_instance_enter(w->instance, "apply", NULL, 0, 0);
    brz_rc rc = j->transform->apply(&w->instance->transform_ctx, j->tree, &edit);
    bool good = rc == BRZ_OK && take(w, s, &edit, &j->results[i]);
    brz_instance_leave(w->instance);
    return good;
}

/* ---- workers ------------------------------------------------------------------------------- */

static bool is_over(const job *j)
{
    return atomic_load_explicit(&j->failed, memory_order_relaxed) ||
           atomic_load_explicit(&j->how->run->stop, memory_order_relaxed);
}

static bool open_instance(const worker *w)
{
    const job *j = w->job;
    if (j->transform->open == NULL)
        return true;
    brz_instance_enter(w->instance, "open", NULL, 0, 0);
    brz_rc rc = j->transform->open(&w->instance->transform_ctx, j->tree);
    brz_instance_leave(w->instance);
    return rc == BRZ_OK;
}

static void close_instance(const worker *w)
{
    w->instance->closing = true;
    if (w->job->transform->close == NULL)
        return;
    brz_instance_enter(w->instance, "close", NULL, 0, 0);
    w->job->transform->close(&w->instance->transform_ctx);
    brz_instance_leave(w->instance);
}

/* Does the part of a worker, on any thread. */
static void work(void *arg, size_t item, uint32_t thread)
{
    worker *w = (worker *)arg + item;
    job *j = w->job;
    (void)thread;
    bool good = open_instance(w);
    for (size_t i = w->from; i < w->to && good && !is_over(j); i++)
        good = apply(w, i, i == w->from ? 0 : brz_stacks_n_common(j->stacks[i - 1], j->stacks[i]));
    if (!good)
        atomic_store(&j->failed, true);
}

static void init_worker(worker *w, job *j, uint32_t index)
{
    const brz_transform *t = j->transform;
    w->job = j;
    w->instance = brz_instance_create(j->use->loaded, j->how->run, j->use->options->cfg, NULL,
                                      t->inst_size, index);
    w->instance->first_frame = j->tree->n_frames;
    w->instance->drops = j->how->drops;
    w->instance->related = j->how->related;
    if (t->flags & BRZ_TRANSFORM_VALUES)
        w->values = brz_calloc(j->profile->n_weights, sizeof *w->values);
}

static void finish_worker(worker *w)
{
    brz_instance_destroy(w->instance);
    free(w->made);
    free(w->values);
}

/* ---- the profile --------------------------------------------------------------------------- */

/* Adds up equal stacks, so that the values of each do not depend on the threads that read it. */
static void make_distinct(brz_profile *p)
{
    brz_profile *sum = brz_profile_create();
    brz_profile_absorb_distinct(sum, p);
    brz_profile_replace(p, sum);
}

/* Stores what a worker has made. */
static void store(const worker *w, brz_profile *p)
{
    brz_frame first = w->instance->first_frame;
    brz_frame *map = brz_profile_absorb_frames(p, w->instance->profile);
    brz_frame *made = brz_profile_add_frames(p, w->n_made);
    for (size_t i = 0; i < w->n_made; i++)
        made[i] = w->made[i] < first ? w->made[i] : map[w->made[i] - first];
    for (size_t i = w->from; i < w->to; i++) {
        const result *r = &w->job->results[i];
        brz_profile_stack *s = w->job->stacks[i];
        s->n = r->n;
        if (r->fate != CUT)
            s->frames = r->fate == NEW ? made + r->at : NULL;
    }
    p->is_shared |= w->is_shared;
    free(map);
}

/* Reports what the instances have to say. Returns false if one of them has failed. */
static bool report(const job *j, const worker *workers, unsigned n)
{
    brz_console *console = j->how->run->console;
    brz_notices all = {.n = 0};
    for (unsigned i = 0; i < n; i++)
        brz_notices_absorb(&all, &workers[i].instance->reports);
    bool is_fatal = brz_notices_are_fatal(&all);
    brz_notices_sort(&all);
    brz_say_notices(console, &all);
    brz_notices_finish(&all);
    brz_process_state_check(j->use->loaded, "apply", console);
    if (atomic_load(&j->failed) && !is_fatal && !atomic_load(&j->how->run->stop))
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_PLUGIN, "transform '%s' failed",
                     j->use->loaded->component->id);
    return !is_fatal && !is_over(j);
}

/* Number of stacks for which a thread is worth its start. */
#define SOME_STACKS 1024

static unsigned count_workers(const brz_transforming *how, size_t n_stacks)
{
    size_t most = n_stacks / SOME_STACKS + 1, n = how->threads > 0 ? how->threads : 1;
    n = n < BRZ_PARALLEL_MAX ? n : BRZ_PARALLEL_MAX;
    return (unsigned)(n < most ? n : most);
}

static bool run_job(job *j, brz_profile *p)
{
    unsigned n = count_workers(j->how, p->n_stacks);
    worker *workers = brz_calloc(n, sizeof *workers);
    for (unsigned i = 0; i < n; i++) {
        init_worker(&workers[i], j, i);
        workers[i].from = p->n_stacks * i / n;
        workers[i].to = p->n_stacks * (i + 1) / n;
    }
    brz_parallel *threads = brz_parallel_create(n, j->use->loaded, NULL);
    brz_parallel_start(threads, work, workers, n);
    brz_parallel_destroy(threads);
    for (unsigned i = 0; i < n; i++)
        close_instance(&workers[i]);
    bool good = report(j, workers, n);
    for (unsigned i = 0; i < n; i++) {
        if (good)
            store(&workers[i], p);
        finish_worker(&workers[i]);
    }
    free(workers);
    return good;
}

bool brz_plugin_transform(const brz_transforming *how, const brz_use *use, brz_profile *p)
{
    brz_call_tree v;
    job j = {.how = how, .use = use, .transform = use->loaded->vtable, .profile = p};
    if (j.transform->flags & BRZ_TRANSFORM_VALUES)
        make_distinct(p);
    init_view(&v, p);
    j.tree = &v.tree;
    j.stacks = brz_profile_stacks_by_frames(p);
    j.results = brz_calloc(p->n_stacks, sizeof *j.results);
    bool good = run_job(&j, p);
    free(j.results);
    free(j.stacks);
    brz_call_tree_finish(&v);
    return good;
}
