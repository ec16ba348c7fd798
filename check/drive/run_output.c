/* SPDX-License-Identifier: MIT */
/* Runs an output on a tree. */
#include "run_output.h"

#include <string.h>

#include "plugin/crash.h"
#include "draw/render.h"
#include "host/instance_create.h"
#include "check/inputs/sample_trees.h"
#include "check/guard/host_monitor.h"

const check_output_options check_default_output_options = {.limit = SIZE_MAX};

/* A sink that stores its input up to a limit, with the size of a later host's. */
typedef struct kept_sink {
    brz_sink sink;
    unsigned char beyond[64];
    brz_buf *to; /* NULL: nothing is kept */
    size_t written, limit;
    bool failed;
} kept_sink;

static brz_rc keep(brz_sink *sink, const void *data, size_t len)
{
    kept_sink *k = (kept_sink *)sink;
    k->failed |= len > k->limit - k->written;
    if (k->failed)
        return BRZ_ERROR;
    k->written += len;
    if (k->to != NULL)
        brz_buf_add(k->to, data, len);
    return BRZ_OK;
}

static void report_violations(check *c, const brz_loaded *l, const check_host_monitor *monitor)
{
    if (monitor->clause != 0)
        check_fail(c, monitor->clause, CHECK_NOTHING, CHECK_NOTHING, "%s: %s", l->component->id,
                   monitor->fault);
}

void check_run_output(check *c, size_t component, const brz_tree *tree,
                      const check_output_options *how, check_output_result *w)
{
    const brz_loaded *l = &c->file.components[component];
    const brz_output *output = l->vtable;
    kept_sink k = {.sink = {sizeof(brz_sink), how->columns, keep},
                   .to = how->drops ? NULL : &w->bytes};
    check_host_monitor monitor;
    memset(w, 0, sizeof *w);
    k.limit = how->limit;
    memset(k.beyond, 0xa5, sizeof k.beyond);
    if (how->newer & CHECK_LONGER)
        k.sink.struct_size += sizeof k.beyond;
    brz_instance *i =
        brz_instance_create(l, &c->run, c->options[component]->cfg, NULL, output->inst_size, 0);
    check_host_monitor_init(&monitor, i, how->newer);
    monitor.wants_color = (output->flags & BRZ_OUTPUT_COLOR) != 0;
    monitor.n_nodes = tree->n_nodes;
    brz_instance_enter(i, "write", NULL, 0, 0);
    w->rc = output->write(&i->output_ctx, tree, &k.sink);
    brz_instance_leave(i);
    if (output->close != NULL) {
        brz_instance_enter(i, "close", NULL, 0, 0);
        output->close(&i->output_ctx);
        brz_instance_leave(i);
    }
    w->sink_failed = k.failed;
    w->colors = monitor.colors;
    report_violations(c, l, &monitor);
    brz_instance_destroy(i);
}

void check_output_result_finish(check_output_result *w)
{
    brz_buf_finish(&w->bytes);
}

void check_for_each_output(check *c, bool typical_only,
                           void (*run)(check *c, size_t component, const brz_tree *tree,
                                       const char *name))
{
    const check_tree_kind *kind;
    for (size_t k = 0; k < c->file.n_components; k++) {
        const brz_loaded *l = &c->file.components[k];
        if (l->component->kind != BRZ_OUTPUT)
            continue;
        brz_call_tree_options wanted = brz_render_tree_options(l->vtable);
        wanted.is_signed = (((const brz_output *)l->vtable)->flags & BRZ_OUTPUT_COLOR) != 0;
        for (size_t i = 0; (kind = check_tree_kind_at(i)) != NULL && !check_is_over(c); i++) {
            check_sample_tree t;
            check_protected_tree s;
            if (typical_only && !kind->typical)
                continue;
            check_sample_tree_build(&t, i, &wanted);
            check_doing(c, "writing %s with %s", kind->name, l->component->id);
            run(c, k, check_tree_protect(&s, &t.call_tree.tree, 0, c->crash_record), kind->name);
            check_protected_tree_finish(&s);
            check_sample_tree_finish(&t);
        }
    }
}
