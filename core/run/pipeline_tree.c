/* Takes the call tree of a run directly from sorted folded text.
 *
 * Pictures of folded text need its stacks only to merge them into a call tree. If the text is in
 * order, its lines are enough: see folded_tree.h.
 */
#include "run/pipeline_tree.h"

#include <stdlib.h>
#include <string.h>

#include "run/folded_tree.h"
#include "run/sorted_inputs.h"

/* Returns whether all outputs need nothing but nodes in the order of the lines. */
static bool need_only_nodes(const brz_pipeline *p)
{
    for (size_t i = 0; i < p->n_outputs; i++) {
        brz_call_tree_options o = brz_render_tree_options(p->outputs[i].use.loaded->vtable);
        if (!o.nodes_only || o.exact || o.order != BRZ_ORDER_LINES)
            return false;
    }
    return p->n_outputs > 0;
}

/* Returns whether each setting belongs to an output or a palette. */
static bool are_settings_used(const brz_pipeline *p)
{
    for (size_t i = 0; i < p->request->n_settings; i++) {
        const brz_setting *s = &p->request->settings[i];
        if (strcmp(s->component, "folded") == 0 || !(p->used[i] || s->if_there))
            return false;
    }
    return true;
}

/* Reports the progress at the end of the input. Returns false if the run is to end. */
static bool tell(const brz_execution *x, const brz_sorted_input *input)
{
    const brz_request *r = x->plan->request;
    if (r->progress != NULL &&
        r->progress(r->progress_context, input->name, input->text.len, input->text.len) != 0)
        atomic_store(&x->run->stop, true);
    return !brz_execution_is_stopped(x);
}

/* Builds the tree. Returns false after reporting an error. */
static bool build(const brz_execution *x, const brz_sorted_inputs *s, brz_call_tree *tree,
                  brz_profile *profile)
{
    brz_console *console = brz_execution_console(x);
    bool is_good =
        brz_folded_tree_init(tree, profile, &s->parts, brz_request_threads(x->plan->request));
    if (!brz_sorted_inputs_are_whole(s, console))
        return false;
    if (!is_good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_READ, "%s: changed while it was read",
                     s->items[0].name);
    return is_good && tell(x, &s->items[0]);
}

brz_tree_end brz_pipeline_read_tree(const brz_execution *x, brz_call_tree *tree,
                                    brz_profile **profile)
{
    const brz_pipeline *p = x->plan;
    brz_sorted_inputs s;
    brz_tree_end end = BRZ_TREE_NEEDS_PROFILE;
    if (p->n_inputs != 1 || p->request->compare || !brz_sorted_inputs_suffice(p) ||
        !need_only_nodes(p) || !are_settings_used(p))
        return end;
    if (brz_sorted_inputs_open(&s, x) && brz_folded_tree_is_possible(&s.parts)) {
        *profile = brz_profile_create();
        end = build(x, &s, tree, *profile) ? BRZ_TREE_READ : BRZ_TREE_FAILED;
    }
    brz_sorted_inputs_close(&s);
    return end;
}
