/* Runs an output on a tree. */
#include "writing.h"

#include <string.h>

#include "plugin/crash.h"
#include "draw/render.h"
#include "host/instance.h"
#include "trees.h"
#include "watch.h"

const check_writing check_usual_writing = {.limit = SIZE_MAX};

/* A sink that stores its input up to a limit, with the size of a later host's. */
typedef struct kept_sink {
    brz_sink sink;
    unsigned char beyond[64];
    brz_buf *to;
    size_t limit;
    bool failed;
} kept_sink;

static brz_rc keep(brz_sink *sink, const void *data, size_t len)
{
    kept_sink *k = (kept_sink *)sink;
    size_t room = k->limit - k->to->len;
    k->failed |= len > room;
    if (k->failed)
        return BRZ_ERROR;
    brz_buf_add(k->to, data, len);
    return BRZ_OK;
}

static void look_at_calls(check *c, const brz_loaded *l, const brz_instance *i,
                          const check_watch *watch)
{
    if (brz_instance_has_emitted(i))
        check_fail(c, 16, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: it called a service that is for collapsers", l->component->id);
    if (watch->clause != 0)
        check_fail(c, watch->clause, CHECK_NOTHING, CHECK_NOTHING, "%s: %s", l->component->id,
                   watch->fault);
}

void check_write(check *c, size_t component, const brz_tree *tree, const check_writing *how,
                 check_written *w)
{
    const brz_loaded *l = &c->file.components[component];
    const brz_output *output = l->vtable;
    kept_sink k = {.sink = {sizeof(brz_sink), how->columns, keep}, .to = &w->bytes};
    check_watch watch;
    memset(w, 0, sizeof *w);
    k.limit = how->limit;
    memset(k.beyond, 0xa5, sizeof k.beyond);
    if (how->newer & CHECK_LONGER)
        k.sink.struct_size += sizeof k.beyond;
    brz_instance *i =
        brz_instance_create(l, &c->run, c->options[component]->cfg, NULL, output->inst_size, 0);
    check_watch_init(&watch, i, how->newer);
    watch.wants_color = (output->flags & BRZ_OUTPUT_COLOR) != 0;
    watch.n_nodes = tree->n_nodes;
    brz_instance_enter(i, "write", NULL, 0, 0);
    w->rc = output->write(&i->ctx, tree, &k.sink);
    brz_instance_leave(i);
    w->sink_failed = k.failed;
    w->colors = watch.colors;
    look_at_calls(c, l, i, &watch);
    brz_instance_destroy(i);
}

void check_written_finish(check_written *w)
{
    brz_buf_finish(&w->bytes);
}

void check_for_each_written(check *c, bool usual,
                            void (*run)(check *c, size_t component, const brz_tree *tree,
                                        const char *name))
{
    const check_tree_kind *kind;
    for (size_t k = 0; k < c->file.n_components; k++) {
        const brz_loaded *l = &c->file.components[k];
        if (l->component->kind != BRZ_OUTPUT)
            continue;
        brz_call_tree_options wanted = brz_render_tree_options(l->vtable);
        for (size_t i = 0; (kind = check_tree_kind_at(i)) != NULL && !check_is_over(c); i++) {
            check_trees t;
            check_stretched s;
            if (usual && !kind->usual)
                continue;
            check_tree_make(&t, i, &wanted);
            check_doing(c, "writing %s with %s", kind->name, l->component->id);
            run(c, k, check_tree_stretch(&s, &t.view.tree, 0, c->board), kind->name);
            check_stretched_finish(&s);
            check_tree_finish(&t);
        }
    }
}
