/* SPDX-License-Identifier: MIT */
/* Draws an input that is in order without a profile of its stacks: pictures need the stacks only to
 * merge them into a call tree. */
#include "run/sorted_inputs.h"
#include "sorted/tree.h"

/* Size of the buffer of the input, which grows with the longest record. */
#define BUFFER     ((size_t)64 << 10)
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

/* Opens the input as a source, and adds its facts to the profile. */
static void open_source(brz_sorted_inputs *s, brz_sorted_source *source, brz_sorted_stack *stacks,
                        brz_profile *profile)
{
    brz_sorted_input *input = &s->items[0];
    if (input->is_whole) {
        brz_sorted_source_init_samples(source, &input->samples.stack, brz_sorted_instance_next,
                                       &input->samples, stacks);
        source->state = brz_sorted_input_load(input);
        if (source->state == BRZ_SORTED_READING)
            brz_profile_absorb_facts(profile, input->samples.instance->profile);
        return;
    }
    brz_sorted_source_init(source, s->reader, BUFFER, BUFFER_MAX, stacks, STACKS);
    source->fill = brz_sorted_input_fill(input);
    source->context = input;
    source->size = brz_sorted_input_is_packed(input) ? 0 : input->size;
    brz_sorted_input_begin(input);
}

/* Reads the call tree. Returns false if the run needs a profile. Otherwise stores whether the tree
 * is complete, after reporting what failed. */
static bool read_tree(const brz_execution *x, brz_sorted_inputs *s, brz_call_tree *tree,
                      brz_profile *profile, bool *is_read)
{
    brz_sorted_source source;
    brz_sorted_stack stacks[STACKS];
    open_source(s, &source, stacks, profile);
    *is_read = brz_sorted_tree_init(tree, profile, &source, &x->run->stop);
    brz_sorted_state state = source.state;
    brz_sorted_source_finish(&source);
    return *is_read || brz_execution_is_stopped(x) || state == BRZ_SORTED_OVER ||
           brz_sorted_inputs_say_changed(s);
}

/* Draws the inputs, which are open. Returns false if the run needs a profile. */
static bool draw(brz_execution *x, brz_sorted_inputs *s, bool *is_written)
{
    brz_call_tree tree = {0};
    brz_profile *profile = brz_profile_create();
    bool is_done = read_tree(x, s, &tree, profile, is_written);
    if (*is_written)
        *is_written = !brz_execution_is_stopped(x) && brz_execution_write(x, profile, &tree.tree);
    brz_call_tree_finish(&tree);
    brz_profile_destroy(profile);
    return is_done;
}

bool brz_execution_draw(brz_execution *x, bool *is_written)
{
    const brz_pipeline *p = x->plan;
    brz_sorted_inputs s = {.items = NULL};
    bool is_done = p->n_inputs == 1 && !p->request->compare && need_only_nodes(p) &&
                   are_settings_used(p) && brz_sorted_inputs_open(&s, x) && draw(x, &s, is_written);
    brz_sorted_inputs_close(&s);
    return is_done;
}
