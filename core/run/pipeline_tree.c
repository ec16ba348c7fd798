/* Draws an input that is in order without a profile of its stacks: pictures need the stacks only to
 * merge them into a call tree. */
#include "run/pipeline_tree.h"

#include "run/sorted_inputs.h"
#include "sorted/tree.h"

/* Size of the buffer of the input, which grows with the longest record. */
#define BUFFER     ((size_t)256 << 10)
#define BUFFER_MAX ((size_t)8 << 20)

/* Number of stacks that are taken from it together. */
#define STACKS 64

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
    for (size_t i = 0; i < p->request->n_settings; i++)
        if (!p->used[i] && !p->request->settings[i].if_there)
            return false;
    return true;
}

static brz_tree_end build(const brz_execution *x, brz_sorted_inputs *s, brz_call_tree *tree,
                          brz_profile *profile)
{
    brz_sorted_source source;
    brz_sorted_stack stacks[STACKS];
    brz_sorted_input *input = &s->items[0];
    brz_sorted_source_init(&source, s->reader, BUFFER, BUFFER_MAX, stacks, STACKS);
    source.fill = brz_sorted_input_fill(input);
    source.context = input;
    source.size = input->packing == BRZ_PACKED_NOT ? input->size : 0;
    brz_sorted_input_begin(input);
    bool is_read = brz_sorted_tree_init(tree, profile, &source, &x->run->stop);
    brz_sorted_state state = source.state;
    brz_sorted_source_finish(&source);
    if (is_read)
        return BRZ_TREE_READ;
    return brz_execution_is_stopped(x) || state == BRZ_SORTED_OVER ||
                   brz_sorted_inputs_say_changed(s, brz_execution_console(x))
               ? BRZ_TREE_FAILED
               : BRZ_TREE_NEEDS_PROFILE;
}

brz_tree_end brz_pipeline_read_tree(const brz_execution *x, brz_call_tree *tree,
                                    brz_profile **profile)
{
    const brz_pipeline *p = x->plan;
    brz_sorted_inputs s = {.items = NULL};
    brz_tree_end end = BRZ_TREE_NEEDS_PROFILE;
    if (p->n_inputs == 1 && !p->request->compare && need_only_nodes(p) && are_settings_used(p) &&
        brz_sorted_inputs_open(&s, x)) {
        *profile = brz_profile_create();
        end = build(x, &s, tree, *profile);
    }
    brz_sorted_inputs_close(&s);
    return end;
}
