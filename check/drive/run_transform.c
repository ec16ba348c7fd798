/* SPDX-License-Identifier: MIT */
/* Runs a transform on the stacks of a tree. */
#include "run_transform.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "check/inputs/option_values.h"
#include "check/inputs/sample_trees.h"
#include "host/instance_create.h"

const brz_call_tree_options check_transform_tree = {.order = BRZ_ORDER_MERGED, .exact = true};

/* The argument of `apply` with the size of a later host's. */
typedef struct longer_edit {
    brz_stack_edit edit;
    unsigned char beyond[64];
} longer_edit;

bool check_transform_run_begin(check_transform_run *t, check *c, size_t component,
                               const brz_tree *tree, unsigned newer)
{
    const brz_loaded *l = &c->file.components[component];
    memset(t, 0, sizeof *t);
    t->check = c;
    t->loaded = l;
    t->transform = l->vtable;
    t->stacks = tree;
    t->tree = *tree;
    t->tree.struct_size = sizeof t->tree;
    t->tree.stacks = t->tree.nodes = t->tree.samples = NULL;
    t->tree.n_stacks = t->tree.n_nodes = 0;
    t->tree.n_samples = 0;
    t->newer = newer;
    t->instance = brz_instance_create(l, &c->run, c->options[component]->cfg, NULL,
                                      t->transform->inst_size, 0);
    t->instance->first_frame = tree->n_frames;
    check_host_monitor_init(&t->monitor, t->instance, newer);
    check_guarded_buffer_init_for(&t->frames, &c->guarded, 51);
    if (t->transform->open == NULL)
        return true;
    brz_instance_enter(t->instance, "open", NULL, 0, 0);
    brz_rc rc = t->transform->open(&t->instance->transform_ctx, &t->tree);
    brz_instance_leave(t->instance);
    bool is_refused = c->has_other_value && rc == BRZ_ERROR;
    if (rc != BRZ_OK && !is_refused)
        check_fail(c, 61, CHECK_NOTHING, CHECK_NOTHING, "%s: open returned %d", l->component->id,
                   (int)rc);
    return rc == BRZ_OK;
}

/* ---- results ------------------------------------------------------------------------------- */

static void add_frame(brz_buf *to, const brz_frame_info *f)
{
    brz_buf_add_str(to, f->name);
    brz_buf_printf(to, " (%.*s %.*s:%u:%u %u %u %#llx)\n", (int)f->module.len, f->module.data,
                   (int)f->file.len, f->file.data, f->line, f->column, f->kind, f->flags,
                   (unsigned long long)f->address);
}

/* Adds the frame with an id, of the tree or of the transform. Returns false if the id is unknown.
 */
static bool add_id(const check_transform_run *t, brz_frame id, brz_buf *to)
{
    uint32_t first = t->tree.n_frames;
    if (id < first) {
        add_frame(to, brz_frame_at(&t->tree, id));
        return true;
    }
    if (id - first >= t->instance->profile->n_frames)
        return false;
    brz_frame_info own = brz_profile_frame_info(t->instance->profile, id - first);
    add_frame(to, &own);
    return true;
}

/* Appends the result of a call. Returns false after a failure if it is invalid. */
static bool add_result(const check_transform_run *t, const brz_stack_edit *edit, brz_buf *to)
{
    bool good = edit->n == 0 || edit->frames != NULL;
    brz_buf_printf(to, "%u frames\n", edit->n);
    for (uint32_t i = 0; i < edit->n && good; i++)
        good = add_id(t, edit->frames[i], to);
    if (!good)
        check_fail(t->check, 62, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: the result has a frame that the host did not give out",
                   t->loaded->component->id);
    return good;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static uint32_t count_shared(const brz_stack_info *a, const brz_stack_info *b)
{
    uint32_t n = 0;
    while (n < a->n && n < b->n && a->frames[n] == b->frames[n])
        n++;
    return n;
}

bool check_transform_run_apply(check_transform_run *t, uint32_t i, uint32_t before, brz_buf *to)
{
    const brz_stack_info *s = brz_stack_at(t->stacks, i);
    bool reads_values = t->transform->flags & BRZ_TRANSFORM_VALUES;
    longer_edit l = {.edit = {.struct_size = sizeof(brz_stack_edit), .n = s->n}};
    memset(l.beyond, 0xa5, sizeof l.beyond);
    if (t->newer & CHECK_LONGER) {
        l.edit.struct_size = sizeof l;
        l.edit.reserved = 0xa5a5a5a5u;
    }
    l.edit.values = reads_values ? s->values : NULL;
    l.edit.n_common = before == UINT32_MAX ? 0 : count_shared(brz_stack_at(t->stacks, before), s);
    l.edit.frames = (const brz_frame *)(const void *)check_guarded_buffer_set(
        &t->frames, (const uint8_t *)s->frames, s->n * sizeof *s->frames, 0, false);
    brz_instance_enter(t->instance, "apply", NULL, 0, 0);
    brz_rc rc = t->transform->apply(&t->instance->transform_ctx, &t->tree, &l.edit);
    bool good = rc == BRZ_OK && add_result(t, &l.edit, to);
    brz_instance_leave(t->instance);
    if (rc != BRZ_OK)
        check_fail(t->check, 61, CHECK_NOTHING, CHECK_NOTHING, "%s: apply returned %d",
                   t->loaded->component->id, (int)rc);
    return good;
}

void check_transform_run_end(check_transform_run *t)
{
    if (t->transform->close != NULL) {
        brz_instance_enter(t->instance, "close", NULL, 0, 0);
        t->transform->close(&t->instance->transform_ctx);
        brz_instance_leave(t->instance);
    }
    if (t->monitor.clause != 0)
        check_fail(t->check, t->monitor.clause, CHECK_NOTHING, CHECK_NOTHING, "%s: %s",
                   t->loaded->component->id, t->monitor.fault);
    check_guarded_buffer_finish(&t->frames);
    brz_instance_destroy(t->instance);
}

/* ---- trees --------------------------------------------------------------------------------- */

static bool apply_to_all(check_transform_run *t, check_stack_order order, brz_buf *results)
{
    uint32_t n = t->stacks->n_stacks, step = order == CHECK_EVERY_OTHER_STACK ? 2 : 1;
    uint32_t before = UINT32_MAX;
    for (uint32_t k = 0; k < n; k += step) {
        uint32_t i = order == CHECK_STACKS_BACKWARDS ? n - 1 - k : k;
        if (!check_transform_run_apply(t, i, before, &results[i]))
            return false;
        before = i;
    }
    return true;
}

brz_buf *check_transform_results(check *c, size_t component, const brz_tree *tree,
                                 check_stack_order order, unsigned newer)
{
    check_transform_run t;
    brz_buf *results = brz_calloc((size_t)tree->n_stacks + 1, sizeof *results);
    bool good = check_transform_run_begin(&t, c, component, tree, newer) &&
                apply_to_all(&t, order, results);
    check_transform_run_end(&t);
    if (good)
        return results;
    check_transform_results_free(results, tree);
    return NULL;
}

void check_transform_results_free(brz_buf *results, const brz_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_stacks && results != NULL; i++)
        brz_buf_finish(&results[i]);
    free(results);
}

/* Runs a transform on a tree of a kind. `option` is the one with another value, or empty. */
static void run_kind(check *c, size_t component, size_t number, brz_str option,
                     check_with_tree *run)
{
    check_sample_tree t;
    check_protected_tree s;
    brz_buf name = {0};
    brz_buf_add_text(&name, check_tree_kind_at(number)->name);
    if (option.len > 0)
        brz_buf_printf(&name, " (%.*s)", (int)option.len, option.data);
    check_sample_tree_build(&t, number, &check_transform_tree);
    check_doing(c, "changing stacks of %s with %s", brz_buf_text(&name), check_id_of(c, component));
    run(c, component, check_tree_protect(&s, &t.call_tree.tree, 0, c->crash_record),
        brz_buf_text(&name));
    check_protected_tree_finish(&s);
    check_sample_tree_finish(&t);
    brz_buf_finish(&name);
}

static void run_kinds(check *c, size_t component, bool typical, brz_str option,
                      check_with_tree *run)
{
    const check_tree_kind *kind;
    for (size_t i = 0; (kind = check_tree_kind_at(i)) != NULL && !check_is_over(c); i++)
        if (kind->typical == typical)
            run_kind(c, component, i, option, run);
}

/* Does the same with each other value of each option. */
static void run_options(check *c, size_t component, bool typical, check_with_tree *run)
{
    brz_options *defaults = c->options[component];
    brz_buf option = {0};
    size_t next = 0;
    c->has_other_value = true;
    while ((c->options[component] =
                check_next_options(&c->file.components[component], &next, &option)) != NULL) {
        run_kinds(c, component, typical, brz_buf_str(&option), run);
        brz_options_destroy(c->options[component]);
        brz_buf_clear(&option);
    }
    c->has_other_value = false;
    c->options[component] = defaults;
    brz_buf_finish(&option);
}

void check_for_each_transform(check *c, bool typical, check_with_tree *run)
{
    for (size_t k = 0; k < c->file.n_components; k++) {
        if (c->file.components[k].component->kind != BRZ_TRANSFORM)
            continue;
        run_kinds(c, k, typical, CHECK_NOTHING, run);
        run_options(c, k, typical, run);
    }
}
