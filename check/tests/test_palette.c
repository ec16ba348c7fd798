/* SPDX-License-Identifier: MIT */
/* Tests that palettes are pure functions of the data that they depend on. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/crash.h"
#include "base/mem.h"
#include "check/drive/run_palette.h"
#include "tests.h"
#include "check/inputs/sample_trees.h"

/* ---- purity -------------------------------------------------------------------------------- */

static uint64_t seed_of(uint32_t node)
{
    return node * UINT64_C(7919) + 1;
}

typedef struct task {
    const check_palette_run *painting;
    const uint32_t *colors;
    uint32_t bad; /* a node whose colour differed, + 1; 0: none */
} task;

static void *color_again(void *arg)
{
    task *t = arg;
    void *stack = brz_crash_thread_begin();
    brz_instance_enter(t->painting->instance, "color", NULL, 0, 0);
    for (uint32_t i = t->painting->tree->n_nodes; i-- > 0 && t->bad == 0;)
        if (check_palette_run_color(t->painting, i, seed_of(i), 0) != t->colors[i])
            t->bad = i + 1;
    brz_instance_leave(t->painting->instance);
    brz_crash_thread_end(stack);
    return NULL;
}

#define N_THREADS 4

/* Colours all nodes in reverse order, on one thread after another: an instance belongs to one
 * thread at a time. Returns a node whose colour differs, + 1, or 0. */
static uint32_t color_in_threads(const check_palette_run *p, const uint32_t *colors)
{
    task t = {p, colors, 0};
    for (size_t n = 0; n < N_THREADS && t.bad == 0; n++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, color_again, &t) != 0)
            break;
        pthread_join(thread, NULL);
    }
    return t.bad;
}

static void tell_impure(check *c, const check_palette_run *p, uint32_t node, const char *tree,
                        const char *how)
{
    brz_str name = brz_frame_at(p->tree, brz_node_at(p->tree, node)->frame)->name;
    check_fail(c, 43, CHECK_NOTHING, CHECK_NOTHING,
               "%s: in %s the frame '%.*s' has another colour %s", p->loaded->component->id, tree,
               (int)(name.len < 60 ? name.len : 60), name.data, how);
}

static void look_at_purity(check *c, size_t component, const brz_tree *tree, const char *name)
{
    check_palette_run p;
    uint32_t *colors = brz_calloc((size_t)tree->n_nodes + 1, sizeof *colors);
    if (check_palette_run_begin(&p, c, component, tree, 0)) {
        task again = {&p, colors, 0};
        brz_instance_enter(p.instance, "color", NULL, 0, 0);
        for (uint32_t i = 0; i < tree->n_nodes; i++)
            colors[i] = check_palette_run_color(&p, i, seed_of(i), 0);
        brz_instance_leave(p.instance);
        color_again(&again);
        color_again(&again);
        uint32_t bad = again.bad > 0 ? again.bad : color_in_threads(&p, colors);
        if (bad > 0)
            tell_impure(c, &p, bad - 1, name,
                        again.bad > 0 ? "the next time" : "on another thread");
    }
    free(colors);
    check_palette_run_end(&p);
}

/* Checks that a second picture in the same process starts from the same state. */
static void look_at_second_picture(check *c, size_t component, const brz_tree *tree,
                                   const char *name)
{
    uint32_t *one = check_palette_colors(c, component, tree, 0);
    uint32_t *two = check_palette_colors(c, component, tree, 0);
    if (one != NULL && two != NULL && memcmp(one, two, tree->n_nodes * sizeof *one) != 0)
        check_fail(c, 43, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: a second picture of %s has other colours", check_id_of(c, component), name);
    free(one);
    free(two);
}

void check_palette_pure(check *c)
{
    check_for_each_palette(c, true, look_at_purity);
    check_for_each_palette(c, true, look_at_second_picture);
}

static void look_at_odd(check *c, size_t component, const brz_tree *tree, const char *name)
{
    (void)name;
    free(check_palette_colors(c, component, tree, 0));
}

void check_palette_odd(check *c)
{
    check_for_each_palette(c, false, look_at_odd);
}

/* ---- depends ------------------------------------------------------------------------------- */

/* A part of the arguments of `color`, and how a trial changes it; the tree is a private copy. */
typedef struct part {
    uint32_t bit;
    const char *name;
    void (*change)(brz_frame_info *f, brz_node *n, brz_change *c, uint64_t x);
} part;

static void change_name(brz_frame_info *f, brz_node *n, brz_change *c, uint64_t x)
{
    static const char *const names[] = {"",           "alloc::vec", "Java.lang",
                                        "kernel_[k]", "other",      "read"};
    const char *name = names[x % 6];
    (void)n;
    (void)c;
    f->name = brz_str_of_text(name);
}

static void change_module(brz_frame_info *f, brz_node *n, brz_change *c, uint64_t x)
{
    static const char *const names[] = {"", "libc.so.6", "vmlinux", "node", "libjvm.so", "app.jar"};
    const char *name = names[x % 6];
    (void)n;
    (void)c;
    f->module = brz_str_of_text(name);
}

static void change_kind(brz_frame_info *f, brz_node *n, brz_change *c, uint64_t x)
{
    (void)n;
    (void)c;
    f->kind = (uint32_t)(x % 7);
    f->flags = (uint32_t)(x / 7 % 8);
}

static void change_source(brz_frame_info *f, brz_node *n, brz_change *c, uint64_t x)
{
    static const char *const names[] = {"", "a.py", "main.rs", "/usr/lib/node.js", "x.c", "y.rb"};
    const char *name = names[x % 6];
    (void)n;
    (void)c;
    f->file = brz_str_of_text(name);
    f->line = (uint32_t)(x % 1000);
}

static void change_depth(brz_frame_info *f, brz_node *n, brz_change *c, uint64_t x)
{
    (void)f;
    (void)c;
    n->depth = (uint32_t)(x % 40);
}

static void change_value(brz_frame_info *f, brz_node *n, brz_change *c, uint64_t x)
{
    (void)f;
    n->self = (int64_t)(x % 1000);
    n->total = n->self + (int64_t)(x >> 20 & 0xfff);
    if (c != NULL)
        *c = (brz_change){n->self, n->total, n->total, n->self};
}

/* the parent of a node comes before it */
static void change_path(brz_frame_info *f, brz_node *n, brz_change *c, uint64_t x)
{
    (void)f;
    (void)c;
    n->parent = n->parent > 0 ? (uint32_t)(x % n->parent) : 0;
}

static void change_seed(brz_frame_info *f, brz_node *n, brz_change *c, uint64_t x)
{
    (void)f;
    (void)n;
    (void)c;
    (void)x; /* the seed is passed as an argument */
}

static const part parts[] = {
    {BRZ_ON_NAME, "the frame's name (BRZ_ON_NAME)", change_name},
    {BRZ_ON_MODULE, "the frame's module (BRZ_ON_MODULE)", change_module},
    {BRZ_ON_KIND, "the frame's kind (BRZ_ON_KIND)", change_kind},
    {BRZ_ON_SOURCE, "the frame's file and line (BRZ_ON_SOURCE)", change_source},
    {BRZ_ON_DEPTH, "the node's depth (BRZ_ON_DEPTH)", change_depth},
    {BRZ_ON_VALUE, "what the node weighs (BRZ_ON_VALUE)", change_value},
    {BRZ_ON_SEED, "the seed (BRZ_ON_SEED)", change_seed},
    {BRZ_ON_PATH, "the frames above it (BRZ_ON_PATH)", change_path},
};

/* Changes the difference for palettes that do not depend on weights: these must not use it. */
static double more_delta(const part *p, uint64_t x)
{
    return p->bit == BRZ_ON_VALUE ? (double)(x % 200) / 100 - 1 : 0;
}

/* Changes a part of one node, requests its colour, and restores the node. */
static uint32_t color_changed(const check_palette_run *p, check_sample_tree *t, uint32_t node,
                              const part *changed, uint64_t x)
{
    brz_node *n = &t->call_tree.nodes[node], old_node = *n;
    brz_frame_info *f = &t->call_tree.frames[n->frame], old_frame = *f;
    brz_change *c = t->call_tree.changes == NULL ? NULL : &t->call_tree.changes[node];
    brz_change old_change = {0};
    if (c != NULL)
        old_change = *c;
    changed->change(f, n, c, x);
    uint32_t color = check_palette_run_color(
        p, node, changed->bit == BRZ_ON_SEED ? x : seed_of(node), more_delta(changed, x));
    *n = old_node;
    *f = old_frame;
    if (c != NULL)
        *c = old_change;
    return color;
}

#define TRIALS 300

static void look_at_part(check *c, const check_palette_run *p, check_sample_tree *t,
                         const part *changed)
{
    for (int i = 0; i < TRIALS && !check_is_over(c); i++) {
        uint32_t node = (uint32_t)check_random_below(&c->random, p->tree->n_nodes);
        uint32_t color = check_palette_run_color(p, node, seed_of(node), 0);
        uint32_t other = color_changed(p, t, node, changed, check_random(&c->random));
        if (color == other)
            continue;
        check_fail(c, 44, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: the colour depends on %s, which `depends` lacks: #%08x became #%08x",
                   p->loaded->component->id, changed->name, color, other);
        return;
    }
}

static void look_at_depends(check *c, size_t component, size_t kind)
{
    const brz_call_tree_options wanted = {.nodes = true, .order = BRZ_ORDER_MERGED};
    check_sample_tree t;
    check_palette_run p;
    check_sample_tree_build(&t, kind, &wanted);
    check_doing(c, "colouring changed nodes with %s", check_id_of(c, component));
    if (check_palette_run_begin(&p, c, component, &t.call_tree.tree, 0)) {
        brz_instance_enter(p.instance, "color", NULL, 0, 0);
        for (size_t i = 0; i < BRZ_COUNT_OF(parts); i++)
            if (!(p.palette->depends & parts[i].bit))
                look_at_part(c, &p, &t, &parts[i]);
        brz_instance_leave(p.instance);
    }
    check_palette_run_end(&p);
    check_sample_tree_finish(&t);
}

void check_palette_depends(check *c)
{
    for (size_t i = 0; i < c->file.n_components; i++)
        for (size_t kind = 0; check_tree_kind_at(kind) != NULL; kind++)
            if (c->file.components[i].component->kind == BRZ_PALETTE &&
                check_tree_kind_at(kind)->typical)
                look_at_depends(c, i, kind);
}

/* ---- legend -------------------------------------------------------------------------------- */

typedef struct kept_legend {
    brz_legend legend;
    unsigned char beyond[64];
    check *check;
    const char *id;
    brz_buf text;
} kept_legend;

static void keep(brz_legend *legend, uint32_t color, brz_str name)
{
    kept_legend *k = (kept_legend *)legend;
    if ((color & 0xff) != 0xff)
        check_fail(k->check, 46, CHECK_NOTHING, name,
                   "%s: the legend names #%08x, which is not opaque", k->id, color);
    if (name.len == 0)
        check_fail(k->check, 46, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: the legend has no name for #%08x", k->id, color);
    brz_buf_printf(&k->text, "#%08x ", color);
    brz_buf_add_str(&k->text, name);
    brz_buf_add_char(&k->text, '\n');
}

static void ask_for_legend(check *c, size_t component, const brz_tree *tree, brz_buf *to)
{
    check_palette_run p;
    kept_legend k = {.legend = {.struct_size = sizeof(brz_legend), .add = keep},
                     .check = c,
                     .id = check_id_of(c, component)};
    if (check_palette_run_begin(&p, c, component, tree, 0)) {
        brz_instance_enter(p.instance, "legend", NULL, 0, 0);
        p.palette->legend(&p.instance->palette_ctx, tree, &k.legend);
        brz_instance_leave(p.instance);
    }
    check_palette_run_end(&p);
    *to = k.text;
}

static void look_at_legend(check *c, size_t component, const brz_tree *tree, const char *name)
{
    const brz_palette *palette = c->file.components[component].vtable;
    brz_buf one = {0}, two = {0};
    if (palette->legend == NULL)
        return;
    ask_for_legend(c, component, tree, &one);
    ask_for_legend(c, component, tree, &two);
    if (strcmp(brz_buf_text(&one), brz_buf_text(&two)) != 0)
        check_fail(c, 46, brz_buf_str(&one), brz_buf_str(&two),
                   "%s: the legend of %s differs the next time", check_id_of(c, component), name);
    brz_buf_finish(&one);
    brz_buf_finish(&two);
}

void check_palette_legend(check *c)
{
    check_for_each_palette(c, true, look_at_legend);
    check_for_each_palette(c, false, look_at_legend);
}
