/* SPDX-License-Identifier: MIT */
/* Applies the transforms of a run. */
#include "isolate/transforms.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "host/plugin_transform.h"
#include "isolate/isolate.h"

#define NAME_IN_MESSAGES "transforms"

/* The state in both processes. */
typedef struct work {
    const brz_transforms_run *run;
    brz_profile *profile;
    brz_transforms_end *end;
    const brz_loaded *plugin; /* the first transform of a plug-in, for reports */
    bool good;                /* in the parent: the child's result */
    bool is_misused;          /* in the parent: options are invalid */
} work;

static bool apply_use(void *context, const brz_use *use, brz_profile *p)
{
    return brz_plugin_transform(context, use, p);
}

/* Applies the transforms in this process. */
static bool apply(const work *w, brz_run *run, brz_related *related)
{
    const brz_transforms_run *t = w->run;
    brz_transforming how = {
        .run = run, .threads = t->threads, .drops = t->drops, .related = related};
    return brz_transforms_apply(t->transforms, w->profile, apply_use, &how, &w->end->left_out,
                                &w->end->error);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Returns whether an option of a transform names the file. */
static bool is_named_by(const brz_use *use, brz_str name)
{
    const brz_component *c = use->options->component;
    for (uint32_t i = 0; i < c->n_options; i++) {
        const brz_option_value *v = &use->options->values[i];
        if (!(brz_option_at(c, i)->flags & BRZ_OPTION_PATH))
            continue;
        if (brz_str_equal(v->text, name))
            return true;
        for (size_t k = 0; k < v->n_items; k++)
            if (brz_str_equal(v->items[k], name))
                return true;
    }
    return false;
}

static bool is_named(const brz_transforms *t, brz_str name)
{
    for (size_t i = 0; i < t->n; i++)
        if (brz_transforms_use(t, i) != NULL && is_named_by(brz_transforms_use(t, i), name))
            return true;
    return false;
}

/* Finds a file. Those that no option names are only looked for below the sysroot: the names may be
 * a plug-in's own. */
static brz_related_found find_file(void *context, brz_str name, uint32_t flags)
{
    const work *w = context;
    brz_related_rules rules = {.sysroot = w->run->sysroot};
    rules.only_sysroot = !is_named(w->run->transforms, name);
    brz_related_found found = brz_related_find(&rules, name, flags);
    brz_related_say(w->run->run->console, NAME_IN_MESSAGES, name, &found);
    return found;
}

/* ---- in the child ---------------------------------------------------------------------------- */

/* The functions of the child free nothing, because it is about to end. */

static void load_transforms(void *context, brz_run *run, brz_wire_out *out)
{
    const work *w = context;
    const brz_transforms *t = w->run->transforms;
    (void)run;
    (void)out;
    for (size_t i = 0; i < t->n; i++)
        if (brz_transforms_use(t, i) != NULL)
            brz_registry_load_described(w->run->registry, brz_transforms_use(t, i)->loaded);
}

static bool validate(const brz_transforms *t, brz_console *console)
{
    bool good = true;
    for (size_t i = 0; i < t->n; i++)
        if (brz_transforms_use(t, i) != NULL)
            good &= brz_isolated_validate(brz_transforms_use(t, i), console);
    return good;
}

static void validate_and_give(void *context, brz_run *run, brz_wire_out *out)
{
    const work *w = context;
    brz_wire_put_u32(out, validate(w->run->transforms, run->console));
}

static void apply_and_give(void *context, brz_run *run, brz_wire_out *out)
{
    work *w = context;
    brz_related *related = brz_related_create(brz_isolated_find, out, run->console);
    brz_related_leave_out_identities(related);
    bool good = apply(w, run, related);
    brz_wire_put_u32(out, good);
    brz_wire_put_str(out, brz_buf_str(&w->end->error));
    brz_wire_put_u64(out, w->end->left_out);
    brz_wire_put_profile(out, good ? w->profile : NULL);
}

/* ---- in the parent --------------------------------------------------------------------------- */

static void take_verdict(void *context, brz_wire_in *in)
{
    work *w = context;
    uint32_t valid;
    if (!brz_wire_take_u32(in, &valid))
        return;
    w->good = valid != 0;
    w->is_misused = valid == 0;
}

static void take_result(void *context, brz_wire_in *in)
{
    work *w = context;
    uint32_t good;
    uint64_t left_out;
    brz_profile *profile = NULL;
    if (!brz_wire_take_u32(in, &good) || !brz_wire_take_str(in, &w->end->error) ||
        !brz_wire_take_u64(in, &left_out) || !brz_wire_take_profile(in, &profile)) {
        brz_profile_destroy(profile);
        return;
    }
    w->end->left_out = (size_t)left_out;
    w->good = good != 0 && profile != NULL;
    if (w->good)
        brz_profile_replace(w->profile, profile);
    else
        brz_profile_destroy(profile);
}

/* Does work in a child. Returns whether its result is good. */
static bool work_in_child(work *w, brz_isolated task)
{
    const brz_transforms_run *t = w->run;
    brz_buf why = {0};
    const char **folders = brz_registry_described_dirs(t->registry);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    task.run = t->run;
    task.name = NAME_IN_MESSAGES;
    task.input = nothing;
    task.threads = t->threads;
    task.memory = t->memory;
    task.plugin = &w->plugin;
    task.load = folders != NULL ? load_transforms : NULL;
    task.folders = folders;
    task.find = find_file;
    task.context = w;
    task.is_again = true;
    task.why = &why;
    brz_isolated_end end = brz_isolate(&task);
    if (end == BRZ_ISOLATED_LOST)
        brz_say_code(t->run->console, BRZ_FATAL, BRZ_SAYS_PLUGIN, "the transforms failed: %s",
                     brz_buf_text(&why));
    if (nothing >= 0)
        close(nothing);
    free(folders);
    brz_buf_finish(&why);
    return end == BRZ_ISOLATED_DONE && w->good;
}

static bool apply_here(work *w)
{
    brz_related *related = NULL;
    if (w->plugin != NULL)
        related = brz_related_create(find_file, w, w->run->run->console);
    bool good = apply(w, w->run->run, related);
    brz_related_destroy(related);
    return good;
}

/* Returns the first transform of a plug-in, or NULL. */
static const brz_loaded *first_plugin(const brz_transforms *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (brz_transforms_use(t, i) != NULL)
            return brz_transforms_use(t, i)->loaded;
    return NULL;
}

bool brz_transforms_run_all(const brz_transforms_run *t, brz_profile *p, brz_transforms_end *end)
{
    work w = {.run = t, .profile = p, .end = end, .plugin = first_plugin(t->transforms)};
    *end = (brz_transforms_end){.left_out = 0};
    if (w.plugin == NULL || !t->isolates)
        return apply_here(&w);
    return work_in_child(&w, (brz_isolated){.work = apply_and_give, .take = take_result});
}

/* Returns the first transform whose code must not run in this process, or NULL. */
static const brz_loaded *first_described(const brz_transforms_run *t)
{
    for (size_t i = 0; i < t->transforms->n; i++) {
        const brz_use *use = brz_transforms_use(t->transforms, i);
        if (use != NULL && brz_registry_is_described(t->registry, use->loaded))
            return use->loaded;
    }
    return NULL;
}

bool brz_transforms_check_options(const brz_transforms_run *t, bool *is_misused)
{
    work w = {.run = t, .plugin = first_described(t)};
    if (w.plugin == NULL || !t->isolates)
        return true;
    bool good = work_in_child(&w, (brz_isolated){.work = validate_and_give, .take = take_verdict});
    *is_misused = w.is_misused;
    return good;
}
