/* SPDX-License-Identifier: MIT */
/* Runs a palette on a tree. */
#include "run_palette.h"

#include <stdlib.h>
#include <string.h>

#include "plugin/crash.h"
#include "base/mem.h"
#include "host/instance_create.h"
#include "check/inputs/sample_trees.h"

/* The argument of `color` with the size of a later host's. */
typedef struct longer_color_in {
    brz_color_in in;
    unsigned char beyond[64];
} longer_color_in;

static double largest_delta_of(const brz_tree *t)
{
    double largest = 1;
    for (uint32_t i = 0; i < t->n_nodes && t->changes != NULL; i++) {
        double delta = (double)brz_delta(t, i);
        delta = delta < 0 ? -delta : delta;
        largest = delta > largest ? delta : largest;
    }
    return largest;
}

bool check_palette_run_begin(check_palette_run *p, check *c, size_t component, const brz_tree *tree,
                             unsigned newer)
{
    const brz_loaded *l = &c->file.components[component];
    memset(p, 0, sizeof *p);
    p->check = c;
    p->loaded = l;
    p->palette = l->vtable;
    p->tree = tree;
    p->newer = newer;
    p->largest_delta = largest_delta_of(tree);
    p->instance =
        brz_instance_create(l, &c->run, c->options[component]->cfg, NULL, p->palette->inst_size, 0);
    check_host_monitor_init(&p->monitor, p->instance, newer);
    if (p->palette->prepare == NULL)
        return true;
    brz_instance_enter(p->instance, "prepare", NULL, 0, 0);
    brz_rc rc = p->palette->prepare(&p->instance->palette_ctx, tree);
    brz_instance_leave(p->instance);
    if (rc != BRZ_OK)
        check_fail(c, 45, CHECK_NOTHING, CHECK_NOTHING, "%s: prepare returned %d", l->component->id,
                   (int)rc);
    return rc == BRZ_OK;
}

uint32_t check_palette_run_color(const check_palette_run *p, uint32_t node, uint64_t seed,
                                 double more_delta)
{
    longer_color_in l = {
        .in = {.struct_size = sizeof(brz_color_in), .tree = p->tree, .seed = seed}};
    brz_color_in *in = &l.in;
    in->node = brz_node_at(p->tree, node);
    in->frame = brz_frame_at(p->tree, in->node->frame);
    if (p->tree->changes != NULL)
        in->delta = (double)brz_delta(p->tree, node) / p->largest_delta;
    in->delta += more_delta;
    memset(l.beyond, 0xa5, sizeof l.beyond);
    if (p->newer & CHECK_LONGER) {
        in->struct_size = sizeof l;
        in->reserved = 0xa5a5a5a5u;
    }
    return p->palette->color(&p->instance->palette_ctx, in);
}

void check_palette_run_end(check_palette_run *p)
{
    if (p->palette->close != NULL) {
        brz_instance_enter(p->instance, "close", NULL, 0, 0);
        p->palette->close(&p->instance->palette_ctx);
        brz_instance_leave(p->instance);
    }
    if (p->monitor.clause != 0)
        check_fail(p->check, p->monitor.clause, CHECK_NOTHING, CHECK_NOTHING, "%s: %s",
                   p->loaded->component->id, p->monitor.fault);
    brz_instance_destroy(p->instance);
}

uint32_t *check_palette_colors(check *c, size_t component, const brz_tree *tree, unsigned newer)
{
    check_palette_run p;
    uint32_t *colors = NULL;
    if (check_palette_run_begin(&p, c, component, tree, newer)) {
        colors = brz_calloc((size_t)tree->n_nodes + 1, sizeof *colors);
        brz_instance_enter(p.instance, "color", NULL, 0, 0);
        for (uint32_t i = 0; i < tree->n_nodes; i++)
            colors[i] = check_palette_run_color(&p, i, i * UINT64_C(7919) + 1, 0);
        brz_instance_leave(p.instance);
    }
    check_palette_run_end(&p);
    return colors;
}

void check_for_each_palette(check *c, bool typical_only,
                            void (*run)(check *c, size_t component, const brz_tree *tree,
                                        const char *name))
{
    const brz_call_tree_options wanted = {
        .nodes = true, .order = BRZ_ORDER_MERGED, .is_signed = true};
    const check_tree_kind *kind;
    for (size_t i = 0; (kind = check_tree_kind_at(i)) != NULL; i++) {
        check_sample_tree t;
        check_protected_tree s;
        if (typical_only && !kind->typical)
            continue;
        check_sample_tree_build(&t, i, &wanted);
        const brz_tree *tree = check_tree_protect(&s, &t.call_tree.tree, 0, c->crash_record);
        for (size_t k = 0; k < c->file.n_components && !check_is_over(c); k++) {
            if (c->file.components[k].component->kind != BRZ_PALETTE)
                continue;
            check_doing(c, "colouring %s with %s", kind->name, c->file.components[k].component->id);
            run(c, k, tree, kind->name);
        }
        check_protected_tree_finish(&s);
        check_sample_tree_finish(&t);
    }
}
