/* From a profile to the bytes of its outputs. */
#ifndef BRZ_RENDER_H
#define BRZ_RENDER_H

#include "base/beneath.h"
#include "draw/palette_chain.h"
#include "draw/palette_map.h"
#include "draw/sink.h"
#include "profile/call_tree.h"
#include "base/run.h"

/* An output of a run: the component, its palettes, its destination. */
typedef struct brz_output_use {
    brz_use use;
    brz_chain palettes;      /* empty for outputs without colours */
    bool palettes_are_usual; /* nobody chose them */
    bool diffusion;
    bool is_sent;        /* the command line names where it goes */
    bool is_usual;       /* nobody chose its format */
    char *to;            /* a file, "-" for standard output; a name for messages */
    brz_inside inside;   /* the place of a file that may not lie anywhere */
    brz_write_fn *write; /* takes the bytes instead */
    void *context;
} brz_output_use;

/* What the outputs are about. */
typedef struct brz_subject {
    uint32_t weight;        /* the column */
    uint32_t before, after; /* the columns that are compared, or BRZ_NO_WEIGHT */
    bool self_deltas;       /* see BRZ_TREE_SELF_DELTAS */
    brz_time_order time;
    bool negated;                 /* pictures show what became lighter as if it became heavier */
    brz_palette_map *palette_map; /* colours of names that are to stay, or NULL */
} brz_subject;

/* What an output's flags ask for, of the first column. */
brz_call_tree_options brz_render_tree_options(const brz_output *o);

/* Lets each output write what it makes of the profile to the sink of the same index. What they
 * need (stacks, nodes in one order or another) is made once. False after saying what is wrong. */
bool brz_render(brz_profile *profile, const brz_subject *subject, const brz_output_use *outputs,
                size_t n, brz_file_sink *const *sinks, brz_run *run);

#endif
