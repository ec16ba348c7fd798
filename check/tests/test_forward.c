/* SPDX-License-Identifier: MIT */
/* Tests whether a plug-in works in a host of a later minor version. */
#include <stdlib.h>
#include <string.h>

#include "plugin/crash.h"
#include "check/guard/guarded_buffer.h"
#include "check/drive/run_palette.h"
#include "draw/render.h"
#include "check/drive/run_collapser.h"
#include "tests.h"
#include "check/inputs/sample_trees.h"
#include "check/drive/run_output.h"
#include "check/drive/run_transform.h"

static uint32_t kind_of(const check *c, size_t component)
{
    return c->file.components[component].component->kind;
}

/* ---- collapsers ---------------------------------------------------------------------------- */

typedef struct longer_head {
    brz_head head;
    unsigned char beyond[64];
} longer_head;

static int32_t sniff(const brz_loaded *l, const check_sample *s, check_guarded_buffer *g,
                     unsigned newer)
{
    longer_head h = {.head = {.struct_size = sizeof(brz_head), .flags = BRZ_CHUNK_LAST}};
    h.head.len = s->len < 65536 ? s->len : 65536;
    h.head.data = check_guarded_buffer_set(g, s->data, h.head.len, 0, false);
    h.head.name = brz_str_of_text(s->name);
    memset(h.beyond, 0xa5, sizeof h.beyond);
    if (newer & CHECK_LONGER)
        h.head.struct_size = sizeof h;
    if (newer & CHECK_ODD_FLAGS)
        h.head.flags |= CHECK_ODD_FLAG;
    brz_call_enter(l, "sniff", NULL, 0, h.head.len);
    int32_t score = ((const brz_collapser *)l->vtable)->sniff(&h.head);
    brz_call_leave();
    return score;
}

static void compare_sniffed(check *c, const check_case *k, check_guarded_buffer *g, unsigned clause,
                            unsigned newer)
{
    int32_t now = sniff(k->loaded, k->sample, g, 0), later = sniff(k->loaded, k->sample, g, newer);
    if (now != later)
        check_fail(c, clause, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: sniff answers %d, and %d to a host of a later minor", k->label, (int)now,
                   (int)later);
}

static void try_collapsers(check *c, unsigned clause, unsigned newer, const char *how)
{
    static const check_collapser_options plain_way = {.seed = 1, .step = 300};
    const check_collapser_options way = {.seed = 1, .step = 300, .newer = newer};
    check_cases cases;
    check_guarded_buffer g;
    if (!(check_subject_kinds(c->subject) & CHECK_COLLAPSERS) || !check_cases_init(&cases, c))
        return;
    check_guarded_buffer_init(&g, &c->guarded);
    for (size_t i = 0; i < cases.n && !check_is_over(c); i++) {
        check_collapse_result plain, other;
        check_doing(c, "showing %s %s", cases.items[i].label, how);
        check_run_collapser(c, &cases.items[i], &plain_way, &plain);
        check_run_collapser(c, &cases.items[i], &way, &other);
        check_compare(c, &cases.items[i], clause, &plain, &other, how);
        compare_sniffed(c, &cases.items[i], &g, clause, newer);
        check_collapse_result_finish(&plain);
        check_collapse_result_finish(&other);
    }
    check_guarded_buffer_finish(&g);
    check_cases_finish(&cases);
}

/* ---- palettes, outputs and transforms
 * ------------------------------------------------------------------ */

/* A tree in two forms: that of this host and that of a later one. */
typedef struct two_trees {
    check_sample_tree made;
    check_protected_tree now, later;
} two_trees;

static void make_two(check *c, two_trees *t, size_t kind, const brz_call_tree_options *wanted,
                     unsigned newer)
{
    check_sample_tree_build(&t->made, kind, wanted);
    check_tree_protect(&t->now, &t->made.call_tree.tree, 0, c->crash_record);
    check_tree_protect(&t->later, &t->made.call_tree.tree, newer, c->crash_record);
}

static void finish_two(two_trees *t)
{
    check_protected_tree_finish(&t->now);
    check_protected_tree_finish(&t->later);
    check_sample_tree_finish(&t->made);
}

static void compare_painted(check *c, size_t component, const two_trees *t, unsigned clause,
                            unsigned newer, const char *how)
{
    const brz_tree *now = &t->now.longer.tree, *later = &t->later.longer.tree;
    uint32_t *one = check_palette_colors(c, component, now, 0);
    uint32_t *two = check_palette_colors(c, component, later, newer);
    if (one != NULL && two != NULL && memcmp(one, two, now->n_nodes * sizeof *one) != 0)
        check_fail(c, clause, CHECK_NOTHING, CHECK_NOTHING, "%s: the colours differ %s",
                   check_id_of(c, component), how);
    free(one);
    free(two);
}

static void compare_written(check *c, size_t component, const two_trees *t, unsigned clause,
                            unsigned newer, const char *how)
{
    const check_output_options way = {.limit = SIZE_MAX, .newer = newer};
    check_output_result one, two;
    check_run_output(c, component, &t->now.longer.tree, &check_default_output_options, &one);
    check_run_output(c, component, &t->later.longer.tree, &way, &two);
    if (one.rc != two.rc || strcmp(brz_buf_text(&one.bytes), brz_buf_text(&two.bytes)) != 0)
        check_fail(c, clause, CHECK_NOTHING, CHECK_NOTHING, "%s: it writes something else %s",
                   check_id_of(c, component), how);
    check_output_result_finish(&one);
    check_output_result_finish(&two);
}

static void compare_changed(check *c, size_t component, const two_trees *t, unsigned clause,
                            unsigned newer, const char *how)
{
    const brz_tree *now = &t->now.longer.tree, *later = &t->later.longer.tree;
    brz_buf *one = check_transform_results(c, component, now, CHECK_ALL_STACKS, 0);
    brz_buf *two = check_transform_results(c, component, later, CHECK_ALL_STACKS, newer);
    bool same = true;
    for (uint32_t i = 0; i < now->n_stacks && one != NULL && two != NULL; i++)
        same &= brz_str_equal(brz_buf_str(&one[i]), brz_buf_str(&two[i]));
    if (!same)
        check_fail(c, clause, CHECK_NOTHING, CHECK_NOTHING, "%s: a stack has another result %s",
                   check_id_of(c, component), how);
    check_transform_results_free(one, now);
    check_transform_results_free(two, later);
}

/* Returns the form of the trees that a component gets. */
static brz_call_tree_options wanted_by(const check *c, size_t component)
{
    static const brz_call_tree_options palettes_want = {.nodes = true, .order = BRZ_ORDER_MERGED};
    if (kind_of(c, component) == BRZ_OUTPUT)
        return brz_render_tree_options(c->file.components[component].vtable);
    return kind_of(c, component) == BRZ_TRANSFORM ? check_transform_tree : palettes_want;
}

/* Compares what a component does with the two forms of a tree. */
static void compare_two(check *c, size_t component, const two_trees *t, unsigned clause,
                        unsigned newer, const char *how)
{
    if (kind_of(c, component) == BRZ_OUTPUT)
        compare_written(c, component, t, clause, newer, how);
    else if (kind_of(c, component) == BRZ_TRANSFORM)
        compare_changed(c, component, t, clause, newer, how);
    else
        compare_painted(c, component, t, clause, newer, how);
}

/* Tests trees. `in_call` holds the properties of the other structs passed to the plug-in. */
static void try_trees(check *c, unsigned clause, unsigned in_tree, unsigned in_call,
                      const char *how)
{
    for (size_t i = 0; i < c->file.n_components; i++) {
        if (kind_of(c, i) == BRZ_COLLAPSER)
            continue;
        brz_call_tree_options wanted = wanted_by(c, i);
        for (size_t kind = 0; check_tree_kind_at(kind) != NULL && !check_is_over(c); kind++) {
            two_trees t;
            if (!check_tree_kind_at(kind)->typical)
                continue;
            check_doing(c, "giving %s to %s %s", check_tree_kind_at(kind)->name, check_id_of(c, i),
                        how);
            make_two(c, &t, kind, &wanted, in_tree);
            compare_two(c, i, &t, clause, in_call, how);
            finish_two(&t);
        }
    }
}

/* ---- tests --------------------------------------------------------------------------------- */

void check_forward_structs(check *c)
{
    try_collapsers(c, 23, CHECK_LONGER, "with longer structs");
    try_trees(c, 23, 0, CHECK_LONGER, "with longer structs");
}

void check_forward_flags(check *c)
{
    try_collapsers(c, 24, CHECK_ODD_FLAGS, "with unknown flags");
    try_trees(c, 24, CHECK_ODD_FLAGS, CHECK_ODD_FLAGS, "with unknown flags");
}

void check_forward_strides(check *c)
{
    try_trees(c, 23, CHECK_LONGER, 0, "with arrays of larger elements");
}

/* Sets the kind of all frames. */
static void set_kinds(check_sample_tree *t, uint32_t kind)
{
    for (uint32_t i = 0; i < t->call_tree.tree.n_frames; i++)
        t->call_tree.frames[i].kind = kind;
}

static void try_kind(check *c, size_t component, uint32_t kind)
{
    static const char how[] = "if frames have an unknown kind";
    brz_call_tree_options wanted = wanted_by(c, component);
    two_trees t;
    check_doing(c, "giving frames of kind %u to %s", kind, check_id_of(c, component));
    check_sample_tree_build(&t.made, 0, &wanted);
    set_kinds(&t.made, BRZ_KIND_OTHER);
    check_tree_protect(&t.now, &t.made.call_tree.tree, 0, c->crash_record);
    set_kinds(&t.made, kind);
    check_tree_protect(&t.later, &t.made.call_tree.tree, 0, c->crash_record);
    if (kind_of(c, component) != BRZ_TRANSFORM) /* a transform passes the kind on */
        compare_two(c, component, &t, 24, 0, how);
    else
        check_transform_results_free(
            check_transform_results(c, component, &t.later.longer.tree, CHECK_ALL_STACKS, 0),
            &t.later.longer.tree);
    finish_two(&t);
}

void check_forward_kinds(check *c)
{
    for (size_t i = 0; i < c->file.n_components; i++) {
        if (kind_of(c, i) == BRZ_COLLAPSER)
            continue;
        try_kind(c, i, 7);
        try_kind(c, i, 99);
        try_kind(c, i, UINT32_MAX);
    }
}
